# SPDX-License-Identifier: GPL-3.0-or-later
"""What goals can ask for, each measured on the bones that Blender evaluates."""

from __future__ import annotations

import math

import bpy
import numpy as np
import pytest
from ik_scene import READY, add, joints, live, off, ready_arm, shown
from mathutils import Euler, Matrix, Quaternion, Vector

AXES = {"X": (1, 0, 0), "-Y": (0, -1, 0), "Z": (0, 0, 1)}


@pytest.fixture
def rig(rig_of):
    return ready_arm(rig_of)


def place(goal):
    """Return the goal's origin and z axis in the world."""
    bpy.context.view_layer.update()
    matrix = np.array(goal.matrix_world, dtype=float)
    return matrix[:3, 3], matrix[:3, 2] / np.linalg.norm(matrix[:3, 2])


def angle(a, b):
    return math.atan2(np.linalg.norm(np.cross(a, b)), np.dot(a, b))


@pytest.mark.parametrize(
    "kind", ["POSE", "POSITION", "ORIENTATION", "AXIS", "LOOK_AT", "LINE", "PLANE", "MASS", "POSTURE"]
)
def test_a_new_goal_of_any_kind_is_met_and_moves_nothing(rig, kind):
    before = joints(rig)
    goal = add(kind=kind, tool_axis="-Y", tool_xyz=(0.01, 0.02, 0.03), tool_rpy=(0.1, 0.2, 0.3))
    data = goal.urdf_rig_ik
    assert data.kind == kind and goal.type == "EMPTY"
    assert bpy.ops.urdf_rig.solve_ik() == {"FINISHED"}
    assert joints(rig) == pytest.approx(before, abs=2e-5)
    assert not data.problem and data.solved
    assert data.position_error < 1e-5 and data.rotation_error < 1e-5


@pytest.mark.parametrize("axis", AXES)
def test_an_axis_is_aligned(rig, axis):
    goal = add(kind="AXIS", tool_axis=axis)
    goal.rotation_euler.rotate(Euler((0.6, -0.4, 0.3)))
    goal.location = (9.0, 9.0, 9.0)  # which does not matter
    bpy.ops.urdf_rig.solve_ik()
    assert angle(shown(rig)[:3, :3] @ AXES[axis], place(goal)[1]) < 1e-5
    assert goal.urdf_rig_ik.reached and goal.empty_display_type == "SINGLE_ARROW"


@pytest.mark.parametrize("axis", AXES)
def test_an_axis_looks_at_the_goal_while_it_is_dragged(rig, axis):
    goal = add(kind="LOOK_AT", tool_axis=axis)
    live(rig)
    for _ in range(5):
        goal.location += Vector((0.1, -0.08, 0.06))
        pose = shown(rig)
        assert angle(pose[:3, :3] @ AXES[axis], place(goal)[0] - pose[:3, 3]) < 1e-5


def test_the_tools_point_is_on_a_line_or_in_a_plane(rig):
    tool = np.array((0.02, -0.03, 0.05, 1.0))
    goal = add(kind="LINE", tool_xyz=tool[:3])
    goal.rotation_euler.rotate(Euler((0.3, 0.2, 0.0)))
    goal.location += Vector((0.1, 0.05, 0.0))
    bpy.ops.urdf_rig.solve_ik()
    origin, z = place(goal)
    point = (shown(rig) @ tool)[:3]
    assert np.linalg.norm(np.cross(point - origin, z)) < 1e-5
    goal.urdf_rig_ik.kind = "PLANE"
    assert not goal.urdf_rig_ik.solved
    goal.location += Vector((0.0, 0.0, -0.1))
    bpy.ops.urdf_rig.solve_ik()
    origin, z = place(goal)
    assert abs((shown(rig) @ tool)[:3] @ z - origin @ z) < 1e-5


def mass_center(rig):
    """Return the centre of mass in the world, from the links' masses and where Blender shows the links."""
    from urdf_rig.addon.rig import robot_of

    total, moment = 0.0, np.zeros(3)
    for link in robot_of(rig).links:
        if link.inertial is not None and link.inertial.mass:
            at = shown(rig, link.name) @ np.append(link.inertial.origin.xyz, 1.0)
            total, moment = total + link.inertial.mass, moment + link.inertial.mass * at[:3]
    return moment / total


def test_the_centre_of_mass_is_over_the_goal_however_the_armature_is_tilted(rig):
    rig.matrix_world = rig.matrix_world @ Matrix.Rotation(0.5, 4, "X")
    goal = add(kind="MASS")
    assert np.abs(mass_center(rig) - place(goal)[0]).max() < 1e-5
    goal.location += Vector((0.02, -0.015, -3.0))
    bpy.ops.urdf_rig.solve_ik()
    assert np.abs(mass_center(rig)[:2] - place(goal)[0][:2]).max() < 1e-5
    assert goal.urdf_rig_ik.reached
    goal.urdf_rig_ik.use_height = True
    bpy.ops.urdf_rig.solve_ik()
    assert not goal.urdf_rig_ik.reached and goal.urdf_rig_ik.position_error > 1.0


