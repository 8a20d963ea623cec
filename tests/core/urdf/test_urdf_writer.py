# SPDX-License-Identifier: GPL-3.0-or-later
"""What is written is read again as the same robot."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from urdf_rig.core import load
from urdf_rig.core.errors import UrdfError
from urdf_rig.core.model import Box, Joint, JointType, Link, Material, Robot, Shape
from urdf_rig.core.urdf import parse_urdf, urdf_text
from urdf_rig.core.urdf.origins import make_origin

_DATA = Path(__file__).parents[2] / "data"
_FILES = sorted([*_DATA.glob("cases/*/*.urdf"), *_DATA.parent.parent.glob("examples/*/*.urdf")])
_NOT_COMPARED = {"line", "urdf", "source", "diagnostics", "package_paths", "cameras"}


def loaded(path: Path) -> Robot | None:
    try:
        return load(path)
    except UrdfError:
        return None


def plain(value: object) -> object:
    """Return a value as something that compares by contents, numbers to 13 places."""
    if isinstance(value, np.ndarray):
        return plain(tuple(value.ravel().tolist()))
    if isinstance(value, float):
        return round(value, 13) + 0.0
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    if hasattr(value, "__dataclass_fields__"):
        names = [field.name for field in fields(value) if field.init and field.name not in _NOT_COMPARED]
        return {name: plain(getattr(value, name)) for name in names}
    return value


@pytest.mark.parametrize("path", [path for path in _FILES if loaded(path)], ids=lambda path: path.stem)
def test_a_written_robot_is_read_as_it_was(path: Path) -> None:
    robot = load(path)
    again = parse_urdf(urdf_text(robot))
    assert plain(again) == plain(robot)


def test_most_files_took_part() -> None:
    assert sum(loaded(path) is not None for path in _FILES) > 20


def test_names_that_xml_has_to_escape_survive() -> None:
    here = make_origin((0.1, -0.0, 1e-17), (0.3, 0.2, 0.1))
    glass = Material('"glass" & <steel>', (0.1, 0.2, 0.3, 0.5))
    links = (Link("a<b", (Shape("it's", here, Box((1.0, 2.0, 3.0)), glass),)), Link("c&d"))
    joint = Joint("turn\n it", JointType.CONTINUOUS, "a<b", "c&d", here, (0.0, 0.6, 0.8))
    robot = Robot("R&D", links, (joint,), "a<b")
    again = parse_urdf(urdf_text(robot))
    assert plain(again.links) == plain(robot.links)
    assert again.joints[0].axis == pytest.approx((0.0, 0.6, 0.8), abs=1e-15)
    assert again.root == "a<b"
