# SPDX-License-Identifier: GPL-3.0-or-later
"""Every SRDF file of example-robot-data: read, and each of its named poses applied to a rig of its robot."""

from __future__ import annotations

import json
import math
from pathlib import Path
from xml.etree import ElementTree

import bpy
import pytest

_ONLY_SDF = {"cassie_v2.srdf"}  # its robot has closed loops, and no URDF


def _wanted(srdf: Path) -> dict[tuple[str, str], dict[str, list[float]]]:
    """Return the numbers of each named pose by group and name, read with the standard library; without namespaces."""
    return {
        (state.get("group", ""), state.get("name", "")): {
            joint.get("name", "").rsplit("/", 1)[-1]: [float(word) for word in joint.get("value", "").split()]
            for joint in state.findall("joint")
        }
        for state in ElementTree.parse(srdf).getroot().findall("group_state")
    }


def _robot_for(srdf: Path, states: dict[tuple[str, str], dict[str, list[float]]]) -> Path:
    """Return the description in the package that has the most of the poses' joints, or else is called alike."""
    asked = {joint for values in states.values() for joint in values}

    def rank(path: Path) -> tuple[int, bool, bool]:
        root = ElementTree.parse(path).getroot()
        joints = {joint.get("name") for joint in root.findall("joint")}
        # a few are xacro by another name, without a link of their own
        return len(asked & joints), root.find("link") is not None, path.stem == srdf.stem

    return max(sorted(srdf.parents[1].rglob("*.urdf")), key=rank)


def _checked(rig: bpy.types.Object, values: dict[str, list[float]]) -> int:
    """Return how many joints have the pose's values, brought within limits; none has another."""
    from urdf_rig.addon.poses.joint_state import joint_state
    from urdf_rig.addon.rig import joint_bones_by_name

    bones, shown, count = joint_bones_by_name(rig), joint_state(rig), 0
    for joint, numbers in values.items():
        if joint in bones and not bones[joint].data.leader:
            value = math.atan2(numbers[1], numbers[0]) if len(numbers) == 2 else numbers[0]
            assert shown[joint] == pytest.approx(bones[joint].clamped(value), abs=1e-6), joint
            count += 1
    return count


def test_every_named_pose_is_applied(corpus_file):
    from urdf_rig.addon.importer import ImportOptions, import_robot
    from urdf_rig.addon.properties import armature_data
    from urdf_rig.addon.rig import robot_of
    from urdf_rig.core.urdf.srdf import read_srdf

    robots = next(folder for folder in corpus_file("panda").parents if folder.name == "robots")
    files = [path for path in sorted(robots.glob("*/srdf/*.srdf")) if path.name not in _ONLY_SDF]
    applied = 0
    for srdf in files:
        states = _wanted(srdf)
        bpy.ops.wm.read_homefile(use_empty=True)
        rig = import_robot(bpy.context, _robot_for(srdf, states), ImportOptions(visuals=False)).rig
        armature_data(rig.data).semantics = json.dumps(read_srdf(srdf, robot_of(rig)).as_dict())
        bpy.context.view_layer.objects.active = rig
        for (group, state), values in states.items():
            bpy.ops.urdf_rig.reset_joints()
            assert bpy.ops.urdf_rig.apply_pose(name=state, group=group, srdf=True) == {"FINISHED"}
            assert _checked(rig, values), (srdf.name, state)
            applied += 1
    assert len(files) == 37 and applied == 41
