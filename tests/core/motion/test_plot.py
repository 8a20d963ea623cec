# SPDX-License-Identifier: GPL-3.0-or-later
"""The picture of a motion: what is in it, where curves and limits are, and how large it can get."""

from __future__ import annotations

import math

import numpy as np
import pytest

from urdf_rig.core.figures.figure import Line, Rectangle, Text
from urdf_rig.core.motion import JointMotion, MotionError
from urdf_rig.core.motion.plot import MAX_JOINTS, motion_figure, write_plot
from urdf_rig.core.motion.robot_check import check_robot_motion
from urdf_rig.core.urdf import parse_urdf

RED, ALARM = (204, 36, 36), (252, 222, 220)


def robot(count=2, velocity=2.0):
    parts = "".join(
        f'<link name="l{index}"/><joint name="j{index}" type="revolute"><parent link="base"/><child link="l{index}"/>'
        f'<axis xyz="0 0 1"/><limit lower="-1" upper="1.5" effort="1" velocity="{velocity}"/></joint>'
        for index in range(count)
    )
    return parse_urdf(f'<robot name="r"><link name="base"/>{parts}</robot>')


def checked(columns, rate=24.0, **options):
    q = np.column_stack(columns)
    described = robot(q.shape[1], **options)
    return check_robot_motion(described, JointMotion(described.dofs, np.arange(len(q)) / rate, q))


def words(figure):
    return [item.text for item in figure.items if isinstance(item, Text)]


def panel(figure, place):
    """Return left, top, right and bottom of a panel, row by row."""
    grounds = [item for item in figure.items if isinstance(item, Rectangle) and item.width > 300]
    item = grounds[place]
    return item.x, item.y, item.x + item.width, item.y + item.height


def curves(figure):
    """Return the motion's curves, the legend's line left out."""
    return [item.points for item in figure.items if isinstance(item, Line) and item.width == 1.6]


def test_joints_that_stand_still_are_named_only():
    figure = motion_figure(checked([np.linspace(0.0, 1.0, 25), np.zeros(25)]), title="r")
    assert "j0" in words(figure)
    assert "j1" not in words(figure)
    assert "not moving: j1" in words(figure)
    assert "all limits are kept" in words(figure)
    assert {"Position", "Velocity", "Acceleration", "Time [s]", "r", "limit"} <= set(words(figure))


def test_curves_and_limits_lie_to_scale():
    q = np.linspace(-1.0, 1.5, 61)  # from limit to limit, at 1 rad/s
    figure = motion_figure(checked([q]), title="r", degrees=False)
    left, top, right, bottom = panel(figure, 0)
    dashed = [item.points for item in figure.items if isinstance(item, Line) and item.dashed]
    low, high = (line[0, 1] for line in dashed[1:3])  # behind the legend's
    curve = curves(figure)[0]
    assert curve[0] == pytest.approx([left, low])
    assert curve[-1] == pytest.approx([right, high])
    assert top < high < low < bottom
    # velocity: 1 of 2 rad/s, so three quarters of the way up between its limits
    below, above = (line[0, 1] for line in dashed[3:5])
    speed = curves(figure)[1][:, 1]
    assert speed == pytest.approx(np.full(len(speed), below + 0.75 * (above - below)), abs=1e-6)
    assert any(text.endswith("[rad/s²]") for text in words(figure))


def test_what_is_beyond_a_limit_is_shaded_in_its_panel():
    q = np.concatenate([np.zeros(10), np.arange(1, 8) * 0.1, np.full(8, 0.7)])  # 2.4 rad/s
    figure = motion_figure(checked([q]), title="r")
    shades = [item for item in figure.items if isinstance(item, Rectangle) and item.colour == ALARM][1:]
    assert len(shades) == 1
    left, top, right, bottom = panel(figure, 1)
    (shade,) = shades
    assert (shade.y, shade.height) == (top, bottom - top)
    assert shade.x + 1.0 == pytest.approx(left + 9 / 24 * (right - left))
    assert shade.x + shade.width - 1.0 == pytest.approx(left + 16 / 24 * (right - left))
    assert "1 finding" in words(figure)


def test_a_far_limit_is_told_in_words():
    q = 0.01 * np.sin(np.linspace(0.0, 6.0, 100))
    texts = words(motion_figure(checked([q], velocity=50.0), title="r"))
    assert "limits −57.3 … 85.94  [°]" in texts
    assert f"limit ±{math.degrees(50.0):.4g}  [°/s]" in texts
    assert "no limit  [°/s²]" in texts


def test_long_motions_and_many_joints_stay_small():
    rng = np.random.default_rng(0)
    columns = np.cumsum(rng.normal(size=(50_000, 2)) * 1e-3, axis=0).T
    figure = motion_figure(checked(columns), title="r")
    assert max(len(points) for points in curves(figure)) <= 4 * 332
    # thinned, but with its extremes
    assert curves(figure)[0][:, 1].min() >= panel(figure, 0)[1]
    many = motion_figure(checked(np.linspace(0.0, 1.0, 10)[None].repeat(70, axis=0)), title="r")
    assert sum(text.startswith("j") for text in words(many)) == MAX_JOINTS
    assert any(text.startswith("left out: j60, j61") for text in words(many))


def test_one_sample_and_no_motion_are_drawn():
    assert words(motion_figure(checked([np.zeros(1)]), title="r"))


def test_a_kind_of_file_that_is_not_known_and_a_place_that_is_not_there(tmp_path):
    check = checked([np.linspace(0.0, 1.0, 25)])
    with pytest.raises(MotionError, match=r"known: \.png, \.svg"):
        write_plot(tmp_path / "plot.gif", check, title="r")
    with pytest.raises(MotionError, match="cannot be written"):
        write_plot(tmp_path / "none" / "plot.svg", check, title="r")
