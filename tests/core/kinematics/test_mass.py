# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from urdf_rig.core.errors import ModelError, UnknownNameError
from urdf_rig.core.kinematics import (
    center_of_mass,
    center_of_mass_jacobian,
    forward_kinematics,
    jacobian,
    total_mass,
)
from urdf_rig.core.model import Inertial, JointType, Link, Mimic, Robot
from urdf_rig.core.spatial import transform

X, Z, NONE = (1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, 0.0, 0.0)


@st.composite
def weighted(draw: st.DrawFn, robots, origin) -> Robot:
    """Random robots with masses on some of their links, at least on the root."""
    robot = draw(robots(most=5))

    def inertial(name: str) -> Inertial | None:
        if name != robot.root and draw(st.booleans()):
            return None
        place = draw(st.tuples(*[st.floats(-1, 1)] * 3))
        return Inertial(draw(st.floats(0.1, 10.0)), origin(place, (0.5, 0.0, 0.0)), np.eye(3))

    return replace(robot, links=tuple(Link(link.name, inertial=inertial(link.name)) for link in robot.links))


@pytest.fixture(scope="module")
def heavy(robots, origin):
    return weighted(robots, origin)


@pytest.fixture(scope="module")
def slider(chain, origin) -> Robot:
    """3 kg on the base at the origin, 1 kg on a slider 2 m ahead."""
    robot = chain((JointType.PRISMATIC, X, NONE, NONE), (JointType.REVOLUTE, Z, NONE, NONE))
    weights = {"l0": (3.0, NONE), "l1": (1.0, (2.0, 0.0, 0.0))}
    links = tuple(
        Link(link.name, inertial=Inertial(weights[link.name][0], origin(weights[link.name][1], NONE), np.eye(3)))
        if link.name in weights
        else link
        for link in robot.links
    )
    return replace(robot, links=links)


def test_a_slider_by_hand(slider: Robot) -> None:
    assert total_mass(slider) == 4.0
    assert np.allclose(center_of_mass(slider), [0.5, 0.0, 0.0])
    assert np.allclose(center_of_mass(slider, {"j0": 4.0}), [1.5, 0.0, 0.0])
    assert np.allclose(center_of_mass(slider, {"j0": 4.0}, base="l1"), [-2.5, 0.0, 0.0])
    # a quarter of the weight moves; the last joint carries none
    assert np.allclose(center_of_mass_jacobian(slider), [[0.25, 0.0], [0.0, 0.0], [0.0, 0.0]])
    assert np.allclose(center_of_mass_jacobian(slider, base="l1"), [[-0.75, 0.0], [0.0, 0.0], [0.0, 0.0]])


@given(st.data())
def test_it_is_the_weighed_mean_of_the_links_centres(heavy, values_for, poses, data: st.DataObject) -> None:
    robot = data.draw(heavy)
    values, world_h_base = data.draw(values_for(robot)), data.draw(poses)
    base = data.draw(st.sampled_from(robot.links)).name
    at = forward_kinematics(robot, values, base)
    weights = [(link.inertial.mass, link) for link in robot.links if link.inertial is not None]
    centres = [(world_h_base @ at[link.name] @ link.inertial.origin.matrix)[:3, 3] for _, link in weights]
    expected = np.average(centres, axis=0, weights=[mass for mass, _ in weights])
    assert total_mass(robot) == pytest.approx(sum(mass for mass, _ in weights))
    assert np.allclose(center_of_mass(robot, values, base, world_h_base), expected, rtol=0.0, atol=1e-11)


@settings(max_examples=40)
@given(st.data())
def test_its_jacobian_is_the_weighed_mean_of_the_links_jacobians(heavy, values_for, poses, data) -> None:
    robot = data.draw(heavy)
    values, world_h_base = data.draw(values_for(robot)), data.draw(poses)
    base = data.draw(st.sampled_from(robot.links)).name
    given_as = data.draw(st.sampled_from(["inertial", "body", "mixed"]))
    expected = np.zeros((3, 6 + len(robot.dofs)))
    for link in robot.links:
        if link.inertial is not None:
            frame = link.name, transform(np.eye(3), link.inertial.origin.matrix[:3, 3])
            columns = jacobian(robot, values, frame, base, world_h_base, "mixed", given_as, True)
            expected += link.inertial.mass / total_mass(robot) * columns[:3]
    ours = center_of_mass_jacobian(robot, values, base, world_h_base, given_as, True)
    assert np.allclose(ours, expected, rtol=0.0, atol=1e-11)
    fixed = center_of_mass_jacobian(robot, values, base, world_h_base)
    assert np.allclose(fixed, expected[:, 6:], rtol=0.0, atol=1e-11)


def test_its_jacobian_is_the_differentiated_centre_with_followers(slider: Robot) -> None:
    follow = replace(slider.joints[0], mimic=Mimic("j1", -2.0, 0.5))
    robot = replace(slider, joints=(follow, *slider.joints[1:]))
    assert np.allclose(center_of_mass_jacobian(robot)[:, 0], [-0.5, 0.0, 0.0])


def test_many_configurations_at_once(slider: Robot) -> None:
    q = np.random.default_rng(1).normal(size=(1100, 2))
    centres, columns = center_of_mass(slider, q, "l1"), center_of_mass_jacobian(slider, q, "l1", floating=True)
    assert centres.shape == (1100, 3)
    assert columns.shape == (1100, 3, 8)
    for t in (0, 1023, 1099):
        assert np.allclose(centres[t], center_of_mass(slider, q[t], "l1"))
        assert np.allclose(columns[t], center_of_mass_jacobian(slider, q[t], "l1", floating=True))


def test_a_robot_without_mass_has_no_centre(chain) -> None:
    robot = chain((JointType.REVOLUTE, Z, X, NONE))
    assert total_mass(robot) == 0.0
    for ask in (center_of_mass, center_of_mass_jacobian):
        with pytest.raises(ModelError, match="'chain' is 0 kg"):
            ask(robot)


def test_wrong_questions_are_refused(slider: Robot) -> None:
    for ask in (center_of_mass, center_of_mass_jacobian):
        with pytest.raises(UnknownNameError, match="no link 'hull'"):
            ask(slider, base="hull")
        with pytest.raises(ModelError, match="W_H_B is no rigid transform"):
            ask(slider, W_H_B=np.zeros((4, 4)))
    with pytest.raises(ValueError, match="'world' is not a valid"):
        center_of_mass_jacobian(slider, input="world")
