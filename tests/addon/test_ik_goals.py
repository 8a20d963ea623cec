# SPDX-License-Identifier: GPL-3.0-or-later
"""Goals: made, solved for, one solution after the other, and removed."""

from __future__ import annotations

import json
import math
from types import SimpleNamespace

import bpy
import numpy as np
import pytest
from ik_panels import draw
from ik_scene import READY, TIP, add, joints, live, off, ready_arm, shown
from mathutils import Matrix, Quaternion, Vector


@pytest.fixture
def rig(rig_of):
    return ready_arm(rig_of)


def test_a_goal_is_made_where_the_link_is(rig):
    goal = add()
    assert goal.type == "EMPTY" and goal.empty_display_type == "ARROWS"
    assert goal.users_collection == rig.users_collection
    assert bpy.context.object == goal and bpy.context.selected_objects == [goal]
    assert max(off(rig, goal)) < 1e-6
    before = joints(rig)
    assert bpy.ops.urdf_rig.solve_ik() == {"FINISHED"}
    assert goal.urdf_rig_ik.reached and joints(rig) == pytest.approx(before, abs=1e-5)


def test_a_goal_is_reached(rig):
    goal = add()
    goal.location += Vector((-0.1, 0.15, -0.12))
    goal.rotation_euler.rotate(Quaternion((1, 2, 3), 0.6))
    bpy.context.view_layer.update()
    assert off(rig, goal)[0] > 0.1
    assert bpy.ops.urdf_rig.solve_ik() == {"FINISHED"}
    distance, turn = off(rig, goal)
    assert distance < 1e-5 and turn < 1e-5
    data = goal.urdf_rig_ik
    assert data.reached and data.position_error < 1e-6 and not data.problem


def test_the_tools_point_is_reached(rig):
    xyz, rpy = (0.05, -0.02, 0.1), (0.3, -0.5, 1.1)
    goal = add(tool_xyz=xyz, tool_rpy=rpy)
    # roll about x first, then pitch about y, then yaw about z, all fixed: as the URDF specification says
    turn = Matrix.Rotation(rpy[2], 4, "Z") @ Matrix.Rotation(rpy[1], 4, "Y") @ Matrix.Rotation(rpy[0], 4, "X")
    tool = np.array(Matrix.Translation(xyz) @ turn, dtype=float)
    bpy.context.view_layer.update()
    assert np.abs(shown(rig) @ tool - np.array(goal.matrix_world)).max() < 1e-6
    goal.location.z -= 0.1
    bpy.ops.urdf_rig.solve_ik()
    assert np.abs(shown(rig) @ tool - np.array(goal.matrix_world)).max() < 1e-5


def test_position_or_orientation_alone(rig):
    goal = add()
    goal.location.z -= 0.1
    goal.rotation_euler.rotate(Quaternion((0, 1, 0), 0.5))
    goal.urdf_rig_ik.kind = "POSITION"
    bpy.ops.urdf_rig.solve_ik()
    distance, turn = off(rig, goal)
    assert distance < 1e-5 and turn > 0.05
    goal.urdf_rig_ik.kind = "ORIENTATION"
    goal.location.x += 5.0
    bpy.ops.urdf_rig.solve_ik()
    distance, turn = off(rig, goal)
    assert distance > 1.0 and turn < 1e-5


def test_selected_bones_get_a_goal_each(rig):
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="POSE")
    bpy.ops.pose.select_all(action="DESELECT")
    bones = [bone for bone in rig.pose.bones if bone.bone.urdf_rig.joint in ("joint_3", "joint_6")]
    for bone in bones:
        owner = bone if hasattr(bone, "select") else bone.bone
        owner.select = True
    assert bpy.ops.urdf_rig.add_ik_goal() == {"FINISHED"}
    goals = [obj for obj in bpy.data.objects if obj.urdf_rig_ik.rig == rig]
    assert {goal.urdf_rig_ik.link for goal in goals} == {bone.bone.urdf_rig.link for bone in bones}
    bpy.ops.urdf_rig.solve_ik()
    assert all(goal.urdf_rig_ik.reached for goal in goals)


