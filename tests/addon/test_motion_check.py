# SPDX-License-Identifier: GPL-3.0-or-later
"""Checking an animated rig: what is found where, the list, markers, red sliders, undo and files, joint limits."""

from __future__ import annotations

import json
from types import SimpleNamespace

import bpy
import pytest
from checked_rig import FPS, PLAIN, check, key, rows, sliders_in_red
from other_processes import urdf_rig


@pytest.fixture
def rig(rig_of, tmp_path):
    scene = bpy.context.scene
    scene.render.fps, scene.frame_start, scene.frame_end = FPS, 1, 101
    return rig_of(PLAIN, tmp_path).rig


def test_exactly_at_the_limit_passes_and_a_thousandth_above_fails_at_its_frame_and_joint(rig):
    # grip turns at 1.0 of 1.2 rad/s; turn at 2 rad/s, and a thousandth faster from frame 41 to 42
    key(rig, "slide", [(1, 0.0), (101, 0.5 * 100 / FPS)])
    step = 2.0 / FPS
    key(rig, "turn", [(1, 0.0), (101, 100 * step)])
    data = check(rig)
    assert rows(data) == []
    assert data.summary == "The robot can do it"
    key(rig, "turn", [(41, 40 * step), (42, 41.001 * step), (101, 100 * step)])
    data = check(rig)
    assert rows(data) == [("velocity", "turn", 41.0, 41.0, 42.0)]
    (item,) = data.findings
    assert item.value == pytest.approx(2.002, abs=1e-4)
    assert item.limit == 2.0
    assert item.turns


@pytest.mark.parametrize("start", [1, 1000, 7000, 20_000])
def test_the_limit_holds_far_along_the_timeline_and_for_keys_between_frames(rig, start):
    scene = bpy.context.scene
    scene.frame_end = start + 150
    scene.frame_start = start
    length = 100.37
    key(rig, "turn", [(start + 0.21, -4.0), (start + 0.21 + length, -4.0 + 2.0 * length / FPS)])
    assert rows(check(rig)) == []
    above = 1.001 if start < 8000 else 1.005
    key(rig, "turn", [(start + 0.21 + length, -4.0 + 2.0 * above * length / FPS)])
    assert [row[:2] for row in rows(check(rig))] == [("velocity", "turn")]


def test_a_follower_is_too_fast_with_its_leader(rig):
    key(rig, "slide", [(1, 0.0), (11, 0.7 * 10 / FPS)])  # grip: 1.4 rad/s
    assert {row[:2] for row in rows(check(rig))} == {("velocity", "slide"), ("velocity", "grip")}


def test_drivers_constraints_and_the_nla_are_sampled_too(rig):
    from urdf_rig.addon.rig import joint_bones_by_name

    bone = joint_bones_by_name(rig)["turn"]
    driver = bone.bone.driver_add(bone.data_path, 1).driver
    driver.expression = f"frame * {3.0 / FPS}"
    data = check(rig)
    assert [row[:2] for row in rows(data)] == [("velocity", "turn")]
    assert data.findings[0].value == pytest.approx(3.0, rel=1e-3)


def test_a_stepped_key_is_a_jump_and_two_are_a_flip(rig):
    key(rig, "turn", [(1, 0.0), (50, 1.0)], "CONSTANT")
    assert rows(check(rig)) == [("jump", "turn", 49.0, 49.0, 50.0)]
    key(rig, "slide", [(1, 0.0), (50, 0.3)], "CONSTANT")
    data = check(rig)
    assert {row[:3] for row in rows(data)} == {("flip", name, 49.0) for name in ("turn", "slide", "grip")}


def test_the_preview_range_and_the_rate_count(rig):
    scene = bpy.context.scene
    key(rig, "turn", [(1, 0.0), (60, 0.0), (60.25, 0.01), (61, 0.01)])  # 0.96 rad/s for a quarter of a frame
    key(rig, "turn", [(60.25, 0.05)])  # 4.8 rad/s, in a frame 0.05 - 0.01: seen only with more samples
    assert "velocity" not in {row[0] for row in rows(check(rig))}
    assert any(row[:2] == ("velocity", "turn") and 60.0 <= row[2] < 60.25 for row in rows(check(rig, rate=8.0 * FPS)))
    scene.use_preview_range = True
    scene.frame_preview_start, scene.frame_preview_end = 1, 50
    data = check(rig)
    assert rows(data) == []
    assert (data.first, data.last) == (1.0, 50.0)


