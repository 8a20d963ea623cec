# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import numpy as np
import pytest

from urdf_rig.core.meshes.data import MeshData
from urdf_rig.core.meshes.operations import signed_volume
from urdf_rig.core.meshes.primitives import box, capsule, cylinder, sphere

_R, _L = 0.25, 0.6
SHAPES = {
    "box": (box((0.2, 0.4, 0.6)), (0.1, 0.2, 0.3), 0.2 * 0.4 * 0.6),
    "cylinder": (cylinder(_R, _L), (_R, _R, _L / 2), np.pi * _R**2 * _L),
    "sphere": (sphere(_R), (_R, _R, _R), 4 / 3 * np.pi * _R**3),
    "capsule": (capsule(_R, _L), (_R, _R, _L / 2 + _R), np.pi * _R**2 * _L + 4 / 3 * np.pi * _R**3),
}


@pytest.fixture(params=SHAPES)
def shape(request: pytest.FixtureRequest) -> tuple[MeshData, tuple[float, float, float], float]:
    return SHAPES[request.param]


def test_bounds_are_exact(shape: tuple[MeshData, tuple[float, float, float], float]) -> None:
    mesh, half, _ = shape
    assert np.array_equal(mesh.vertices.max(axis=0), np.array(half, dtype=np.float32))
    assert np.array_equal(mesh.vertices.min(axis=0), -np.array(half, dtype=np.float32))


def test_volume_is_that_of_the_shape(shape: tuple[MeshData, tuple[float, float, float], float]) -> None:
    mesh, _, volume = shape
    assert volume * 0.985 < signed_volume(mesh) <= volume * 1.000001


def test_the_surface_is_closed(shape: tuple[MeshData, tuple[float, float, float], float]) -> None:
    mesh = shape[0]
    edges = np.concatenate([mesh.triangles[:, [a, b]] for a, b in ((0, 1), (1, 2), (2, 0))])
    there = {tuple(edge) for edge in edges.tolist()}
    assert len(there) == len(edges)  # each direction of an edge once
    assert {(b, a) for a, b in there} == there
    assert len(np.unique(mesh.vertices, axis=0)) == len(mesh.vertices)
    assert len(mesh.vertices) - len(edges) / 2 + len(mesh.triangles) == 2  # Euler


def test_normals_are_units_on_the_side_of_their_face(shape: tuple[MeshData, tuple[float, float, float], float]) -> None:
    mesh = shape[0]
    assert mesh.corner_normals is not None
    assert np.allclose(np.linalg.norm(mesh.corner_normals, axis=1), 1.0, atol=1e-6)
    a, b, c = np.moveaxis(mesh.vertices[mesh.triangles].astype(float), 1, 0)
    faces = np.cross(b - a, c - a)
    faces /= np.linalg.norm(faces, axis=1)[:, None]
    assert (np.einsum("tkj,tj->tk", mesh.corner_normals.reshape(-1, 3, 3), faces) > 0.98).all()
    assert mesh.material_index.tolist() == [-1] * len(mesh.triangles)


def test_round_sides_are_smooth_and_ends_are_hard() -> None:
    mesh, ball, pill = cylinder(_R, _L), sphere(_R), capsule(_R, _L)
    assert mesh.corner_normals is not None
    assert ball.corner_normals is not None
    assert pill.corner_normals is not None
    corners = mesh.vertices[mesh.triangles].reshape(-1, 3)
    side = mesh.corner_normals[:, 2] == 0.0
    assert np.allclose(corners[side, :2] / _R, mesh.corner_normals[side, :2], atol=1e-6)
    assert np.array_equal(mesh.corner_normals[~side, 2], np.sign(corners[~side, 2]))
    assert np.allclose(ball.vertices[ball.triangles].reshape(-1, 3) / _R, ball.corner_normals, atol=1e-6)
    nearest = pill.vertices[pill.triangles].reshape(-1, 3)
    nearest[:, 2] -= np.clip(nearest[:, 2], -_L / 2, _L / 2)
    assert np.allclose(nearest / _R, pill.corner_normals, atol=1e-6)


def test_a_capsule_without_length_is_a_sphere() -> None:
    assert np.array_equal(capsule(_R, 0.0).vertices, sphere(_R).vertices)
