# SPDX-License-Identifier: GPL-3.0-or-later
"""Which bone each link rides on: its own, or, without the bones of fixed frames, that of a link it is fixed to."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..model import JointType, Robot
from ..spatial import inverse
from ..tree import steps_from

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Ride:
    """How a link rides on a bone.

    Attributes:
        carrier: The link whose bone it is.
        carrier_h_link: Constant pose ``C_H_L`` of the link in the frame of that one, shape (4, 4).
    """

    carrier: str
    carrier_h_link: Array


def links_with_bones(robot: Robot, base: str, *, fixed_frames: bool = True) -> frozenset[str]:
    """Return the links that have a bone of their own in a rig that hangs from ``base``.

    Args:
        robot: Any robot.
        base: The link that the rig hangs from; it always has a bone.
        fixed_frames: Whether links on a fixed joint have one too.

    Raises:
        UnknownNameError: If ``base`` is not a link.
    """
    moving = (step.link for step in steps_from(robot, base) if fixed_frames or step.joint.type is not JointType.FIXED)
    return frozenset((base, *moving))


def rides(robot: Robot, base: str, carriers: Collection[str]) -> Mapping[str, Ride]:
    """Return how each link rides: on its own bone, or on that of the next link towards the base.

    Links that have no bone and are joined to the base's side by a joint that moves ride on nothing and are left out.

    Args:
        robot: Any robot.
        base: The link that the rig hangs from.
        carriers: The links that have a bone.

    Raises:
        UnknownNameError: If ``base`` is not a link.
    """
    found = {base: Ride(base, np.eye(4))} if base in carriers else {}
    for step in steps_from(robot, base):
        before = found.get(step.parent)
        if step.link in carriers:
            found[step.link] = Ride(step.link, np.eye(4))
        elif before is not None and step.joint.type is JointType.FIXED:
            p_h_c = step.joint.origin.matrix
            near_h_far = p_h_c if step.direction > 0 else inverse(p_h_c)
            found[step.link] = Ride(before.carrier, before.carrier_h_link @ near_h_far)
    return found
