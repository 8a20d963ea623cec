# SPDX-License-Identifier: GPL-3.0-or-later
"""``arm6``: a six-axis arm with a spherical wrist and a reach of 0.9 m."""

from __future__ import annotations

import math
from pathlib import Path

from .arm6_meshes import MESHES
from .description import Description, Limit, Primitive, Visual, degrees

QUARTER = math.pi / 2.0
ALONG_X = (0.0, QUARTER, 0.0)
ALONG_Y = (-QUARTER, 0.0, 0.0)
AGAINST_Y = (QUARTER, 0.0, 0.0)

PACKAGE = """<?xml version="1.0" encoding="utf-8"?>
<package format="3">
  <name>arm6</name>
  <version>1.0.0</version>
  <description>A six-axis example arm, made by scripts/make_examples.py of URDF Rig.</description>
  <maintainer email="noreply@example.com">URDF Rig contributors</maintainer>
  <license>GPL-3.0-or-later</license>
</package>
"""


def _links(robot: Description) -> None:
    robot.link(
        "base_link",
        11.0,
        [Visual("base_link.dae")],
        [Primitive((0.26, 0.26, 0.024), (0, 0, 0.012)), Primitive((0.1, 0.136), (0, 0, 0.092))],
    )
    robot.link(
        "shoulder",
        9.0,
        [
            Visual("shoulder.stl", "white"),
            Visual("shoulder_trim.stl", "dark"),
            Visual("cap.stl", "orange", (0, 0.092, 0.2), ALONG_Y),
        ],
        [
            Primitive((0.1, 0.085), (0, 0, 0.0435)),
            Primitive((0.088, 0.178), (0, 0.005, 0.2), ALONG_Y),
            Primitive((0.196, 0.132, 0.13), (-0.02, 0, 0.135)),
        ],
    )
    robot.link(
        "upper_arm",
        8.5,
        [Visual("upper_arm.dae")],
        [
            Primitive((0.09, 0.073), (0, -0.1205, 0), ALONG_Y),
            Primitive((0.074, 0.073), (0, -0.1205, 0.42), ALONG_Y),
            Primitive((0.13, 0.073, 0.42), (0, -0.1205, 0.21)),
        ],
    )
    robot.link(
        "forearm",
        5.5,
        [
            Visual("forearm.stl", "white"),
            Visual("forearm_trim.stl", "dark"),
            Visual("cap.stl", "orange", (0, 0.066, 0), ALONG_Y, (0.9, 0.9, 1.0)),
        ],
        [Primitive((0.072, 0.158), (0, -0.007, 0), ALONG_Y), Primitive((0.056, 0.287), (-0.0125, 0, 0), ALONG_X)],
    )
    robot.link(
        "wrist_1",
        2.8,
        [Visual("wrist_1.obj")],
        [
            Primitive((0.0505, 0.17), (0, 0, 0.085)),
            Primitive((0.082, 0.108, 0.062), (0, 0, 0.159)),
            Primitive((0.074, 0.023, 0.127), (0, 0.0455, 0.2435)),
            Primitive((0.074, 0.023, 0.127), (0, -0.0455, 0.2435)),
        ],
    )
    robot.link(
        "wrist_2",
        1.1,
        [Visual("wrist_2.stl", "grey")],
        [Primitive((0.0345, 0.065), rpy=ALONG_Y), Primitive((0.0305, 0.056), (0, 0, 0.028))],
    )
    robot.link(
        "wrist_3",
        0.35,
        [Visual("wrist_3.stl", "steel"), Visual("screws.stl", "dark")],
        [Primitive((0.0315, 0.026), (0, 0, 0.072))],
    )
    robot.link("flange")
    robot.link("tool0")


def _joints(robot: Description) -> None:
    ends = ["base_link", "shoulder", "upper_arm", "forearm", "wrist_1", "wrist_2", "wrist_3", "flange", "tool0"]
    pairs = list(zip(ends, ends[1:], strict=False))
    y, z = (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
    robot.joint("joint_1", "revolute", pairs[0], (0, 0, 0.16), axis=z, limit=Limit(260, 4.2, *degrees(-170, 170)))
    robot.joint("joint_2", "revolute", pairs[1], (0, 0, 0.2), axis=y, limit=Limit(260, 3.7, *degrees(-100, 130)))
    robot.joint("joint_3", "revolute", pairs[2], (0, 0, 0.42), axis=y, limit=Limit(120, 4.5, *degrees(-200, 65)))
    robot.joint("joint_4", "revolute", pairs[3], (0.13, 0, 0), ALONG_X, z, Limit(36, 6.2, *degrees(-190, 190)))
    robot.joint("joint_5", "revolute", pairs[4], (0, 0, 0.27), axis=y, limit=Limit(36, 6.9, *degrees(-120, 120)))
    robot.joint("joint_6", "revolute", pairs[5], axis=z, limit=Limit(18, 9.4, *degrees(-360, 360)))
    robot.joint("flange_joint", "fixed", pairs[6], (0, 0, 0.085), (0, -QUARTER, 0))
    robot.joint("tool0_joint", "fixed", pairs[7], rpy=ALONG_X)


def build() -> Description:
    """Return the arm with its meshes."""
    heading = "An example of URDF Rig, made by scripts/make_examples.py: a six-axis arm with a spherical wrist."
    robot = Description("arm6", "package://arm6/meshes/", heading, {name: make() for name, make in MESHES.items()})
    robot.materials(["white", "grey", "dark", "steel", "orange"])
    _links(robot)
    _joints(robot)
    return robot


def write(folder: Path) -> None:
    """Write the arm into ``folder``."""
    build().write(folder)
    (folder / "package.xml").write_text(PACKAGE, encoding="utf-8", newline="\n")
