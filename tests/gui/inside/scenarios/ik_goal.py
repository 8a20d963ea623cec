# SPDX-License-Identifier: GPL-3.0-or-later
"""A goal for the tool, added by its button and dragged in the viewport: the arm follows within its limits."""

import bpy
from mathutils import Vector
from robots import channels, clear, close, import_robot, rig
from scenarios.every_section import open_sections, watch


def scenario(hand, robot):
    clear()
    import_robot(hand, robot)
    with hand.here():
        bpy.ops.object.mode_set(mode="POSE")
    rig().data.bones.active = rig().data.bones["tool0"]
    yield from hand.open_tab()
    watch()
    yield from open_sections(hand, ["URDF_RIG_PT_ik"])
    add = yield from hand.widget("urdf_rig.add_ik_goal")
    yield from hand.click(*add)
    (goal,) = goals()
    yield from hand.picture("1-goal")
    live = yield from hand.widget(".live", share=0.3)
    yield from hand.click(*live)
    assert rig().urdf_rig_ik_robot.live
    with hand.here():
        bpy.ops.object.mode_set(mode="OBJECT")
        bpy.ops.object.select_all(action="DESELECT")
    goal = goals()[0]
    goal.select_set(True)
    bpy.context.view_layer.objects.active = goal
    yield 0.3
    for direction in ((-1, -1), (1, 0)):
        before, place = channels(), goals()[0].location.copy()
        yield from grab(hand, *direction)
        assert (goals()[0].location - place).length > 0.01
        yield 0.5
        assert not close(before, channels())
        state = goals()[0].urdf_rig_ik
        assert state.reached, (state.position_error, state.problem)
        tip = rig().matrix_world @ rig().pose.bones["tool0"].matrix.translation
        assert (tip - Vector(goals()[0].matrix_world.translation)).length < 1e-3
        after, moved = channels(), goals()[0].location.copy()
        yield from hand.undo()
        assert (goals()[0].location - place).length < 1e-5
        assert close(before, channels(), 1e-4)
        yield from hand.redo()
        assert (goals()[0].location - moved).length < 1e-5
        assert close(after, channels(), 1e-4)
    yield from hand.picture("2-dragged")


def goals():
    return [obj for obj in bpy.data.objects if obj.type == "EMPTY" and obj.urdf_rig_ik.rig is not None]


def grab(hand, right, up):
    """Move the active object by G, as one does with a mouse."""
    area = hand.area()
    x, y = area.x + area.width // 3, area.y + area.height // 2
    yield from hand.move(x, y)
    yield from hand.press("G")
    for step in range(1, 11):
        yield from hand.move(x + 3 * step * right, y + 3 * step * up)
        yield 0.05
    yield from hand.press("LEFTMOUSE")
    yield 0.4
