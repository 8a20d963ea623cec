# SPDX-License-Identifier: GPL-3.0-or-later
"""An arm with goals, for the tests of inverse kinematics in Blender."""

from __future__ import annotations

import math
from pathlib import Path

import bpy
import numpy as np
from mathutils import Matrix, Quaternion, Vector

ARM = Path(__file__).parent.parent.parent / "examples/arm6/arm6.urdf"
TIP = "tool0"
READY = {"joint_1": 0.3, "joint_2": 0.2, "joint_3": -0.5, "joint_4": 0.5, "joint_5": 0.9, "joint_6": -0.3}

# shoulder and wrist with three crossing axes each, and an elbow between: the simplest arm with a joint to spare
_JOINT = """<joint name="j{n}" type="revolute"><parent link="l{p}"/><child link="l{n}"/><origin xyz="0 0 {z}"/>
  <axis xyz="{axis}"/><limit lower="-2.9" upper="2.9" effort="1" velocity="1"/></joint><link name="l{n}"/>"""
_PLAN = ((0.3, "0 0 1"), (0, "0 1 0"), (0, "0 0 1"), (0.4, "0 1 0"), (0.4, "0 0 1"), (0, "0 1 0"), (0, "0 0 1"))
SEVEN = f"""<robot name="arm7"><link name="l0"/>{
    "".join(_JOINT.format(n=n, p=n - 1, z=z, axis=axis) for n, (z, axis) in enumerate(_PLAN, 1))
}<link name="hand"/>
<joint name="flange" type="fixed"><parent link="l7"/><child link="hand"/><origin xyz="0 0 0.1"/></joint></robot>"""
READY_SEVEN = {"j1": 0.3, "j2": 0.6, "j3": -0.2, "j4": 1.2, "j5": 0.3, "j6": 0.7, "j7": 0.1}


def ready_arm(rig_of):
    """Import the example's arm, bend it, and put it somewhere."""
    from urdf_rig.addon.rig import set_joint_values

    rig = rig_of(ARM).rig
    set_joint_values(rig, READY)
    rig.matrix_world = Matrix.LocRotScale((0.4, -0.2, 0.1), Quaternion((0.0, 0.0, 1.0), 0.7), None)
    bpy.context.view_layer.update()
    return rig


def ready_seven(rig_of, folder):
    """Import an arm with seven joints, whose last link is ``hand``, and bend it."""
    from urdf_rig.addon.rig import set_joint_values

    rig = rig_of(SEVEN, folder).rig
    set_joint_values(rig, READY_SEVEN)
    bpy.context.view_layer.update()
    return rig


def add(**options):
    """Add a goal for the tip, and return its object."""
    before = set(bpy.data.objects)
    assert bpy.ops.urdf_rig.add_ik_goal(**{"link": TIP, **options}) == {"FINISHED"}
    (goal,) = set(bpy.data.objects) - before
    return goal


def shown(rig, link=TIP):
    """Return a link's pose in the world as Blender evaluates its bone."""
    bpy.context.view_layer.update()
    evaluated = rig.evaluated_get(bpy.context.evaluated_depsgraph_get())
    bone = next(item for item in evaluated.pose.bones if item.bone.urdf_rig.link == link)
    b_h_l = np.reshape(bone.bone.urdf_rig.bone_h_link, (4, 4)).astype(float)
    return np.array(evaluated.matrix_world, dtype=float) @ np.array(bone.matrix, dtype=float) @ b_h_l


def off(rig, goal, link=TIP):
    """Return how far the link's origin is from the goal's, and the largest difference of their axes."""
    pose, wanted = shown(rig, link), np.array(goal.matrix_world, dtype=float)
    return np.linalg.norm(pose[:3, 3] - wanted[:3, 3]), np.abs(pose[:3, :3] - wanted[:3, :3]).max()


def joints(rig):
    from urdf_rig.addon.rig import joint_values

    return joint_values(rig)


def handlers():
    """Return the handlers of live rigs that there are."""
    lists = bpy.app.handlers.depsgraph_update_post, bpy.app.handlers.frame_change_post
    return [item.__name__ for items in lists for item in items if item.__module__.endswith("addon.ik.live")]


def circle(goal, frames=50, radius=0.12):
    """Key the goal at every frame of a circle through where it is."""
    start = goal.location.copy()
    for frame in range(1, frames + 1):
        angle = 2 * math.pi * (frame - 1) / (frames - 1)
        goal.location = start + radius * Vector((0.0, math.sin(angle), math.cos(angle) - 1.0))
        goal.keyframe_insert("location", frame=frame)


def live(rig, on=True):
    rig.urdf_rig_ik_robot.live = on
    bpy.context.view_layer.update()
