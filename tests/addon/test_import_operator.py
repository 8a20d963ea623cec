# SPDX-License-Identifier: GPL-3.0-or-later
"""File > Import > Robot: options, undo, refusals, registration."""

from __future__ import annotations

import addon_utils
import bpy
import pytest

ROBOT = """<robot name="r"><link name="base"><visual><geometry><mesh filename="nowhere.stl"/></geometry></visual>
  <visual><geometry><box size="1 1 1"/></geometry><material name="m"><color rgba="1 0 0 1"/></material></visual>
  <collision><geometry><sphere radius="1"/></geometry></collision></link><link name="tip"/>
  <joint name="j" type="continuous"><parent link="base"/><child link="tip"/></joint></robot>"""


def everything():
    """Return the names of all datablocks in the file, by kind."""
    kinds = ("objects", "meshes", "armatures", "materials", "collections", "images", "actions")
    return {kind: sorted(item.name for item in getattr(bpy.data, kind)) for kind in kinds}


def write(folder, text):
    path = folder / "robot.urdf"
    path.write_text(text)
    return str(path)


def test_it_imports_and_verifies(tmp_path):
    assert bpy.ops.urdf_rig.import_robot(filepath=write(tmp_path, ROBOT)) == {"FINISHED"}
    rig = bpy.context.object
    assert rig.type == "ARMATURE" and rig.data.urdf_rig.verify_passed
    assert rig.data.urdf_rig.robot == "r" and rig.data.urdf_rig.schema_version == 1
    assert [child.type for child in rig.children] == ["EMPTY", "MESH"]


def test_options_reach_the_importer(tmp_path):
    bpy.ops.urdf_rig.import_robot(
        filepath=write(tmp_path, ROBOT), visuals=False, collisions=True, base="tip", verify=False
    )
    rig = bpy.context.object
    assert rig.data.urdf_rig.base == "tip" and not rig.data.urdf_rig.verified
    assert [child.urdf_rig.is_collision for child in rig.children] == [True]
    collection = bpy.data.collections["Collision"]
    assert collection.hide_viewport and collection.hide_render
    assert rig.children[0].display_type == "WIRE"


def test_undo_leaves_nothing(tmp_path):
    bpy.ops.ed.undo_push(message="before")
    before = everything()
    bpy.ops.urdf_rig.import_robot("EXEC_DEFAULT", True, filepath=write(tmp_path, ROBOT), collisions=True)
    assert everything() != before
    bpy.ops.ed.undo()
    assert everything() == before


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("<robot name='r'><link name='a'/><link name='b'/></robot>", {}),
        ("not xml", {}),
        (ROBOT, {"base": "nowhere"}),
    ],
)
def test_a_refused_file_leaves_nothing(tmp_path, text, options):
    before = everything()
    with pytest.raises(RuntimeError) as refused:
        bpy.ops.urdf_rig.import_robot(filepath=write(tmp_path, text), **options)
    assert "Traceback" not in str(refused.value)
    assert everything() == before


def test_a_failure_while_building_leaves_nothing(tmp_path, monkeypatch):
    from urdf_rig.addon.build import rig as build
    from urdf_rig.core.errors import RigError

    real = build.build_shapes

    def fails_late(*args):
        assert real(*args)
        raise RigError("the disk is on fire")

    monkeypatch.setattr(build, "build_shapes", fails_late)
    before = everything()
    with pytest.raises(RuntimeError, match="on fire"):
        bpy.ops.urdf_rig.import_robot(filepath=write(tmp_path, ROBOT))
    assert everything() == before
    assert bpy.context.mode == "OBJECT"


def test_a_cancelled_import_leaves_nothing_at_any_step(tmp_path):
    from pathlib import Path

    from urdf_rig.addon.importer import ImportOptions, import_stepwise

    path = Path(write(tmp_path, ROBOT))
    before = everything()
    total = len(list(import_stepwise(bpy.context, path, ImportOptions())))
    bpy.data.batch_remove([*bpy.data.objects, *bpy.data.meshes, *bpy.data.armatures, *bpy.data.materials])
    bpy.data.batch_remove(list(bpy.data.collections))
    assert total == 4 and everything() == before
    for count in range(total):
        steps = import_stepwise(bpy.context, path, ImportOptions())
        for _ in range(count + 1):
            next(steps)
        steps.close()
        assert everything() == before


