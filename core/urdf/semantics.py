# SPDX-License-Identifier: GPL-3.0-or-later
"""What an SRDF file says beyond the URDF: groups of joints, named poses, and links that may touch.

Source: wiki.ros.org/srdf; github.com/moveit/srdfdom.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ..diagnostics import Diagnostic


@dataclass(frozen=True, slots=True)
class JointGroup:
    """A ``<group>``.

    Attributes:
        name: Its name.
        joints: The robot's joints in it, in the description's order: those named, those that carry a named link, those
            along its chains, and those of the groups in it.
        chains: Base and tip link of each chain given.
    """

    name: str
    joints: tuple[str, ...] = ()
    chains: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class GroupState:
    """A ``<group_state>``: a named pose of a group.

    Attributes:
        name: The pose's name; unique only within its group.
        group: The group's name.
        values: Values [rad or m] of free scalar joints.
        spatial: The numbers, as written, of joints that have more than one: planar, floating and virtual ones.
    """

    name: str
    group: str
    values: Mapping[str, float]
    spatial: Mapping[str, tuple[float, ...]]


@dataclass(frozen=True, slots=True)
class DisabledPair:
    """Two links that are not checked against each other, and why."""

    link1: str
    link2: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Semantics:
    """All that is read of an SRDF file; ``robot`` is the robot's name in it."""

    source: Path
    robot: str
    groups: tuple[JointGroup, ...] = ()
    states: tuple[GroupState, ...] = ()
    disabled_pairs: tuple[DisabledPair, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()

    def as_dict(self) -> dict[str, object]:
        """Return groups, named poses and disabled pairs as JSON data."""
        return {
            "source": str(self.source),
            "groups": {group.name: list(group.joints) for group in self.groups},
            "states": [
                {
                    "name": state.name,
                    "group": state.group,
                    "values": dict(state.values),
                    "spatial": {name: list(numbers) for name, numbers in state.spatial.items()},
                }
                for state in self.states
            ],
            "disabled_pairs": [[pair.link1, pair.link2] for pair in self.disabled_pairs],
        }
