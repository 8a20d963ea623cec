# SPDX-License-Identifier: GPL-3.0-or-later
"""Velocities and accelerations of frames along motions."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from urdf_rig.core.kinematics import (
    forward_kinematics,
    frame_acceleration,
    frame_pose,
    frame_velocity,
    jacobian,
    jacobian_derivative,
    velocity_cross,
    velocity_transform,
)
from urdf_rig.core.model import JointType, Robot
from urdf_rig.core.spatial import inverse, skew, transform

REPRESENTATIONS = ("inertial", "body", "mixed")
PAIRS = list(product(REPRESENTATIONS, REPRESENTATIONS))
X, Z, NONE = (1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, 0.0, 0.0)


def rows(count: int) -> st.SearchStrategy[np.ndarray]:
    return st.lists(st.floats(-1, 1), min_size=count, max_size=count).map(np.array)


def base_rate(pose: np.ndarray, velocity: np.ndarray, representation: str) -> np.ndarray:
    """Return the derivative (4, 4) of the base's pose."""
    out = np.zeros((4, 4))
    turn = skew(velocity[3:])
    if representation == "body":
        out[:3, :3], out[:3, 3] = turn, velocity[:3]
        return pose @ out
    out[:3, :3] = turn @ pose[:3, :3]
    out[:3, 3] = velocity[:3] + (turn @ pose[:3, 3] if representation == "inertial" else 0.0)
    return out


def integrated(pose: np.ndarray, v: np.ndarray, a: np.ndarray, step: float, representation: str) -> np.ndarray:
    """Return the base's pose after a step, its velocity being ``v + a t`` as written: one step of Runge-Kutta."""
    k1 = base_rate(pose, v, representation)
    k2 = base_rate(pose + step / 2 * k1, v + step / 2 * a, representation)
    k3 = base_rate(pose + step / 2 * k2, v + step / 2 * a, representation)
    k4 = base_rate(pose + step * k3, v + step * a, representation)
    return pose + step / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


