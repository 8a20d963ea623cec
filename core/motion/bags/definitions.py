# SPDX-License-Identifier: GPL-3.0-or-later
"""The message types that are written, as ROS 2's interface files define them."""

from __future__ import annotations

_FIELDS = {
    "builtin_interfaces/Time": "int32 sec\nuint32 nanosec",
    "builtin_interfaces/Duration": "int32 sec\nuint32 nanosec",
    "std_msgs/Header": "builtin_interfaces/Time stamp\nstring frame_id",
    "geometry_msgs/Vector3": "float64 x\nfloat64 y\nfloat64 z",
    "geometry_msgs/Quaternion": "float64 x 0\nfloat64 y 0\nfloat64 z 0\nfloat64 w 1",
    "geometry_msgs/Transform": "geometry_msgs/Vector3 translation\ngeometry_msgs/Quaternion rotation",
    "geometry_msgs/TransformStamped": (
        "std_msgs/Header header\nstring child_frame_id\ngeometry_msgs/Transform transform"
    ),
    "tf2_msgs/TFMessage": "geometry_msgs/TransformStamped[] transforms",
    "sensor_msgs/JointState": (
        "std_msgs/Header header\nstring[] name\nfloat64[] position\nfloat64[] velocity\nfloat64[] effort"
    ),
    "trajectory_msgs/JointTrajectoryPoint": (
        "float64[] positions\nfloat64[] velocities\nfloat64[] accelerations\nfloat64[] effort\n"
        "builtin_interfaces/Duration time_from_start"
    ),
    "trajectory_msgs/JointTrajectory": (
        "std_msgs/Header header\nstring[] joint_names\ntrajectory_msgs/JointTrajectoryPoint[] points"
    ),
}


def definition(name: str) -> str:
    """Return a type's definition, followed by those of all types that it has, as MCAP wants them."""
    parts, seen, waiting = [], {name}, [name]
    while waiting:
        current = waiting.pop(0)
        head = "" if current == name else f"{'=' * 80}\nMSG: {current}\n"
        parts.append(head + _FIELDS[current] + "\n")
        for line in _FIELDS[current].splitlines():
            part = line.split()[0].removesuffix("[]")
            if part in _FIELDS and part not in seen:
                seen.add(part)
                waiting.append(part)
    return "".join(parts)
