# SPDX-License-Identifier: GPL-3.0-or-later
"""The rig plan: names, bones of any base, followers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from urdf_rig.core.bones import frame_from_bone
from urdf_rig.core.errors import UnknownNameError
from urdf_rig.core.kinematics import forward_kinematics, joint_positions
from urdf_rig.core.plan import BoneGroup, Channel, plan_rig, unique_names
from urdf_rig.core.urdf import parse_urdf

ROBOT = parse_urdf("""<robot name="r">
  <link name="base"/><link name="a"/><link name="b"/><link name="c"/><link name="d"/><link name="tip"/>
  <joint name="j1" type="revolute"><parent link="base"/><child link="a"/><origin xyz="0.1 0.2 1" rpy="0.3 -0.4 0.5"/>
    <axis xyz="0.2 -0.9 0.1"/><limit lower="0.2" upper="1.5" effort="1" velocity="1"/></joint>
  <joint name="j2" type="prismatic"><parent link="a"/><child link="b"/><origin xyz="0 0 0.3" rpy="0 1.57079632679 0"/>
    <axis xyz="0 0 -1"/><limit lower="-1" upper="-0.5" effort="1" velocity="1"/></joint>
  <joint name="j3" type="revolute"><parent link="b"/><child link="c"/><axis xyz="1 0 0"/>
    <limit lower="-3" upper="3" effort="1" velocity="1"/><mimic joint="j2" multiplier="-2" offset="0.1"/></joint>
  <joint name="j4" type="continuous"><parent link="c"/><child link="d"/><origin rpy="3.1 0 0"/><axis xyz="0 1 0"/>
    <mimic joint="j3" multiplier="3" offset="-1"/></joint>
  <joint name="weld" type="fixed"><parent link="d"/><child link="tip"/><origin xyz="0 0 0.1" rpy="1 0 0"/></joint>
</robot>""")


@given(st.lists(st.text(max_size=90), unique=True, max_size=12))
def test_bone_names_are_unique_short_and_kept_where_they_fit(names):
    chosen = unique_names(names)
    assert list(chosen) == names
    assert len(set(chosen.values())) == len(names)
    for name, short in chosen.items():
        size = len(name.encode("utf-8", "replace"))
        assert len(short.encode("utf-8", "replace")) <= 63
        assert size > 63 or short == name


def test_names_that_agree_in_their_first_63_bytes_are_told_apart():
    names = ["関" * 30 + end for end in "ab"]
    chosen = unique_names(names)
    assert len(set(chosen.values())) == 2
    assert all(name.startswith("関" * 19) for name in chosen.values())


def rotation_about_y(angle):
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, 0, s, 0], [0, 1, 0, 0], [-s, 0, c, 0], [0, 0, 0, 1]])


def shift_along_y(distance):
    out = np.eye(4)
    out[1, 3] = distance
    return out


def posed_links(plan, channels):
    """Pose the planned bones as Blender does (formalism, section 5) and return the links that ride on them."""
    a_h_b, rest, links = {}, {}, {}
    for bone in plan.bones:
        rest[bone.name] = frame_from_bone(bone.head, bone.tail, bone.roll)
        value = channels.get(bone.name, 0.0)
        motion = rotation_about_y(value) if bone.channel is Channel.ROTATION else shift_along_y(value)
        if bone.parent:
            a_h_b[bone.name] = a_h_b[bone.parent] @ np.linalg.inv(rest[bone.parent]) @ rest[bone.name] @ motion
        else:
            a_h_b[bone.name] = rest[bone.name]
        links[bone.link] = a_h_b[bone.name] @ np.linalg.inv(rest[bone.name]) @ bone.a_h_link
    return links


@pytest.mark.parametrize("base", ["base", "a", "b", "c", "d", "tip"])
@given(q1=st.floats(-3, 3), q2=st.floats(-2, 2))
def test_posed_bones_carry_their_links_where_forward_kinematics_says(base, q1, q2):
    plan = plan_rig(ROBOT, base=base)
    q = {"j1": q1, "j2": q2}
    values = joint_positions(ROBOT, q)
    channels = {}
    for bone in plan.bones:
        if bone.follow is None and bone.channel is not Channel.NONE:
            channels[bone.name] = bone.sign * float(values[bone.joint])
    for bone in plan.bones:
        if bone.follow is not None:
            channels[bone.name] = bone.follow.factor * channels[bone.follow.leader] + bone.follow.offset
    expected = forward_kinematics(ROBOT, q, base)
    for link, pose in posed_links(plan, channels).items():
        assert pose == pytest.approx(expected[link], abs=1e-9)


def test_groups_starts_and_parents():
    plan = plan_rig(ROBOT)
    bones = {bone.link: bone for bone in plan.bones}
    assert plan.bones[0].link == plan.base == "base"
    assert {link: bone.group for link, bone in bones.items()} == {
        "base": BoneGroup.FIXED, "a": BoneGroup.JOINTS, "b": BoneGroup.JOINTS, "c": BoneGroup.FOLLOWERS,
        "d": BoneGroup.FOLLOWERS, "tip": BoneGroup.FIXED,
    }  # fmt: skip
    assert (bones["a"].start, bones["b"].start) == (0.2, -0.5)
    assert bones["c"].limits is None and bones["a"].limits == (0.2, 1.5)
    assert bones["d"].follow.leader == "b"
    assert all(np.linalg.norm(bone.tail - bone.head) > 0.04 for bone in plan.bones)


def test_an_unknown_base_is_refused():
    with pytest.raises(UnknownNameError, match="no link 'nowhere'"):
        plan_rig(ROBOT, base="nowhere")