def test_what_cannot_follow_is_refused(rig):
    count = len(bpy.data.objects)
    with pytest.raises(RuntimeError, match="base"):
        bpy.ops.urdf_rig.add_ik_goal(link=rig.data.urdf_rig.base)
    with pytest.raises(RuntimeError, match="nowhere"):
        bpy.ops.urdf_rig.add_ik_goal(link="nowhere")
    assert len(bpy.data.objects) == count
    assert not bpy.ops.urdf_rig.solve_ik.poll()


def test_out_of_reach_is_as_near_as_can_be_and_says_so(rig):
    from urdf_rig.addon.ik.status import status_text

    goal = add()
    goal.urdf_rig_ik.kind = "POSITION"
    away = Vector((20.0, 0.0, 0.0))
    goal.location += away
    bpy.context.view_layer.update()
    bpy.ops.urdf_rig.solve_ik()
    data = goal.urdf_rig_ik
    assert not data.reached
    assert data.position_error == pytest.approx(off(rig, goal)[0], rel=1e-4)
    assert status_text(goal).startswith("Off by 1") and "mm" in status_text(goal)
    assert off(rig, goal)[0] < 20.0 - 0.1  # it stretches towards it


def test_pinned_joints_do_not_move_and_limits_hold(rig):
    from urdf_rig.addon.rig import joint_bones

    goal = add()
    goal.urdf_rig_ik.kind = "POSITION"
    bones = {joint.data.joint: joint for joint in joint_bones(rig)}
    before = joints(rig)
    for name in ("joint_1", "joint_4"):
        bones[name].bone.urdf_rig_ik.pinned = True
    generator = np.random.default_rng(5)
    for _ in range(12):
        goal.location = Vector(generator.uniform(-1.5, 1.5, 3))
        bpy.ops.urdf_rig.solve_ik()
        after = joints(rig)
        assert after["joint_1"] == before["joint_1"] and after["joint_4"] == before["joint_4"]
        for name, joint in bones.items():
            assert joint.data.lower - 1e-6 <= after[name] <= joint.data.upper + 1e-6
    assert goal.urdf_rig_ik.at_limits  # most of these are out of reach


def test_all_solutions_come_in_turn_and_back(rig):
    goal = add()
    found = []
    for _ in range(20):
        assert bpy.ops.urdf_rig.step_ik_solution(step=1) == {"FINISHED"}
        distance, turn = off(rig, goal)
        assert distance < 1e-5 and turn < 1e-5
        text = f"{goal.urdf_rig_ik.solution_index + 1} of {len(goal.urdf_rig_ik.solutions)}"
        if text in [item[0] for item in found]:
            break
        found.append((text, joints(rig)))
    count = int(found[0][0].split(" of ")[1])
    assert len(found) == count > 1
    assert text == found[0][0] and joints(rig) == pytest.approx(found[0][1], abs=1e-4)
    assert any(values == pytest.approx(READY, abs=1e-4) for _, values in found)
    bpy.ops.urdf_rig.step_ik_solution(step=-1)
    assert joints(rig) == pytest.approx(found[-1][1], abs=1e-4)
    goal.location.x += 50
    with pytest.raises(RuntimeError, match="no solution"):
        bpy.ops.urdf_rig.step_ik_solution(step=1)
    goal.urdf_rig_ik.kind = "POSITION"
    with pytest.raises(RuntimeError, match="endlessly"):
        bpy.ops.urdf_rig.step_ik_solution(step=1)


