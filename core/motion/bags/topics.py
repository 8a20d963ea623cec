# SPDX-License-Identifier: GPL-3.0-or-later
"""What a bag has recorded, and which of it is a motion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...urdf.remarks import listed
from ..errors import MotionError

JOINT_STATE = "sensor_msgs/JointState"
TRAJECTORY = "trajectory_msgs/JointTrajectory"
ODOMETRY = "nav_msgs/Odometry"
TRANSFORMS = "tf2_msgs/TFMessage"
_OLD_TRANSFORMS = "tf/tfMessage"
POSE = "geometry_msgs/PoseStamped"
UNCERTAIN_POSE = "geometry_msgs/PoseWithCovarianceStamped"
TRANSFORM = "geometry_msgs/TransformStamped"

JOINT_TYPES = (JOINT_STATE, TRAJECTORY)
BASE_TYPES = (ODOMETRY, TRANSFORMS, POSE, UNCERTAIN_POSE, TRANSFORM)
_USUAL = ("/joint_states", "/odom", "/tf")
STATIC = "/tf_static"
_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic of a bag that a motion can be read from.

    Attributes:
        name: Such as ``/joint_states``.
        type: The messages' type, such as ``sensor_msgs/JointState``.
        count: How many messages there are; 0 where the bag does not say.
    """

    name: str
    type: str
    count: int = 0

    @property
    def moves_joints(self) -> bool:
        """Whether it has joint values; else poses."""
        return self.type in JOINT_TYPES

    def __str__(self) -> str:
        return f"{self.name} ({self.type})"


def plain_type(name: str) -> str:
    """Return a type's name as it was in ROS 1: ``sensor_msgs/JointState``."""
    package, _, last = name.rpartition("/")
    plain = f"{package.removesuffix('/msg')}/{last}"
    return TRANSFORMS if plain == _OLD_TRANSFORMS else plain


def chosen_topic(topics: Sequence[Topic], name: str, *, joints: bool, file: str) -> Topic | None:
    """Return the topic called ``name``, or, without a name, the one that is most likely meant.

    Of poses this is an odometry, else the transforms; a pose's topic may as well be a goal, and has to be named.

    Raises:
        MotionError: If there is no topic of that name with joint values or poses; the others are listed.
    """
    types = JOINT_TYPES if joints else BASE_TYPES
    fitting = [topic for topic in topics if topic.type in types]
    if name:
        found = next((topic for topic in fitting if topic.name == name or topic.name == f"/{name}"), None)
        if found is None:
            what = "joint values" if joints else "poses"
            raise MotionError(f"no topic {name!r} with {what}; {known_topics(fitting)}", file=file)
        return found
    likely = (
        fitting if joints else [topic for topic in fitting if topic.type in BASE_TYPES[:2] and topic.name != STATIC]
    )
    return min(likely, key=_rank, default=None)


def _rank(topic: Topic) -> tuple[int, bool, int]:
    return (*JOINT_TYPES, *BASE_TYPES).index(topic.type), topic.name not in _USUAL, -topic.count


def known_topics(topics: Sequence[Topic]) -> str:
    """Return a part of a sentence that lists topics."""
    return "there are " + listed([str(topic) for topic in topics], _SHOWN) if topics else "there is none"