class Motion:
    """A random motion of a robot of scalar joints on a floating base: the state at a time near 0."""

    def __init__(self, robot: Robot, poses: st.SearchStrategy[np.ndarray], data: st.DataObject) -> None:
        count = len(robot.dofs)
        self.q, self.v, self.a = (data.draw(rows(size)) for size in (count, 6 + count, 6 + count))
        self.world_h_base = data.draw(poses)

    def at(self, time: float, representation: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return joint values, velocities and base pose."""
        q = self.q + time * self.v[6:] + time * time / 2 * self.a[6:]
        pose = integrated(self.world_h_base, self.v[:6], self.a[:6], time, representation)
        return q, self.v + time * self.a, pose


@pytest.fixture(scope="module")
def movers(robots):
    """Robots of scalar joints."""
    return robots((JointType.FIXED, JointType.REVOLUTE, JointType.CONTINUOUS, JointType.PRISMATIC), most=5)


@settings(max_examples=40)
@given(st.data())
def test_velocity_is_the_differentiated_pose(movers, poses, data: st.DataObject) -> None:
    robot = data.draw(movers)
    motion, frame = Motion(robot, poses, data), (data.draw(st.sampled_from(robot.links)).name, data.draw(poses))
    step = 1e-5
    for given_as in REPRESENTATIONS:
        q, v, base = motion.at(0.0, given_as)
        pose = frame_pose(robot, q, frame, W_H_B=base)
        ahead, behind = (
            frame_pose(robot, there[0], frame, W_H_B=there[2])
            for there in (motion.at(s, given_as) for s in (step, -step))
        )
        rate = (ahead - behind) / (2 * step)
        turn = rate[:3, :3] @ pose[:3, :3].T
        angular = np.array([turn[2, 1], turn[0, 2], turn[1, 0]])
        mixed = np.array([*rate[:3, 3], *angular])
        body = np.concatenate([pose[:3, :3].T @ mixed[:3], pose[:3, :3].T @ mixed[3:]])
        inertial = np.array([*(mixed[:3] - np.cross(angular, pose[:3, 3])), *angular])
        for output, expected in (("mixed", mixed), ("body", body), ("inertial", inertial)):
            ours = frame_velocity(robot, q, v, frame, W_H_B=base, output=output, input=given_as, floating=True)
            assert np.allclose(ours, expected, rtol=0.0, atol=1e-7)


@settings(max_examples=30)
@given(st.data())
def test_acceleration_is_the_differentiated_velocity(movers, poses, data: st.DataObject) -> None:
    robot = data.draw(movers)
    motion, frame = Motion(robot, poses, data), (data.draw(st.sampled_from(robot.links)).name, data.draw(poses))
    base_link, step = data.draw(st.sampled_from(robot.links)).name, 1e-5
    for output, given_as in PAIRS:
        form = {"base": base_link, "output": output, "input": given_as, "floating": True}
        q, v, pose = motion.at(0.0, given_as)
        ahead, behind = (
            frame_velocity(robot, there[0], there[1], frame, W_H_B=there[2], **form)
            for there in (motion.at(s, given_as) for s in (step, -step))
        )
        expected = (ahead - behind) / (2 * step)
        ours = frame_acceleration(robot, q, v, motion.a, frame, W_H_B=pose, **form)
        assert np.allclose(ours, expected, rtol=0.0, atol=1e-7 * max(1.0, np.abs(expected).max()))


@settings(max_examples=40)
@given(st.data())
def test_velocity_and_acceleration_are_those_of_the_jacobians(movers, poses, data: st.DataObject) -> None:
    robot = data.draw(movers)
    motion, link = Motion(robot, poses, data), data.draw(st.sampled_from(robot.links)).name
    output, given_as = data.draw(st.sampled_from(PAIRS))
    form = {"W_H_B": motion.world_h_base, "output": output, "input": given_as, "floating": True}
    j = jacobian(robot, motion.q, link, **form)
    rates = jacobian_derivative(robot, motion.q, motion.v, link, **form)
    velocity = frame_velocity(robot, motion.q, motion.v, link, **form)
    assert np.allclose(velocity, j @ motion.v, rtol=0.0, atol=1e-12)
    acceleration = frame_acceleration(robot, motion.q, motion.v, motion.a, link, **form)
    assert np.allclose(acceleration, j @ motion.a + rates @ motion.v, rtol=0.0, atol=1e-11)


@given(st.data())
def test_poses_of_frames_are_those_of_links_moved_on(robots, values_for, poses, data: st.DataObject) -> None:
    robot = data.draw(robots())
    values = data.draw(values_for(robot, 2))
    link, base = (data.draw(st.sampled_from(robot.links)).name for _ in range(2))
    world_h_base, offset = data.draw(poses), data.draw(poses)
    expected = world_h_base @ forward_kinematics(robot, values, base)[link] @ offset
    ours = frame_pose(robot, values, (link, offset), base, world_h_base)
    assert ours.shape == expected.shape
    assert np.allclose(ours, expected, rtol=0.0, atol=1e-11)
    assert np.array_equal(ours[..., 3, :], np.broadcast_to([0.0, 0.0, 0.0, 1.0], ours[..., 3, :].shape))


def test_a_point_on_a_wheel_by_hand(chain) -> None:
    # a rim of radius 2 that turns at 3 rad/s and speeds up by 5 rad/s^2
    robot = chain((JointType.CONTINUOUS, Z, NONE, NONE))
    rim = ("l1", transform(np.eye(3), (2.0, 0.0, 0.0)))
    motion = ([0.0], [3.0], [5.0], rim)
    assert np.allclose(frame_velocity(robot, [0.0], [3.0], rim), [0, 6, 0, 0, 0, 3])
    assert np.allclose(frame_acceleration(robot, *motion), [-18, 10, 0, 0, 0, 5])
    # in its own axes the rim's velocity stays (0, r w, 0), whatever way it points
    assert np.allclose(frame_acceleration(robot, *motion, output="body"), [0, 10, 0, 0, 0, 5])
    assert np.allclose(frame_acceleration(robot, *motion, output="inertial"), [0, 0, 0, 0, 0, 5])


def test_many_at_once(chain) -> None:
    robot = chain((JointType.REVOLUTE, Z, X, NONE), (JointType.PRISMATIC, X, X, NONE))
    rng = np.random.default_rng(2)
    q, v, a = rng.normal(size=(3, 1500, 2))
    velocities, accelerations = frame_velocity(robot, q, v, "l2"), frame_acceleration(robot, q, v, a, "l2")
    assert velocities.shape == accelerations.shape == (1500, 6)
    for t in (0, 1023, 1024, 1499):
        assert np.allclose(velocities[t], frame_velocity(robot, q[t], v[t], "l2"), rtol=0.0, atol=1e-13)
        assert np.allclose(accelerations[t], frame_acceleration(robot, q[t], v[t], a[t], "l2"), rtol=0.0, atol=1e-13)


@given(st.data())
def test_velocity_transforms_compose_and_are_differentiated_by_the_cross(poses, data: st.DataObject) -> None:
    a_h_b, b_h_c, v, u = (data.draw(each) for each in (poses, poses, rows(6), rows(6)))
    x = velocity_transform(a_h_b)
    assert np.allclose(velocity_transform(a_h_b @ b_h_c), x @ velocity_transform(b_h_c), rtol=0.0, atol=1e-11)
    assert np.allclose(velocity_transform(inverse(a_h_b)) @ x, np.eye(6), rtol=0.0, atol=1e-11)
    # the same body, the same motion: transformed velocity times transformed pose
    wedge = np.zeros((4, 4))
    wedge[:3, :3], wedge[:3, 3] = skew(v[3:]), v[:3]
    moved = a_h_b @ wedge @ inverse(a_h_b)
    assert np.allclose([*moved[:3, 3], moved[2, 1], moved[0, 2], moved[1, 0]], x @ v, rtol=0.0, atol=1e-11)
    # d/dt A_X_B = A_X_B (B_v_{A,B} x)
    step = 1e-6
    ahead, behind = (velocity_transform(integrated(a_h_b, v, np.zeros(6), s, "body")) for s in (step, -step))
    assert np.allclose((ahead - behind) / (2 * step), x @ velocity_cross(v), rtol=0.0, atol=1e-7)
    assert np.allclose(velocity_cross(v) @ u, -velocity_cross(u) @ v, rtol=0.0, atol=1e-14)
    stacked = np.stack([v, u])
    assert np.array_equal(velocity_cross(stacked)[1], velocity_cross(u))
    assert np.array_equal(velocity_transform(np.stack([a_h_b, b_h_c]))[0], x)
