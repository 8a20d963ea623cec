# SPDX-License-Identifier: GPL-3.0-or-later
"""Retiming: the smallest factor, the path kept, keys behind put off, and what cannot be retimed."""

from __future__ import annotations

import math

import bpy
import numpy as np
import pytest
from checked_rig import FPS, curve_of, key

ROBOT = """<robot name="r"><link name="base"/><link name="a"/><link name="b"/><link name="c"/>
  <joint name="turn" type="revolute"><parent link="base"/><child link="a"/><axis xyz="0 -0.6 0.8"/>
    <limit lower="-30" upper="30" effort="1" velocity="2"/></joint>
  <joint name="slide" type="prismatic"><parent link="a"/><child link="b"/><axis xyz="0 -1 0"/>
    <limit lower="-9" upper="9" effort="1" velocity="0.5" acceleration="1"/></joint>
  <joint name="spin" type="continuous"><parent link="b"/><child link="c"/><axis xyz="1 0 0"/>
    <limit effort="1" velocity="0"/></joint></robot>"""


@pytest.fixture
def rig(rig_of, tmp_path):
    scene = bpy.context.scene
    scene.render.fps, scene.frame_start, scene.frame_end = FPS, 1, 100
    made = rig_of(ROBOT, tmp_path).rig
    bpy.context.view_layer.objects.active = made
    return made


def findings(rig, start, end):
    from urdf_rig.addon.motion.rig_check import check_rig

    return check_rig(bpy.context, rig, start=start, end=end, collisions=False).check.findings.items


def retime(rig, start, end):
    from urdf_rig.addon.motion.retiming import retime as work

    return work(bpy.context, rig, start, end)


def frames(curve):
    return [point.co.x for point in curve.keyframe_points]


def test_twice_too_fast_takes_twice_as_long_and_the_rest_is_put_off(rig):
    turn = key(rig, "turn", [(1, 0.0), (11, 0.0), (35, 4.0), (50, 4.0), (80, 5.0)], "LINEAR")  # 4 rad in a second
    spin = key(rig, "spin", [(1, 0.0), (23, 1.0), (60, 2.0)], "LINEAR")
    done = retime(rig, 11, 35)
    assert done.factor == pytest.approx(2.0, rel=1e-4)
    assert (done.demand.joint, done.demand.by) == ("turn", "velocity")
    assert done.end == pytest.approx(59.0, abs=0.01)
    assert frames(turn) == pytest.approx([1, 11, 59, 74, 104], abs=0.01)
    assert frames(spin) == pytest.approx([1, 11, 35, 59, 84], abs=0.01)
    assert bpy.context.scene.frame_end == 124
    assert findings(rig, 1, 124) == ()


def test_nothing_is_stretched_that_is_slow_enough(rig):
    turn = key(rig, "turn", [(1, 0.0), (35, 1.0)], "BEZIER")
    before = [(tuple(point.handle_left), tuple(point.co), point.handle_left_type) for point in turn.keyframe_points]
    assert retime(rig, 5, 30).factor == 1.0
    assert [(tuple(p.handle_left), tuple(p.co), p.handle_left_type) for p in turn.keyframe_points] == before
    assert bpy.context.scene.frame_end == 100


@pytest.mark.parametrize(("start", "end"), [(1.0, 60.0), (13.0, 37.0), (9.5, 44.25)])
def test_the_path_is_kept_and_the_recheck_passes(rig, start, end):
    curves = {
        "turn": key(rig, "turn", [(1, 0.0), (20, 3.0), (30, -1.0), (60, 1.0)], "BEZIER"),
        "slide": key(rig, "slide", [(1, 0.0), (14, 0.0), (22, 0.2), (36, -0.1), (60, -0.1)], "BEZIER"),
        "spin": key(rig, "spin", [(1, 0.0), (25, 9.0), (60, 0.0)], "BEZIER"),
    }
    old = np.linspace(start, end, 200)
    before = {name: [curve.evaluate(frame) for frame in old] for name, curve in curves.items()}
    outside = {name: [curve.evaluate(frame) for frame in (2.0, end + 3.0, 58.0)] for name, curve in curves.items()}
    done = retime(rig, start, end)
    assert done.factor > 1.2
    new = start + (old - start) * done.factor
    shift = done.end - end
    for name in curves:
        curve = curve_of(rig, name)
        assert [curve.evaluate(frame) for frame in new] == pytest.approx(before[name], abs=2e-4)
        places = [place + (shift if place >= end else 0.0) for place in (2.0, end + 3.0, 58.0)]
        if start > 2.0:
            for place, value in zip(places, outside[name], strict=True):
                if not start < place < done.end:
                    assert curve.evaluate(place) == pytest.approx(value, abs=2e-4)
    low, high = math.ceil(start), math.floor(done.end)
    assert [item for item in findings(rig, low, high) if item.kind != "position"] == []


def test_the_factor_is_the_smallest(rig):
    from urdf_rig.addon.motion.keys import Keys

    turn = key(rig, "turn", [(1, 0.0), (20, 3.0), (30, -1.0), (60, 1.0)], "BEZIER")
    base = Keys.of(turn)
    done = retime(rig, 1, 60)
    assert done.demand.by == "velocity"
    base.stretched(1.0, 60.0, 0.995 * done.factor).write(curve_of(rig, "turn"))
    assert {item.kind.value for item in findings(rig, 1, 200)} == {"velocity"}


