# SPDX-License-Identifier: GPL-3.0-or-later
"""Distances of shapes for which they can be written down, and bounds that hold for any two hulls."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from urdf_rig.core.collision.distance import hull_distances

CUBE = np.array(list(itertools.product((-0.5, 0.5), repeat=3)))


def pose(shift, rotation=None):
    matrix = np.eye(4)
    matrix[:3, :3] = np.eye(3) if rotation is None else rotation
    matrix[:3, 3] = shift
    return matrix


def about_z(angle):
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def rotations(rng, count):
    q, _ = np.linalg.qr(rng.normal(size=(count, 3, 3)))
    q[np.linalg.det(q) < 0.0] *= -1.0
    return q


def test_cubes_face_to_face_edge_to_edge_and_corner_to_corner():
    shifts = [[3, 0, 0], [2, 2, 0], [2, 3, 4], [0.2, 0.1, 0], [0.999, 0, 0], [1.001, 0.3, 0.2]]
    poses = np.array([pose(shift) for shift in shifts])
    expected = [2.0, np.sqrt(2.0), np.sqrt(1.0 + 4.0 + 9.0), 0.0, 0.0, 0.001]
    assert hull_distances(CUBE, CUBE, poses) == pytest.approx(np.array(expected), abs=1e-12)


def test_an_edge_against_a_face():
    # turned by 45° the edge reaches sqrt(1/2) towards the other
    poses = np.array([pose([2.0, 0.0, 0.3], about_z(np.pi / 4.0))])
    assert hull_distances(CUBE, CUBE, poses) == pytest.approx([1.5 - np.sqrt(0.5)], abs=1e-12)


def test_points_and_segments():
    point, segment = np.zeros((1, 3)), np.array([[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    poses = np.array([pose([0.0, 3.0, 4.0]), pose([2.0, 0.0, 0.0]), pose([0.0, 0.0, 0.0])])
    assert hull_distances(point, point, poses) == pytest.approx([5.0, 2.0, 0.0])
    assert hull_distances(point, segment, poses) == pytest.approx([5.0, 1.0, 0.0])
    crossed = np.array([pose([0.0, 0.0, 0.7], about_z(np.pi / 2.0))])
    assert hull_distances(segment, segment, crossed) == pytest.approx([0.7])


def test_beyond_what_is_wanted_a_lower_bound_is_enough():
    poses = np.array([pose([50.0, 9.0, 3.0]), pose([1.05, 0.0, 0.0])])
    exact = hull_distances(CUBE, CUBE, poses)
    short = hull_distances(CUBE, CUBE, poses, enough=0.1)
    assert 0.1 < short[0] <= exact[0]
    assert short[1] == pytest.approx(exact[1])


@settings(max_examples=25)
@given(st.integers(0, 2**32 - 1))
def test_a_hull_is_nowhere_nearer_than_its_distance_and_a_plane_parts_them(seed):
    """Two bounds that enclose the truth: points of both hulls, and the gap along a direction."""
    rng = np.random.default_rng(seed)
    first, second = rng.normal(size=(30, 3)), rng.normal(size=(40, 3)) * [0.3, 1.0, 2.0]
    poses = np.array([pose(rng.normal(size=3) * 4.0, turn) for turn in rotations(rng, 5)])
    distances = hull_distances(first, second, poses)
    for matrix, distance in zip(poses, distances, strict=True):
        moved = second @ matrix[:3, :3].T + matrix[:3, 3]
        ways = rng.normal(size=(500, 3))
        ways /= np.linalg.norm(ways, axis=1, keepdims=True)
        gap = ((moved @ ways.T).min(axis=0) - (first @ ways.T).max(axis=0)).max()
        mixed = [
            np.diag(1.0 / w.sum(axis=1)) @ w for w in (rng.exponential(size=(60, len(x))) ** 6 for x in (first, moved))
        ]
        apart = np.linalg.norm((mixed[0] @ first)[:, None] - (mixed[1] @ moved)[None], axis=2).min()
        assert gap - 1e-9 <= distance <= apart + 1e-9
        if gap > 0.0:
            assert distance > 0.0


def test_no_order_of_the_bodies():
    rng = np.random.default_rng(3)
    first, second = rng.normal(size=(20, 3)), rng.normal(size=(25, 3))
    poses = np.array([pose(rng.normal(size=3) * 3.0, turn) for turn in rotations(rng, 200)])
    there = hull_distances(first, second, poses)
    back = hull_distances(second, first, np.linalg.inv(poses))
    assert there == pytest.approx(back, abs=1e-9)
    assert 0 < np.count_nonzero(there) < len(there)
