# SPDX-License-Identifier: GPL-3.0-or-later
"""The joints' section: order, units, ranges, dragging, typing beyond a limit, the key dot, the filter, reset, modes."""

import math

import bpy
from hand import RIGHT
from robots import clear, import_robot, module, rig

JOINTS = {"zeta": "l1", "alpha": "l2", "foll": "l3"}
RANGES = {"zeta": (-0.5, 1.0, "ANGLE"), "alpha": (0.0, 0.2, "DISTANCE")}


def values():
    return {joint.data.joint: joint.value for joint in module("addon.rig").joint_bones(rig())}


def sliders(hand, wanted=3):
    """Return {joint: place of its slider}, from top to bottom; the search ends when all are found."""
    found = yield from hand.widgets(until=lambda found: sum("urdf_rig_joint_" in path for path in found) == wanted)
    names = {f'pose.bones["{bone}"].urdf_rig_joint_': joint for joint, bone in JOINTS.items()}
    return {joint: place for path, place in found.items() for part, joint in names.items() if part in path}


def near(left, right):
    return math.isclose(left, right, abs_tol=1e-5)


def typed(hand, place, text):
    yield from hand.enter(*place, text)
    return values()


def ranges():
    """Return {joint: lowest and highest value, kind} of the sliders that Blender draws."""
    found = {}
    for joint in module("addon.rig").joint_bones(rig())[:2]:
        slider = joint.bone.bl_rna.properties[module("addon.sliders").slider_name(joint, bpy.context.scene)]
        found[joint.data.joint] = (round(slider.hard_min, 6), round(slider.hard_max, 6), slider.subtype)
    return found


def scenario(hand, robot):
    clear()
    import_robot(hand, robot)
    yield from hand.open_tab()
    yield from hand.picture("1-panel")
    places = yield from sliders(hand)
    assert list(places) == ["zeta", "alpha", "foll"]
    assert ranges() == RANGES
    zeta, alpha, foll = places.values()

    yield from hand.drag(*zeta, 30)
    dragged = values()["zeta"]
    assert 0.0 < dragged <= 1.0
    assert near(values()["foll"], dragged)
    yield from hand.picture("2-dragged")
    yield from hand.drag(*zeta, 400)
    assert near(values()["zeta"], 1.0), "the drag ends at the stop"

    assert near((yield from typed(hand, zeta, "-90"))["zeta"], -0.5), "degrees, held at the lower limit"
    assert near((yield from typed(hand, zeta, "30"))["zeta"], math.pi / 6)
    assert near((yield from typed(hand, alpha, "7"))["alpha"], 0.2), "metres, held at the upper limit"
    assert near((yield from typed(hand, alpha, "0.125"))["alpha"], 0.125)
    yield from hand.picture("3-typed")
    before = values()
    yield from hand.drag(*foll, 40)
    assert values() == before, "a follower can't be dragged"

    yield from key_dot(hand, zeta, "rotation_euler")
    yield from key_dot(hand, alpha, "location")
    yield from hand.picture("4-keyed")

    field = yield from hand.widget("urdf_rig.filter", share=0.3)
    yield from hand.enter(*field, "alp")
    assert list((yield from sliders(hand))) == ["alpha"]
    yield from hand.picture("5-filter")
    yield from hand.click(*field)
    yield from hand.press("A", ctrl=True)
    yield from hand.press("DEL")
    yield from hand.press("RET")
    yield 0.3
    assert len((yield from sliders(hand))) == 3

    reset = yield from hand.widget("urdf_rig.reset_joints", share=RIGHT)
    yield from hand.click(*reset)
    assert all(near(value, 0.0) for value in values().values())

    with hand.here():
        bpy.ops.object.mode_set(mode="POSE")
    yield 0.3
    places = yield from sliders(hand)
    assert near((yield from typed(hand, places["zeta"], "10"))["zeta"], math.radians(10))

    verify = yield from hand.widget("urdf_rig.verify")
    rig().data.urdf_rig.verified = False
    yield from hand.click(*verify)
    yield 1.0
    assert rig().data.urdf_rig.verify_passed
    assert near(values()["zeta"], math.radians(10)), "verification leaves the pose as it was"
    yield from hand.picture("6-verified")


def key_dot(hand, place, path):
    """Press the dot beside a slider: a key on the channel itself."""
    region = hand.region()
    yield from hand.click(region.x + region.width - 47, place[1])
    action = rig().animation_data and rig().animation_data.action
    assert action, "the dot has set no key"
    assert path in " ".join(curve.data_path for curve in module("addon.fcurves").action_curves(rig()))
