# SPDX-License-Identifier: GPL-3.0-or-later
"""What has changed between two descriptions, and what is still the same."""

from __future__ import annotations

import pytest

from urdf_rig.core.description_changes import ChangeKind, description_changes, same_camera, shape_changes
from urdf_rig.core.urdf import parse_urdf

ROBOT = """<robot name="r"><link name="base"/>
  <link name="arm"><visual><origin xyz="0 0 1"/><geometry><mesh filename="arm.stl"/></geometry></visual>
    <inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="hand"><collision><geometry><box size="1 2 3"/></geometry></collision></link><link name="finger"/>
  <joint name="elbow" type="revolute"><parent link="base"/><child link="arm"/><origin xyz="0 0 1" rpy="0 0.5 0"/>
    <axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
  <joint name="wrist" type="continuous"><parent link="arm"/><child link="hand"/><axis xyz="1 0 0"/></joint>
  <joint name="grip" type="prismatic"><parent link="hand"/><child link="finger"/><axis xyz="1 0 0"/>
    <limit lower="0" upper="1" effort="1" velocity="1"/><mimic joint="elbow" multiplier="2" offset="0.1"/></joint>
</robot>"""


def changed(*replacements):
    text = ROBOT
    for old, new in replacements:
        assert old in text
        text = text.replace(old, new)
    return description_changes(parse_urdf(ROBOT), parse_urdf(text))


def found(*replacements):
    return [(change.kind, change.name, change.detail) for change in changed(*replacements).changes]


def test_the_same_description_has_no_changes():
    same = changed()
    assert same.changes == ()
    assert same.links == {name: name for name in ("base", "arm", "hand", "finger")}
    assert same.joints == {name: name for name in ("elbow", "wrist", "grip")}


@pytest.mark.parametrize(
    ("old", "new", "kind", "name", "detail"),
    [
        ('<robot name="r">', '<robot name="s">', ChangeKind.ROBOT_RENAMED, "s", "was r"),
        ('xyz="0 0 1" rpy', 'xyz="0 0.25 1" rpy', ChangeKind.ORIGIN, "elbow", "xyz 0 0 1 → 0 0.25 1"),
        ('rpy="0 0.5 0"', 'rpy="0 0.5 1"', ChangeKind.ORIGIN, "elbow", "rpy 0 0.5 0 → 0 0.5 1"),
        ('<axis xyz="0 1 0"/>', '<axis xyz="0 -1 0"/>', ChangeKind.AXIS, "elbow", "0 1 0 → 0 -1 0"),
        ('upper="1" effort="1" velocity="1"/></joint>', 'upper="2" effort="3" velocity="1"/></joint>',
         ChangeKind.LIMITS, "elbow", "upper 1 → 2, effort 1 → 3"),
        ('multiplier="2"', 'multiplier="3"', ChangeKind.MIMIC, "grip", "2 × elbow + 0.1 → 3 × elbow + 0.1"),
        ('type="continuous"', 'type="fixed"', ChangeKind.TYPE, "wrist", "continuous → fixed"),
        ('arm.stl', 'arm2.stl', ChangeKind.VISUALS, "arm", "number 1: geometry: arm.stl → arm2.stl"),
        ('filename="arm.stl"', 'filename="arm.stl" scale="2 2 2"', ChangeKind.VISUALS, "arm",
         "number 1: geometry: scale"),
        ('<origin xyz="0 0 1"/><geometry>', '<origin xyz="0 0 2"/><geometry>', ChangeKind.VISUALS, "arm",
         "number 1: origin"),
        ('</geometry></visual>', '</geometry><material name="m"><color rgba="1 0 0 1"/></material></visual>',
         ChangeKind.VISUALS, "arm", "number 1: material"),
        ('<collision><geometry><box size="1 2 3"/></geometry></collision>', "", ChangeKind.COLLISIONS, "hand", "1 → 0"),
        ('<mass value="2"/>', '<mass value="3"/>', ChangeKind.INERTIA, "arm", "2 kg → 3 kg"),
        ('ixx="1"', 'ixx="1.5"', ChangeKind.INERTIA, "arm", ""),
        ('<parent link="hand"/>', '<parent link="arm"/>', ChangeKind.LINKS, "grip", "hand to finger → arm to finger"),
    ],
)  # fmt: skip
def test_each_kind_of_change_is_found_alone(old, new, kind, name, detail):
    changes = found((old, new))
    assert (kind, name, detail) in changes
    # a joint that is fixed loses its axis as well
    assert {item[0] for item in changes} <= {kind, *([ChangeKind.AXIS] if kind is ChangeKind.TYPE else [])}


