# SPDX-License-Identifier: GPL-3.0-or-later
"""Handles, drags, names and axes over a robot: geometry worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from urdf_rig.core.spatial import rotation_about_axis, transform
from urdf_rig.core.viewport import (
    Ray,
    Targets,
    arc,
    axes_lines,
    dial_frames,
    dial_radii,
    handle_lines,
    handle_places,
    limit_on_screen,
    on_screen,
    pixel_sizes,
    place_labels,
    project,
    sector,
    slid,
    turned,
)

ANGLES = st.floats(-3.0, 3.0)
# looks down from z = 5: 90 degrees wide and high, near 1, far 11
VIEW = np.array([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, -1.2, 6.0 - 2.2], [0.0, 0.0, -1.0, 5.0]])


def down(x, y):
    return Ray(np.array([x, y, 5.0]), np.array([0.0, 0.0, -1.0]))


@given(ANGLES, ANGLES, st.sampled_from([1.0, -1.0]), st.lists(st.floats(-2, 2), min_size=3, max_size=3))
def test_the_pointer_goes_with_the_bone(tilt, value, sign, towards):
    """The bone is turned by s q about its Y axis, which turns the link's direction as the handle's pointer turns."""
    zero = transform(rotation_about_axis([0.6, 0.0, 0.8], tilt), [1.0, 2.0, 3.0])
    frame = dial_frames([zero], [sign], [towards])[0]
    assert frame[:3, :3] @ frame[:3, :3].T == pytest.approx(np.eye(3), abs=1e-12)
    assert np.linalg.det(frame[:3, :3]) == pytest.approx(1.0)
    assert frame[:3, 2] == pytest.approx(sign * zero[:3, 1]) and frame[:3, 3] == pytest.approx([1.0, 2.0, 3.0])
    turned_bone = zero[:3, :3] @ rotation_about_axis([0.0, 1.0, 0.0], sign * value)
    along = zero[:3, :3].T @ frame[:3, 0]  # the pointer in the bone at zero
    pointer = frame[:3, :3] @ [math.cos(value), math.sin(value), 0.0]
    assert turned_bone @ along == pytest.approx(pointer, abs=1e-9)


def test_the_pointer_shows_where_the_link_goes():
    frame = dial_frames([np.eye(4)] * 2, [1.0, 1.0], [(0.0, 0.7, 3.0), (0.0, 2.0, 0.0)])
    assert frame[0, :3, 0] == pytest.approx([0.0, 0.0, 1.0])
    assert frame[1, :3, 0] == pytest.approx([1.0, 0.0, 0.0])  # along the axis: X


def test_handles_are_as_large_as_the_gaps_between_joints():
    radii = dial_radii([(0, 0, 0), (0.1, 0, 0), (1.0, 0, 0), (1.0, 0, 0)], 1.0)
    # 0.4 of 0.1 m; at most 0.09 of the reach; the second in one place is smaller
    assert radii == pytest.approx([0.04, 0.04, 0.09, 0.09 * 0.86])
    assert dial_radii([(0, 0, 0), (0.02, 0, 0)], 1.0) == pytest.approx([0.02, 0.02])
    assert dial_radii([(0, 0, 0)], 2.0) == pytest.approx([0.18])


def test_a_pixel_in_the_world_is_a_pixel_on_the_screen():
    points = np.array([[0.3, -0.2, 1.0], [0.0, 0.0, -4.0], [0.0, 0.0, 9.0]])
    size = pixel_sizes(points, VIEW, 800.0)
    # 4 m away the view is 8 m wide, 9 m away 18 m
    assert size == pytest.approx([8.0 / 800.0, 18.0 / 800.0, np.inf])
    places, _ = project(np.concatenate([points[:1], points[:1] + np.array([size[0], 0.0, 0.0])]), VIEW, (800.0, 800.0))
    assert places[1] - places[0] == pytest.approx([1.0, 0.0])
    assert limit_on_screen([1.0, 0.001, 5.0], size, 10.0, 50.0) == pytest.approx([0.5, 10 * 18 / 800, 5.0])


def test_what_is_on_the_screen():
    seen = on_screen([(0, 0, 1), (1, -1, 1), (9, 0, 1), (0, 0, 6)], VIEW, (800.0, 400.0))
    assert seen.places[:2] == pytest.approx(np.array([[400.0, 200.0], [500.0, 150.0]]))
    assert seen.seen.tolist() == [True, True, False, False]
    assert seen.depths[3] == np.inf and seen.depths[0] < np.inf


@given(ANGLES, st.floats(-3.1, 3.1), st.floats(0.2, 3.0), st.floats(0.2, 3.0))
def test_a_dial_turns_with_the_pointer(start, angle, near, far):
    frame = transform(np.eye(3), [1.0, 2.0, 0.5])
    before = down(1.0 + near * math.cos(start), 2.0 + near * math.sin(start))
    after = down(1.0 + far * math.cos(start + angle), 2.0 + far * math.sin(start + angle))
    assert turned(frame, 1.0, before, after) == pytest.approx(angle, abs=1e-9)
    upside_down = transform(np.diag([1.0, -1.0, -1.0]), [1.0, 2.0, 0.5])
    assert turned(upside_down, 1.0, before, after) == pytest.approx(-angle, abs=1e-9)


def test_a_dial_seen_from_the_edge_is_rolled():
    across = transform(rotation_about_axis([1.0, 0.0, 0.0], -math.pi / 2), [0.0, 0.0, 0.0])  # its Z is the world's Y
    # the near side, above the axis, moves along z x up = y x z = x
    assert turned(across, 0.5, down(0.1, 0.3), down(0.2, 0.3)) == pytest.approx(0.1 / 0.5)
    assert turned(across, 0.5, down(0.1, 0.3), down(0.1, 0.9)) == pytest.approx(0.0)
    assert turned(across, 0.01, down(0.0, 0.0), down(9.0, 0.0)) == pytest.approx(math.pi)  # never more than half a turn


def test_a_pointer_on_the_very_middle_turns_nothing():
    assert turned(np.eye(4), 1.0, down(0.0, 0.0), down(1.0, 0.0)) == 0.0


def test_a_slide_moves_with_the_pointer():
    along_x = transform(rotation_about_axis([0.0, 1.0, 0.0], math.pi / 2), [0.0, 1.0, 2.0])
    up = np.array([0.0, 1.0, 0.0])
    assert slid(along_x, up, down(0.1, 0.0), down(0.4, 0.7)) == pytest.approx(0.3)
    # seen from the end: the pointer's way up the view
    assert slid(np.eye(4), up, down(0.1, 0.0), down(0.4, 0.7)) == pytest.approx(0.7)
    aslant = Ray(np.array([0.0, 1.0, 5.0]), np.array([0.6, 0.0, -0.8]))
    assert slid(along_x, up, down(0.0, 1.0), aslant) == pytest.approx(3.0 * 0.6 / 0.8)


def test_names_do_not_cover_each_other():
    anchors = np.array([[10.0, 10.0]] * 9 + [[300.0, 10.0]])
    sizes = np.tile([50.0, 10.0], (10, 1))
    corners, placed = place_labels(anchors, sizes)
    assert corners[0] == pytest.approx([10.0, 10.0]) and corners[9] == pytest.approx([300.0, 10.0])
    assert placed.tolist() == [True] * 7 + [False] * 2 + [True]
    assert sorted(corners[:7, 1]) == pytest.approx([-20.0, -10.0, 0.0, 10.0, 20.0, 30.0, 40.0])
    corners, placed = place_labels(np.empty((0, 2)), np.empty((0, 2)))
    assert len(corners) == len(placed) == 0


def test_axes_arcs_and_sectors():
    pose = transform(rotation_about_axis([0.0, 0.0, 1.0], math.pi / 2), [1.0, 2.0, 3.0])
    expected = [[1, 2, 3], [1, 2.5, 3], [1, 2, 3], [0.5, 2, 3], [1, 2, 3], [1, 2, 3.5]]
    assert axes_lines([pose], 0.5) == pytest.approx(np.array(expected, dtype=float))
    quarter = arc(0.0, math.pi / 2, 2.0)
    assert quarter[0] == pytest.approx([2, 0, 0]) and quarter[-1] == pytest.approx([0, 2, 0], abs=1e-12)
    assert np.linalg.norm(quarter, axis=1) == pytest.approx(2.0)
    corners = sector(0.0, 50.0, 0.5, 1.0).reshape(-1, 3, 3)  # cut after one turn
    areas = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1) / 2
    assert areas.sum() == pytest.approx(math.pi * (1 - 0.25), rel=2e-3)


def test_a_handle_stands_where_its_value_is():
    """A dial at (1, 0, 0), radius 0.1, at a quarter turn, and a slide along the world's Z, half as large, at 2 m."""
    frames = [transform(np.eye(3), [1.0, 0.0, 0.0]), transform(np.eye(3), [0.0, 5.0, 0.0])]
    looks = [(True, -1.0, 2.0), (False, -1.0, 3.0)]
    places = handle_places(frames, [0.1, 0.2], [1.0, 0.5], looks, np.array([math.pi / 2, 2.0]))
    assert places[1, 0] @ [1.0, 0.0, 0.0, 1.0] == pytest.approx([1.0, 0.1, 0.0, 1.0])
    assert places[1, 1] @ [0.0, 0.0, 0.0, 1.0] == pytest.approx([0.0, 5.0, 1.0, 1.0])
    lines = handle_lines(places, looks)
    dial, slide = (lines.points[lines.owners == owner] for owner in (0, 1))
    rim = dial[np.isclose(np.linalg.norm(dial - [1.0, 0.0, 0.0], axis=1), 0.1)] - [1.0, 0.0, 0.0]
    angles = np.arctan2(rim[:, 1], rim[:, 0])
    assert (angles.min(), angles.max()) == pytest.approx((-1.0, 2.0))
    bar = slide[(slide[:, :2] == [0.0, 5.0]).all(axis=1), 2]
    assert (bar.min(), bar.max()) == pytest.approx((-0.5, 1.5))


