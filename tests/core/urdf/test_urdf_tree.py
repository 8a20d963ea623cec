# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from urdf_rig.core.errors import UrdfReferenceError
from urdf_rig.core.urdf import parse_urdf


def robot_text(links: list[str], joints: list[tuple[str, str, str]]) -> str:
    body = "".join(f'<link name="{link}"/>\n' for link in links)
    body += "".join(
        f'<joint name="{name}" type="fixed"><parent link="{parent}"/><child link="{child}"/></joint>\n'
        for name, parent, child in joints
    )
    return f'<robot name="r">\n{body}</robot>'


@pytest.mark.parametrize(
    ("links", "joints", "words"),
    [
        ([], [], ["no links; it is empty"]),
        (["elbow", "elbow"], [], ["link 'elbow'", "line 2", "r.urdf:3"]),
        (["a", "b", "c"], [("jj", "a", "b"), ("jj", "b", "c")], ["joint 'jj'", "line 5", "r.urdf:6"]),
        (["a"], [("j1", "a", "nowhere")], ["joint 'j1'", "child link 'nowhere'"]),
        (["a"], [("j1", "nowhere", "a")], ["joint 'j1'", "parent link 'nowhere'"]),
        (["a", "Base_link"], [("j1", "base_link ", "a")], ["'base_link '", "there is 'Base_link'"]),
        (["a"], [("j1", "a", "a")], ["joint 'j1'", "'a' to itself"]),
        (
            ["a", "b", "loop"],
            [("j1", "a", "b"), ("j2", "a", "loop"), ("j3", "b", "loop")],
            ["link 'loop'", "'j2', 'j3'", "tree"],
        ),
        (["base", "floatie", "tip"], [("j", "base", "tip")], ["2 links without a parent: 'base', 'floatie'"]),
        (["a", "b", "c"], [("x", "a", "b"), ("y", "b", "c"), ("z", "c", "a")], ["'a'", "'b'", "'c'", "circle"]),
        (["root", "p", "q"], [("x", "p", "q"), ("y", "q", "p")], ["'p'", "'q'", "circle"]),
    ],
)
def test_what_is_no_tree_is_refused(links: list[str], joints: list[tuple[str, str, str]], words: list[str]) -> None:
    with pytest.raises(UrdfReferenceError) as caught:
        parse_urdf(robot_text(links, joints), file="r.urdf")
    assert [word for word in words if word not in str(caught.value)] == []
    assert caught.value.line > 0


def test_a_file_without_links_is_refused_with_what_it_holds() -> None:
    body = "<material name='a'/><deformable/><material name='b'/>"
    with pytest.raises(UrdfReferenceError, match=r"no links; there is only <material> \(2\), <deformable> \(1\)"):
        parse_urdf(f"<robot name='r'>{body}</robot>")


def test_a_circle_beside_the_tree_does_not_name_the_tree() -> None:
    with pytest.raises(UrdfReferenceError) as caught:
        parse_urdf(robot_text(["root", "tip", "p", "q"], [("t", "root", "tip"), ("x", "p", "q"), ("y", "q", "p")]))
    assert "root" not in caught.value.message.replace("not on a root", "")


@settings(deadline=None)
@given(data=st.data(), count=st.integers(1, 30))
def test_any_tree_in_any_order_is_read(data: st.DataObject, count: int) -> None:
    parents = [data.draw(st.integers(0, child - 1)) for child in range(1, count)]
    joints = [(f"j{child}", f"l{parent}", f"l{child}") for child, parent in enumerate(parents, start=1)]
    links = data.draw(st.permutations([f"l{index}" for index in range(count)]))
    joints = data.draw(st.permutations(joints))
    robot = parse_urdf(robot_text(links, joints))
    assert robot.root == "l0"
    assert [link.name for link in robot.links] == links
    assert [(joint.name, joint.parent, joint.child) for joint in robot.joints] == joints


def test_a_chain_of_ten_thousand_links_is_fast_in_any_order() -> None:
    count = 10_000
    links = [f"l{index}" for index in range(count)]
    joints = [(f"j{index}", f"l{index}", f"l{index + 1}") for index in range(count - 1)]
    random.Random(1).shuffle(joints)
    started = time.monotonic()
    assert parse_urdf(robot_text(links, joints)).root == "l0"
    joints.append(("back", f"l{count - 1}", "l0"))
    with pytest.raises(UrdfReferenceError, match="circle") as caught:
        parse_urdf(robot_text(links, joints))
    assert len(str(caught.value)) < 2_000
    assert time.monotonic() - started < 20.0
