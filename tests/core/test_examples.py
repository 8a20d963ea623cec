# SPDX-License-Identifier: GPL-3.0-or-later
"""The example robots: made by their generator, closed, joined, and moving as their README says."""

from __future__ import annotations

import math
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from urdf_rig import core
from urdf_rig.core.meshes.library import decode

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
MESHES = sorted(p for p in EXAMPLES.glob("*/meshes/*") if p.suffix != ".mtl")
POSES = {
    "arm6": [{}, {"joint_1": 0.5, "joint_2": 0.6, "joint_3": 0.35, "joint_4": 0.6, "joint_5": 0.9, "joint_6": 5.0}],
    "gripper": [{}, {"rail_joint": 0.4, "roll_joint": 2.0, "left_finger_joint": 0.8}],
}


def load(name):
    return core.load(EXAMPLES / name / f"{name}.urdf")


def files_in(folder):
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


@pytest.fixture(scope="module")
def remade(tmp_path_factory):
    out = tmp_path_factory.mktemp("examples")
    script = ROOT / "scripts" / "make_examples.py"
    subprocess.run([sys.executable, str(script), "--out", str(out)], check=True, timeout=120)
    return out


@pytest.mark.parametrize("name", ["arm6", "gripper"])
def test_the_generator_writes_the_files_that_are_here(remade, name):
    assert files_in(remade / name) == files_in(EXAMPLES / name)


@pytest.mark.parametrize("name", ["arm6", "gripper"])
def test_each_robot_is_small(name):
    assert sum(map(len, files_in(EXAMPLES / name).values())) < 1_500_000


