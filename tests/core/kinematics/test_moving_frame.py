# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames of a robot of which everything moves, planar and floating joints and the base too, against differences."""

from __future__ import annotations

import math

import numpy as np
import pytest

from urdf_rig.core.errors import UnknownNameError
from urdf_rig.core.kinematics import (
    OFFSETS,
    RobotMotion,
    forward_kinematics,
    joint_motion,
    motion_of_frame,
    pose_rates,
    value_rates,
)
from urdf_rig.core.model import JointType, Mimic
from urdf_rig.core.spatial import inverse, rotation_about_axis, rotation_from_rpy, transform

STEP = 1e-3
TIMES = np.array([0.2, 0.9, 1.7])
AXIS = np.array([2.0, -1.0, 2.0]) / 3.0


@pytest.fixture(scope="module")
def robot(chain):
    return chain(
        (JointType.REVOLUTE, (0.0, 0.6, 0.8), (0.1, 0.2, 0.3), (0.3, -0.2, 0.5)),
        (JointType.FLOATING, None, (0.3, 0.0, 0.1), (0.1, 0.4, -0.7)),
        (JointType.PRISMATIC, (1.0, 0.0, 0.0), (0.0, 0.4, 0.0), (0.0, 0.2, 0.1)),
        (JointType.PLANAR, tuple(AXIS), (0.2, 0.1, 0.0), (0.9, 0.0, 0.3)),
        (JointType.FIXED, None, (0.0, 0.0, 0.5), (0.5, 0.0, 0.0)),
        (JointType.CONTINUOUS, (0.0, 0.0, 1.0), (0.1, 0.0, 0.0), (0.0, 1.0, 0.0)),
        mimics={2: Mimic("j0", -0.3, 0.1)},
    )


def values(t):
    """Return the joints' values at times of any shape."""
    t = np.asarray(t)
    turn = np.stack([np.cos(t / 2), np.sin(t) * 0.3, np.sin(t / 2) * 0.8, t * 0.2], axis=-1)
    return {
        "j0": np.sin(1.3 * t),
        "j1": np.concatenate([np.stack([np.sin(t), 0.2 * t, t * t], axis=-1), turn], axis=-1),
        "j3": np.stack([np.cos(t), 0.3 * t, 0.7 * np.sin(t)], axis=-1),
        "j5": 0.4 * t**3,
    }


def base_pose(t):
    t = np.asarray(t)
    rpy = np.stack([0.5 * t, np.sin(t), -0.3 * t * t], axis=-1)
    return transform(rotation_from_rpy(rpy), np.stack([t, np.cos(2 * t), 3.0 + 0 * t], axis=-1))


def exact_motion(robot, base="l0"):
    shifted = TIMES + STEP * np.array(OFFSETS)[:, None]
    spatial = {name: pose_rates(joint_motion(robot.joint(name), values(shifted)[name]), STEP) for name in ("j1", "j3")}
    v = np.stack([1.3 * np.cos(1.3 * TIMES), 1.2 * TIMES**2], axis=-1)
    a = np.stack([-1.69 * np.sin(1.3 * TIMES), 2.4 * TIMES], axis=-1)
    poses = base_pose(shifted)
    return RobotMotion(base, values(TIMES), v, a, poses[2], *pose_rates(poses, STEP), spatial)


def seen(robot, t, link, reference, base):
    """Return the pose of one link from another, or from the world, by forward kinematics alone."""
    poses = forward_kinematics(robot, values(t), base)
    return base_pose(t) @ poses[link] if reference is None else inverse(poses[reference]) @ poses[link]


def vee(m):
    return np.stack([m[..., 2, 1], m[..., 0, 2], m[..., 1, 0]], axis=-1)


