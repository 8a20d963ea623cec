# SPDX-License-Identifier: GPL-3.0-or-later
"""Self-collision of an animated rig: where its shapes come from, which pairs count, and what is shown."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from checked_rig import FPS, ROBOT, check, key, rows, sliders_in_red


def arms(folder):
    """Two balls that meet where the slide is at -1 m along y, seen from the base."""
    ball = '<collision><geometry><sphere radius="0.1"/></geometry></collision>'
    links = f'<link name="a"/><link name="b">{ball}</link><link name="c"/>'
    text = ROBOT.format(links=links).replace(
        '<link name="base"/>',
        '<link name="base"><collision><origin xyz="1 -1 0"/>'
        '<geometry><sphere radius="0.1"/></geometry></collision></link><link name="x"/>'
        '<joint name="weld" type="fixed"><parent link="base"/><child link="x"/></joint>',
    )
    path = folder / "arms.urdf"
    path.write_text(text)
    return path


def test_self_collision_names_both_links_and_is_deepest_where_they_meet(rig_of, tmp_path):
    scene = bpy.context.scene
    scene.render.fps, scene.frame_start, scene.frame_end = FPS, 1, 101
    # base and b are neighbours here: a has no shape
    rig = rig_of(arms(tmp_path)).rig
    key(rig, "slide", [(1, 0.0), (101, 2.0)])
    assert rows(check(rig)) == []
    path = tmp_path / "far.urdf"
    far = (
        arms(tmp_path)
        .read_text()
        .replace(
            '<link name="a"/>',
            '<link name="a"><collision><origin xyz="0 0 5"/>'
            '<geometry><sphere radius="0.01"/></geometry></collision></link>',
        )
    )
    path.write_text(far)
    rig = rig_of(path).rig
    key(rig, "slide", [(1, 0.0), (101, 2.0)])  # 0.02 m a frame: in the middle at frame 51, apart by 0.2 m before 41
    data = check(rig)
    assert [(item.kind, item.joint, item.other, item.frame, item.first, item.last) for item in data.findings] == [
        ("collision", "base", "b", 51.0, 42.0, 60.0)
    ]
    assert data.findings[0].value == pytest.approx(0.2, abs=0.01)
    assert rows(check(rig, collisions=False)) == []
    scene.frame_set(51)
    check(rig, collisions=True)
    assert sliders_in_red(rig) == ["slide"]


def test_collision_meshes_are_those_in_the_file_or_those_on_disk(rig_of, tmp_path):
    from urdf_rig.addon.motion.rig_check import rig_collisions
    from urdf_rig.addon.rig import robot_of

    (tmp_path / "tip.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    shape = '<collision><origin xyz="0 0 2"/><geometry><mesh filename="tip.obj" scale="2 1 -1"/></geometry></collision>'
    text = ROBOT.format(links=f'<link name="a"/><link name="b"/><link name="c">{shape}</link>')
    path = tmp_path / "meshes.urdf"
    path.write_text(text)
    expected = {(0.0, 0.0, 2.0), (2.0, 0.0, 2.0), (0.0, 1.0, 2.0), (0.0, 0.0, 1.0)}
    for collisions in (False, True):
        rig = rig_of(path, collisions=collisions).rig
        if collisions:
            (tmp_path / "tip.obj").unlink()
        (proxy,) = rig_collisions(rig, robot_of(rig)).proxies["c"]
        assert {tuple(point) for point in np.round(proxy.points, 6).tolist()} == expected


def test_pairs_that_an_srdf_file_disables_are_left_out(rig_of, tmp_path):
    from urdf_rig.addon.motion.rig_check import rig_collisions
    from urdf_rig.addon.rig import robot_of

    path = arms(tmp_path)
    path.write_text(
        path.read_text().replace(
            '<link name="a"/>',
            '<link name="a"><collision><origin xyz="0 0 5"/>'
            '<geometry><sphere radius="0.01"/></geometry></collision></link>',
        )
    )
    rig = rig_of(path).rig
    assert rig_collisions(rig, robot_of(rig)).pairs == (("base", "b"),)
    (tmp_path / "arms.srdf").write_text(
        '<robot name="r"><disable_collisions link1="b" link2="base" reason="Never"/></robot>'
    )
    rig = rig_of(path).rig
    assert rig_collisions(rig, robot_of(rig)).pairs == ()
    rig.data.urdf_rig.semantics = ""  # as of a rig made before pairs were kept: the file is read
    assert rig_collisions(rig, robot_of(rig)).pairs == ()