def closed_shells(vertices, triangles):
    """Return the signed volume of each connected piece, after making sure that every edge joins two faces."""
    _, same = np.unique(np.round(vertices, 6), axis=0, return_inverse=True)
    faces = same.reshape(-1)[triangles]
    edges = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
    once, counts = np.unique(edges, axis=0, return_counts=True)
    assert counts.max() == 1, "two faces run along an edge the same way"
    assert np.array_equal(np.unique(once[:, ::-1], axis=0), once), "an edge has one face only"
    label = np.arange(faces.max() + 1)
    while True:
        lowest = label.copy()
        np.minimum.at(lowest, faces, label[faces].min(axis=1)[:, None].repeat(3, axis=1))
        if np.array_equal(lowest, label):
            break
        label = lowest
    corners = vertices[triangles].astype(float)
    volume = np.einsum("ti,ti->t", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6.0
    return np.bincount(label[faces[:, 0]], volume)[np.unique(label[faces[:, 0]])]


def test_there_are_meshes_of_four_formats():
    assert {p.suffix for p in MESHES} == {".stl", ".dae", ".obj", ".glb"}


@pytest.mark.parametrize("path", MESHES, ids=lambda p: f"{p.parts[-3]}-{p.name}")
def test_meshes_are_closed_and_turned_outwards(path):
    mesh = decode(path)
    assert np.all(closed_shells(mesh.vertices, mesh.triangles) > 0.0)
    if mesh.corner_normals is not None:
        corners = mesh.vertices[mesh.triangles].astype(float)
        flat = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        flat /= np.linalg.norm(flat, axis=1, keepdims=True)
        along = np.einsum("tkj,tj->tk", mesh.corner_normals.reshape(-1, 3, 3), flat)
        assert along.min() > math.cos(math.radians(38.5))


def test_the_glb_file_looks_the_same_whichever_way_is_up():
    path = EXAMPLES / "gripper" / "meshes" / "roll_motor.glb"
    plain, turned = (decode(path, gltf_up_axis=up).vertices.astype(float) for up in ("ignore", "obey"))
    gap = np.linalg.norm(plain[::9, None] - turned[None], axis=2).min(axis=1)
    assert gap.max() < 2e-6


@pytest.mark.parametrize("name", ["arm6", "gripper"])
def test_there_is_nothing_to_remark(name):
    robot = load(name)
    assert list(robot.diagnostics) == []
    for joint in robot.joints:
        if joint.range is not None:
            assert joint.range[0] <= 0.0 <= joint.range[1]


def surface(robot, link, rng):
    """Return points spread evenly over a link's visuals, in the link's frame."""
    pieces = []
    for shape in robot.link(link).visuals:
        uri = shape.geometry.uri.removeprefix(f"package://{robot.name}/")
        mesh = decode(EXAMPLES / robot.name / uri)
        origin = shape.origin.matrix
        corners = (mesh.vertices * shape.geometry.scale @ origin[:3, :3].T + origin[:3, 3])[mesh.triangles]
        area = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
        which = rng.choice(len(area), 8000, p=area / area.sum())
        pieces.append(np.einsum("nk,nki->ni", rng.dirichlet((1, 1, 1), len(which)), corners[which]))
    return np.concatenate(pieces)


@pytest.mark.parametrize("name", ["arm6", "gripper"])
def test_no_part_floats(name):
    robot, rng = load(name), np.random.default_rng(0)
    points = {link.name: surface(robot, link.name, rng) for link in robot.links if link.visuals}
    for q in POSES[name]:
        poses = core.forward_kinematics(robot, q)
        for joint in robot.joints:
            if not {joint.parent, joint.child} <= set(points):
                continue
            ends = [points[e] @ poses[e][:3, :3].T + poses[e][:3, 3] for e in (joint.parent, joint.child)]
            low = np.max([e.min(axis=0) for e in ends], axis=0) - 0.004
            high = np.min([e.max(axis=0) for e in ends], axis=0) + 0.004
            near = [e[np.all((e > low) & (e < high), axis=1)] for e in ends]
            assert all(map(len, near)), (joint.name, q)
            gap = min(np.linalg.norm(near[1] - p, axis=1).min() for p in near[0])
            assert gap < 0.004, (joint.name, q, gap)


def test_the_arm_reaches_905_mm_with_its_tool_straight_ahead():
    # 0.36 m up to joint 2, then 0.42 + 0.13 + 0.27 + 0.085 m along x
    robot = load("arm6")
    poses = core.forward_kinematics(robot, {"joint_2": math.pi / 2, "joint_3": -math.pi / 2})
    assert poses["tool0"][:3, 3] == pytest.approx([0.905, 0.0, 0.36], abs=1e-9)
    assert poses["tool0"][:3, 2] == pytest.approx([1.0, 0.0, 0.0], abs=1e-9)
    assert poses["flange"][:3, 0] == pytest.approx([1.0, 0.0, 0.0], abs=1e-9)
    assert robot.joint("joint_6").range == pytest.approx((-2 * math.pi, 2 * math.pi), abs=1e-4)


def test_the_arm_has_a_spherical_wrist():
    robot, arm = load("arm6"), {"joint_1": 0.3, "joint_2": 0.4, "joint_3": -0.5}
    centres = [
        core.forward_kinematics(robot, {**arm, "joint_4": a, "joint_5": b, "joint_6": c})[link][:3, 3]
        for a, b, c in ((0, 0, 0), (1, -1, 2), (-2, 1.5, -6))
        for link in ("wrist_2", "wrist_3")
    ]
    for before, after in pairwise(centres):
        assert after == pytest.approx(before, abs=1e-12)


@pytest.mark.parametrize("q", [0.0, 0.3, 0.8])
def test_the_fingertips_stay_parallel_and_mirrored(q):
    robot = load("gripper")
    assert robot.dofs == ("rail_joint", "roll_joint", "left_finger_joint")
    poses = core.forward_kinematics(robot, {"left_finger_joint": q}, base="gripper_body")
    x, y = 0.11 + 0.075 * math.cos(q), 0.025 + 0.075 * math.sin(q)
    for link, sign in (("left_tip", 1), ("right_tip", -1)):
        assert poses[link][:3, :3] == pytest.approx(np.eye(3), abs=1e-12)
        assert poses[link][:3, 3] == pytest.approx([x, sign * y, 0.0], abs=1e-12)
    bar_end = poses["left_bar"] @ [0.075, 0.0, 0.0, 1.0]
    assert bar_end[:3] == pytest.approx([x, y + 0.0325, 0.0], abs=1e-12)
    assert poses["plunger"][0, 3] == pytest.approx(0.082 + 0.008 + 0.04 * q, abs=1e-12)


def test_the_right_hand_weighs_as_the_left():
    robot, flip = load("gripper"), np.diag([1.0, -1.0, 1.0])
    for part in ("finger", "bar", "tip"):
        left, right = (robot.link(f"{side}_{part}").inertial for side in ("left", "right"))
        assert right.mass == left.mass
        assert right.origin.xyz == pytest.approx(flip @ left.origin.xyz)
        assert right.inertia == pytest.approx(flip @ left.inertia @ flip)


@pytest.mark.parametrize("name", ["arm6", "gripper"])
def test_inertias_are_those_of_bodies(name):
    for link in load(name).links:
        if link.inertial:
            a, b, c = np.linalg.eigvalsh(link.inertial.inertia)
            assert a > 0.0
            assert a + b >= c


def test_mass_properties_of_a_box_and_a_cylinder(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    from example_parts import shading, solids

    a, b, c = 0.2, 0.3, 0.5
    box = solids.extrude(np.array([(1, 2), (1 + a, 2), (1 + a, 2 + b), (1, 2 + b)]), (3, 3 + c), "white")
    body = shading.mass_properties([box], 12.0)
    assert body.centre == pytest.approx([1 + a / 2, 2 + b / 2, 3 + c / 2])
    assert body.inertia == pytest.approx(np.diag([b * b + c * c, a * a + c * c, a * a + b * b]), abs=1e-9)
    drum = solids.drum(0.1, (-0.2, 0.2), "white", axis="y", segments=720)
    across, along = 2.0 * (3 * 0.1**2 + 0.4**2) / 12, 2.0 * 0.1**2 / 2
    inertia = shading.mass_properties([drum], 2.0).inertia
    assert inertia == pytest.approx(np.diag([across, along, across]), rel=1e-4, abs=1e-9)