def test_a_posture_gives_way_to_a_goal_and_comes_back(rig):
    posture = add(kind="POSTURE")
    assert posture.urdf_rig_ik.priority == 1
    hand = add(kind="POSITION")
    hand.location.z -= 0.1
    bpy.ops.urdf_rig.solve_ik()
    assert off(rig, hand)[0] < 1e-5 and hand.urdf_rig_ik.reached
    moved = joints(rig)
    worst = max(abs(moved[name] - value) for name, value in READY.items())
    assert worst > 1e-2
    assert posture.urdf_rig_ik.position_error == pytest.approx(worst, abs=1e-5)
    hand.location.z += 0.1
    bpy.ops.urdf_rig.solve_ik()
    assert joints(rig) == pytest.approx(READY, abs=1e-3)
    # another posture is taken from the pose
    from urdf_rig.addon.rig import set_joint_values

    other = {**READY, "joint_4": -0.5}
    set_joint_values(rig, other)
    bpy.ops.urdf_rig.take_ik_posture(goal=posture.name)
    bpy.data.objects.remove(hand)
    set_joint_values(rig, READY)
    bpy.ops.urdf_rig.solve_ik()
    assert joints(rig) == pytest.approx(other, abs=1e-5)


def test_the_lower_priority_number_wins_and_the_weight_among_equals(rig):
    first, second = add(kind="POSITION"), add(kind="POSITION")
    second.location.z += 0.2
    gap = (second.location - first.location).length
    first.urdf_rig_ik.priority = 1
    bpy.ops.urdf_rig.solve_ik()
    assert off(rig, second)[0] < 1e-5 and off(rig, first)[0] == pytest.approx(gap, abs=1e-4)
    first.urdf_rig_ik.priority = 0
    first.urdf_rig_ik.weight = 3.0
    bpy.ops.urdf_rig.solve_ik()
    # the sum of (3 a)^2 and (gap - a)^2 is least for a = gap / 10
    assert off(rig, first)[0] == pytest.approx(gap / 10, rel=0.02)


def test_two_hands_and_two_kinds_bake_together(rig):
    hand = add(kind="POSITION")
    aim = add(kind="AXIS", tool_axis="X")
    base = hand.location.copy()
    for frame in range(1, 11):
        hand.location = base + 0.01 * frame * Vector((0.0, 0.3, -1.0))
        hand.keyframe_insert("location", frame=frame)
    bpy.ops.urdf_rig.bake_ik(start=1, end=10)
    for frame in (1, 6, 10):
        bpy.context.scene.frame_set(frame)
        assert off(rig, hand)[0] < 1e-5
        assert angle(shown(rig)[:3, 0], place(aim)[1]) < 1e-5


@pytest.mark.parametrize("source", ["CURSOR", "OBJECT"])
def test_a_goal_gets_another_tool_and_the_robot_stays(rig, source):
    goal = add()
    goal.scale = (2.0, 2.0, 2.0)
    tool = Matrix.LocRotScale(Vector((0.3, 0.1, 0.9)), Quaternion((1, 2, 3), 0.4), None)
    if source == "CURSOR":
        bpy.context.scene.cursor.matrix = tool
    else:
        bpy.context.scene.collection.objects.link(bpy.data.objects.new("tool", None))
        bpy.data.objects["tool"].matrix_world = tool
    live(rig)
    before = joints(rig)
    assert bpy.ops.urdf_rig.set_ik_tool(source=source, tool_object="tool") == {"FINISHED"}
    bpy.context.view_layer.update()
    assert joints(rig) == pytest.approx(before, abs=1e-5)
    assert np.abs(np.array(goal.matrix_world.normalized()) - np.array(tool)).max() < 1e-5
    assert tuple(goal.scale) == pytest.approx((2.0, 2.0, 2.0))
    with pytest.raises(RuntimeError, match="no object 'nothing'"):
        bpy.ops.urdf_rig.set_ik_tool(source="OBJECT", tool_object="nothing")


def test_what_a_kind_lacks_is_said(rig):
    goal = add(kind="MASS")
    with pytest.raises(RuntimeError, match="no tool"):
        bpy.ops.urdf_rig.set_ik_tool(source="CURSOR")
    goal.urdf_rig_ik.kind = "POSE"
    with pytest.raises(RuntimeError, match="names no link"):
        bpy.ops.urdf_rig.solve_ik()


def test_a_robot_without_masses_has_no_centre(rig_of, cases):
    rig_of(cases / "38-ik-respects-limits" / "robot.urdf")
    with pytest.raises(RuntimeError, match="mass"):
        bpy.ops.urdf_rig.add_ik_goal(kind="MASS")
