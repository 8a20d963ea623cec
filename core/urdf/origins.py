# SPDX-License-Identifier: GPL-3.0-or-later
"""``<origin>``: a translation, and a rotation as fixed-axis angles or (URDF 1.1) as a quaternion."""

from __future__ import annotations

import numpy as np

from ..diagnostics import Diagnostics
from ..model import Origin, Vec3
from ..spatial import rotation_from_quaternion, rotation_from_rpy, rpy_from_rotation, transform
from .remarks import only
from .values import attribute_error, measures, numbers, vector
from .xml import Element

_ZERO: Vec3 = (0.0, 0.0, 0.0)


def make_origin(xyz: Vec3, rpy: Vec3) -> Origin:
    """Return the origin at ``xyz`` [m], turned by ``rpy`` [rad]."""
    return _frozen(xyz, rpy, transform(rotation_from_rpy(rpy), xyz))


def read_origin(parent: Element, remarks: Diagnostics, who: str) -> Origin:
    """Return the pose in the ``<origin>`` child of ``parent``; what is missing is zero.

    Raises:
        UrdfValueError: If a number is bad, the quaternion is zero, or both kinds of rotation are given.
    """
    element = only(parent, "origin", remarks, who)
    if element is None:
        return make_origin(_ZERO, _ZERO)
    x, y, z = measures(element, "xyz", 3, who) if "xyz" in element.attributes else _ZERO
    xyz = (x, y, z)
    if "quat_xyzw" not in element.attributes:
        return make_origin(xyz, vector(element, "rpy", who) if "rpy" in element.attributes else _ZERO)
    if "rpy" in element.attributes:
        raise attribute_error(element, "quat_xyzw", "rpy is given as well; keep one of the two", who)
    x, y, z, w = numbers(element, "quat_xyzw", 4, who)
    largest = max(abs(x), abs(y), abs(z), abs(w))
    if largest == 0.0:
        raise attribute_error(element, "quat_xyzw", "a zero quaternion is no rotation; identity is 0 0 0 1", who)
    rotation = rotation_from_quaternion([component / largest for component in (w, x, y, z)])
    roll, pitch, yaw = (float(angle) for angle in rpy_from_rotation(rotation))
    return _frozen(xyz, (roll, pitch, yaw), transform(rotation, xyz))


def _frozen(xyz: Vec3, rpy: Vec3, matrix: np.typing.NDArray[np.float64]) -> Origin:
    matrix.setflags(write=False)
    return Origin(xyz, rpy, matrix)
