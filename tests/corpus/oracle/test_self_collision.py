# SPDX-License-Identifier: GPL-3.0-or-later
"""Distances between hulls against coal's, and self-collision of the panda against coal on the hulls of whole meshes."""

from __future__ import annotations

import numpy as np
import pytest

from urdf_rig.core import forward_kinematics, load
from urdf_rig.core.collision import collision_model, overlap_depths, proxies_of
from urdf_rig.core.collision.distance import hull_distances
from urdf_rig.core.shapes import load_shapes
from urdf_rig.core.urdf.srdf import find_srdf, read_srdf

ACCURACY = 0.01  # of the mesh's diagonal, what a proxy may leave out


def convex(points):
    """Return coal's body for the hull of some points."""
    import coal
    from scipy.spatial import ConvexHull

    hull = ConvexHull(points)
    place = {vertex: index for index, vertex in enumerate(hull.vertices)}
    corners, faces = coal.StdVec_Vec3s(), coal.StdVec_Triangle()
    for vertex in hull.vertices:
        corners.append(points[vertex])
    for simplex, plane in zip(hull.simplices, hull.equations, strict=True):
        a, b, c = points[simplex]
        order = simplex if np.cross(b - a, c - a) @ plane[:3] > 0.0 else simplex[[0, 2, 1]]
        faces.append(coal.Triangle(*(place[vertex] for vertex in order)))
    return coal.Convex(corners, faces)


def by_coal(first, second, a_h_b):
    """Return the signed distance."""
    import coal

    pose = coal.Transform3s(a_h_b[:3, :3], a_h_b[:3, 3])
    return coal.distance(first, coal.Transform3s(), second, pose, coal.DistanceRequest(), coal.DistanceResult())


def test_distances_of_random_hulls():
    rng = np.random.default_rng(0)
    for _ in range(10):
        first, second = rng.normal(size=(60, 3)) * 0.1, rng.normal(size=(200, 3)) * [0.1, 0.02, 0.2]
        poses = np.tile(np.eye(4), (100, 1, 1))
        turns, _ = np.linalg.qr(rng.normal(size=(100, 3, 3)))
        turns[np.linalg.det(turns) < 0.0] *= -1.0
        poses[:, :3, :3], poses[:, :3, 3] = turns, rng.normal(size=(100, 3)) * 0.4
        bodies = convex(first), convex(second)
        expected = np.array([by_coal(*bodies, pose) for pose in poses])
        ours = hull_distances(first, second, poses)
        assert ((expected <= 0.0) == (ours == 0.0)).all()
        assert ours == pytest.approx(np.maximum(expected, 0.0), abs=1e-9)
        assert 0 < np.count_nonzero(ours) < len(ours)


def test_the_panda_touches_itself_where_the_hulls_of_its_meshes_do(corpus_file):
    path = corpus_file("panda")
    robot = load(path)
    srdf = read_srdf(find_srdf(path, robot.name), robot)
    disabled = {frozenset((pair.link1, pair.link2)) for pair in srdf.disabled_pairs}
    shapes = load_shapes(robot, visuals=False, collisions=True).shapes
    model = collision_model(robot, proxies_of(shapes), [tuple(pair) for pair in disabled])
    assert model.always == ()
    # SRDF and joints leave just these
    assert {frozenset(pair) for pair in model.pairs}.isdisjoint(disabled)
    assert ("panda_link0", "panda_link5") in model.pairs
    rng = np.random.default_rng(1)
    low, high = np.array([robot.joint(name).range for name in robot.dofs]).T
    q = rng.uniform(low, high, size=(300, len(low)))
    depths = overlap_depths(robot, model.proxies, model.pairs, q)
    bodies = {}
    for shape in shapes:
        points = shape.mesh.vertices @ shape.shape.origin.matrix[:3, :3].T + shape.shape.origin.matrix[:3, 3]
        bodies.setdefault(shape.link, []).append((convex(points.astype(float)), np.linalg.norm(np.ptp(points, axis=0))))
    poses = forward_kinematics(robot, q)
    touched = 0
    for pair in model.pairs:
        ours = depths.get(pair, np.zeros(len(q)))
        a_h_b = np.linalg.inv(poses[pair[0]]) @ poses[pair[1]]
        slack = ACCURACY * sum(max(size for _, size in bodies[link]) for link in pair)
        for pose, depth in zip(a_h_b, ours, strict=True):
            expected = min(by_coal(a, b, pose) for a, _ in bodies[pair[0]] for b, _ in bodies[pair[1]])
            touched += expected < 0.0
            if depth > 0.0:  # proxies lie inside the hulls
                assert expected <= 1e-5
            else:
                assert expected > -slack
    assert touched > 20
