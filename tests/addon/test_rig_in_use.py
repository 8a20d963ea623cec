# SPDX-License-Identifier: GPL-3.0-or-later
"""One robot with all that users put on it: it works after another base, new names, save and load, and undo."""

from __future__ import annotations

import json

import bpy
import numpy as np
import pytest
from checked_rig import check
from ik_scene import READY_SEVEN, SEVEN, joints, live, off, ready_seven
from reload_scene import swap, verified

SRDF = """<robot name="arm7"><group_state name="up" group="arm">
  <joint name="j2" value="0.25"/><joint name="{}" value="0.5"/></group_state></robot>"""
OWN = {**READY_SEVEN, "j4": 1.6, "j2": -0.4}
SLOW = {"joint_limits": {"j4": {"has_velocity_limits": True, "max_velocity": 0.25}}}


def frames(rig, joint):
    from urdf_rig.addon.fcurves import curves_by_channel
    from urdf_rig.addon.rig import joint_bones_by_name

    bone = joint_bones_by_name(rig)[joint]
    curve = curves_by_channel(rig).get((bone.curve_path, 1))
    return {} if curve is None else {point.co.x: bone.data.sign * point.co.y for point in curve.keyframe_points}


@pytest.fixture
def rig(rig_of, tmp_path):
    """An arm with poses, waypoints, a goal, a posture, solutions, a cup, limits and findings."""
    from urdf_rig.addon.attachments import attach, offset_pose
    from urdf_rig.addon.ik.settings import goal_data, remember_values
    from urdf_rig.addon.rig import set_joint_values

    (tmp_path / "robot.srdf").write_text(SRDF.format("j4"))
    (tmp_path / "limits.yaml").write_text(json.dumps(SLOW))
    rig = ready_seven(rig_of, tmp_path)
    rig.location = (0.4, -0.2, 0.1)
    bpy.context.view_layer.objects.active = rig
    scene = bpy.context.scene
    scene.render.fps, scene.frame_start, scene.frame_end = 24, 1, 25
    bpy.context.window_manager.urdf_rig_kinematics.frame = "hand"
    rig.data.urdf_rig_waypoints.link = "hand"
    for frame, values in ((1, READY_SEVEN), (25, OWN)):
        scene.frame_set(frame)
        set_joint_values(rig, values)
        assert bpy.ops.urdf_rig.record_waypoint(name=f"at {frame}") == {"FINISHED"}
    assert bpy.ops.urdf_rig.save_pose(name="own") == {"FINISHED"}
    for kind in ("POSITION", "POSTURE"):
        before = set(bpy.data.objects)
        assert bpy.ops.urdf_rig.add_ik_goal(kind=kind, link="hand") == {"FINISHED"}
        (goal,) = set(bpy.data.objects) - before
        goal.name = kind
        bpy.context.view_layer.objects.active = rig
    remember_values(goal_data(bpy.data.objects["POSITION"]).solutions.add().values, OWN)
    cup = bpy.data.objects.new("cup", None)
    bpy.context.collection.objects.link(cup)
    attach(cup, rig, "hand", offset_pose((0.1, 0.2, 0.3), (0, 0, 0)))
    bpy.ops.urdf_rig.generate_waypoint_motion()
    assert bpy.ops.urdf_rig.read_joint_limits(filepath=str(tmp_path / "limits.yaml")) == {"FINISHED"}
    check(rig, collisions=False)
    return rig


def works(joint="j4", link="hand"):
    """Use all of it; the joint and the link are called so now."""
    from urdf_rig.addon.attachments import world_pose_of
    from urdf_rig.addon.ik.settings import goal_data, remembered_values
    from urdf_rig.addon.motion.check_settings import check_data, stored_overrides
    from urdf_rig.addon.motion.findings import offending_joints

    rig, goal, cup = (bpy.data.objects[name] for name in ("arm7", "POSITION", "cup"))
    own = {joint if name == "j4" else name: value for name, value in OWN.items()}
    bpy.context.view_layer.objects.active = rig
    bpy.context.scene.frame_set(1)
    bpy.ops.urdf_rig.apply_pose(name="own")
    assert joints(rig) == pytest.approx(own, abs=1e-6)
    bpy.ops.urdf_rig.apply_pose(name="up", srdf=True)
    assert joints(rig) == pytest.approx({**own, joint: 0.5, "j2": 0.25}, abs=1e-6)
    # the cup in the hand
    bpy.context.view_layer.update()
    tip = world_pose_of(rig, link)
    assert np.array(cup.matrix_world) @ [0, 0, 0, 1] == pytest.approx(tip @ [0.1, 0.2, 0.3, 1], abs=2e-6)
    # the goal, live, and the posture behind it
    assert goal_data(goal).link == link
    posture = remembered_values(goal_data(bpy.data.objects["POSTURE"]).posture)
    assert posture == pytest.approx(own, abs=1e-6)
    assert set(remembered_values(goal_data(goal).solutions[0].values)) == set(own)
    live(rig)
    goal.location = (tip[:3, 3] + [0.02, -0.03, -0.05]).tolist()
    bpy.context.view_layer.update()
    assert off(rig, goal, link)[0] < 1e-4 and goal_data(goal).reached
    live(rig, False)
    # the motion through the waypoints
    assert {item.link for item in rig.data.urdf_rig_waypoints.waypoints} == {link}
    assert bpy.ops.urdf_rig.clear_waypoint_motion() == {"FINISHED"}
    assert frames(rig, joint) == {}
    assert bpy.ops.urdf_rig.generate_waypoint_motion() == {"FINISHED"}
    assert frames(rig, joint) == pytest.approx({1.0: READY_SEVEN["j4"], 25.0: OWN["j4"]}, abs=1e-6)
    # what the check had found is still about the same joint, and found again
    for again in (False, True):
        if again:
            check(rig)
        data = check_data(rig)
        assert joint in {item.joint for item in data.findings} & offending_joints(rig, 13)
        assert list(stored_overrides(rig)) == [joint]
    assert verified(rig) == ()
    return rig


