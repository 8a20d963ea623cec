# SPDX-License-Identifier: GPL-3.0-or-later
"""Masses and inertias, shown and hidden."""

from __future__ import annotations

from types import SimpleNamespace

import bpy
import numpy as np
import pytest

# a box of 12 kg, 1 x 2 x 3 m, about its centre: 12 / 12 (4 + 9, 1 + 9, 1 + 4)
ROBOT = """<robot name="r"><link name="base"><inertial><mass value="2.5"/>
    <inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/></inertial></link>
  <link name="arm"><inertial><origin xyz="0.1 0.2 0.3" rpy="0 0 1.5707963267948966"/><mass value="12"/>
    <inertia ixx="13" ixy="0" ixz="0" iyy="10" iyz="0" izz="5"/></inertial></link>
  <link name="bare"/>
  <joint name="j" type="revolute"><parent link="base"/><child link="arm"/><origin xyz="0 0 1" rpy="0.3 0 0"/>
    <axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="1" velocity="1"/></joint>
  <joint name="k" type="fixed"><parent link="arm"/><child link="bare"/></joint>
</robot>"""


@pytest.fixture
def rig(rig_of, tmp_path):
    return rig_of(ROBOT, tmp_path).rig


def world(name):
    graph = bpy.context.evaluated_depsgraph_get()
    return np.array(bpy.data.objects[name].evaluated_get(graph).matrix_world, dtype=float)


def test_it_is_off_at_first_and_the_operator_turns_it_on_and_off(rig):
    before = {obj.name for obj in bpy.data.objects}
    assert bpy.ops.urdf_rig.show_inertia() == {"FINISHED"}
    assert {obj.name for obj in bpy.data.objects} - before == {"base mass", "arm mass", "arm inertia"}
    home = bpy.data.collections["Inertia"]
    assert {obj.name for obj in home.objects} == {"base mass", "arm mass", "arm inertia"}
    assert home.name in rig.users_collection[0].children
    assert bpy.ops.urdf_rig.show_inertia() == {"FINISHED"}
    assert {obj.name for obj in bpy.data.objects} == before
    assert "Inertia" not in bpy.data.collections


@pytest.mark.parametrize("value", [0.0, 1.1])
def test_ball_and_box_ride_on_the_link(rig, link_poses, value):
    from urdf_rig.addon.rig import set_joint_values

    bpy.ops.urdf_rig.show_inertia()
    set_joint_values(rig, {"j": value})
    arm = link_poses(rig)["arm"]
    center = arm @ np.array([0.1, 0.2, 0.3, 1.0])
    assert world("arm mass")[:3, 3] == pytest.approx(center[:3], abs=1e-6)
    # the box's corner at half of its sides; its x lies along the link's y
    corner = arm @ np.array([0.1 - 1.0, 0.2 + 0.5, 0.3 + 1.5, 1.0])
    box = bpy.data.objects["arm inertia"]
    assert box.empty_display_type == "CUBE" and box.empty_display_size == 1.0
    assert (world("arm inertia") @ np.ones(4))[:3] == pytest.approx(corner[:3], abs=1e-5)


def test_the_balls_size_tells_the_mass(rig):
    bpy.ops.urdf_rig.show_inertia()
    light, heavy = (bpy.data.objects[f"{link} mass"].empty_display_size for link in ("base", "arm"))
    assert heavy / light == pytest.approx((12 / 2.5) ** (1 / 3), rel=1e-5)
    # 12 kg of steel are a ball of 7.1 cm radius
    assert heavy == pytest.approx(0.0715, abs=5e-4)


def test_shown_inertia_does_not_disturb_verification(rig):
    from urdf_rig.addon.verify import verify_rig

    bpy.ops.urdf_rig.show_inertia()
    assert verify_rig(bpy.context, rig, 4).passed


def test_the_import_option_shows_it_at_once(rig_of, tmp_path):
    rig_of(ROBOT, tmp_path, inertia=True)
    assert "arm inertia" in bpy.data.objects
    bpy.ops.urdf_rig.show_inertia()
    assert "arm inertia" not in bpy.data.objects


def test_only_the_active_robots_are_taken_away(rig_of, tmp_path):
    first, second = (rig_of(ROBOT, tmp_path, inertia=True).rig for _ in range(2))
    bpy.context.view_layer.objects.active = first
    bpy.ops.urdf_rig.show_inertia()
    assert len(first.children) == 0 and len(second.children) == 3


def test_a_robot_without_masses_says_so(rig_of, tmp_path):
    rig_of('<robot name="r"><link name="a"/></robot>', tmp_path)
    assert bpy.ops.urdf_rig.show_inertia() == {"CANCELLED"}
    assert "Inertia" not in bpy.data.collections


def test_without_a_robot_there_is_nothing_to_show():
    assert not bpy.ops.urdf_rig.show_inertia.poll()
    assert not bpy.types.URDF_RIG_PT_inertia.poll(bpy.context)


def panel():
    """Draw the panel and return its texts."""
    texts = []

    class Notes:
        def column(self, **_):
            return self

        def label(self, text, **_):
            texts.append(text)

        def operator(self, _idname, text, **_):
            texts.append(f"[{text}]")

    bpy.types.URDF_RIG_PT_inertia.draw(SimpleNamespace(layout=Notes()), bpy.context)
    return texts


def test_the_panel_tells_the_masses(rig):
    rig.data.bones.active = rig.data.bones["arm"]
    center = ["Center of mass (m):", "0.1, 0.2, 0.3"]
    assert panel() == ["Total mass: 14.5 kg", "arm", "Mass: 12 kg", *center, "[Show Inertia]"]
    bpy.context.scene.unit_settings.system = "IMPERIAL"  # 1 lb = 0.45359237 kg, 1 ft = 0.3048 m
    assert panel()[2:5] == ["Mass: 26.4555 lb", "Center of mass (ft):", "0.3281, 0.6562, 0.9843"]
    bpy.context.scene.unit_settings.system = "METRIC"
    rig.data.bones.active = rig.data.bones["bare"]
    bpy.ops.urdf_rig.show_inertia()
    assert panel() == ["Total mass: 14.5 kg", "bare", "Mass: none given", "[Hide Inertia]"]
    rig.data.urdf_rig.urdf = "<robot"
    assert panel() == ["The stored description is damaged"]
