# SPDX-License-Identifier: GPL-3.0-or-later
"""The inputs in tests/data/cases, on the rig as Blender evaluates it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import bpy
import numpy as np
import pytest

FOLDER = Path(__file__).parent.parent / "data" / "cases"


def checks(name):
    block = re.search(r"```json\n(.*?)\n```", (FOLDER / name / "expect.md").read_text(encoding="utf-8"), re.DOTALL)
    return json.loads(block.group(1))


def collect():
    """Yield the plain URDF inputs that have poses."""
    for folder in sorted(FOLDER.iterdir()):
        expected = checks(folder.name)
        for number, case in enumerate(expected.get("cases", [expected])):
            plain = str(case.get("input", "")).endswith(".urdf") and "xacro" not in folder.name
            if plain and case.get("import", "ok") == "ok" and ("fk" in case or "rest_fk" in case):
                yield pytest.param(folder / case["input"], case, id=f"{folder.name}-{number}")


def quaternion_matrix(wxyz):
    w, x, y, z = np.array(wxyz) / np.linalg.norm(wxyz)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def check_frames(poses, frames):
    for link, want in frames.items():
        scale = max(1.0, float(np.linalg.norm(want["xyz"])))
        assert poses[link][:3, 3] == pytest.approx(want["xyz"], abs=1e-5 * scale)
        assert poses[link][:3, :3] == pytest.approx(quaternion_matrix(want["quat_wxyz"]), abs=1e-5)


@pytest.mark.parametrize(("path", "case"), list(collect()))
def test_posed_links_are_where_the_case_says(rig_of, link_poses, path, case):
    from urdf_rig.addon.rig import joint_values, set_joint_values
    from urdf_rig.addon.verify import verify_rig

    rig = rig_of(path).rig
    for item in case.get("fk", []):
        values = {name: 0.0 for name in joint_values(rig)} | item["q"]
        set_joint_values(rig, values)
        if joint_values(rig) == pytest.approx(values, abs=1e-6):  # a pose that the limits allow
            check_frames(link_poses(rig), item["frames"])
    for item in case.get("rest_fk", []):
        rest = {
            bone.urdf_rig.link: np.array(bone.matrix_local) @ np.reshape(bone.urdf_rig.bone_h_link, (4, 4))
            for bone in rig.data.bones
        }
        check_frames(rest, item["frames"])
    result = verify_rig(bpy.context, rig, 12)
    assert result.passed, result.problems


@pytest.mark.parametrize("name", ["32-limits-without-zero", "33-limits-beyond-pi"])
def test_values_are_clamped_on_the_number(rig_of, name):
    from urdf_rig.addon.rig import joint_values, set_joint_values

    rig = rig_of(FOLDER / name / "robot.urdf").rig
    for item in checks(name)["clamp"]:
        set_joint_values(rig, item["set"])
        values = joint_values(rig)
        assert {joint: values[joint] for joint in item["expect"]} == pytest.approx(item["expect"])


def test_followers_take_their_value_through_the_chain(rig_of):
    from urdf_rig.addon.rig import joint_bones_by_name, set_joint_values

    rig = rig_of(FOLDER / "29-mimic-chain-offset" / "robot.urdf").rig
    for item in checks("29-mimic-chain-offset")["joint_values"]:
        set_joint_values(rig, {"lead": 0.0} | item["set"])
        bpy.context.view_layer.update()
        found = {name: joint.value for name, joint in joint_bones_by_name(rig).items()}
        assert {name: found[name] for name in item["expect"]} == pytest.approx(item["expect"], abs=1e-6)


def test_unlimited_sliders_reach_several_turns(rig_of):
    from urdf_rig.addon.rig import joint_bones_by_name
    from urdf_rig.addon.sliders import slider_name

    rig = rig_of(FOLDER / "31-limits-missing-or-on-continuous" / "robot.urdf").rig
    for name, ends in checks("31-limits-missing-or-on-continuous")["slider_reaches"].items():
        joint = joint_bones_by_name(rig)[name]
        prop = slider_name(joint, bpy.context.scene)
        for value in ends:
            setattr(joint.bone, prop, value)
            assert joint.value == pytest.approx(value)


def test_coincident_joints_have_a_bone_each_of_a_sensible_length(rig_of):
    case = checks("34-coincident-joints")
    rig = rig_of(FOLDER / "34-coincident-joints" / "robot.urdf").rig
    bones = {bone.urdf_rig.joint: bone for bone in rig.data.bones}
    for joint in case["one_bone_per_joint"]:
        assert bones[joint].length > case["bone_length_min"]


def test_long_and_odd_names_have_bones_of_their_own_that_can_be_animated(rig_of):
    from urdf_rig.addon.rig import joint_bones

    case = checks("36-bone-names")
    rig = rig_of(FOLDER / "36-bone-names" / "robot.urdf").rig
    joints = {joint.data.joint: joint for joint in joint_bones(rig)}
    assert list(joints) == case["dofs"]
    assert len({joint.bone.name for joint in joints.values()}) == len(case["dofs"])
    for joint in joints.values():
        joint.value = 0.0
        joint.bone.keyframe_insert(joint.data_path, index=1, frame=1)
        joint.value = 0.5
        joint.bone.keyframe_insert(joint.data_path, index=1, frame=25)
    bpy.context.scene.frame_set(1)
    assert [joint.value for joint in joints.values()] == pytest.approx([0.0] * 4)
    bpy.context.scene.frame_set(25)
    assert [joint.value for joint in joints.values()] == pytest.approx([0.5] * 4)


def test_floating_and_planar_bones_are_free_where_they_should_be(rig_of):
    rig = rig_of(FOLDER / "27-floating-and-planar" / "robot.urdf").rig
    bones = {bone.bone.urdf_rig.joint: bone for bone in rig.pose.bones}
    assert not any(bones["float"].lock_location) and not any(bones["float"].lock_rotation)
    assert list(bones["flat"].lock_location) == [False, True, False]
    assert list(bones["flat"].lock_rotation) == [True, False, True]


def test_a_mesh_file_is_one_datablock_for_each_scale(rig_of):
    rig = rig_of(FOLDER / "16-mesh-reuse-and-scale" / "robot.urdf").rig
    meshes = {child.urdf_rig.link: child.data for child in rig.children}
    assert meshes["l0"] is meshes["l1"]
    assert len({meshes["l1"], meshes["l2"], meshes["l3"]}) == 3
    assert all(tuple(child.scale) == (1.0, 1.0, 1.0) for child in rig.children)


def test_colours_are_linear_and_alpha_is_transparent(rig_of):
    name = "23-color-space-and-alpha"
    case = checks(name)
    rig = rig_of(FOLDER / name / "robot.urdf").rig
    shown = {child.urdf_rig.link: child for child in rig.children}
    for link, rgba in case["principled_base_color_linear"].items():
        material = shown[link].material_slots[0].material
        shader = next(node for node in material.node_tree.nodes if node.type == "BSDF_PRINCIPLED")
        assert list(shader.inputs["Base Color"].default_value)[:3] == pytest.approx(rgba[:3], abs=case["tol"])
        assert shader.inputs["Alpha"].default_value == pytest.approx(case["principled_alpha"][link])
    assert shown["glass"].material_slots[0].material.surface_render_method == "BLENDED"


def test_a_meshs_own_material_wins_over_the_urdfs(rig_of):
    name = "22-embedded-versus-urdf-material"
    rig = rig_of(FOLDER / name / "robot.urdf").rig
    shown = {child.urdf_rig.link: child for child in rig.children}
    for link, rgba in checks(name)["colors_urdf_rgba"].items():
        (material,) = {slot.material for slot in shown[link].material_slots if slot.material}
        shader = next(node for node in material.node_tree.nodes if node.type == "BSDF_PRINCIPLED")
        linear = [((c + 0.055) / 1.055) ** 2.4 for c in rgba[:3]]
        assert list(shader.inputs["Base Color"].default_value)[:3] == pytest.approx(linear, abs=2e-3)
    assert not any(slot.material for slot in shown["d"].material_slots)


def test_the_steps_of_verifying_after_a_move(rig_of):
    from urdf_rig.addon.rig import joint_bones_by_name, set_joint_values
    from urdf_rig.addon.verify import verify_rig

    rig = rig_of(FOLDER / "37-verify-after-move-and-stale" / "robot.urdf").rig
    rig.location, rig.rotation_euler, rig.scale = (3, -2, 1), (0.4, 0.2, -0.9), (2, 2, 2)
    set_joint_values(rig, {"j1": 0.7, "j2": -0.3})
    result = verify_rig(bpy.context, rig)
    assert result.passed and result.max_position_error < 1e-5
    joint_bones_by_name(rig)["j1"].bone.rotation_euler.z += 0.05
    result = verify_rig(bpy.context, rig)
    assert not result.passed
    assert any("'l1'" in problem for problem in result.problems)
    assert 0.049 < result.max_rotation_error < 0.051