def test_it_works_from_edit_mode_of_another_object(tmp_path):
    other = bpy.data.objects.new("other", bpy.data.meshes.new("other"))
    bpy.context.scene.collection.objects.link(other)
    bpy.context.view_layer.objects.active = other
    bpy.ops.object.mode_set(mode="EDIT")
    assert bpy.ops.urdf_rig.import_robot(filepath=write(tmp_path, ROBOT)) == {"FINISHED"}
    assert bpy.context.mode == "OBJECT" and not other.select_get()


def menu_entries():
    """Count our functions in the import menu: robots and motions."""
    functions = bpy.types.TOPBAR_MT_file_import._dyn_ui_initialize()
    return sum(function.__module__.startswith("urdf_rig") for function in functions)


def test_enabling_twice_leaves_each_menu_entry_once_and_disabling_nothing():
    assert menu_entries() == 2
    for _ in range(2):
        addon_utils.disable("urdf_rig")
        assert menu_entries() == 0
        owners = (bpy.types.Armature, bpy.types.Bone, bpy.types.Object, bpy.types.PoseBone, bpy.types.WindowManager)
        assert [name for owner in owners for name in dir(owner) if "urdf_rig" in name] == []
        assert [name for name in dir(bpy.types) if name.startswith("URDF_RIG")] == []
        assert not any("urdf_rig" in item.__module__ for item in bpy.app.handlers.load_post)
        addon_utils.enable("urdf_rig")
    assert menu_entries() == 2


def test_dropping_a_file_is_offered():
    handler = bpy.types.URDF_RIG_FH_robot
    assert ".urdf" in handler.bl_file_extensions.split(";")
    assert handler.bl_import_operator == "urdf_rig.import_robot"


XACRO = """<robot name="x" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:arg name="prefix" default="left_"/><link name="$(arg prefix)base"/></robot>"""


def test_the_arguments_of_a_xacro_file_are_offered_with_their_defaults(tmp_path):
    from urdf_rig.addon.operators.import_options import ImportOptionsMixin

    path = tmp_path / "robot.urdf.xacro"
    path.write_text(XACRO)
    arguments = []

    class Offered(list):
        def add(self):
            self.append(type("Argument", (), {})())
            return self[-1]

    dialog = type("Dialog", (ImportOptionsMixin,), {"xacro_file": "", "package_path": ""})()
    dialog.xacro_arguments = arguments = Offered()
    assert dialog.offer_arguments(bpy.context, path)
    assert [(item.name, item.value) for item in arguments] == [("prefix", "left_")]
    assert not dialog.offer_arguments(bpy.context, path)
    assert dialog.offer_arguments(bpy.context, tmp_path / "missing.xacro") and not arguments


def test_a_xacro_file_is_imported_with_the_arguments_given(tmp_path):
    path = tmp_path / "robot.urdf.xacro"
    path.write_text(XACRO)
    bpy.ops.urdf_rig.import_robot(filepath=str(path))
    assert [bone.name for bone in bpy.context.object.data.bones] == ["left_base"]
    chosen = [{"name": "prefix", "value": "right_", "default": "left_"}]
    bpy.ops.urdf_rig.import_robot(filepath=str(path), xacro_arguments=chosen)
    assert [bone.name for bone in bpy.context.object.data.bones] == ["right_base"]
    assert "xacro" not in bpy.context.object.data.urdf_rig.urdf


@pytest.mark.parametrize("pack", [False, True])
def test_textures_are_packed_on_request(tmp_path, pack):
    image = bpy.data.images.new("paint", 4, 4)
    image.filepath_raw, image.file_format = str(tmp_path / "paint.png"), "PNG"
    image.save()
    bpy.data.images.remove(image)
    text = """<robot name="r"><link name="base"><visual><geometry><box size="1 1 1"/></geometry>
      <material name="m"><texture filename="paint.png"/></material></visual></link></robot>"""
    bpy.ops.urdf_rig.import_robot(filepath=write(tmp_path, text), pack_textures=pack)
    (loaded,) = bpy.data.images
    assert (loaded.packed_file is not None) == pack
    material = bpy.context.object.children[0].material_slots[0].material
    assert any(node.type == "TEX_IMAGE" and node.image is loaded for node in material.node_tree.nodes)