def test_it_all_works_after_another_base_new_names_save_and_load_and_undo(rig, tmp_path):
    from urdf_rig.addon.ik.settings import ik_data

    works()
    assert bpy.ops.urdf_rig.change_base(link="l1") == {"FINISHED"}
    assert works().data.urdf_rig.base == "l1"
    (tmp_path / "robot.srdf").write_text(SRDF.format("elbow"))
    (tmp_path / "robot.urdf").write_text(swap(SEVEN, ('"j4"', '"elbow"'), ('"hand"', '"palm"')))
    live(rig)
    bpy.ops.ed.undo_push(message="before")
    assert bpy.ops.urdf_rig.reload_description() == {"FINISHED"}
    rig = bpy.data.objects["arm7"]
    assert ik_data(rig).live and rig.data.urdf_rig_import.changes.splitlines() == [
        "link renamed: palm (was hand)",
        "joint renamed: elbow (was j4)",
    ]
    assert bpy.context.window_manager.urdf_rig_kinematics.frame == "palm"
    bpy.ops.ed.undo_push(message="after")
    bpy.ops.ed.undo()
    bpy.context.window_manager.urdf_rig_kinematics.frame = "hand"
    (tmp_path / "robot.srdf").write_text(SRDF.format("j4"))
    live(bpy.data.objects["arm7"], False)
    works()
    bpy.ops.ed.redo()
    bpy.context.window_manager.urdf_rig_kinematics.frame = ""
    works("elbow", "palm")
    path = str(tmp_path / "kept.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    works("elbow", "palm")
    assert bpy.ops.urdf_rig.change_base(link="palm") == {"FINISHED"}
    assert verified(bpy.data.objects["arm7"]) == ()


def test_names_that_are_exchanged_are_exchanged_everywhere():
    from urdf_rig.addon.new_names import NewNames

    names = NewNames({"a": "b", "b": "a"}, {"x": "y", "y": "x", "z": "w"})
    assert (names.link("a"), names.link("b"), names.link("c")) == ("b", "a", "c")
    assert names.by_joint({"x": 1, "y": 2, "gone": 3}) == {"y": 1, "x": 2, "gone": 3}
    assert names.by_joint({"w": "gone", "z": "now"}) == {"w": "now"}


# who lets each of them follow a new name: a rebuild (bones, children, skin), or a listener of ``rebuild/renaming.py``
HOLD_NAMES = {
    "armature": {"base", "urdf", "semantics"},
    "bone": {"link", "joint", "leader"},
    "object": {"link", "parts"},
    "attachment": {"link"},
    "pose": {"joints"},
    "waypoint": {"joints", "link", "reference"},
    "waypoints": {"link", "generated"},
    "ik_goal": {"link"},
    "ik_value": {"name"},
    "finding": {"name", "joint", "other", "joints"},
    "check": {"limits"},
    "kinematics": {"frame", "reference"},
}
HOLD_NONE = {
    "armature": {"robot", "source", "verify_text"},
    "bone": {"channel"},
    "object": {"widget", "part"},
    "window": {"filter"},
    "pose": {"name"},
    "waypoint": {"name"},
    "ik_goal": {"at_limits", "problem", "solution_note"},  # what the last solution had to say
    "finding": {"kind", "note"},
    "check": {"limits_file", "summary", "remarks", "marker_prefix"},
    "import": {"options", "changes"},
    "folder": {"path"},
    "xacro_argument": {"value", "default"},
}


def test_whatever_stores_names_is_known_to_follow_them():
    found = {}
    for kind in bpy.types.PropertyGroup.__subclasses__():
        if kind.__name__.startswith("URDF_RIG_PG_") and kind.is_registered:
            own = [
                item for item in kind.bl_rna.properties if item.type == "STRING" and item.identifier in annotated(kind)
            ]
            found[kind.__name__.removeprefix("URDF_RIG_PG_")] = {item.identifier for item in own}
    found["ik_value"].add("name")
    found["finding"].add("name")
    known = {name: HOLD_NAMES.get(name, set()) | HOLD_NONE.get(name, set()) for name in found}
    assert found == known and set(HOLD_NAMES) <= set(found)


def annotated(kind):
    return {name for base in kind.__mro__ for name in getattr(base, "__annotations__", {})}