def test_beyond_its_range(rig):
    # the channel can hold what the constraint then stops, and what is exported
    curve = key(rig, "turn", [(1, 29.5), (101, 29.5)])
    from urdf_rig.addon.rig import joint_bones_by_name

    sign = joint_bones_by_name(rig)["turn"].data.sign
    curve.keyframe_points[1].co.y = sign * 31.5
    curve.update()
    data = check(rig)
    assert rows(data) == [("position", "turn", 101.0, 27.0, 101.0)]
    assert data.findings[0].value == pytest.approx(31.5)


def test_going_to_a_finding_selects_its_bone(rig):
    from urdf_rig.addon.rig import joint_bones_by_name

    key(rig, "turn", [(1, 0.0), (50, 1.0)], "CONSTANT")
    data = check(rig)
    assert bpy.context.scene.frame_current == 1
    data.active = 0
    assert bpy.context.scene.frame_current == 49
    bone = joint_bones_by_name(rig)["turn"].bone
    assert rig.data.bones.active == bone.bone
    chosen = [item.name for item in rig.pose.bones if (item if hasattr(item, "select") else item.bone).select]
    assert chosen == [bone.name]
    bpy.context.scene.frame_set(1)
    assert bpy.ops.urdf_rig.show_finding(index=0) == {"FINISHED"}
    assert bpy.context.scene.frame_current == 49
    with pytest.raises(RuntimeError, match="only 1 findings"):
        bpy.ops.urdf_rig.show_finding(index=5)


def test_markers_are_its_own_and_go_with_the_check(rig):
    scene = bpy.context.scene
    scene.timeline_markers.new("mine", frame=3)
    key(rig, "turn", [(1, 0.0), (50, 1.0)], "CONSTANT")
    check(rig, markers=True)
    assert sorted((marker.frame, marker.name) for marker in scene.timeline_markers) == [
        (3, "mine"),
        (49, "Check r: turn jump"),
    ]
    rig.name = "another"
    check(rig)
    assert sorted(marker.name for marker in scene.timeline_markers) == ["Check another: turn jump", "mine"]
    assert bpy.ops.urdf_rig.clear_motion_check() == {"FINISHED"}
    assert [marker.name for marker in scene.timeline_markers] == ["mine"]


def test_sliders_are_red_where_they_are_to_blame(rig):
    key(rig, "turn", [(1, 0.0), (20, 0.0), (25, 1.0)])
    check(rig)
    scene = bpy.context.scene
    for frame, expected in ((19, []), (20, ["turn"]), (25, ["turn"]), (26, [])):
        scene.frame_set(frame)
        assert sliders_in_red(rig) == expected


