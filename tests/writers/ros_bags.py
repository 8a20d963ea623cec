# SPDX-License-Identifier: GPL-3.0-or-later
"""Bags as ROS records them, by the writers of the library ``rosbags``."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from rosbags.rosbag1 import Writer as Ros1Writer
from rosbags.rosbag2 import CompressionFormat, CompressionMode, StoragePlugin
from rosbags.rosbag2 import Writer as Ros2Writer
from rosbags.typesys import Stores, get_types_from_msg, get_typestore

KINDS = ("mcap", "db3", "bag")
_SECOND = 1_000_000_000


class BagWriter:
    """A bag of one of the kinds; ``file`` is what a user would choose."""

    def __init__(self, folder: Path, kind: str, compression: str = "") -> None:
        self.kind = kind
        self.store = get_typestore(Stores.ROS1_NOETIC if kind == "bag" else Stores.ROS2_HUMBLE)
        if kind == "bag":  # the tables of ROS 1 have it not, as it was in a package of its own
            text = "geometry_msgs/TransformStamped[] transforms"
            self.store.register(get_types_from_msg(text, "tf2_msgs/msg/TFMessage"))
        self._connections: dict = {}
        if kind == "bag":
            self.file = folder / "recording.bag"
            self._writer = Ros1Writer(self.file)
            if compression:
                self._writer.set_compression(Ros1Writer.CompressionFormat[compression.upper()])
        else:
            self.file = folder / "recording"
            plugin = StoragePlugin.MCAP if kind == "mcap" else StoragePlugin.SQLITE3
            self._writer = Ros2Writer(self.file, version=9, storage_plugin=plugin)
            if compression:
                self._writer.set_compression(CompressionMode[compression.upper()], CompressionFormat.ZSTD)

    def __enter__(self) -> BagWriter:
        self._writer.open()
        return self

    def __exit__(self, *_: object) -> None:
        self._writer.close()

    def make(self, kind: str, /, **fields: object):
        """Return a message such as ``sensor_msgs/JointState``."""
        package, last = kind.split("/")
        return self.store.types[f"{package}/msg/{last}"](**fields)

    def stamp(self, nanoseconds: int):
        return self.make("builtin_interfaces/Time", sec=nanoseconds // _SECOND, nanosec=nanoseconds % _SECOND)

    def header(self, nanoseconds: int, frame: str = ""):
        extra = {"seq": 0} if self.kind == "bag" else {}
        return self.make("std_msgs/Header", stamp=self.stamp(nanoseconds), frame_id=frame, **extra)

    def write(self, topic: str, name: str, nanoseconds: int, message: object) -> None:
        kind = name.replace("/", "/msg/")
        if topic not in self._connections:
            self._connections[topic] = self._writer.add_connection(topic, kind, typestore=self.store)
        serialize = self.store.serialize_ros1 if self.kind == "bag" else self.store.serialize_cdr
        self._writer.write(self._connections[topic], nanoseconds, bytes(serialize(message, kind)))

    def joint_state(self, topic, time, names, position, velocity=(), *, stamp=None):
        message = self.make(
            "sensor_msgs/JointState",
            header=self.header(time if stamp is None else stamp),
            name=list(names),
            position=np.array(position, dtype=np.float64),
            velocity=np.array(velocity, dtype=np.float64),
            effort=np.zeros(0),
        )
        self.write(topic, "sensor_msgs/JointState", time, message)

    def trajectory(self, topic, time, names, offsets, positions, *, stamp=0, velocities=None):
        duration = "builtin_interfaces/Duration"
        points = [
            self.make(
                "trajectory_msgs/JointTrajectoryPoint",
                positions=np.array(row, dtype=np.float64),
                velocities=np.zeros(0) if velocities is None else np.array(velocities[index], dtype=np.float64),
                accelerations=np.zeros(0),
                effort=np.zeros(0),
                time_from_start=self.make(duration, sec=offset // _SECOND, nanosec=offset % _SECOND),
            )
            for index, (offset, row) in enumerate(zip(offsets, positions, strict=True))
        ]
        message = self.make(
            "trajectory_msgs/JointTrajectory", header=self.header(stamp), joint_names=list(names), points=points
        )
        self.write(topic, "trajectory_msgs/JointTrajectory", time, message)

    def pose(self, position, quaternion):
        x, y, z = map(float, position)
        qw, qx, qy, qz = map(float, quaternion)
        return self.make(
            "geometry_msgs/Pose",
            position=self.make("geometry_msgs/Point", x=x, y=y, z=z),
            orientation=self.make("geometry_msgs/Quaternion", x=qx, y=qy, z=qz, w=qw),
        )

    def odometry(self, topic, time, frame, child, position, quaternion):
        zero = self.make("geometry_msgs/Vector3", x=0.0, y=0.0, z=0.0)
        covariance = np.zeros(36)
        message = self.make(
            "nav_msgs/Odometry",
            header=self.header(time, frame),
            child_frame_id=child,
            pose=self.make(
                "geometry_msgs/PoseWithCovariance", pose=self.pose(position, quaternion), covariance=covariance
            ),
            twist=self.make(
                "geometry_msgs/TwistWithCovariance",
                twist=self.make("geometry_msgs/Twist", linear=zero, angular=zero),
                covariance=covariance,
            ),
        )
        self.write(topic, "nav_msgs/Odometry", time, message)

    def pose_stamped(self, topic, time, frame, position, quaternion):
        message = self.make(
            "geometry_msgs/PoseStamped", header=self.header(time, frame), pose=self.pose(position, quaternion)
        )
        self.write(topic, "geometry_msgs/PoseStamped", time, message)

    def transforms(self, topic, time, edges):
        """Write ``edges``: parent, child, position and quaternion ``w x y z``."""
        items = []
        for parent, child, position, quaternion in edges:
            x, y, z = map(float, position)
            qw, qx, qy, qz = map(float, quaternion)
            transform = self.make(
                "geometry_msgs/Transform",
                translation=self.make("geometry_msgs/Vector3", x=x, y=y, z=z),
                rotation=self.make("geometry_msgs/Quaternion", x=qx, y=qy, z=qz, w=qw),
            )
            items.append(
                self.make(
                    "geometry_msgs/TransformStamped",
                    header=self.header(time, parent),
                    child_frame_id=child,
                    transform=transform,
                )
            )
        self.write(topic, "tf2_msgs/TFMessage", time, self.make("tf2_msgs/TFMessage", transforms=items))


def write_motion_bag(folder: Path, kind: str, motion, compression: str = "", start: int = 0) -> Path:
    """Write a JointMotion as ``/joint_states`` and its base as ``/odom``; return what a user would choose."""
    with BagWriter(folder, kind, compression) as bag:
        for index, time in enumerate(motion.times):
            stamp = start + round(time * _SECOND)
            bag.joint_state("/joint_states", stamp, motion.joints, motion.positions[index])
            if motion.base is not None:
                base = motion.base
                args = (base.frame or "odom", base.link or "base", base.positions[index], base.quaternions[index])
                bag.odometry("/odom", stamp, *args)
        return bag.file
