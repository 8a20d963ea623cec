# SPDX-License-Identifier: GPL-3.0-or-later
"""The arms whose inverse kinematics is measured, with targets and starts."""

from __future__ import annotations

import importlib.util
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from . import peers
from .robots import locate

if TYPE_CHECKING:
    from urdf_rig.core import Robot

_AWAY = 0.1


class Arm(NamedTuple):
    """What is measured: a file beside the corpus's panda, a frame, its base, and the joint given in closed form."""

    file: str
    frame: str
    base: str | None = None
    position_only: bool = False
    given: str | None = None


# the folder of each package of example-robot-data stands beside the others; pybullet brings its own
ARMS = {
    "panda": Arm("panda_description/urdf/panda.urdf", "panda_link8"),
    "ur5": Arm("ur_description/urdf/ur5_robot.urdf", "tool0"),
    "xarm7": Arm("xarm_description/urdf/xarm7.urdf", "link7"),
    "iiwa": Arm("pybullet_data/kuka_iiwa/model.urdf", "lbr_iiwa_link_7"),
    "talos arm": Arm("talos_data/robots/talos_full_v2.urdf", "gripper_left_base_link", base="torso_2_link"),
    "talos arm and torso": Arm("talos_data/robots/talos_full_v2.urdf", "gripper_left_base_link"),
    "g1 arm and waist": Arm("g1_description/urdf/g1_29dof_rev_1_0.urdf", "left_rubber_hand"),
    "icub arm and torso": Arm("icub_description/robots/icub.urdf", "r_hand_dh_frame"),
    "pr2 arm": Arm("pr2_description/urdf/pr2.urdf", "r_gripper_tool_frame", base="torso_lift_link"),
    "allegro finger": Arm("allegro_hand_description/urdf/allegro_right_hand.urdf", "link_3.0_tip", position_only=True),
}
CLOSED = {
    "ur3": Arm("ur_description/urdf/ur3_robot.urdf", "tool0"),
    "ur5": ARMS["ur5"],
    "ur10": Arm("ur_description/urdf/ur10_robot.urdf", "tool0"),
    "z1": Arm("z1_description/urdf/z1.urdf", "link06"),
    "panda, joint 7 given": ARMS["panda"]._replace(given="panda_joint7"),
    "iiwa, joint 3 given": ARMS["iiwa"]._replace(given="lbr_iiwa_joint_3"),
    "pr2 arm, upper arm roll given": ARMS["pr2 arm"]._replace(given="r_upper_arm_roll_joint"),
    "talos arm, joint 3 given": ARMS["talos arm"]._replace(given="arm_left_3_joint"),
    "talos leg": Arm("talos_data/robots/talos_full_v2.urdf", "left_sole_link"),
    "kinova jaco 2": Arm("kinova_description/robots/kinova.urdf", "j2s6s200_link_6"),
    "spherical wrist, elbow parallel": Arm("oblique 1", "tip"),
    "spherical wrist, all axes askew": Arm("oblique 2", "tip"),
    "spherical shoulder": Arm("oblique 3", "tip"),
    "xarm7, joint 7 given (nearly spherical)": ARMS["xarm7"]._replace(given="joint7"),
}


class Task(NamedTuple):
    """Targets and starts for one arm."""

    robot: Robot
    text: str
    arm: Arm
    lower: np.ndarray
    upper: np.ndarray
    q: np.ndarray
    targets: np.ndarray
    zero: np.ndarray
    near: np.ndarray


def task_of(arm: Arm, count: int) -> Task | None:
    """Return what to solve; None where the robot's package is not installed."""
    from urdf_rig.core.kinematics import frame_pose

    found = _robot(arm.file)
    if found is None:
        return None
    robot, text = found
    lower, upper, q = _random(robot, count)
    rng = np.random.default_rng(1)
    away = rng.normal(size=q.shape)
    away *= _AWAY / np.linalg.norm(away, axis=1, keepdims=True)
    zero = np.clip(np.zeros(q.shape[1]), lower, upper)
    targets = frame_pose(robot, q, arm.frame, base=arm.base)
    return Task(robot, text, arm, lower, upper, q, targets, zero, np.clip(q + away, lower, upper))


@lru_cache
def _robot(file: str) -> tuple[Robot, str] | None:
    from urdf_rig.core import load

    if file.startswith("oblique"):
        return _synthetic(int(file[-1])), ""
    path = _place(file)
    return (load(path), peers.bare_text(path)) if path is not None and path.is_file() else None


def _place(file: str) -> Path | None:
    if not file.startswith("pybullet_data"):
        return locate("panda").parents[2] / file
    spec = importlib.util.find_spec("pybullet_data")
    return None if spec is None or not spec.submodule_search_locations else Path(spec.origin or "").parents[1] / file


def _random(robot: Robot, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return bounds (infinite for unlimited joints) and configurations within, unlimited joints in half a turn."""
    from urdf_rig.core.ik.bounds import joint_bounds

    lower, upper = joint_bounds(robot)
    low, high = (np.where(np.isfinite(bound), bound, sign * np.pi) for bound, sign in ((lower, -1), (upper, 1)))
    q = low + np.random.default_rng(0).random((count, len(low))) * (high - low)
    return lower, upper, q


def _synthetic(kind: int) -> Robot:
    """Return a robot of six joints in frames that follow no convention: 1, 2 with a spherical wrist, 3 with a shoulder.

    Args:
        kind: 1 has parallel axes 2 and 3 and a wrist of right angles, 2 and 3 nothing of the kind.
    """
    from urdf_rig.core.model import Joint, JointType, Limits, Link, Origin, Robot
    from urdf_rig.core.spatial import inverse, rotation_about_axis, rpy_from_rotation, transform

    rng = np.random.default_rng(kind)
    axes, points = rng.normal(size=(6, 3)), np.cumsum(rng.uniform(-0.3, 0.4, (6, 3)), axis=0)
    points[3:] = points[3]
    if kind == 1:
        axes = np.array([[0, 0, 1], [0, 1, 0], [0, 1, 0], [1, 0, 0], [0, 1, 0], [1, 0, 0]], dtype=float)
    elif kind == 3:
        points = points[::-1]
    axes = axes / np.linalg.norm(axes, axis=1, keepdims=True)
    joints, before = [], np.eye(4)

    def placed(frame: np.ndarray) -> Origin:
        h = inverse(before) @ frame
        return Origin(tuple(h[:3, 3]), tuple(rpy_from_rotation(h[:3, :3])), h)

    for index, (axis, point) in enumerate(zip(axes, points, strict=True), 1):
        turn = rng.normal(size=3)
        frame = transform(
            rotation_about_axis(turn / np.linalg.norm(turn), rng.uniform(-3, 3)), point + rng.uniform(-0.2, 0.2) * axis
        )
        local, limits = tuple(frame[:3, :3].T @ axis), Limits(-2.9, 2.9)
        joint = Joint(f"j{index}", JointType.REVOLUTE, f"l{index - 1}", f"l{index}", placed(frame), local, limits)
        joints.append(joint)
        before = frame
    end = transform(rotation_about_axis([0.6, 0.0, 0.8], 0.7), points[-1] + [0.1, 0.05, 0.2])
    joints.append(Joint("end", JointType.FIXED, "l6", "tip", placed(end), None, None))
    links = [Link(f"l{index}") for index in range(7)]
    return Robot(f"oblique {kind}", (*links, Link("tip")), tuple(joints), "l0")