def test_the_result_is_in_the_file(rig, tmp_path):
    from urdf_rig.addon.motion.check_settings import check_data

    key(rig, "turn", [(1, 0.0), (50, 1.0)], "CONSTANT")
    before = rows(check(rig))
    path = str(tmp_path / "kept.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    again = check_data(bpy.data.objects["r"])
    assert again.checked
    assert rows(again) == before
    assert again.summary == "1 finding"


def test_undo_takes_it_back(rig):
    from urdf_rig.addon.motion.check_settings import check_data

    key(rig, "turn", [(1, 0.0), (50, 1.0)], "CONSTANT")
    bpy.context.view_layer.objects.active = rig
    bpy.ops.ed.undo_push(message="keys")
    check(rig)
    bpy.ops.ed.undo_push(message="check")
    bpy.ops.ed.undo()
    assert not check_data(bpy.data.objects["r"]).checked
    bpy.ops.ed.redo()
    assert rows(check_data(bpy.data.objects["r"])) == [("jump", "turn", 49.0, 49.0, 50.0)]


def test_a_file_of_joint_limits_is_kept_and_forgotten(rig, tmp_path):
    path = tmp_path / "joint_limits.yaml"
    path.write_text("joint_limits: {turn: {max_velocity: 0.9, has_acceleration_limits: true, max_acceleration: 5}}")
    key(rig, "turn", [(1, 0.0), (101, 100 / FPS)])
    assert rows(check(rig)) == []
    assert bpy.ops.urdf_rig.read_joint_limits(filepath=str(path)) == {"FINISHED"}
    path.unlink()
    data = check(rig)
    assert data.limits_file == "joint_limits.yaml"
    assert [row[:2] for row in rows(data)] == [("velocity", "turn")]
    assert data.findings[0].limit == pytest.approx(0.9)
    assert bpy.ops.urdf_rig.clear_joint_limits() == {"FINISHED"}
    assert rows(check(rig)) == []


def test_the_other_scene_unit_changes_nothing(rig):
    scene = bpy.context.scene
    key(rig, "slide", [(1, 0.0), (101, 0.5 * 100 / FPS)])
    scene.unit_settings.scale_length = 0.01
    assert rows(check(rig)) == []


def test_the_panel_draws_what_was_found(rig):
    key(rig, "turn", [(1, 0.0), (50, 1.0)], "CONSTANT")
    check(rig)
    texts = []

    class Recorder:
        alert = False

        def __getattr__(self, name):
            return self._inner if name in ("row", "column", "split") else lambda *_args, **_options: SimpleNamespace()

        def _inner(self, **_options):
            return Recorder()

        def label(self, text="", **_options):
            texts.append(text)

        def prop(self, owner, name, **_options):
            assert name in owner.bl_rna.properties

    panel = bpy.types.URDF_RIG_PT_check
    owner = SimpleNamespace(layout=Recorder())
    owner._draw_result = lambda context, data: panel._draw_result(owner, context, data)
    panel.draw(owner, bpy.context)
    assert "Frames 1 to 101: 1 finding" in " ".join(texts)
    assert "Jump, frames 49 to 50" in texts and "57.296 > 4.7746 °" in texts
    texts.clear()
    item = rig.data.urdf_rig_check.findings[0]
    bpy.types.URDF_RIG_UL_findings.draw_item(None, bpy.context, Recorder(), None, item, 0, None, "", 0, 0)
    assert texts == ["turn", "49"]


def test_the_command_checks_a_blend_and_leaves_it_as_it_is(rig, tmp_path):
    key(rig, "turn", [(1, 0.0), (50, 0.0), (51, 2.002 / FPS)])
    path, picture = tmp_path / "kept.blend", tmp_path / "picture.png"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    before = path.read_bytes()
    run = urdf_rig("check-motion", path, "--plot", picture, "--json")
    assert run.returncode == 3, run.stderr
    (item,) = json.loads(run.stdout)["findings"]
    assert (item["kind"], item["joint"], item["frame"]) == ("velocity", "turn", 50.0)
    assert item["value"] == pytest.approx(2.002, abs=1e-4)
    assert picture.read_bytes()[:4] == b"\x89PNG"
    assert path.read_bytes() == before
    run = urdf_rig("check-motion", path, "--end", 40)
    assert (run.returncode, run.stdout.splitlines()[0]) == (0, "r: can do it; 40 samples in 1.625 s")


@pytest.mark.parametrize("suffix", ["png", "svg"])
def test_the_plot_button_writes_the_picture(rig, tmp_path, suffix):
    key(rig, "turn", [(1, 0.0), (50, 1.0)])
    bpy.context.view_layer.objects.active = rig
    path = tmp_path / f"motion.{suffix}"
    assert bpy.ops.urdf_rig.plot_motion(filepath=str(path)) == {"FINISHED"}
    if suffix == "png":
        image = bpy.data.images["motion.png"]
        assert image.size[0] > 1000
        assert image.has_data
    else:
        assert "turn" in path.read_text(encoding="utf-8")
    with pytest.raises(RuntimeError, match="unknown kind of picture"):
        bpy.ops.urdf_rig.plot_motion(filepath=str(tmp_path / "motion.gif"))


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[1]",
        '{"turn": {"velocity": "fast"}}',
        '{"turn": {"force": 1}}',
        '{"turn": {"velocity": NaN}}',
        '{"turn": 3}',
    ],
)
def test_damaged_limits_are_refused(rig, text):
    rig.data.urdf_rig_check.limits = text
    with pytest.raises(RuntimeError, match="were damaged: read the file again"):
        bpy.ops.urdf_rig.check_motion()
    assert bpy.ops.urdf_rig.clear_joint_limits() == {"FINISHED"}
    assert rows(check(rig)) == []


@pytest.mark.parametrize("text", ["{", '{"disabled_pairs": [1]}', '{"disabled_pairs": [["a"]]}', "3"])
def test_a_damaged_srdf_is_refused(rig, text):
    rig.data.urdf_rig.semantics = text
    with pytest.raises(RuntimeError, match="was damaged: import it again"):
        bpy.ops.urdf_rig.check_motion()


def test_the_work_is_done_bit_by_bit_and_can_be_given_up(rig):
    from urdf_rig.addon.motion.check_settings import check_data
    from urdf_rig.addon.motion.rig_check import check_rig_stepwise
    from urdf_rig.addon.rig import joint_bones_by_name

    bpy.context.scene.frame_set(7)
    joint_bones_by_name(rig)["turn"].bone.constraints.new("COPY_ROTATION")  # so that frames have to be played
    work = check_rig_stepwise(bpy.context, rig, start=1, end=60)
    shares = [share for share, _text in (next(work) for _ in range(20))]
    assert shares == sorted(shares) and 0.0 <= shares[0] < shares[-1] <= 1.0
    assert all(text for _share, text in (next(work) for _ in range(3)))
    work.close()
    assert bpy.context.scene.frame_current == 7
    assert not check_data(rig).findings and not check_data(rig).summary
