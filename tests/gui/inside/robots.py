# SPDX-License-Identifier: GPL-3.0-or-later
"""What the scenarios ask of the scene: rigs, their channels, and the extension itself."""

import sys

import bpy

NAME = "bl_ext.user_default.urdf_rig"


def module(path):
    """Return a module of the installed extension."""
    return sys.modules[f"{NAME}.{path}"]


def rigs():
    return [obj for obj in bpy.data.objects if obj.type == "ARMATURE"]


def rig():
    (only,) = rigs()
    return only


def channels(obj=None):
    """Return {bone: value of the joint's channel} as Blender stores it; of followers what their drivers set."""
    obj = obj or rig()
    data = {}
    for bone in obj.pose.bones:
        data[bone.name] = (*bone.rotation_euler, *bone.location)
    return data


def close(left, right, tolerance=1e-5):
    """Return whether two results of ``channels`` are the same."""
    return left.keys() == right.keys() and all(
        abs(a - b) <= tolerance for name in left for a, b in zip(left[name], right[name], strict=True)
    )


def import_robot(hand, path):
    """Import by the operator, for scenarios that are about what comes after it; and look at the robot."""
    with hand.here():
        assert bpy.ops.urdf_rig.import_robot(filepath=str(path)) == {"FINISHED"}
        bpy.ops.view3d.view_all()


def clear():
    """Remove what the start-up file has."""
    bpy.data.batch_remove(list(bpy.data.objects))


def panels():
    """Return all panel classes of the extension, parents before children."""
    found = [kind for kind in bpy.types.Panel.__subclasses__() if kind.__module__.startswith(NAME + ".")]
    return sorted(found, key=lambda kind: bool(getattr(kind, "bl_parent_id", "")))