def test_acceleration_alone_takes_the_root(rig):
    # a parabola with 4 m/s² where 1 is allowed, keyed at every frame: twice as long, velocity 0.5 at most
    seconds = np.arange(7) / FPS
    pairs = [(11 + index, 2.0 * second**2) for index, second in enumerate(seconds)]
    slide = key(rig, "slide", pairs, "BEZIER")
    done = retime(rig, 11, 17)
    assert (done.demand.joint, done.demand.by) == ("slide", "acceleration")
    # at its end the motion stops at once, from 0.5 m/s: the corner asks for more than the parabola
    assert done.factor > 2.0
    assert frames(slide)[-1] == pytest.approx(11 + 6 * done.factor, abs=1e-3)
    assert findings(rig, 5, 200) == ()


def test_a_jump_cannot_be_stretched_and_all_is_as_before(rig):
    turn = key(rig, "turn", [(1, 0.0), (20, 1.0), (40, 0.0), (60, 0.5)], "CONSTANT")
    turn.keyframe_points[1].interpolation = "BEZIER"
    turn.update()
    before = [(tuple(p.co), tuple(p.handle_left), tuple(p.handle_right)) for p in turn.keyframe_points]
    with pytest.raises(RuntimeError, match="no stretch slows joint 'turn' down"):
        bpy.ops.urdf_rig.retime_motion(start=5.5, end=30.5)
    assert [(tuple(p.co), tuple(p.handle_left), tuple(p.handle_right)) for p in turn.keyframe_points] == before
    assert bpy.context.scene.frame_end == 100


def test_a_range_in_full_motion_would_need_a_corner_at_its_end(rig):
    key(rig, "slide", [(1, 0.0), (60, 1.5)], "LINEAR")
    with pytest.raises(RuntimeError, match="'slide' moves at the end of the range near frame 20: choose a range"):
        bpy.ops.urdf_rig.retime_motion(start=20, end=90)


def test_what_is_not_moved_by_keys_is_refused(rig):
    with pytest.raises(RuntimeError, match="has no keys"):
        bpy.ops.urdf_rig.retime_motion(start=1, end=50)
    turn = key(rig, "turn", [(1, 0.0), (20, 9.0)], "BEZIER")
    with pytest.raises(RuntimeError, match="no range to stretch"):
        bpy.ops.urdf_rig.retime_motion(start=50, end=50)
    turn.keyframe_points[0].interpolation = "ELASTIC"
    with pytest.raises(RuntimeError, match="eases across frame 10"):
        bpy.ops.urdf_rig.retime_motion(start=10, end=50)
    turn.keyframe_points[0].interpolation = "LINEAR"
    turn.extrapolation = "LINEAR"
    with pytest.raises(RuntimeError, match="goes on beyond its keys"):
        bpy.ops.urdf_rig.retime_motion(start=10, end=50)
    turn.extrapolation = "CONSTANT"
    turn.modifiers.new("NOISE")
    with pytest.raises(RuntimeError, match="bake its modifiers"):
        bpy.ops.urdf_rig.retime_motion(start=1, end=50)
    turn.modifiers.remove(turn.modifiers[0])
    rig.pose.bones[1].constraints.new("COPY_ROTATION")
    with pytest.raises(RuntimeError, match="constraints or the NLA"):
        bpy.ops.urdf_rig.retime_motion(start=1, end=50)


def test_the_operator_checks_again(rig):
    from urdf_rig.addon.motion.check_settings import check_data

    key(rig, "turn", [(1, 0.0), (20, 9.0), (90, 0.0)], "BEZIER")
    assert bpy.ops.urdf_rig.check_motion() == {"FINISHED"}
    assert check_data(rig).findings
    assert bpy.ops.urdf_rig.retime_motion(start=1, end=90) == {"FINISHED"}
    data = check_data(rig)
    assert not data.findings
    assert data.last == bpy.context.scene.frame_end > 100


@pytest.mark.parametrize("at", [3.3, 12.0, 19.9])
@pytest.mark.parametrize("kind", ["BEZIER", "LINEAR", "CONSTANT"])
def test_a_key_put_into_a_curve_leaves_it_as_it_is(rig, at, kind):
    from urdf_rig.addon.motion.keys import Keys

    turn = key(rig, "turn", [(1, 0.0), (20, 3.0), (24, -1.0), (60, 1.0)], kind)
    for point in turn.keyframe_points:
        point.handle_left_type = point.handle_right_type = "FREE"
    turn.keyframe_points[0].handle_right = (35.0, 2.0)  # beyond the next key: Blender shortens it
    turn.update()
    places = np.linspace(1.0, 60.0, 500)
    before = [turn.evaluate(place) for place in places]
    Keys.of(turn).split_at(at, "turn").with_fixed_handles((at,)).write(turn)
    assert len(turn.keyframe_points) == 5
    assert [turn.evaluate(place) for place in places] == pytest.approx(before, abs=1e-4)
