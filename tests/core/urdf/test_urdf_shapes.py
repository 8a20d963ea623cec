# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import numpy as np
import pytest

from urdf_rig.core.model import Box, Capsule, Cylinder, Mesh, Sphere

BOX = '<geometry><box size="1 2 3"/></geometry>'


@pytest.mark.parametrize(
    ("xml", "geometry"),
    [
        ('<box size="0.2 0.4 0.6"/>', Box((0.2, 0.4, 0.6))),
        ('<cylinder radius="0.1" length="0.5"/>', Cylinder(0.1, 0.5)),
        ('<sphere radius="0.25"/>', Sphere(0.25)),
        ('<capsule radius="0.1" length="0.4"/>', Capsule(0.1, 0.4)),
        ('<mesh filename="package://p/m e.stl"/>', Mesh("package://p/m e.stl")),
        ('<mesh filename=" a.stl " scale="1 -1 0.001"/>', Mesh("a.stl", (1.0, -1.0, 0.001))),
        ('<note/><box size="1 1 1"/>', Box((1.0, 1.0, 1.0))),
    ],
)
def test_geometries(parse_link, xml: str, geometry: object) -> None:
    robot = parse_link(f"<visual><geometry>{xml}</geometry></visual><collision><geometry>{xml}</geometry></collision>")
    (link,) = robot.links
    assert [shape.geometry for shape in (*link.visuals, *link.collisions)] == [geometry, geometry]
    assert robot.diagnostics == ()


@pytest.mark.parametrize(
    ("xml", "words"),
    [
        ("", "no geometry"),
        ("<geometry/>", "no geometry"),
        ("<geometry><superquadric/></geometry>", "<superquadric> is not known"),
        ("<geometry><box/></geometry>", "no attribute 'size'"),
        ('<geometry><box size="1 2"/></geometry>', "3 numbers are needed"),
        ('<geometry><box size="1 2 -3"/></geometry>', "negative"),
        ('<geometry><sphere radius="-1"/></geometry>', "negative"),
        ('<geometry><cylinder radius="1"/></geometry>', "no attribute 'length'"),
        ('<geometry><capsule radius="1" length="0,5"/></geometry>', "'0,5' is not a decimal number"),
        ("<geometry><mesh/></geometry>", "names no file"),
        ('<geometry><mesh filename="a.stl" scale="1 0 1"/></geometry>', "zero"),
        ('<geometry><mesh filename="a.stl" scale="1 2"/></geometry>', "3 numbers are needed"),
        (BOX + '<origin xyz="1 2"/>', "3 numbers are needed"),
        (BOX + '<origin rpy="0 0 0" quat_xyzw="0 0 0 1"/>', "keep one of the two"),
    ],
)
@pytest.mark.parametrize("tag", ["visual", "collision"])
def test_a_bad_shape_is_left_out_alone(parse_link, warnings, xml: str, words: str, tag: str) -> None:
    good = f'<{tag} name="good">{BOX}</{tag}>'
    robot = parse_link(f'{good}\n<{tag} name="bad">{xml}</{tag}>\n{good}')
    (link,) = robot.links
    assert [shape.name for shape in (*link.visuals, *link.collisions)] == ["good", "good"]
    (warning,) = warnings(robot)
    assert f"{tag} 'bad' of link 'a'" in warning
    assert "r.urdf:2" in warning
    assert words in warning


def test_shapes_keep_document_order_names_lines_and_origins(parse_link) -> None:
    robot = parse_link(f'<visual>{BOX}</visual>\n<visual name="b">{BOX}<origin xyz="0 0 1"/></visual>')
    first, second = robot.links[0].visuals
    assert [(shape.name, shape.line) for shape in (first, second)] == [("", 1), ("b", 2)]
    assert np.array_equal(second.origin.matrix[:3, 3], [0, 0, 1])


def test_one_scale_number_is_used_for_all_axes(parse_link, warnings) -> None:
    robot = parse_link('<visual><geometry><mesh filename="a.stl" scale="0.001"/></geometry></visual>')
    assert robot.links[0].visuals[0].geometry == Mesh("a.stl", (0.001, 0.001, 0.001))
    assert ["all three axes" in warning for warning in warnings(robot)] == [True]


def test_inertia_is_symmetric_and_frozen(parse_link) -> None:
    inertia = '<inertia ixx="1" ixy="2" ixz="3" iyy="4" iyz="5" izz="6"/>'
    robot = parse_link(f'<inertial><origin xyz="0 0 0.1"/><mass value="1.5"/>{inertia}</inertial>')
    inertial = robot.links[0].inertial
    assert inertial.mass == 1.5
    assert np.array_equal(inertial.inertia, [[1, 2, 3], [2, 4, 5], [3, 5, 6]])
    assert inertial.origin.xyz == (0.0, 0.0, 0.1)
    with pytest.raises(ValueError, match="read-only"):
        inertial.inertia[0, 0] = 0.0


@pytest.mark.parametrize(
    ("inside", "words"),
    [
        ("", "no <mass> and no <inertia>"),
        ('<mass value="1"/>', "no <inertia>"),
        ('<mass value="1"/><inertia ixx="1"/>', "no attribute 'ixy'"),
        ('<mass value="x"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>', "'x' is not"),
        ('<mass/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>', "no attribute 'value'"),
    ],
)
def test_an_incomplete_inertia_is_left_out(parse_link, warnings, inside: str, words: str) -> None:
    robot = parse_link(f"<visual>{BOX}</visual><inertial>{inside}</inertial>")
    assert robot.links[0].inertial is None
    assert len(robot.links[0].visuals) == 1
    (warning,) = warnings(robot)
    assert "link 'a'" in warning
    assert words in warning
