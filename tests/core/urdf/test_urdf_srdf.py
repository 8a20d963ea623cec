# SPDX-License-Identifier: GPL-3.0-or-later
"""SRDF files: which one is taken, and what is read of it."""

from __future__ import annotations

import json
import math
import time
from pathlib import Path

import pytest

from urdf_rig.core.errors import ResourceNotFoundError, UrdfSyntaxError, UrdfUnsupportedError
from urdf_rig.core.urdf import parse_urdf
from urdf_rig.core.urdf.srdf import find_srdf, read_srdf

ROBOT = parse_urdf("""<robot name="arm">
  <link name="base"/><link name="l1"/><link name="l2"/><link name="l3"/><link name="hand"/><link name="finger"/>
  <joint name="j1" type="revolute"><parent link="base"/><child link="l1"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
  <joint name="j2" type="continuous"><parent link="l1"/><child link="l2"/><axis xyz="0 1 0"/></joint>
  <joint name="j3" type="prismatic"><parent link="l2"/><child link="l3"/><axis xyz="0 0 1"/>
    <limit lower="0" upper="2" effort="1" velocity="1"/></joint>
  <joint name="weld" type="fixed"><parent link="l3"/><child link="hand"/></joint>
  <joint name="grip" type="prismatic"><parent link="hand"/><child link="finger"/><axis xyz="0 1 0"/>
    <limit lower="0" upper="2" effort="1" velocity="1"/><mimic joint="j3"/></joint>
</robot>""")


@pytest.fixture
def read(tmp_path):
    def run(body, name="arm"):
        path = tmp_path / "arm.srdf"
        path.write_text(f'<robot name="{name}">\n{body}</robot>', encoding="utf-8")
        return read_srdf(path, ROBOT)

    return run


def levels(semantics):
    return [(item.level.value, item.line) for item in semantics.diagnostics]


def test_a_named_pose_holds_the_free_joints_values(read):
    semantics = read(
        '<virtual_joint name="world" type="floating" parent_frame="w" child_link="base"/>\n'
        '<group_state name="home" group="all"><joint name="j1" value=" -0.5 "/><joint name="j3" value="1e0"/>'
        '<joint name="weld" value="0"/><joint name="grip" value="1"/><joint name="world" value="0 0 1 0 0 0 1"/>'
        '<joint name="root_joint" value="0 0 2"/></group_state>'
    )
    (state,) = semantics.states
    assert (state.name, state.group) == ("home", "all")
    assert state.values == {"j1": -0.5, "j3": 1.0}
    assert state.spatial == {"world": (0, 0, 1, 0, 0, 0, 1), "root_joint": (0, 0, 2)}
    assert semantics.diagnostics == ()
    stored = json.loads(json.dumps(semantics.as_dict()))
    assert stored["states"][0]["values"] == {"j1": -0.5, "j3": 1.0}


def test_a_namespace_before_a_joints_name_does_not_matter(read):
    semantics = read('<group_state name="s" group="g"><joint name="arm/j1" value="0.5"/></group_state>')
    assert semantics.states[0].values == {"j1": 0.5} and semantics.diagnostics == ()


def test_a_continuous_joint_may_be_given_as_cosine_and_sine(read):
    text = '<group_state name="s" group="g"><joint name="j2" value="{} {}"/></group_state>'
    (state,) = read(text.format(math.cos(-2.5), math.sin(-2.5))).states
    assert state.values["j2"] == pytest.approx(-2.5)


@pytest.mark.parametrize(
    ("joint", "words"),
    [
        ('name="j1" value="low"', "'low' is not a decimal number"),
        ('name="j1" value="nan"', "'nan' is not a decimal number"),
        ('name="j1"', "no attribute 'value'"),
        ('name="j1" value=""', "1 number is needed, here are 0"),
        ('name="j1" value="1 2"', "2 numbers are given where the joint has one"),
        ('name="j2" value="1 2 3 4 5 6 7 8 9"', "more than 7"),
    ],
)
def test_a_value_that_is_none_leaves_only_its_joint_out(read, joint, words):
    semantics = read(f'<group_state name="s" group="g">\n<joint name="j3" value="1"/><joint {joint}/></group_state>')
    assert semantics.states[0].values == {"j3": 1.0}
    (remark,) = semantics.diagnostics
    assert words in remark.message and remark.level.value == "warning" and remark.line == 3


def test_a_pose_for_other_joints_is_left_out_and_values_out_of_range_are_noted(read):
    semantics = read(
        '<group_state name="far" group="g"><joint name="j1" value="3"/></group_state>\n'
        '<group_state name="none" group="g"><joint name="k" value="3"/></group_state>\n'
        '<group_state group="g"><joint name="j1" value="0"/></group_state>'
    )
    assert [state.name for state in semantics.states] == ["far"]
    assert semantics.states[0].values == {"j1": 3.0}
    assert levels(semantics) == [("info", 2), ("info", 3), ("warning", 3), ("warning", 4)]


