# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from urdf_rig.core.meshes.library import decode
from urdf_rig.core.meshes.repeats import repeated_triangles

TRIANGLES = st.lists(st.tuples(*[st.integers(0, 5)] * 3), min_size=1, max_size=60)


@given(rows=TRIANGLES)
def test_each_set_of_vertices_is_kept_once_and_its_first_triangle_is(rows: list[tuple[int, int, int]]) -> None:
    seen: set[tuple[int, ...]] = set()
    expected = []
    for row in rows:
        key = tuple(sorted(row))
        expected.append(key in seen)
        seen.add(key)
    found = repeated_triangles(np.array(rows, dtype=np.int32))
    assert ([False] * len(rows) if found is None else found.tolist()) == expected


def test_large_indices_do_not_run_into_each_other() -> None:
    top = 2**31 - 1
    rows = np.array([[0, 1, top], [0, top, top - 1], [1, 0, top - 1], [top, 1, 0]], dtype=np.int32)
    found = repeated_triangles(rows)
    assert found is not None
    assert found.tolist() == [False, False, False, True]


def test_a_file_that_holds_a_face_six_times_gives_it_once_with_a_note(tmp_path) -> None:
    faces = "".join(f"f {a} {b} {c}\n" for a, b, c in itertools.permutations((1, 2, 3)))
    path = tmp_path / "sheet.obj"
    path.write_text(f"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n{faces}f 1 2 4\n")
    mesh = decode(path)
    assert mesh.vertices[mesh.triangles].tolist() == [
        [[0, 0, 0], [1, 0, 0], [0, 1, 0]],
        [[0, 0, 0], [1, 0, 0], [0, 0, 1]],
    ]
    assert mesh.notes == ("sheet.obj: 5 triangles repeated an earlier one; left out",)
