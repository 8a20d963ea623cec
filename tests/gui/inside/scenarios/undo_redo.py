# SPDX-License-Identifier: GPL-3.0-or-later
"""A chain of edits by mouse, all taken back by Ctrl Z, and all made again."""

import bpy
from hand import RIGHT
from robots import channels, clear, close, import_robot, rigs
from scenarios.every_section import open_sections, watch
from scenarios.ik_goal import goals
from scenarios.sliders import key_dot, sliders


def state():
    """Return what the edits change: channels, keys and objects."""
    if not rigs():
        return None
    rig = rigs()[0]
    action = rig.animation_data.action if rig.animation_data else None
    return channels(rig), action is not None, sorted(bpy.data.objects.keys()), rig.data.urdf_rig.verified


def same(left, right):
    return left[1:] == right[1:] and close(left[0], right[0])


def scenario(hand, robot):
    clear()
    with hand.here():
        bpy.ops.ed.undo_push(message="Empty")
    import_robot(hand, robot)
    rigs()[0].data.urdf_rig.verified = False
    with hand.here():
        bpy.ops.ed.undo_push(message="Robot")
    yield from hand.open_tab()
    watch()
    yield from open_sections(hand, ["URDF_RIG_PT_ik"])
    places = yield from sliders(hand)
    states = [state()]

    def note(what):
        states.append(state())
        assert not same(states[-1], states[-2]), f"{what} changed nothing"

    yield from hand.drag(*places["zeta"], 25)
    note("dragging")
    yield from hand.enter(*places["alpha"], "0.1")
    note("typing")
    yield from key_dot(hand, places["zeta"], "rotation_euler")
    note("the dot")
    reset = yield from hand.widget("urdf_rig.reset_joints", share=RIGHT)
    yield from hand.click(*reset)
    note("reset")
    verify = yield from hand.widget("urdf_rig.verify")
    yield from hand.click(*verify)
    yield 1.0
    note("verify")
    rigs()[0].data.bones.active = rigs()[0].data.bones["l2"]
    add = yield from hand.widget("urdf_rig.add_ik_goal")
    yield from hand.click(*add)
    yield 0.5
    assert len(goals()) == 1
    note("adding a goal")

    for wanted in reversed(states[:-1]):
        yield from hand.undo()
        assert same(state(), wanted), (state(), wanted)
    for wanted in states[1:]:
        yield from hand.redo()
        assert same(state(), wanted), (state(), wanted)
    yield from hand.picture("1-made-again")
