# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether each follower has a joint that it can follow. Loops are refused: a value cannot be defined by itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ..diagnostics import Diagnostics
from ..model import Joint
from .remarks import listed, quoted, reference_error, warn
from .topology import first_circle
from .xml import Element


def checked_mimics(joints: Sequence[Joint], root: Element, remarks: Diagnostics) -> tuple[Joint, ...]:
    """Return the joints; a follower of a joint that is missing or has no one value is made a plain joint.

    Args:
        joints: All joints, with unique names.
        root: The ``<robot>``, for the places in messages.
        remarks: Takes a warning for each follower that is made plain.

    Raises:
        UrdfReferenceError: If joints follow each other in a circle.
    """
    places = {element.attributes["name"]: element for element in root.all("joint")}
    by_name = {joint.name: joint for joint in joints}
    checked = tuple(_followable(joint, by_name, places[joint.name], remarks) for joint in joints)
    leaders = {joint.name: joint.mimic.joint for joint in checked if joint.mimic is not None}
    circle = first_circle(leaders, leaders)
    if circle:
        message = (
            f"the joints {listed(circle)} follow each other in a circle, so they have no value; remove a <mimic>"
            if len(circle) > 1
            else "it follows itself, so it has no value; remove the <mimic>"
        )
        raise reference_error(places[circle[0]], message, f"joint {quoted(circle[0])}")
    return checked


def _followable(joint: Joint, by_name: Mapping[str, Joint], element: Element, remarks: Diagnostics) -> Joint:
    if joint.mimic is None:
        return joint
    leader = by_name.get(joint.mimic.joint)
    if leader is not None and leader.type.is_scalar:
        return joint
    reason = "which does not exist" if leader is None else f"which is {leader.type.value} and has no value"
    message = f"<mimic> follows joint {quoted(joint.mimic.joint)}, {reason}; the joint moves by itself"
    warn(remarks, element.first("mimic") or element, message, f"joint {quoted(joint.name)}")
    return replace(joint, mimic=None)
