# SPDX-License-Identifier: GPL-3.0-or-later
"""Arms made from their axes, in frames that follow no convention."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from urdf_rig.core.model import Joint, JointType, Limits, Link, Origin, Robot
from urdf_rig.core.spatial import Array, inverse, rotation_about_axis, rotation_from_rpy, rpy_from_rotation, transform

MakeArm = Callable[..., Robot]


def random_rotation(rng: np.random.Generator) -> Array:
    axis = rng.normal(size=3)
    return rotation_about_axis(axis / np.linalg.norm(axis), rng.uniform(-3.0, 3.0))


def origin_of(matrix: Array) -> Origin:
    return Origin(tuple(matrix[:3, 3]), tuple(rpy_from_rotation(matrix[:3, :3])), matrix)


@pytest.fixture
def make_arm() -> MakeArm:
    """Return a function that makes a robot with given axes, points on them, and a tip, all at q = 0 in the base."""

    def make(
        axes: Sequence[Sequence[float]],
        points: Sequence[Sequence[float]],
        tip: Array | None = None,
        limits: Sequence[tuple[float, float]] | tuple[float, float] = (-3.1, 3.1),
        types: Sequence[JointType] | None = None,
        seed: int = 0,
    ) -> Robot:
        rng = np.random.default_rng(seed)
        ranges = [limits] * len(axes) if isinstance(limits[0], float) else list(limits)
        joints, before = [], np.eye(4)
        for index, (axis, point) in enumerate(zip(axes, points, strict=True)):
            h = np.asarray(axis, dtype=float) / np.linalg.norm(axis)
            # any point of the line, any orientation of the frame
            frame = transform(random_rotation(rng), np.asarray(point) + rng.uniform(-0.2, 0.2) * h)
            local = frame[:3, :3].T @ h
            kind = JointType.REVOLUTE if types is None else types[index]
            low, high = ranges[index]
            limit = None if kind is JointType.CONTINUOUS else Limits(low, high)
            name, parent, child = f"j{index + 1}", f"l{index}", f"l{index + 1}"
            joints.append(Joint(name, kind, parent, child, origin_of(inverse(before) @ frame), tuple(local), limit))
            before = frame
        end = transform(rotation_from_rpy([0.3, -0.4, 0.5]), [0.9, 0.2, 0.7]) if tip is None else tip
        joints.append(
            Joint("end", JointType.FIXED, f"l{len(axes)}", "tip", origin_of(inverse(before) @ end), None, None)
        )
        links = [Link(f"l{index}") for index in range(len(axes) + 1)]
        return Robot("made", (*links, Link("tip")), tuple(joints), "l0")

    return make
