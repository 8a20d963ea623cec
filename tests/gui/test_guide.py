# SPDX-License-Identifier: GPL-3.0-or-later
"""The pictures of the user guide can be taken, and each is in the guide."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

_LARGEST = 100_000
_EYE = """<gazebo reference="tool0"><sensor name="tool_camera" type="camera"><camera>
  <horizontal_fov>1.2</horizontal_fov><image><width>640</width><height>480</height></image>
  <clip><near>0.05</near><far>30</far></clip></camera></sensor></gazebo></robot>"""
_POSES = """<robot name="arm6">
  <group name="arm"><chain base_link="base_link" tip_link="tool0"/></group>
  <group_state name="home" group="arm"><joint name="joint_2" value="0"/><joint name="joint_3" value="0"/></group_state>
  <group_state name="reach" group="arm"><joint name="joint_2" value="0.9"/><joint name="joint_3" value="-0.3"/>
  </group_state>
</robot>"""


@pytest.fixture
def arm(window: Any, root: Path) -> Path:
    """The example arm with a camera, and with named poses."""
    text = (root / "examples/arm6/arm6.urdf").read_text(encoding="utf-8")
    text = text.replace("package://arm6/", f"file://{root}/examples/arm6/").replace("</robot>", _EYE)
    window.write("arm6.srdf", _POSES)
    return window.write("arm6.urdf", text)


def kept(window: Any, scenario: str, page: Path) -> int:
    """Return how many pictures a scenario has kept; all are small, and on a page of the documentation."""
    pictures = sorted((window.folder / scenario / "guide").glob("*.png"))
    text = page.read_text(encoding="utf-8")
    for picture in pictures:
        assert picture.stat().st_size < _LARGEST, picture
        assert f"images/guide/{picture.name})" in text, picture
    return len(pictures)


def test_guide_pictures(window: Any, arm: Path, root: Path):
    window.play("guide", "1000x1000", robot=arm)
    assert kept(window, "guide", root / "docs/guide.md") > 20


def test_a_newcomer_opens_a_converted_file_and_moves_a_slider(window: Any, root: Path):
    made = window.write("robot.blend", "")
    arm = root / "examples/arm6/arm6.urdf"
    picture = made.with_name("robot.png")
    window.blender(window.clean, "--command", "urdf_rig", "convert", str(arm), str(made), "--preview", str(picture))
    assert picture.read_bytes().startswith(b"\x89PNG")  # in a Blender that may have no denoiser, too
    window.play("newcomer", "1280x800", opened=made)
    assert kept(window, "newcomer", root / "docs/newcomer.md") == 2
