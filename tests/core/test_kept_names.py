# SPDX-License-Identifier: GPL-3.0-or-later
"""A plan whose bones keep the names that they have already."""

from __future__ import annotations

from urdf_rig.core.plan import plan_rig, with_kept_names
from urdf_rig.core.shapes import load_shapes
from urdf_rig.core.urdf import parse_urdf

ROBOT = """<robot name="r"><link name="a"/><link name="b">
  <visual><geometry><sphere radius="1"/></geometry></visual></link>
  <link name="c"/>
  <joint name="j" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/></joint>
  <joint name="k" type="continuous"><parent link="b"/><child link="c"/><axis xyz="0 0 1"/><mimic joint="j"/></joint>
</robot>"""


def test_names_parents_leaders_and_what_rides_on_bones():
    robot = parse_urdf(ROBOT)
    plan = with_kept_names(plan_rig(robot, load_shapes(robot).shapes), {"a": "hips", "b": "c"})
    assert {bone.link: bone.name for bone in plan.bones} == {"a": "hips", "b": "c", "c": "c~1"}
    assert [bone.parent for bone in plan.bones] == ["", "hips", "c"]
    assert plan.bones[2].follow.leader == "c"
    assert [shape.bone for shape in plan.shapes] == ["c"]


def test_a_skin_is_bound_to_the_kept_names():
    robot = parse_urdf(ROBOT)
    plan = with_kept_names(plan_rig(robot, load_shapes(robot).shapes, skinned=True), {"b": "x" * 63, "c": "b"})
    assert [part.bone for part in plan.skin.parts] == ["x" * 63]


def test_a_long_name_stays_within_blenders_bound():
    long = "ü" * 31 + "x"  # 63 bytes
    robot = parse_urdf(ROBOT.replace('"c"', f'"{long}"'))
    plan = with_kept_names(plan_rig(robot), {"a": long})
    name = next(bone.name for bone in plan.bones if bone.link == long)
    assert name != long and len(name.encode()) <= 63
