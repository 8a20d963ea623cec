# SPDX-License-Identifier: GPL-3.0-or-later
"""Random robots of all joint types, and configurations for them."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import strategies as st

from urdf_rig.core.model import Joint, JointType, Link, Mimic, Origin, Robot
from urdf_rig.core.spatial import rotation_from_rpy, transform

SCALAR = (JointType.REVOLUTE, JointType.CONTINUOUS, JointType.PRISMATIC)


def number(size: float) -> st.SearchStrategy[float]:
    return st.floats(-size, size, allow_subnormal=False)


def vector(size: float, count: int = 3) -> st.SearchStrategy[tuple[float, ...]]:
    return st.tuples(*[number(size)] * count)


def directions(count: int = 3) -> st.SearchStrategy[tuple[float, ...]]:
    """Unit vectors."""
    lengthy = vector(1.0, count).filter(lambda v: math.hypot(*v) > 0.1)
    return lengthy.map(lambda v: tuple(float(x) for x in np.array(v) / np.linalg.norm(v)))


def make_origin(xyz: tuple[float, ...], rpy: tuple[float, ...]) -> Origin:
    return Origin(xyz, rpy, transform(rotation_from_rpy(rpy), xyz))


@st.composite
def random_robots(draw: st.DrawFn, types: tuple[JointType, ...] = tuple(JointType), most: int = 8) -> Robot:
    """Trees of up to ``most`` joints in any order, the scalar ones following each other now and then."""
    count = draw(st.integers(0, most))
    kinds = draw(st.lists(st.sampled_from(types), min_size=count, max_size=count))
    joints = [_random_joint(draw, index, kind) for index, kind in enumerate(kinds)]
    joints = _some_follow(draw, joints)
    links = [Link(f"l{index}") for index in range(count + 1)]
    return Robot("random", tuple(draw(st.permutations(links))), tuple(draw(st.permutations(joints))), "l0")


def _random_joint(draw: st.DrawFn, index: int, kind: JointType) -> Joint:
    axis = draw(directions()) if kind not in (JointType.FIXED, JointType.FLOATING) else None
    origin = make_origin(draw(vector(2.0)), draw(vector(4.0)))
    return Joint(f"j{index}", kind, f"l{draw(st.integers(0, index))}", f"l{index + 1}", origin, axis)


def _some_follow(draw: st.DrawFn, joints: list[Joint]) -> list[Joint]:
    """Let each scalar joint but the first of a random order follow an earlier one of that order, or nobody."""
    order = draw(st.permutations([joint for joint in joints if joint.type in SCALAR]))
    mimics: dict[str, Mimic | None] = {}
    for place, joint in enumerate(order):
        leader = draw(st.integers(-place, place - 1)) if place else -1
        mimics[joint.name] = Mimic(order[leader].name, draw(number(2.0)), draw(number(1.0))) if leader >= 0 else None
    return [
        Joint(j.name, j.type, j.parent, j.child, j.origin, j.axis, mimic=mimics.get(j.name), line=j.line)
        for j in joints
    ]


@st.composite
def random_values(draw: st.DrawFn, robot: Robot, count: int | None = None) -> dict[str, np.ndarray]:
    """Values of all joints that move by themselves, for one or ``count`` configurations."""
    values = {}
    for joint in robot.joints:
        if joint.type is not JointType.FIXED and joint.mimic is None:
            many = [draw(_value(joint)) for _ in range(1 if count is None else count)]
            values[joint.name] = np.array(many[0] if count is None else many)
    return values


def _value(joint: Joint) -> st.SearchStrategy[object]:
    if joint.type is JointType.PLANAR:
        return st.tuples(number(2.0), number(2.0), number(7.0))
    if joint.type is JointType.FLOATING:
        return st.tuples(vector(2.0), directions(4)).map(lambda parts: (*parts[0], *parts[1]))
    return number(7.0)


@pytest.fixture(scope="session")
def robots() -> Callable[..., st.SearchStrategy[Robot]]:
    return random_robots


@pytest.fixture(scope="session")
def values_for() -> Callable[..., st.SearchStrategy[dict[str, np.ndarray]]]:
    return random_values


@pytest.fixture(scope="session")
def origin() -> Callable[..., Origin]:
    return make_origin


@pytest.fixture(scope="session")
def chain(origin) -> Callable[..., Robot]:
    """Build a robot whose links ``l0``, ``l1``, … hang in a row from the given joints ``(type, axis, xyz, rpy)``."""

    def build(*parts: tuple[JointType, object, object, object], mimics: dict[int, Mimic] | None = None) -> Robot:
        joints = tuple(
            Joint(f"j{i}", kind, f"l{i}", f"l{i + 1}", origin(xyz, rpy), axis, mimic=(mimics or {}).get(i))
            for i, (kind, axis, xyz, rpy) in enumerate(parts)
        )
        return Robot("chain", tuple(Link(f"l{i}") for i in range(len(parts) + 1)), joints, "l0")

    return build


@pytest.fixture(scope="session")
def poses() -> st.SearchStrategy[np.ndarray]:
    """Rigid transforms (4, 4)."""
    return st.builds(lambda shift, rpy: transform(rotation_from_rpy(rpy), shift), vector(2.0), vector(3.0))
