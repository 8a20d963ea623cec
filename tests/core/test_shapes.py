# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes of a robot: each file read once, a bad one only a remark."""

from __future__ import annotations

import pytest

from urdf_rig.core import load
from urdf_rig.core.shapes import load_shapes

TRIANGLE = (
    "solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid\n"
)


@pytest.fixture
def robot(tmp_path):
    (tmp_path / "good.stl").write_text(TRIANGLE)
    (tmp_path / "bad.stl").write_text("solid x\nfacet normal")
    (tmp_path / "robot.urdf").write_text(
        """<robot name="r"><link name="a">
        <visual name="one"><geometry><mesh filename="good.stl"/></geometry></visual>
        <visual><geometry><mesh filename="good.stl"/></geometry></visual>
        <visual><geometry><mesh filename="good.stl" scale="2 2 2"/></geometry></visual>
        <visual><geometry><mesh filename="bad.stl"/></geometry></visual>
        <visual><geometry><mesh filename="nowhere.stl"/></geometry></visual>
        <visual><geometry><box size="1 2 3"/></geometry></visual>
        <visual><geometry><mesh filename="nowhere.stl"/></geometry></visual>
        <collision><geometry><sphere radius="1"/></geometry></collision></link></robot>"""
    )
    return load(tmp_path / "robot.urdf")


def test_good_shapes_share_meshes_and_bad_ones_are_said_once(robot):
    steps = []
    loaded = load_shapes(robot, collisions=True, progress=lambda *step: steps.append(step))
    found = [shape.mesh is not None for shape in loaded.shapes]
    assert found == [True, True, True, False, False, True, False, True]
    one, two, three = loaded.shapes[:3]
    assert one.mesh is two.mesh and one.key == two.key and one.key != three.key
    assert three.mesh.vertices.max() == 2.0
    messages = [item.message for item in loaded.diagnostics]
    assert sum("nowhere.stl" in text for text in messages) == 1
    assert sum("bad.stl" in text for text in messages) == 1
    assert any("2 file(s)" in text for text in messages)
    assert [step[0] for step in steps] == list(range(8)) and steps[0][1] == 8


def test_names_tell_shapes_apart(robot):
    names = [shape.name for shape in load_shapes(robot, collisions=True).shapes]
    assert names == ["a one", "a 2", "a 3", "a 4", "a 5", "a 6", "a 7", "a collision"]


def test_nothing_is_read_that_is_not_asked_for(robot):
    assert load_shapes(robot, visuals=False).shapes == ()
    assert len(load_shapes(robot, visuals=False, collisions=True).shapes) == 1
