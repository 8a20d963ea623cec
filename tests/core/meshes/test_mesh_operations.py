# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from urdf_rig.core.meshes import operations
from urdf_rig.core.meshes.data import MeshData
from urdf_rig.core.meshes.library import decode
from urdf_rig.core.meshes.operations import scaled, signed_volume, transformed_bounds
from urdf_rig.core.meshes.primitives import box, sphere

_FACTOR = st.sampled_from([-3.0, -1.0, -0.5, 0.25, 1.0, 2.0, 1000.0])
_FACTORS = st.tuples(_FACTOR, _FACTOR, _FACTOR)


def face_normals(mesh: MeshData) -> np.ndarray:
    a, b, c = np.moveaxis(mesh.vertices[mesh.triangles].astype(float), 1, 0)
    normals = np.cross(b - a, c - a)
    return normals / np.linalg.norm(normals, axis=1)[:, None]


@pytest.mark.parametrize(
    ("scale", "low", "high"),
    [
        ((1, 1, 1), [0, 0, 0], [0.1, 0.2, 0.3]),
        ((1, -1, 1), [0, -0.2, 0], [0.1, 0, 0.3]),
        ((-1, -1, -1), [-0.1, -0.2, -0.3], [0, 0, 0]),
        ((-1, -1, 1), [-0.1, -0.2, 0], [0, 0, 0.3]),
    ],
)
def test_a_mirrored_mesh_keeps_a_positive_volume(
    data, scale: tuple[float, float, float], low: list[float], high: list[float]
) -> None:
    mesh = scaled(decode(data / "15-mirrored-mesh-scale" / "w.stl"), scale)
    assert mesh.vertices.min(axis=0) == pytest.approx(low)
    assert mesh.vertices.max(axis=0) == pytest.approx(high)
    assert signed_volume(mesh) == pytest.approx(0.001, rel=1e-5)


@given(_FACTORS)
def test_normals_stay_those_of_the_surface(scale: tuple[float, float, float]) -> None:
    # the box's corner normals are its face normals, before and after
    mesh = scaled(box((1.0, 2.0, 3.0)), scale)
    assert mesh.corner_normals is not None
    assert np.allclose(mesh.corner_normals, np.repeat(face_normals(mesh), 3, axis=0), atol=1e-6)
    assert signed_volume(mesh) == pytest.approx(6.0 * abs(np.prod(scale)), rel=1e-5)


@given(_FACTORS)
def test_normals_of_an_ellipsoid(scale: tuple[float, float, float]) -> None:
    mesh = scaled(sphere(1.0), scale)
    gradient = mesh.vertices[mesh.triangles].reshape(-1, 3).astype(float) / np.square(scale)
    gradient /= np.linalg.norm(gradient, axis=1)[:, None]
    assert mesh.corner_normals is not None
    assert np.allclose(mesh.corner_normals, gradient, atol=1e-5)


def test_corner_data_stays_with_its_corner() -> None:
    points = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], dtype=np.float32)
    colors = np.column_stack([points, np.ones(3, dtype=np.float32)])
    mesh = MeshData(
        points,
        np.array([[0, 1, 2]], dtype=np.int32),
        np.zeros(1, dtype=np.int32),
        uv=points[:, :2],
        corner_colors=colors,
    )
    turned = scaled(mesh, (1.0, 1.0, -1.0))
    order = turned.triangles[0]
    assert order.tolist() == [0, 2, 1]
    assert turned.uv is not None
    assert turned.corner_colors is not None
    assert np.array_equal(turned.uv, points[order, :2])
    assert np.array_equal(turned.corner_colors, colors[order])


@pytest.mark.parametrize("scale", [(1.0, 1.0, 0.0), (-1.0, 0.0, 2.0), (0.0, 0.0, 1.0), (0.0, 0.0, 0.0)])
def test_a_factor_of_zero_gives_no_nan(scale: tuple[float, float, float]) -> None:
    mesh = scaled(sphere(1.0), scale)
    assert mesh.corner_normals is not None
    assert np.isfinite(mesh.vertices).all()
    assert np.allclose(np.linalg.norm(mesh.corner_normals, axis=1), 1.0, atol=1e-5)
    assert np.abs(mesh.vertices).max(axis=0) == pytest.approx(np.abs(scale))


def test_small_factors_are_applied_in_double_precision() -> None:
    mesh = MeshData(
        np.array([[123.456, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=np.float32),
        np.array([[0, 1, 2]], dtype=np.int32),
        np.zeros(1, dtype=np.int32),
    )
    found = scaled(mesh, (0.001, 0.001, 0.001)).vertices[0, 0]
    assert found == np.float32(float(np.float32(123.456)) * 0.001)
    assert found.dtype == np.float32


@given(st.integers(0, 2**32 - 1))
def test_bounds_of_the_moved_vertices(seed: int) -> None:
    rng = np.random.default_rng(seed)
    matrix = np.eye(4)
    matrix[:3] = rng.normal(size=(3, 4))
    points = rng.normal(size=(50, 3)).astype(np.float32)
    mesh = MeshData(points, np.array([[0, 1, 2]], dtype=np.int32), np.zeros(1, dtype=np.int32))
    moved = np.array([(matrix @ [*point, 1.0])[:3] for point in points.tolist()])
    low, high = transformed_bounds(mesh, matrix)
    assert np.allclose(low, moved.min(axis=0), atol=1e-12)
    assert np.allclose(high, moved.max(axis=0), atol=1e-12)
    assert low.shape == high.shape == (3,)


def test_large_meshes_are_done_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    mesh = sphere(2.0)
    matrix = np.diag([1.0, 1.0, 3.0, 1.0])
    monkeypatch.setattr(operations, "_CHUNK", 7)
    low, high = transformed_bounds(mesh, matrix)
    assert (low.tolist(), high.tolist()) == ([-2, -2, -6], [2, 2, 6])
    assert signed_volume(mesh, matrix) == pytest.approx(3.0 * 4.0 / 3.0 * np.pi * 8.0, rel=0.02)


def test_the_volume_of_a_moved_and_a_mirrored_mesh() -> None:
    mesh = box((1.0, 2.0, 3.0))
    mirror = np.diag([1.0, -1.0, 2.0, 1.0])
    mirror[:3, 3] = 1000.0
    assert signed_volume(mesh) == pytest.approx(6.0)
    assert signed_volume(mesh, mirror) == pytest.approx(-12.0)
