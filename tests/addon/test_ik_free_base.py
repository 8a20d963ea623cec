# SPDX-License-Identifier: GPL-3.0-or-later
"""Goals that the armature itself moves for."""

from __future__ import annotations

import math

import bpy
import numpy as np
import pytest
from ik_scene import add, live, off, shown
from mathutils import Vector

MASS = """<inertial><origin xyz="{at}"/><mass value="{mass}"/>
  <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>"""
WALKER = """<robot name="walker"><link name="body">{mass}</link>
  {legs}</robot>"""
LEG = """<link name="{n}thigh">{mass}</link><link name="{n}shin"/><link name="{n}foot"/>
  <joint name="{n}hip" type="revolute"><parent link="body"/><child link="{n}thigh"/><origin xyz="0 {y} 0"/>
    <axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="1" velocity="1"/></joint>
  <joint name="{n}knee" type="revolute"><parent link="{n}thigh"/><child link="{n}shin"/><origin xyz="0 0 -0.4"/>
    <axis xyz="0 1 0"/><limit lower="0" upper="2.5" effort="1" velocity="1"/></joint>
  <joint name="{n}ankle" type="revolute"><parent link="{n}shin"/><child link="{n}foot"/><origin xyz="0 0 -0.4"/>
    <axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="1" velocity="1"/></joint>"""


@pytest.fixture
def walker(rig_of, tmp_path):
    """Two legs, a little bent, each with a goal for its foot, and one that only says where the body is to be."""
    from urdf_rig.addon.rig import set_joint_values

    thigh = MASS.format(at="0 0 -0.2", mass=3)
    legs = "".join(LEG.format(n=name, y=y, mass=thigh) for name, y in (("l", 0.1), ("r", -0.1)))
    text = WALKER.format(legs=legs, mass=MASS.format(at="0 0 0.3", mass=20))
    rig = rig_of(text, tmp_path).rig
    bent = {"hip": -0.4, "knee": 0.8, "ankle": -0.4}
    set_joint_values(rig, {side + name: value for side in "lr" for name, value in bent.items()})
    rig.location.z = 0.75
    bpy.context.view_layer.update()
    return rig, [add(link="lfoot"), add(link="rfoot")]


def test_a_free_base_moves_where_the_feet_go(walker):
    rig, feet = walker
    rig.urdf_rig_ik_robot.base_free = True
    live(rig)
    for foot in feet:
        foot.location += Vector((5.0, 0.2, 0.1))  # far out of reach of legs alone
    bpy.context.view_layer.update()
    for foot, link in zip(feet, ("lfoot", "rfoot"), strict=True):
        assert max(off(rig, foot, link)) < 2e-5 and foot.urdf_rig_ik.reached
    assert rig.location.x > 4.0
    rested = rig.matrix_world.copy()
    bpy.context.scene.frame_set(7)
    assert np.abs(np.array(rig.matrix_world) - np.array(rested)).max() < 1e-5


@pytest.mark.parametrize("mode", ["XYZ", "QUATERNION", "AXIS_ANGLE"])
def test_a_free_base_is_baked_too(walker, mode):
    rig, feet = walker
    rig.rotation_mode = mode
    rig.urdf_rig_ik_robot.base_free = True
    # both feet go round the z axis, one and a half times
    hub = bpy.data.objects.new("hub", None)
    bpy.context.scene.collection.objects.link(hub)
    for frame, angle in ((1, 0.0), (41, 3 * math.pi)):
        hub.rotation_euler.z = angle
        hub.keyframe_insert("rotation_euler", frame=frame)
    for foot in feet:
        foot.parent = hub
    assert bpy.ops.urdf_rig.bake_ik(start=1, end=41) == {"FINISHED"}
    headings = []
    for frame in range(1, 42):
        bpy.context.scene.frame_set(frame)
        for foot, link in zip(feet, ("lfoot", "rfoot"), strict=True):
            assert max(off(rig, foot, link)) < 2e-5
        headings.append(rig.rotation_euler.z)
    if mode == "XYZ":
        assert abs(headings[-1]) > 3.0 * math.pi - 1.0 and np.abs(np.diff(headings)).max() < 0.6


def test_a_base_that_hangs_from_something_is_not_free(walker):
    rig = walker[0]
    rig.urdf_rig_ik_robot.base_free = True
    rig.parent = bpy.data.objects.new("ship", None)
    bpy.context.scene.collection.objects.link(rig.parent)
    with pytest.raises(RuntimeError, match="can't be free"):
        bpy.ops.urdf_rig.solve_ik()


def test_the_centre_of_mass_sways_over_feet_that_stand_still(walker):
    rig, feet = walker
    rig.urdf_rig_ik_robot.base_free = True
    mass = add(kind="MASS")
    standing = [np.array(foot.matrix_world) for foot in feet]
    live(rig)
    for x in (0.03, 0.06, -0.04):
        mass.location.x = x
        places = [(20.0, shown(rig, "body") @ (0.0, 0.0, 0.3, 1.0))]
        places += [(3.0, shown(rig, f"{side}thigh") @ (0.0, 0.0, -0.2, 1.0)) for side in "lr"]
        center = sum(weight * place[:3] for weight, place in places) / 26.0
        assert center[0] == pytest.approx(x, abs=1e-5) and center[1] == pytest.approx(0.0, abs=1e-5)
        assert mass.urdf_rig_ik.reached
        for foot, link, before in zip(feet, ("lfoot", "rfoot"), standing, strict=True):
            assert max(off(rig, foot, link)) < 1e-5 and np.abs(shown(rig, link) - before).max() < 1e-5
