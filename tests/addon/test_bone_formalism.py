# SPDX-License-Identifier: GPL-3.0-or-later
"""The bone formalism against Blender's own functions, and against bones that Blender made."""

from __future__ import annotations

import math

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Vector

from urdf_rig.core.bones import (
    axis_roll_from_matrix,
    bone_from_frame,
    bone_rotation,
    frame_from_bone,
    matrix_from_axis_roll,
)
from urdf_rig.core.spatial import rotation_from_quaternion, transform

POLE_RADIUS = 2.5e-4


def blenders_matrix(y: np.ndarray, roll: float) -> np.ndarray:
    return np.array(bpy.types.Bone.MatrixFromAxisRoll(Vector(y), roll))


def blenders_axis_roll(rotation: np.ndarray) -> tuple[np.ndarray, float]:
    axis, roll = bpy.types.Bone.AxisRollFromMatrix(Matrix(rotation))
    return np.array(axis), roll


def random_directions(count: int, seed: int) -> np.ndarray:
    y = np.random.default_rng(seed).normal(size=(count, 3))
    return y / np.linalg.norm(y, axis=1, keepdims=True)


def beside_the_pole(distance: float, azimuth: float) -> np.ndarray:
    sine = math.sin(distance)
    return np.array([sine * math.cos(azimuth), -math.cos(distance), sine * math.sin(azimuth)])


def test_rest_matrices_are_blenders_for_bones_that_do_not_point_down() -> None:
    directions = random_directions(10_000, 1)
    directions[:, 1] = np.abs(directions[:, 1])
    rolls = np.random.default_rng(2).uniform(-math.pi, math.pi, len(directions))
    worst = max(
        np.abs(matrix_from_axis_roll(y, roll) - blenders_matrix(y, roll)).max()
        for y, roll in zip(directions, rolls, strict=True)
    )
    assert worst < 1e-6


def test_axis_and_roll_are_blenders_for_bones_that_do_not_point_down() -> None:
    quaternions = np.random.default_rng(3).normal(size=(10_000, 4))
    for rotation in rotation_from_quaternion(quaternions):
        if rotation[1, 1] < 0.0:
            continue
        axis, roll = axis_roll_from_matrix(rotation)
        blenders_axis, blenders_roll = blenders_axis_roll(rotation)
        assert np.abs(axis - blenders_axis).max() < 1e-6
        assert abs(math.remainder(roll - blenders_roll, 2 * math.pi)) < 2e-6


def test_down_to_a_tenth_of_a_radian_from_the_pole_they_differ_by_rounding_only() -> None:
    for y in random_directions(2_000, 4):
        if y[1] > -math.cos(0.12):
            # 1 + y is small there and was rounded to 24 bits
            tolerance = 1e-6 / min(1.0, 1.0 + y[1])
            assert np.abs(matrix_from_axis_roll(y, 0.3) - blenders_matrix(y, 0.3)).max() < tolerance


@pytest.mark.parametrize("distance", [3e-4, 1e-3, 3e-3, 1e-2, 0.05, 0.1])
def test_beside_the_pole_the_matrices_agree_but_for_the_rounding_of_the_roll(distance: float) -> None:
    for azimuth in np.linspace(-3.0, 3.0, 41):
        y = beside_the_pole(distance, azimuth)
        ours, blenders = matrix_from_axis_roll(y, 0.0), blenders_matrix(y, 0.0)
        assert np.abs(ours[:, 1] - blenders[:, 1]).max() < 1e-6
        assert np.abs(ours - blenders).max() < 6e-3


@pytest.mark.parametrize("distance", [0.0, 1e-7, 1e-5, 2.4e-4])
def test_at_the_pole_blender_keeps_the_wrong_axis_and_so_do_we(distance: float) -> None:
    for azimuth in np.linspace(-3.0, 3.0, 13):
        y = beside_the_pole(distance, azimuth)
        assert np.array_equal(blenders_matrix(y, 0.0), np.diag([-1.0, -1.0, 1.0]))
        assert np.array_equal(matrix_from_axis_roll(y, 0.0), np.diag([-1.0, -1.0, 1.0]))


def test_the_switch_is_at_the_same_distance() -> None:
    for factor in (0.99, 1.01):
        y = beside_the_pole(factor * POLE_RADIUS, 1.0)
        snapped = factor < 1.0
        assert np.array_equal(blenders_matrix(y, 0.0)[:, 1], [0.0, -1.0, 0.0]) == snapped
        assert np.array_equal(matrix_from_axis_roll(y, 0.0)[:, 1], [0.0, -1.0, 0.0]) == snapped


def make_bones(parts: list[tuple[np.ndarray, np.ndarray, float]]) -> list[np.ndarray]:
    """Make a chain of bones of the given heads, tails and rolls; return the rest matrices that Blender keeps."""
    armature = bpy.data.objects.new("A", bpy.data.armatures.new("A"))
    bpy.context.scene.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    parent = None
    for index, (head, tail, roll) in enumerate(parts):
        bone = armature.data.edit_bones.new(str(index))
        bone.head, bone.tail, bone.roll, bone.parent = head, tail, roll, parent
        parent = bone
    bpy.ops.object.mode_set(mode="OBJECT")
    return [np.array(armature.data.bones[str(index)].matrix_local) for index in range(len(parts))]


def test_a_bone_in_an_armature_has_the_frame_that_its_head_tail_and_roll_say() -> None:
    rng = np.random.default_rng(5)
    for y in random_directions(40, 6):
        if y[1] < -0.05:
            continue
        head, roll = rng.uniform(-1.0, 1.0, 3), rng.uniform(-3.0, 3.0)
        (rest,) = make_bones([(head, head + 0.25 * y, roll)])
        assert np.abs(rest - frame_from_bone(head, head + 0.25 * y, roll)).max() < 2e-6


def test_a_chain_of_joints_keeps_every_bones_frame() -> None:
    rng = np.random.default_rng(7)
    for _ in range(20):
        frames, parent_y = [], None
        for y in random_directions(8, rng.integers(1 << 30)):
            rotation, _ = bone_rotation(rotation_from_quaternion(rng.normal(size=4)), y, parent_y)
            frames.append(transform(rotation, rng.uniform(-1.0, 1.0, 3)))
            parent_y = rotation[:, 1]
        bones = [bone_from_frame(frame, 0.25) for frame in frames]
        for frame, rest in zip(frames, make_bones([(b.head, b.tail, b.roll) for b in bones]), strict=True):
            assert np.abs(rest - frame).max() < 1e-5