def test_a_joint_of_another_name_is_known_by_its_child():
    result = changed(('name="wrist"', 'name="roll"'))
    assert [(change.kind, change.name, change.detail) for change in result.changes] == [
        (ChangeKind.JOINT_RENAMED, "roll", "was wrist")
    ]
    assert result.joints == {"elbow": "elbow", "wrist": "roll", "grip": "grip"}
    assert str(result.changes[0]) == "joint renamed: roll (was wrist)"


def test_a_joint_of_another_name_and_type_is_another_joint():
    result = changed(('name="wrist" type="continuous"', 'name="roll" type="fixed"'))
    assert {(change.kind, change.name) for change in result.changes} == {
        (ChangeKind.JOINT_ADDED, "roll"),
        (ChangeKind.JOINT_REMOVED, "wrist"),
    }
    assert "wrist" not in result.joints


def test_a_link_of_another_name_is_known_by_its_joint_and_the_root_by_being_one():
    result = changed(('"hand"', '"palm"'), ('"base"', '"root"'))
    assert result.links == {"base": "root", "arm": "arm", "hand": "palm", "finger": "finger"}
    assert {(change.kind, change.name, change.detail) for change in result.changes} == {
        (ChangeKind.LINK_RENAMED, "palm", "was hand"),
        (ChangeKind.LINK_RENAMED, "root", "was base"),
    }


def test_links_and_joints_that_come_and_go():
    result = changed(
        ('<link name="finger"/>', '<link name="tool"/>'),
        ('<joint name="grip" type="prismatic"><parent link="hand"/><child link="finger"/>',
         '<joint name="weld" type="fixed"><parent link="hand"/><child link="tool"/>'),
        ('<axis xyz="1 0 0"/>\n    <limit lower="0" upper="1" effort="1" velocity="1"/>'
         '<mimic joint="elbow" multiplier="2" offset="0.1"/>', ""),
    )  # fmt: skip
    assert [(change.kind.value, change.name) for change in result.changes] == [
        ("link added", "tool"),
        ("link removed", "finger"),
        ("joint added", "weld"),
        ("joint removed", "grip"),
    ]
    assert result.of(ChangeKind.LINK_ADDED, ChangeKind.JOINT_ADDED) == [result.changes[0], result.changes[2]]


def test_two_robots_without_a_common_link():
    other = parse_urdf('<robot name="o"><link name="x"/></robot>')
    result = description_changes(parse_urdf(ROBOT), other)
    assert result.links == {} and result.joints == {}


def test_shapes_and_cameras():
    camera = """<gazebo reference="arm"><sensor name="eye" type="camera"><camera><horizontal_fov>1.0</horizontal_fov>
      <image><width>640</width><height>480</height></image><clip><near>0.1</near><far>10</far></clip></camera>
      </sensor></gazebo></robot>"""
    one = parse_urdf(ROBOT.replace("</robot>", camera))
    two = parse_urdf(ROBOT.replace("</robot>", camera.replace("640", "320")))
    assert same_camera(one.cameras[0], one.cameras[0]) and not same_camera(one.cameras[0], two.cameras[0])
    assert [change.name for change in description_changes(one, two).of(ChangeKind.CAMERAS)] == ["arm"]
    assert [change.name for change in description_changes(one, parse_urdf(ROBOT)).changes] == ["arm"]
    shape = one.link("arm").visuals[0]
    assert shape_changes(shape, shape) == frozenset()
