# SPDX-License-Identifier: GPL-3.0-or-later
"""Which pairs are looked at, how deep they overlap, and what a motion's check says of it."""

from __future__ import annotations

import numpy as np
import pytest

from urdf_rig.core.collision import collision_model, overlap_depths, proxies_of, proxy_of_points
from urdf_rig.core.collision import overlaps as overlaps_module
from urdf_rig.core.errors import ModelError
from urdf_rig.core.motion import JointMotion
from urdf_rig.core.motion.checking import Kind
from urdf_rig.core.motion.robot_check import check_robot_motion
from urdf_rig.core.shapes import load_shapes
from urdf_rig.core.urdf import parse_urdf


def link(name, geometry="", xyz="0 0 0"):
    inside = f'<collision><origin xyz="{xyz}"/><geometry>{geometry}</geometry></collision>' if geometry else ""
    return f'<link name="{name}">{inside}</link>'


def joint(name, parent, child, kind="revolute", xyz="0 0 0", axis="0 0 1", more=""):
    limit = '<limit lower="-3" upper="3" effort="1" velocity="100"/>' if kind in ("revolute", "prismatic") else ""
    return (
        f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/><origin xyz="{xyz}"/>'
        f'<axis xyz="{axis}"/>{limit}{more}</joint>'
    )


def robot(*parts):
    return parse_urdf(f'<robot name="r">{"".join(parts)}</robot>')


def model(described, disabled=()):
    shapes = load_shapes(described, visuals=False, collisions=True)
    return collision_model(described, proxies_of(shapes.shapes), disabled)


BALL = '<sphere radius="0.1"/>'
# three balls at 0, 1 and 2 m along x; the last slides along x
SLIDER = (
    link("a", BALL),
    link("b", BALL),
    link("c", BALL),
    joint("turn", "a", "b", xyz="1 0 0"),
    joint("slide", "b", "c", "prismatic", xyz="1 0 0", axis="1 0 0"),
)


def test_neighbours_are_left_out_and_the_depth_is_that_of_balls():
    described = robot(*SLIDER)
    seen = model(described)
    assert seen.pairs == (("a", "c"),)
    assert seen.diagnostics == ()
    slides = np.array([0.0, -1.0, -1.79, -1.85, -1.9])
    q = np.column_stack([np.zeros(5), slides])
    depths = overlap_depths(described, seen.proxies, seen.pairs, q)
    assert depths[("a", "c")] == pytest.approx([0.0, 0.0, 0.0, 0.05, 0.1], abs=1e-9)


def test_disabled_pairs_are_left_out_in_either_order():
    assert model(robot(*SLIDER), [("c", "a")]).pairs == ()


def test_links_without_shapes_do_not_part_neighbours_and_rigid_links_are_one_body():
    described = robot(
        link("a", BALL),
        link("frame"),
        link("b", BALL),
        link("tool", BALL),
        joint("turn", "a", "frame", xyz="1 0 0"),
        joint("weld", "frame", "b", "fixed"),
        joint("weld2", "b", "tool", "fixed", xyz="0.05 0 0"),
    )
    assert model(described).pairs == (("a", "tool"),)


def test_pairs_that_overlap_at_rest_are_noted_and_left_out():
    described = robot(*SLIDER, link("d", '<sphere radius="1.5"/>'), joint("last", "c", "d"))
    seen = model(described)
    assert seen.always == (("b", "d"),)
    assert ("b", "d") not in seen.pairs
    (remark,) = seen.diagnostics
    assert "'b – d': always overlapping" in remark.message


def test_rest_is_the_allowed_pose_nearest_to_zero():
    far = '<joint name="slide" type="prismatic"><parent link="b"/><child link="c"/><axis xyz="1 0 0"/>'
    parts = (*SLIDER[:4], far + '<limit lower="0.5" upper="3" effort="1" velocity="1"/></joint>')
    described = robot(*parts)  # at 0, which is not allowed, c lies on b
    assert model(described).always == ()


def test_links_beyond_a_floating_joint_are_not_looked_at():
    described = robot(
        link("a", BALL), link("b", BALL), link("c", BALL), joint("free", "a", "b", "floating"), joint("turn", "b", "c")
    )
    seen = model(described)
    assert seen.pairs == ()
    assert "floating" in seen.diagnostics[0].message


def test_links_seen_but_without_collision_shapes_are_noted():
    described = parse_urdf(
        '<robot name="r"><link name="a"><visual><geometry><sphere radius="1"/></geometry></visual></link></robot>'
    )
    assert "no collision shape is known of 'a'" in model(described).diagnostics[0].message


