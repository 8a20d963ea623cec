# SPDX-License-Identifier: GPL-3.0-or-later
"""The extension used by mouse and keyboard; each scenario asserts on what Blender then holds, and keeps pictures.

A scenario also fails when Blender or Python prints a warning or an error from start to quit.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

_LINKS = 130
_MILLISECONDS = 20.0


@pytest.fixture
def arm(root: Path) -> Path:
    return root / "examples" / "arm6" / "arm6.urdf"


@pytest.fixture
def small(root: Path) -> Path:
    return root / "tests" / "data" / "cases" / "42-panel-and-menu-found" / "robot.urdf"


def test_installing_and_enabling_says_nothing_bad(window: Any, noise: Any):
    assert "urdf_rig" in window.installed
    assert noise(window.installed) == []


def test_import_by_the_menu(window: Any, arm: Path):
    window.play("import_by_menu", "1280x800", robot=arm)


def test_drop_a_file(window: Any, arm: Path):
    window.play("drop_file", "1280x800", robot=arm)


def test_sliders(window: Any, small: Path):
    window.play("sliders", "1280x800", robot=small)


def test_every_section(window: Any, root: Path):
    still = root / "tests" / "data" / "cases" / "01-encoding-declaration" / "robot.urdf"
    window.play("every_section", "1000x1800", robots=root / "examples", still=still)


def test_ik_goal(window: Any, arm: Path):
    window.play("ik_goal", "1000x1200", robot=arm)


def test_playback(window: Any, small: Path):
    window.play("playback", "1280x800", robot=small)


def test_poses(window: Any, small: Path):
    window.play("poses", "1000x1200", robot=small)


def test_undo_and_redo(window: Any, small: Path):
    window.play("undo_redo", "1000x1200", robot=small)


def test_another_language(window: Any, small: Path):
    window.play("another_language", "1000x1500", robot=small)


def test_two_robots(window: Any, small: Path, arm: Path):
    window.play("two_robots", "1280x800", robot=small, second=arm)


def test_on_and_off(window: Any, small: Path):
    window.play("on_and_off", "1280x800", robot=small)


def test_the_tab_of_a_robot_of_130_links_is_drawn_at_once(window: Any):
    robot = window.write("chain.urdf", _chain())
    figures = window.play("many_links", "1280x800", robot=robot)
    assert figures["draw_ms"] < _MILLISECONDS, figures


def test_joints_moved_by_their_handles(window: Any):
    window.play("handles", "1280x800", robot=window.write("slides_and_turns.urdf", _SLIDES_AND_TURNS))


def test_everything_drawn_over_130_links_at_most_doubles_a_redraw(window: Any):
    figures = window.play("drawn_over", "1280x800", robot=window.write("star.urdf", _star()))
    assert figures["all"] < 2.0 * figures["off"], figures  # measured in turns, as "without" cannot be


_SLIDES_AND_TURNS = """<robot name="r">
  <link name="base"/><link name="a"/><link name="b"/><link name="c"/><link name="d"/>
  <joint name="elbow" type="revolute"><parent link="base"/><child link="a"/><axis xyz="0 0 -1"/>
    <limit lower="-1" upper="1.2" effort="1" velocity="1"/></joint>
  <joint name="spin" type="continuous"><parent link="a"/><child link="b"/><origin xyz="0.6 0 0"/>
    <axis xyz="0 0 1"/></joint>
  <joint name="rail" type="prismatic"><parent link="b"/><child link="c"/><origin xyz="0 0.5 0"/><axis xyz="-1 0 0"/>
    <limit lower="-0.3" upper="0.2" effort="1" velocity="1"/></joint>
  <joint name="grip" type="revolute"><parent link="c"/><child link="d"/><origin xyz="0 0.4 0"/><axis xyz="0 0 1"/>
    <limit lower="0" upper="1" effort="1" velocity="1"/><mimic joint="rail" multiplier="2"/></joint>
</robot>"""


def _star() -> str:
    """Return a robot of ten arms of thirteen joints that turn and slide, each link with a visual."""
    text = ['<robot name="star"><link name="hub"/>']
    for number in range(_LINKS - 1):
        arm, joint = number % 10, number // 10
        parent, x, y = (f"link_{number - 10}", 0.12, 0.0) if joint else ("hub", 0.0, 0.15 * (arm + 1))
        kind, axis = ("prismatic", "1 0 0") if number % 7 == 0 else ("revolute", "0 0 1" if number % 2 else "0 1 0")
        text.append(
            f'<link name="link_{number}"><visual><geometry><box size="0.05 0.03 0.02"/></geometry></visual></link>'
            f'<joint name="joint_{number}" type="{kind}"><parent link="{parent}"/><child link="link_{number}"/>'
            f'<origin xyz="{x} {y} 0.02"/><axis xyz="{axis}"/>'
            '<limit lower="-0.1" upper="0.2" effort="1" velocity="1"/></joint>'
        )
    return "".join(text) + "</robot>"


def _chain() -> str:
    links = "".join(f'<link name="link_{number}"/>' for number in range(_LINKS))
    joints = "".join(
        f'<joint name="joint_{number}" type="revolute"><parent link="link_{number - 1}"/><child link="link_{number}"/>'
        '<origin xyz="0 0 0.1"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" velocity="1" effort="1"/></joint>'
        for number in range(1, _LINKS)
    )
    return f'<robot name="chain">{links}{joints}</robot>'
