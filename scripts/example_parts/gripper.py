# SPDX-License-Identifier: GPL-3.0-or-later
"""``gripper``: a two-finger gripper on a vertical rail, with followers of several kinds."""

from __future__ import annotations

import math
from pathlib import Path

from .description import ZERO, Description, Follow, Limit, Primitive, Visual
from .gripper_meshes import BAR, BODY_PIVOT, FINGER, PIVOT, meshes

ALONG_X = (0.0, math.pi / 2.0, 0.0)
OPEN = 0.8  # how far the fingers turn [rad]
X, Z = (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)


def _links(robot: Description) -> None:
    robot.link(
        "base_link",
        9.0,
        [Visual("base_link.dae")],
        [
            Primitive((0.26, 0.192, 0.018), (0.03, 0, 0.009)),
            Primitive((0.114, 0.128, 0.64), (0, 0, 0.33)),
            Primitive((0.034, 0.075), (0.01, 0, 0.685)),
        ],
    )
    robot.link(
        "carriage",
        1.2,
        [Visual("carriage.obj"), Visual("roll_motor.glb", xyz=(0.033, 0, 0))],
        [Primitive((0.02, 0.129, 0.132), (0.013, 0, 0)), Primitive((0.055, 0.076), (0.06, 0, 0), ALONG_X)],
    )
    robot.link(
        "gripper_body",
        0.7,
        [Visual("gripper_body.dae")],
        [Primitive((0.125, 0.15, 0.084), (0.0625, 0, 0))],
    )
    for side, sign in (("left", 1.0), ("right", -1.0)):
        mirror = (1.0, sign, 1.0)
        robot.link(
            f"{side}_finger",
            0.06,
            [Visual("finger.stl", "white", scale=mirror)],
            [Primitive((FINGER, 0.024, 0.044), (FINGER / 2, 0, 0))],
        )
        robot.link(
            f"{side}_bar",
            0.03,
            [Visual("bar.stl", "steel", scale=mirror)],
            [Primitive((FINGER, 0.015, 0.042), (FINGER / 2, 0, 0))],
        )
        robot.link(
            f"{side}_tip",
            0.07,
            [Visual("tip.dae", scale=mirror)],
            [
                Primitive((0.082, 0.019, 0.045), (0.0565, -0.0145 * sign, 0)),
                Primitive((0.046, 0.051, 0.045), (0.0125, 0.0155 * sign, 0)),
            ],
        )
    robot.link("plunger", 0.02, [Visual("plunger.stl", "teal")], [Primitive((0.01, 0.077), (-0.0175, 0, 0), ALONG_X)])
    robot.link("tcp")


def _followers(robot: Description) -> None:
    """Add the joints that have no value of their own."""
    opening = Limit(20, 2, 0, OPEN)
    closing = Limit(20, 2, -OPEN, 0)
    driver, mirrored = "left_finger_joint", "right_finger_joint"
    across, end = (BODY_PIVOT, -PIVOT, 0.0), (FINGER, 0.0, 0.0)
    body, other = "gripper_body", (BODY_PIVOT, -BAR, 0.0)
    robot.joint(mirrored, "revolute", (body, "right_finger"), across, ZERO, Z, closing, Follow(driver, -1))
    robot.joint(
        "left_bar_joint", "revolute", (body, "left_bar"), (BODY_PIVOT, BAR, 0), ZERO, Z, opening, Follow(driver)
    )
    robot.joint("right_bar_joint", "revolute", (body, "right_bar"), other, ZERO, Z, closing, Follow(mirrored))
    robot.joint("left_tip_joint", "revolute", ("left_finger", "left_tip"), end, ZERO, Z, closing, Follow(driver, -1))
    robot.joint(
        "right_tip_joint", "revolute", ("right_finger", "right_tip"), end, ZERO, Z, opening, Follow(mirrored, -1)
    )
    push = Limit(50, 0.2, 0, 0.05)
    robot.joint(
        "plunger_joint", "prismatic", (body, "plunger"), (0.082, 0, 0), ZERO, X, push, Follow(driver, 0.04, 0.008)
    )


def build() -> Description:
    """Return the gripper with its meshes."""
    heading = "An example of URDF Rig, made by scripts/make_examples.py: one finger leads, six other parts follow it."
    robot = Description("gripper", "meshes/", heading, meshes())
    robot.materials(["white", "steel", "teal"])
    _links(robot)
    robot.joint(
        "rail_joint", "prismatic", ("base_link", "carriage"), (0.05, 0, 0.13), axis=Z, limit=Limit(400, 0.5, 0, 0.4)
    )
    robot.joint("roll_joint", "continuous", ("carriage", "gripper_body"), (0.098, 0, 0), axis=X, limit=Limit(20, 4))
    pivot = (BODY_PIVOT, PIVOT, 0.0)
    leader = ("gripper_body", "left_finger")
    robot.joint("left_finger_joint", "revolute", leader, pivot, axis=Z, limit=Limit(20, 2, 0, OPEN))
    _followers(robot)
    robot.joint("tcp_joint", "fixed", ("gripper_body", "tcp"), (0.25, 0, 0), ALONG_X)
    return robot


def write(folder: Path) -> None:
    """Write the gripper into ``folder``."""
    build().write(folder)