def test_boxes_cylinders_and_capsules_touch_where_they_should():
    box, cylinder = '<box size="0.2 0.4 0.6"/>', '<cylinder radius="0.1" length="1"/>'
    capsule = '<capsule radius="0.1" length="0.5"/>'
    for shape, half in ((box, 0.1), (cylinder, 0.1), (capsule, 0.1)):
        described = robot(*(link("c", shape) if "c" in part[:14] else part for part in SLIDER))
        seen = model(described)
        gap = 2.0 - 0.1 - half
        q = np.column_stack([np.zeros(2), [-gap + 1e-3, -gap - 1e-3]])
        depth = overlap_depths(described, seen.proxies, seen.pairs, q)[("a", "c")]
        assert depth[0] == 0.0
        assert depth[1] == pytest.approx(1e-3, abs=2e-4)


def test_faces_that_lie_on_each_other_do_not_overlap():
    shape = '<box size="0.2 0.2 0.2"/>'
    described = robot(*(part.replace(BALL, shape) for part in SLIDER))
    seen = model(described)
    q = np.column_stack([np.zeros(2), [-1.8, -1.81]])
    depth = overlap_depths(described, seen.proxies, seen.pairs, q)[("a", "c")]
    assert depth == pytest.approx([0.0, 0.01], abs=1e-8)  # meshes are float32


def test_a_proxy_keeps_all_but_a_hair_of_a_mesh():
    rng = np.random.default_rng(0)
    points = rng.normal(size=(5_000, 3)) * [0.02, 0.3, 0.1]
    proxy = proxy_of_points("l", points)
    assert len(proxy.points) <= 1030
    ways = rng.normal(size=(4_000, 3))
    ways /= np.linalg.norm(ways, axis=1, keepdims=True)
    cut = max(((points @ part.T).max(axis=0) - (proxy.points @ part.T).max(axis=0)).max() for part in np.split(ways, 4))
    assert cut < 0.01 * np.linalg.norm(np.ptp(points, axis=0))


def test_nothing_makes_no_proxy():
    assert proxy_of_points("l", np.empty((0, 3))) is None
    assert proxy_of_points("l", np.full((3, 3), np.nan)) is None


def test_too_much_work_is_refused(monkeypatch):
    described = robot(*SLIDER)
    seen = model(described)
    monkeypatch.setattr(overlaps_module, "MAX_WORK", 9)
    with pytest.raises(ModelError, match="1 pairs of collision shapes in 10 samples are too many"):
        overlap_depths(described, seen.proxies, seen.pairs, np.zeros((10, 2)))


def test_a_motion_into_itself_names_both_links_and_the_deepest_sample():
    arm = robot(
        link("base", '<sphere radius="0.15"/>'),
        link("upper", '<box size="0.8 0.05 0.05"/>', "0.5 0 0"),
        link("lower", '<box size="0.8 0.05 0.05"/>', "0.5 0 0"),
        joint("shoulder", "base", "upper"),
        joint("elbow", "upper", "lower", xyz="1 0 0", more='<mimic joint="shoulder" multiplier="1"/>'),
    )
    # the elbow turns as the shoulder: the forearm points back to the base at half a turn
    angles = np.linspace(0.0, 3.0, 61)
    motion = JointMotion(("shoulder",), np.arange(61) / 10.0, angles[:, None])
    check = check_robot_motion(arm, motion, collisions=model(arm))
    assert check.motion.joints == ("shoulder", "elbow")
    (item,) = check.findings.items
    assert (item.kind, item.joint, item.other, item.limit) == (Kind.COLLISION, "base", "lower", 0.0)
    assert item.subject == "base – lower"
    assert item.last == 60
    # the base's centre seen from the forearm, and its distance from the forearm's box in closed form
    centre = np.stack([-np.cos(angles), np.sin(angles), np.zeros(61)], axis=1)
    beyond = np.maximum(np.abs(centre - [0.5, 0.0, 0.0]) - [0.4, 0.025, 0.025], 0.0)
    touching = np.flatnonzero(np.linalg.norm(beyond, axis=1) < 0.15)
    assert item.first == touching[0]
    assert item.value == pytest.approx(0.15 - np.linalg.norm(beyond, axis=1).min(), abs=1e-6)
    assert not check.passed
    assert check_robot_motion(arm, motion).passed