def test_solutions_are_listed_with_the_joints_that_differ_and_chosen(rig):
    goal = add()
    data = goal.urdf_rig_ik
    before = joints(rig)
    assert bpy.ops.urdf_rig.find_ik_solutions() == {"FINISHED"}
    assert joints(rig) == before and len(data.solutions) > 1
    rows = [item for item in draw("URDF_RIG_PT_ik_solutions") if str(item)[:1].isdigit() and "   " in str(item)]
    assert len(rows) == len(data.solutions)
    assert rows[data.solution_index].endswith("as shown") and sum(row.endswith("as shown") for row in rows) == 1
    index = (data.solution_index + 1) % len(rows)
    button = SimpleNamespace(goal=goal.name, index=index)
    tooltip = bpy.types.URDF_RIG_OT_choose_ik_solution.description(bpy.context, button)
    assert bpy.ops.urdf_rig.choose_ik_solution(index=index) == {"FINISHED"}
    assert max(off(rig, goal)) < 1e-5
    after = joints(rig)
    differing = {name for name, value in after.items() if abs(value - before[name]) > 1e-3}
    most = max(differing, key=lambda name: abs(after[name] - before[name]))
    assert rows[index].split("   ")[1].split()[0] == most and rows[index].endswith(f", {len(differing) - 1} more")
    assert {part.split()[0] for part in tooltip.split(": ")[1].split(", ")} == differing
    first = next(part for part in rows[index].split("   ")[1].split(", "))
    name, degrees = first.split()
    assert math.degrees(after[name] - before[name]) == pytest.approx(float(degrees.rstrip("°")), abs=0.51)
    with pytest.raises(RuntimeError, match="no solution 100"):
        bpy.ops.urdf_rig.choose_ik_solution(index=99)
    goal.location.z -= 0.05
    bpy.context.view_layer.update()
    assert "The goal has moved since" in draw("URDF_RIG_PT_ik_solutions")
    with pytest.raises(RuntimeError, match="find all solutions again"):
        bpy.ops.urdf_rig.choose_ik_solution(index=0)
    assert joints(rig) == after
    bpy.ops.urdf_rig.step_ik_solution(step=1)
    assert max(off(rig, goal)) < 1e-5


def test_solutions_are_keyed_as_ordinary_keyframes(rig, plain_keying):
    from urdf_rig.addon.fcurves import action_curves

    add()
    scene = bpy.context.scene
    chosen = []
    for frame, way in ((1, "option"), (11, "auto"), (21, "button")):
        scene.frame_set(frame)
        scene.tool_settings.use_keyframe_insert_auto = way == "auto"
        assert bpy.ops.urdf_rig.step_ik_solution(step=1, key=way == "option") == {"FINISHED"}
        if way == "button":
            assert bpy.ops.urdf_rig.key_ik_joints() == {"FINISHED"}
        chosen.append(joints(rig))
    curves = action_curves(rig)
    assert len(curves) == 6
    assert all([point.co.x for point in curve.keyframe_points] == [1, 11, 21] for curve in curves)
    for frame, values in zip((1, 11, 21), chosen, strict=True):
        scene.frame_set(frame)
        assert joints(rig) == pytest.approx(values, abs=1e-5)
    assert chosen[0] != chosen[1]


def test_pinning_a_joint_leaves_fewer_solutions(rig):
    from urdf_rig.addon.rig import joint_bones_by_name

    goal = add()
    bpy.ops.urdf_rig.find_ik_solutions()
    every = len(goal.urdf_rig_ik.solutions)
    joint_bones_by_name(rig)["joint_1"].bone.urdf_rig_ik.pinned = True
    with pytest.raises(RuntimeError, match="find all solutions again"):
        bpy.ops.urdf_rig.choose_ik_solution(index=0)
    bpy.ops.urdf_rig.find_ik_solutions()
    assert 1 <= len(goal.urdf_rig_ik.solutions) < every
    before = joints(rig)["joint_1"]
    bpy.ops.urdf_rig.step_ik_solution(step=1)
    assert joints(rig)["joint_1"] == before and max(off(rig, goal)) < 1e-5


def test_removing_a_goal_leaves_the_pose(rig):
    goal = add()
    goal.location.z -= 0.1
    bpy.ops.urdf_rig.solve_ik()
    live(rig)
    before = joints(rig)
    assert bpy.ops.urdf_rig.remove_ik_goal(goal=goal.name) == {"FINISHED"}
    bpy.context.view_layer.update()
    assert joints(rig) == before and not bpy.ops.urdf_rig.remove_ik_goal.poll()


def test_renamed_bones_still_follow(rig):
    goal = add()
    for bone in rig.data.bones:
        bone.name = f"renamed {bone.name}"
    goal.location.z -= 0.1
    bpy.ops.urdf_rig.solve_ik()
    assert max(off(rig, goal)) < 1e-5


def test_a_scaled_robot_is_followed_as_it_is_shown(rig):
    rig.scale = (2.0, 2.0, 2.0)
    bpy.context.view_layer.update()
    goal = add()
    goal.location.z -= 0.2
    bpy.ops.urdf_rig.solve_ik()
    assert off(rig, goal)[0] < 2e-5 and goal.urdf_rig_ik.reached


