# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints turned and slid by their handles: range, stops, steps, keys, followers, undo, and a robot that is deleted."""

import math

import bpy
import numpy as np
from robots import clear, import_robot, module, rig
from scenarios.every_section import open_sections, watch
from scenarios.sliders import near

_STEPS = 12
_SLACK = 0.06  # the hand's pixels


def values():
    return module("addon.rig").joint_values(rig())


def look_down(hand):
    """Look at the joints from above, from near enough."""
    with hand.here():
        bpy.ops.view3d.view_axis(type="TOP")
    view = hand.area().spaces.active.region_3d
    view.view_distance, view.view_location = 2.5, (0.3, 0.4, 0.0)
    yield 0.5


def crowd(hand):
    with hand.here():
        seen = module("addon.viewport.crowd").Crowd()
        module("addon.viewport.joint_gizmo").show_in_view(bpy.context, seen)
        return seen.handles


def place(hand, joint, value=0.0):
    """Return where on the screen a handle is to be taken for a value: a dial at its rim, an arrow at its head."""
    handles = crowd(hand)
    index = [handled.joint for handled in handles.joints].index(joint)
    frame, radius = handles.frames[index], handles.radii[index]
    if handles.joints[index].turns:
        point = frame[:3, 3] + radius * (math.cos(value) * frame[:3, 0] + math.sin(value) * frame[:3, 1])
    else:
        point = frame[:3, 3] + (value * handles.metres[index] + 0.4 * radius) * frame[:3, 2]
    region = hand.region("WINDOW")
    view = np.array(hand.area().spaces.active.region_3d.perspective_matrix)
    (x, y), _ = (part[0] for part in module("core.viewport").project(point, view, (region.width, region.height)))
    return region.x + x, region.y + y


def drag(hand, joint, value, *, key=None, end="LEFTMOUSE"):
    """Drag a handle from where it is to where it would have a value; ``end`` ends it."""
    start = values()[joint]
    way = [place(hand, joint, start + (value - start) * step / _STEPS) for step in range(_STEPS + 1)]
    yield from hand.move(*way[0])
    yield 0.2
    hand.event("LEFTMOUSE", "PRESS")
    yield 0.1
    if key:
        hand.event(key, "PRESS", ctrl=True)
        yield 0.1
    for x, y in way[1:]:
        yield from hand.move(x, y)
    if end != "LEFTMOUSE":
        hand.event(end, "PRESS")
        yield 0.1
    hand.event("LEFTMOUSE", "RELEASE")
    yield 0.1
    if key:
        hand.event(key, "RELEASE")
    yield 0.3


def scenario(hand, robot):
    clear()
    import_robot(hand, robot)
    yield from look_down(hand)
    group = module("addon.viewport.joint_gizmo").URDF_RIG_GGT_joints
    with hand.here():
        assert not group.poll(bpy.context), "handles are off at first"
        bpy.ops.ed.undo_push(message="Robot")
    yield from hand.open_tab()
    watch()
    yield from open_sections(hand, ["URDF_RIG_PT_viewport"])
    switch = yield from hand.widget("urdf_rig_viewport.handles")
    yield from hand.click(*switch)
    assert bpy.context.window_manager.urdf_rig_viewport.handles
    yield from look_down(hand)
    yield from hand.picture("1-handles")
    yield from dials(hand)
    yield from arrow(hand)
    yield from gone(hand)


def dials(hand):
    yield from drag(hand, "elbow", 0.5)
    assert abs(values()["elbow"] - 0.5) < _SLACK, values()
    turned = values()
    yield from hand.undo()
    assert near(values()["elbow"], 0.0), "a drag is one step of undo"
    yield from hand.redo()
    assert near(values()["elbow"], turned["elbow"])
    yield from drag(hand, "elbow", 2.6)
    assert near(values()["elbow"], 1.2), "it stops at the joint's stop"
    yield from hand.picture("2-stop")
    yield from drag(hand, "spin", 2.0, end="ESC")
    assert near(values()["spin"], 0.0), "Escape takes it back"
    yield from drag(hand, "spin", 2.5)
    yield from drag(hand, "spin", 5.0)
    yield from drag(hand, "spin", 7.5)
    assert abs(values()["spin"] - 7.5) < _SLACK, "whole turns are kept"
    yield from drag(hand, "spin", 6.4, key="LEFT_CTRL")
    steps = values()["spin"] / math.radians(5.0)
    assert abs(steps - round(steps)) < 1e-3, "Ctrl turns by steps"


def arrow(hand):
    module("addon.rig").reset_joints(rig())
    bpy.context.scene.tool_settings.use_keyframe_insert_auto = True
    bpy.context.preferences.edit.use_keyframe_insert_available = False  # which 5.2 has on
    yield 0.3
    with hand.here():
        bpy.ops.ed.undo_push(message="Reset")
    yield from drag(hand, "rail", 0.1)
    slid = values()["rail"]
    assert abs(slid - 0.1) < 0.02, slid
    bones = {joint.data.joint: joint for joint in module("addon.rig").joint_bones(rig())}
    assert near(bones["grip"].value, 2.0 * slid), "the follower follows"
    curves = module("addon.fcurves").action_curves(rig())
    assert [curve.data_path for curve in curves] == ['pose.bones["c"].location'], "the drag is keyed"
    yield from drag(hand, "rail", 0.45)
    assert near(values()["rail"], 0.2)
    yield from hand.move(*place(hand, "rail", 0.2))
    yield 0.3
    yield from hand.picture("3-arrow")
    yield from hand.undo()
    assert near(values()["rail"], slid)


def gone(hand):
    """Only the selected joint's handle; then none of anything, while the pointer goes over where they were."""
    state = bpy.context.window_manager.urdf_rig_viewport
    state.which = "SELECTED"
    for bone in rig().pose.bones:
        (bone if hasattr(bone, "select") else bone.bone).select = bone.name == "b"
    yield 0.3
    assert [handled.joint for handled in crowd(hand).joints] == ["spin"]
    state.which, state.names, state.axes = "ALL", True, True
    yield 0.3
    yield from hand.picture("4-all")
    x, y = place(hand, "elbow")
    bpy.data.objects.remove(rig())
    yield 0.3
    for step in range(5):
        yield from hand.move(x + 20 * step, y)
    yield 0.3
    state.names = state.axes = False
    assert module("addon.viewport.overlays").drawn_overlays() == frozenset()
    yield 0.3
