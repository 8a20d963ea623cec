# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from urdf_rig.core.meshes import equal_rows
from urdf_rig.core.meshes.welding import weld

_NUMBERS = st.sampled_from([0.0, -0.0, 1.0, -1.0, 0.5, 1e-30, 3.0])


def assert_welded(points: np.ndarray) -> None:
    vertices, indices = weld(points)
    assert np.array_equal(vertices[indices], points)
    seen: dict[tuple[float, ...], int] = {}
    expected = [seen.setdefault(tuple(point), len(seen)) for point in points.tolist()]
    assert indices.tolist() == expected  # in order of first use; 0.0 == -0.0 for a dictionary too
    assert len(vertices) == len(seen)


@given(st.lists(st.tuples(_NUMBERS, _NUMBERS, _NUMBERS), max_size=60))
def test_equal_points_and_no_others_become_one_vertex(points: list[tuple[float, float, float]]) -> None:
    assert_welded(np.array(points, dtype=np.float32).reshape(-1, 3))


@pytest.mark.parametrize("rounds", [1, 8])
def test_points_with_the_same_hash_stay_apart(monkeypatch: pytest.MonkeyPatch, rounds: int) -> None:
    monkeypatch.setattr(equal_rows, "_FACTORS", (0, 0, 0, 0))  # in the first round; with one round all are sorted
    monkeypatch.setattr(equal_rows, "_ROUNDS", rounds)
    grid = np.stack(np.meshgrid([0, 1, 2], [0, 1], [0, 1, 5]), axis=-1).reshape(-1, 3).astype(np.float32)
    assert_welded(np.concatenate([grid, grid[::-1]]))


def test_points_whose_hashes_collide_in_every_round_stay_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(equal_rows, "_hashes", lambda columns, round_number: np.zeros(len(columns[0]), np.uint32))
    points = np.random.default_rng(3).integers(0, 3, (500, 3)).astype(np.float32)
    assert_welded(points)


def test_the_input_is_left_as_it_was() -> None:
    points = np.full((2, 3), -0.0, dtype=np.float32)
    weld(points)
    assert np.signbit(points).all()