def test_mimic_and_sliding_joints_serve(rig_of, tmp_path):
    text = """<robot name="lift"><link name="base"/><link name="a"/><link name="b"/>
      <joint name="low" type="prismatic"><parent link="base"/><child link="a"/><axis xyz="0 0 1"/>
        <limit lower="0" upper="1" effort="1" velocity="1"/></joint>
      <joint name="high" type="prismatic"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>
        <limit lower="0" upper="2" effort="1" velocity="1"/><mimic joint="low" multiplier="2"/></joint></robot>"""
    rig = rig_of(text, tmp_path).rig
    goal = add(link="b")
    goal.location.z = 1.5
    bpy.ops.urdf_rig.solve_ik()
    assert joints(rig)["low"] == pytest.approx(0.5, abs=1e-6)
    bpy.ops.urdf_rig.bake_ik(start=1, end=2)
    from urdf_rig.addon.fcurves import action_curves

    assert len(action_curves(rig)) == 1


@pytest.mark.parametrize("source", ["CURSOR", "OBJECT"])
def test_the_tool_can_be_where_something_is(rig, source):
    place = Matrix.LocRotScale((0.2, 0.9, 0.4), Quaternion((1, -2, 0.5), 1.2), None)
    if source == "CURSOR":
        bpy.context.scene.cursor.matrix = place
        goal = add(tool=source)
    else:
        thing = bpy.data.objects.new("thing", None)
        bpy.context.scene.collection.objects.link(thing)
        thing.matrix_world = place
        goal = add(tool=source, tool_object="thing")
        with pytest.raises(RuntimeError, match="no object"):
            bpy.ops.urdf_rig.add_ik_goal(link=TIP, tool=source, tool_object="nothing")
    assert np.abs(np.array(goal.matrix_world) - np.array(place)).max() < 1e-5
    before = joints(rig)
    bpy.ops.urdf_rig.solve_ik()
    assert goal.urdf_rig_ik.reached and joints(rig) == pytest.approx(before, abs=1e-4)


def test_the_inputs_of_case_38(rig_of, cases):
    folder = cases / "38-ik-respects-limits"
    text = (folder / "expect.md").read_text(encoding="utf-8")
    checks = json.loads(text.split("```json")[1].split("```")[0])["ik"]
    rig = rig_of(folder / "robot.urdf").rig
    goal = add(link="tip")
    goal.urdf_rig_ik.kind = "POSITION"
    assert len(checks) == 4
    from urdf_rig.addon.rig import joint_bones

    for check in checks:
        before = joints(rig)
        # Blender takes no NaN for a location, but a scale that is none spoils the matrix just the same
        wanted = np.array([float(value) for value in check["target_xyz"]])
        if np.isnan(wanted).any():
            goal.matrix_world = Matrix.Diagonal((math.nan, math.nan, math.nan, 1.0))
            goal.scale.x = math.nan
            with pytest.raises(RuntimeError, match="finite"):
                bpy.ops.urdf_rig.solve_ik()
            assert joints(rig) == before and goal.urdf_rig_ik.problem
            continue
        goal.matrix_world = Matrix.Translation(wanted)
        bpy.ops.urdf_rig.solve_ik()
        distance = off(rig, goal, "tip")[0]
        assert goal.urdf_rig_ik.reached == (check["expect"] == "reached")
        assert (distance < check["tol_m"]) if goal.urdf_rig_ik.reached else distance > check.get("residual_m_min", 1e-3)
        for joint in joint_bones(rig):
            assert not joint.data.limited or joint.data.lower - 1e-6 <= joint.value <= joint.data.upper + 1e-6


def test_a_goal_is_seen_where_the_rig_is_in_a_hidden_collection_too(rig):
    home = rig.users_collection[0]
    scene = bpy.context.scene
    layer = bpy.context.view_layer.layer_collection.children.get(home.name)
    scene.collection.objects.link(rig)
    layer.exclude = True
    bpy.context.view_layer.objects.active = rig
    goal = add()
    assert goal.users_collection == (scene.collection,)
    bpy.ops.urdf_rig.solve_ik()
    assert goal.urdf_rig_ik.reached
