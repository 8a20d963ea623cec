# SPDX-License-Identifier: GPL-3.0-or-later
"""Short robots for the reader's tests."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from urdf_rig.core.model import Robot
from urdf_rig.core.urdf import parse_urdf


@pytest.fixture
def parse() -> Callable[..., Robot]:
    """Parse what stands inside ``<robot>``; the body starts in line 1."""

    def parse_body(body: str, attributes: str = 'name="r"') -> Robot:
        return parse_urdf(f"<robot {attributes}>{body}</robot>", file="r.urdf")

    return parse_body


@pytest.fixture
def parse_joint(parse: Callable[..., Robot]) -> Callable[..., Robot]:
    """Parse a robot whose one joint ``j`` from link a to link b has the given type and contents."""

    def parse_one(inside: str, kind: str = "revolute") -> Robot:
        ends = '<parent link="a"/><child link="b"/>'
        return parse(f'<link name="a"/><link name="b"/><joint name="j" type="{kind}">{ends}{inside}</joint>')

    return parse_one


@pytest.fixture
def parse_link(parse: Callable[..., Robot]) -> Callable[..., Robot]:
    """Parse a robot whose one link ``a`` has the given contents."""

    def parse_one(inside: str, beside: str = "") -> Robot:
        return parse(f'<link name="a">{inside}</link>{beside}')

    return parse_one


@pytest.fixture
def warnings() -> Callable[[Robot], list[str]]:
    """Return the texts of a robot's warnings."""
    return lambda robot: [str(remark) for remark in robot.diagnostics if remark.level.value == "warning"]