def test_groups_are_resolved_to_the_robots_joints(read):
    semantics = read(
        '<group name="arm"><chain base_link="base" tip_link="l3"/></group>'
        '<group name="gripper"><link name="finger"/><link name="base"/><joint name="weld"/></group>'
        '<group name="all"><group name="gripper"/><group name="arm"/><group name="loop"/></group>'
        '<group name="loop"><group name="all"/></group>'
    )
    groups = {group.name: group for group in semantics.groups}
    assert groups["arm"].joints == ("j1", "j2", "j3") and groups["arm"].chains == (("base", "l3"),)
    assert groups["gripper"].joints == ("weld", "grip")
    assert groups["all"].joints == groups["loop"].joints == ("j1", "j2", "j3", "weld", "grip")
    assert semantics.diagnostics == ()


def test_what_a_group_names_in_vain_is_noted(read):
    semantics = read(
        '<group name="a"><chain base_link="l3" tip_link="base"/><joint name="k"/><group name="b"/></group>'
        '<group name="c"><chain base_link="nowhere" tip_link="l1"/></group><group/><group name="a"/>'
    )
    assert [group.joints for group in semantics.groups] == [(), ()]
    texts = " ".join(str(item) for item in semantics.diagnostics)
    for words in ("'l3' out to 'base'", "'nowhere' out to 'l1'", "have 'k'", "no group 'b'", "no name", "the first"):
        assert words in texts


def test_links_that_may_touch(read):
    semantics = read(
        '<disable_collisions link1="base" link2="l1" reason="Adjacent"/><disable_collisions link1="l1" link2="base"/>'
        '<disable_collisions link1="l1" link2="nowhere"/><disable_collisions link1="l2" link2="hand"/>'
    )
    assert [(pair.link1, pair.link2, pair.reason) for pair in semantics.disabled_pairs] == [
        ("base", "l1", "Adjacent"), ("l2", "hand", ""),
    ]  # fmt: skip
    assert ["'nowhere'" in item.message for item in semantics.diagnostics] == [True]


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("<sdf/>", UrdfSyntaxError),
        ("<robot", UrdfSyntaxError),
        ('<!DOCTYPE r [<!ENTITY e "x">]><robot name="arm"/>', UrdfSyntaxError),
        ('<robot name="arm" xmlns:xacro="http://ros.org/wiki/xacro"><xacro:x/></robot>', UrdfUnsupportedError),
    ],
)
def test_what_is_no_srdf_is_refused(tmp_path, text, error):
    path = tmp_path / "arm.srdf"
    path.write_text(text)
    with pytest.raises(error):
        read_srdf(path, ROBOT)
    with pytest.raises(ResourceNotFoundError):
        read_srdf(tmp_path / "none.srdf", ROBOT)


def test_groups_made_to_explode_are_refused_at_once(read):
    inner = "".join(f'<group name="g{index}"/>' for index in range(400))
    started = time.monotonic()
    with pytest.raises(UrdfUnsupportedError, match="too many"):
        read("".join(f'<group name="g{index}">{inner}</group>' for index in range(400)))
    assert time.monotonic() - started < 20.0


def srdf(path: Path, name: str) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(f'<robot name="{name}"/>')
    return path


@pytest.fixture
def source(tmp_path):
    folder = tmp_path / "urdf"
    folder.mkdir()
    return folder / "my_arm.urdf"


@pytest.mark.parametrize("place", ["urdf/x.srdf", "srdf/x.srdf", "config/x.srdf"])
def test_it_is_found_in_three_folders_by_the_robots_name(source, tmp_path, place):
    assert find_srdf(source, "arm") is None
    wanted = srdf(tmp_path / place, "arm")
    srdf(tmp_path / "srdf" / "other.srdf", "gripper")
    assert find_srdf(source, "arm") == wanted


def test_a_name_that_matches_wins_over_a_file_called_alike(source, tmp_path):
    alike = srdf(tmp_path / "urdf" / "my_arm.srdf", "generic")
    assert find_srdf(source, "arm") == alike
    assert find_srdf(source.with_suffix(".urdf.xacro"), "arm") == alike
    called_as_robot = srdf(tmp_path / "srdf" / "Arm.srdf", "generic")
    assert find_srdf(source, "arm") == alike
    named = srdf(tmp_path / "srdf" / "z.srdf", "ARM")
    assert find_srdf(source, "arm") == named
    exact = srdf(called_as_robot, "arm")
    assert find_srdf(source, "arm") == exact


def test_files_that_cannot_be_read_are_passed_over(source, tmp_path):
    (tmp_path / "urdf" / "my_arm.srdf").write_text("<robot")
    (tmp_path / "urdf" / "folder.srdf").mkdir()
    assert find_srdf(source, "arm") is None
    assert find_srdf(tmp_path / "nowhere" / "x.urdf", "arm") is None
