# SPDX-License-Identifier: GPL-3.0-or-later
"""All operators on a robot are disabled where there is none, and those that change it where it is linked."""

from __future__ import annotations

import bpy
import pytest

ROBOT = """<robot name="r"><link name="base"/><link name="a"/>
  <joint name="j" type="continuous"><parent link="base"/><child link="a"/></joint></robot>"""


def operators(mixin):
    found = []
    kinds = [mixin]
    while kinds:
        kind = kinds.pop()
        kinds += kind.__subclasses__()
        if issubclass(kind, bpy.types.Operator):
            found.append(getattr(bpy.ops.urdf_rig, kind.bl_idname.split("_ot_")[-1].lower().rpartition(".")[2]))
    return found


def test_without_a_robot_all_say_so():
    from urdf_rig.addon.operators.on_robot import OnRobot

    found = operators(OnRobot)
    assert len(found) > 30
    for operator in found:
        assert not operator.poll()
        with pytest.raises(RuntimeError, match="No robot selected"):
            operator()


def test_what_changes_a_robot_is_disabled_on_a_linked_one(rig_of, tmp_path):
    from urdf_rig.addon.operators.on_robot import OnLocalRobot

    rig_of(ROBOT, tmp_path)
    path = str(tmp_path / "robot.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path, copy=True)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    with bpy.data.libraries.load(path, link=True) as (_, wanted):
        wanted.objects = ["r"]
    bpy.context.collection.objects.link(wanted.objects[0])
    found = operators(OnLocalRobot)
    assert len(found) > 15 and bpy.ops.urdf_rig.copy_joints.poll()
    for operator in found:
        assert not operator.poll()
        with pytest.raises(RuntimeError, match="make a library override"):
            operator()