def test_endless_joints_have_a_whole_ring_or_no_bar():
    looks = [(True, -math.inf, math.inf), (False, -math.inf, math.inf)]
    places = handle_places([np.eye(4)] * 2, [1.0, 1.0], [1.0, 1.0], looks, np.zeros(2))
    lines = handle_lines(places, looks)
    assert np.isfinite(lines.points).all()
    angles = np.arctan2(lines.points[:, 1], lines.points[:, 0])[lines.owners == 0]
    assert len(np.unique(angles.round(6))) >= 72
    assert len(lines.points[lines.owners == 1]) == 2


def test_the_nearest_line_is_hit():
    points = [(-1, 0, 0), (1, 0, 0), (-1, 0.5, 0), (1, 0.5, 0), (0, 0, 6), (0, 0, 7)]
    targets = Targets(points, [4, 4, 7, 7, 9, 9], VIEW, (1000.0, 1000.0))  # 100 px are 1 m
    assert targets.hit((520.0, 504.0), 9.0) == 4
    assert targets.hit((520.0, 546.0), 9.0) == 7
    assert targets.hit((520.0, 525.0), 9.0) is None
    assert targets.hit((605.0, 500.0), 9.0) == 4 and targets.hit((612.0, 500.0), 9.0) is None  # past its end
    assert Targets(np.empty((0, 3)), [], VIEW, (10.0, 10.0)).hit((5.0, 5.0), 9.0) is None