def velocity(robot, t, link, reference, base, representation):
    """Return the velocity by central differences of the pose."""
    h = 1e-4
    pose = seen(robot, t, link, reference, base)
    ahead, behind = (seen(robot, t + s, link, reference, base) for s in (h, -h))
    rate = (ahead - behind) / (2 * h)
    if representation == "mixed":
        return np.concatenate([rate[:, :3, 3], vee(rate[:, :3, :3] @ np.swapaxes(pose[:, :3, :3], -1, -2))], axis=-1)
    twist = inverse(pose) @ rate if representation == "body" else rate @ inverse(pose)
    return np.concatenate([twist[:, :3, 3], vee(twist)], axis=-1)


@pytest.mark.parametrize("representation", ["inertial", "body", "mixed"])
@pytest.mark.parametrize(
    ("link", "reference", "base"),
    [
        ("l6", None, "l0"),
        ("l6", "l0", "l0"),
        ("l0", "l6", "l0"),
        ("l1", None, "l4"),
        ("l2", "l5", "l0"),
        ("l0", None, "l6"),
    ],
)
def test_it_is_the_derivative_of_the_pose(robot, link, reference, base, representation):
    motion = motion_of_frame(robot, exact_motion(robot, base), link, reference, representation)
    where = (link, reference, base)
    assert motion.pose == pytest.approx(seen(robot, TIMES, *where), abs=1e-12)
    assert motion.velocity == pytest.approx(velocity(robot, TIMES, *where, representation), abs=1e-6)
    h = 1e-3
    ahead, behind = (velocity(robot, TIMES + s, *where, representation) for s in (h, -h))
    assert motion.acceleration == pytest.approx((ahead - behind) / (2 * h), abs=1e-3)
    assert np.abs(motion.velocity).min(axis=0).max() > 0.1


def test_a_frame_beside_its_link_and_a_reference_beside_its_own(robot):
    offset = transform(rotation_about_axis(AXIS, 0.7), (0.1, 0.2, 0.3))
    motion = exact_motion(robot)
    tool = motion_of_frame(robot, motion, ("l6", offset), ("l2", offset))
    assert tool.pose == pytest.approx(inverse(offset) @ seen(robot, TIMES, "l6", "l2", "l0") @ offset, abs=1e-12)
    same = motion_of_frame(robot, motion, ("l6", offset), ("l6", offset))
    assert same.pose == pytest.approx(np.broadcast_to(np.eye(4), (3, 4, 4)), abs=1e-12)
    assert not same.velocity.any() and not same.acceleration.any()


def test_unknown_links_are_named(robot):
    with pytest.raises(UnknownNameError, match="nowhere"):
        motion_of_frame(robot, exact_motion(robot), "nowhere")
    with pytest.raises(UnknownNameError, match="nowhere"):
        motion_of_frame(robot, exact_motion(robot), "l1", "nowhere")


def test_differences_are_exact_for_quartics():
    t = 0.7 + 0.5 * np.array(OFFSETS)
    first, second = value_rates(np.stack([t**4 - t, 3 * t**2], axis=-1), 0.5)
    assert first == pytest.approx([4 * 0.7**3 - 1, 4.2])
    assert second == pytest.approx([12 * 0.7**2, 6.0])


def test_a_screw_motion_has_its_constant_twist():
    # turning about an axis through p while sliding along it: the inertial velocity is (p x w + pitch w, w)
    rate, pitch, p = 2.0, 0.3, np.array([1.0, 2.0, 3.0])
    angles = rate * 0.1 * np.array(OFFSETS)
    rotation = rotation_about_axis(AXIS, angles)
    origin = p - rotation @ p + pitch * angles[:, None] * AXIS
    start = transform(rotation_from_rpy((0.4, -1.0, math.pi)), (5.0, 0.0, 1.0))
    velocity, acceleration = pose_rates(transform(rotation, origin) @ start, 0.1)
    w = rate * AXIS
    assert velocity == pytest.approx([*(np.cross(p, w) + pitch * w), *w], rel=2e-4)
    assert velocity[3:] == pytest.approx(w, rel=1e-12)
    assert acceleration == pytest.approx(np.zeros(6), abs=3e-2)
