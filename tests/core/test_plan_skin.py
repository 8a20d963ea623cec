# SPDX-License-Identifier: GPL-3.0-or-later
"""What the plan says of skinned meshes and of links without bones."""

from __future__ import annotations

import numpy as np
import pytest

from urdf_rig.core.kinematics import forward_kinematics
from urdf_rig.core.plan import links_with_bones, plan_rig, rides
from urdf_rig.core.shapes import load_shapes
from urdf_rig.core.skin_verification import bodies_of, stray_distances
from urdf_rig.core.urdf import parse_urdf

ROBOT = parse_urdf("""<robot name="r">
  <material name="red"><color rgba="1 0 0 1"/></material>
  <link name="a"><visual><origin xyz="1 0 0"/><geometry><box size="2 2 2"/></geometry><material name="red"/></visual>
    <collision><geometry><sphere radius="1"/></geometry></collision></link>
  <link name="b"><visual><geometry><box size="2 2 2"/></geometry></visual></link>
  <link name="c"><visual><geometry><box size="2 2 2"/></geometry><material name="red"/></visual></link>
  <link name="d"/>
  <joint name="ab" type="fixed"><parent link="a"/><child link="b"/><origin xyz="0 0 3" rpy="0 0 1.57079632679"/></joint>
  <joint name="bc" type="revolute"><parent link="b"/><child link="c"/><origin xyz="5 0 0"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
  <joint name="cd" type="fixed"><parent link="c"/><child link="d"/><origin xyz="0 1 0"/></joint>
</robot>""")


@pytest.mark.parametrize(
    ("base", "bones", "carriers"),
    [
        ("a", {"a", "c"}, {"a": "a", "b": "a", "c": "c", "d": "c"}),
        ("b", {"b", "c"}, {"a": "b", "b": "b", "c": "c", "d": "c"}),
        ("d", {"d", "b"}, {"a": "b", "b": "b", "c": "d", "d": "d"}),
    ],
)
def test_links_on_fixed_joints_ride_on_the_next_bone_towards_the_base(base, bones, carriers):
    assert links_with_bones(ROBOT, base) == {"a", "b", "c", "d"}
    assert links_with_bones(ROBOT, base, fixed_frames=False) == bones
    found = rides(ROBOT, base, bones)
    assert {link: ride.carrier for link, ride in found.items()} == carriers
    for q in (0.0, 0.7):
        poses = forward_kinematics(ROBOT, {"bc": q}, base)
        for link, ride in found.items():
            assert poses[ride.carrier] @ ride.carrier_h_link == pytest.approx(poses[link], abs=1e-12)


def test_a_link_whose_bone_is_missing_rides_on_none_that_moves_against_it():
    assert set(rides(ROBOT, "a", {"a"})) == {"a", "b"}
    assert set(rides(ROBOT, "a", {"c"})) == {"c", "d"}


def test_visuals_are_one_mesh_at_rest_with_a_part_each():
    plan = plan_rig(ROBOT, load_shapes(ROBOT, collisions=True).shapes, skinned=True, fixed_frames=False)
    assert [shape.is_collision for shape in plan.shapes] == [True] and len(plan.meshes) == 1
    skin = plan.skin
    assert [(part.link, part.bone) for part in skin.parts] == [("a", "a"), ("b", "a"), ("c", "c")]
    assert [part.stop for part in skin.parts][-1] == len(skin.data.vertices) == 24
    corners = {}
    for part in skin.parts:
        points = skin.data.vertices[part.start : part.stop]
        corners[part.link] = (points.min(axis=0).round(5).tolist(), points.max(axis=0).round(5).tolist())
    # a's box is moved by its origin; b sits 3 m up, turned by a quarter, so that its 5 m along x are along y
    assert corners == {
        "a": ([0, -1, -1], [2, 1, 1]),
        "b": ([-1, -1, 2], [1, 1, 4]),
        "c": ([-1, 4, 2], [1, 6, 4]),
    }
    assert [material.name for material in skin.data.materials] == ["red"]
    assert set(skin.data.material_index[:12]) == {0} and set(skin.data.material_index[12:24]) == {-1}
    assert set(skin.data.material_index[24:]) == {0}
    assert skin.data.triangles[24:].min() == 16 and skin.data.triangles.max() == 23


def test_vertices_are_compared_with_forward_kinematics_by_link():
    skin = plan_rig(ROBOT, load_shapes(ROBOT).shapes, skinned=True).skin
    numbers = np.repeat(np.arange(1, 4, dtype=np.int32), 8)
    numbers[-1] = 0  # one that is none of the robot's
    bodies = bodies_of([part.link for part in skin.parts], numbers, skin.link_vertices.astype(float))
    assert [(body.link, len(body.vertices)) for body in bodies] == [("a", 8), ("b", 8), ("c", 7)]
    assert bodies[1].radius == pytest.approx(3**0.5)
    points = skin.data.vertices.astype(float)
    assert max(stray_distances(ROBOT, "a", {}, bodies, points)) < 1e-6
    points[9] += [0.0, 0.3, 0.4]
    points[23] += 1.0
    assert stray_distances(ROBOT, "a", {}, bodies, points) == pytest.approx([0.0, 0.5, 0.0], abs=1e-6)
