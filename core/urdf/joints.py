# SPDX-License-Identifier: GPL-3.0-or-later
"""``<joint>`` elements: type, ends, origin, axis and mimic; whether the names exist is looked at later."""

from __future__ import annotations

import math

from ..diagnostics import Diagnostics
from ..model import Joint, JointType, Mimic, Vec3
from .limits import read_limits
from .origins import read_origin
from .remarks import note, only, quoted, value_error, warn
from .values import attribute_error, measures, missing_attribute, name_of, vector
from .xml import Element

_UNIT_TOLERANCE = 1e-3
_ZERO_LENGTH = 1e-9
"""An axis shorter than this is a zero with rounding noise, and gives no direction."""


def read_joint(element: Element, remarks: Diagnostics) -> Joint:
    """Return the joint that ``element`` describes.

    Raises:
        UrdfValueError: If a name is missing, a number is bad, the type is not one of URDF's, or a joint that moves
            has a zero axis.
    """
    name = name_of(element)
    who = f"joint {quoted(name)}"
    kind = _type(element, who)
    return Joint(
        name=name,
        type=kind,
        parent=_end(element, "parent", remarks, who),
        child=_end(element, "child", remarks, who),
        origin=read_origin(element, remarks, who),
        axis=None if kind in (JointType.FIXED, JointType.FLOATING) else _axis(element, remarks, who),
        limit=read_limits(element, kind, remarks, who),
        mimic=_mimic(element, kind, remarks, who),
        line=element.line,
    )


def _type(element: Element, who: str) -> JointType:
    word = element.attributes.get("type")
    known = ", ".join(kind.value for kind in JointType)
    if word is None:
        raise value_error(element, f"it has no type; give it one of: {known}", who)
    try:
        return JointType(word)
    except ValueError:
        raise value_error(element, f"the type {quoted(word)} is not known; URDF has: {known}", who) from None


def _end(element: Element, tag: str, remarks: Diagnostics, who: str) -> str:
    end = only(element, tag, remarks, who)
    if end is None:
        raise value_error(element, f'it has no <{tag} link="…"/>; a joint needs a parent and a child link', who)
    return name_of(end, "link", who)


def _axis(element: Element, remarks: Diagnostics, who: str) -> Vec3:
    """Return the unit axis; (1, 0, 0) where the file has no ``<axis>``."""
    axis = only(element, "axis", remarks, who)
    if axis is None:
        return 1.0, 0.0, 0.0
    if "xyz" not in axis.attributes:
        raise missing_attribute(axis, "xyz", who)
    x, y, z = vector(axis, "xyz", who)
    largest = max(abs(x), abs(y), abs(z))
    if largest < _ZERO_LENGTH:
        raise attribute_error(axis, "xyz", "the axis of a joint that moves cannot be zero", who)
    x, y, z = x / largest, y / largest, z / largest  # so that no square overflows
    length = math.hypot(x, y, z)
    if abs(length * largest - 1.0) > _UNIT_TOLERANCE:
        warn(remarks, axis, f"the axis has length {length * largest:.6g}; it is taken as a direction only", who)
    return x / length, y / length, z / length


def _mimic(element: Element, kind: JointType, remarks: Diagnostics, who: str) -> Mimic | None:
    mimic = only(element, "mimic", remarks, who)
    if mimic is None:
        return None
    if not kind.is_scalar:
        note(remarks, mimic, f"<mimic> on a {kind.value} joint means nothing and is left out", who)
        return None
    leader = mimic.attributes.get("joint", "")
    if not leader.strip():
        warn(remarks, mimic, "<mimic> names no joint to follow; the joint moves by itself", who)
        return None
    multiplier, offset = (
        measures(mimic, name, 1, who)[0] if name in mimic.attributes else default
        for name, default in (("multiplier", 1.0), ("offset", 0.0))
    )
    return Mimic(leader, multiplier, offset)
