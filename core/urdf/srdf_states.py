# SPDX-License-Identifier: GPL-3.0-or-later
"""``<group_state>`` elements of an SRDF file: named poses."""

from __future__ import annotations

import math
from collections.abc import Collection

from ..diagnostics import Diagnostics
from ..errors import UrdfError
from ..model import Joint, JointType, Robot
from .remarks import listed, note, quoted, value_error, warn
from .semantics import GroupState
from .values import missing_attribute, numbers
from .xml import Element

FREE_FLYER = "root_joint"
"""What Pinocchio calls the joint between world and robot, whether or not the file declares it."""
_MOST_NUMBERS = 7


def read_states(root: Element, robot: Robot, virtual: Collection[str], remarks: Diagnostics) -> tuple[GroupState, ...]:
    """Return the named poses in document order; one that sets no joint of the robot is left out.

    Args:
        root: The ``<robot>`` of the SRDF file.
        robot: The robot that it is for.
        virtual: Names of joints that only the SRDF file has.
        remarks: Takes what does not fit the robot.
    """
    joints = {joint.name: joint for joint in robot.joints}
    beyond = {*virtual, FREE_FLYER}
    read = (_state(element, joints, beyond, remarks) for element in root.all("group_state"))
    return tuple(state for state in read if state is not None)


def _state(
    element: Element, joints: dict[str, Joint], virtual: Collection[str], remarks: Diagnostics
) -> GroupState | None:
    name = element.attributes.get("name", "")
    who = f"group_state {quoted(name)}"
    if not name.strip():
        warn(remarks, element, "a named pose has no name; it is left out", who)
        return None
    values: dict[str, float] = {}
    spatial: dict[str, tuple[float, ...]] = {}
    unknown: list[str] = []
    for child in element.all("joint"):
        joint_name = _known(child.attributes.get("name", ""), joints)
        joint = joints.get(joint_name)
        try:
            if joint is None and joint_name not in virtual:
                unknown.append(joint_name)
            elif joint is None or joint.type in (JointType.PLANAR, JointType.FLOATING):
                spatial[joint_name] = _numbers(child, who)
            elif joint.type is not JointType.FIXED and joint.mimic is None:
                values[joint_name] = _scalar(child, joint, remarks, who)
        except UrdfError as error:
            warn(remarks, child, f"{error.message}; joint {quoted(joint_name)} is left out of the pose", who)
    if unknown:
        note(remarks, element, f"the robot does not have {listed(unknown, 8)}", who)
    if not values and not spatial:
        warn(remarks, element, "it sets no joint of the robot; it is left out", who)
        return None
    return GroupState(name, element.attributes.get("group", ""), values, spatial)


def _known(name: str, joints: Collection[str]) -> str:
    """Return the joint's name without a namespace where the robot has it so, as ``robot/joint`` for ``joint``."""
    last = name.rsplit("/", 1)[-1]
    return last if name not in joints and last in joints else name


def _numbers(element: Element, who: str) -> tuple[float, ...]:
    if "value" not in element.attributes:
        raise missing_attribute(element, "value", who)
    count = len(element.attributes["value"].split(maxsplit=_MOST_NUMBERS))
    return numbers(element, "value", min(max(count, 1), _MOST_NUMBERS), who)


def _scalar(element: Element, joint: Joint, remarks: Diagnostics, who: str) -> float:
    found = _numbers(element, who)
    if len(found) == 2 and joint.type is JointType.CONTINUOUS:
        # Pinocchio writes a continuous joint's value as the cosine and sine of its angle
        return math.atan2(found[1], found[0])
    if len(found) != 1:
        raise value_error(element, f"{len(found)} numbers are given where the joint has one", who)
    value = found[0]
    if joint.range is not None and not joint.range[0] - 1e-6 <= value <= joint.range[1] + 1e-6:
        low, high = joint.range
        note(remarks, element, f"joint {quoted(joint.name)} = {value:g} is outside its range {low:g} .. {high:g}", who)
    return value
