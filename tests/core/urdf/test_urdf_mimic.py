# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import time

import pytest

from urdf_rig.core.errors import UrdfReferenceError
from urdf_rig.core.model import Mimic

LIMIT = '<limit lower="-1" upper="1" effort="1" velocity="1"/>'


def chain(*joints: tuple[str, str, str]) -> str:
    """Return links l0, l1, … joined in a row by joints of the given name, type and contents."""
    links = "".join(f'<link name="l{index}"/>' for index in range(len(joints) + 1))
    return links + "".join(
        f'<joint name="{name}" type="{kind}">{LIMIT}{inside}'
        f'<parent link="l{index}"/><child link="l{index + 1}"/></joint>'
        for index, (name, kind, inside) in enumerate(joints)
    )


def test_values_and_defaults(parse) -> None:
    followers = (
        ("a", "prismatic", '<mimic joint="b" multiplier="-2" offset="0.25"/>'),
        ("b", "revolute", '<mimic joint="c"/>'),
        ("c", "continuous", ""),
        ("d", "revolute", '<mimic joint="c" multiplier="0"/>'),
    )
    robot = parse(chain(*followers))
    assert [joint.mimic for joint in robot.joints] == [Mimic("b", -2.0, 0.25), Mimic("c"), None, Mimic("c", 0.0)]
    assert robot.dofs == ("c",)
    assert robot.diagnostics == ()


@pytest.mark.parametrize("kind", ["fixed", "planar", "floating"])
def test_leaders_without_a_value_are_dropped(parse, warnings, kind: str) -> None:
    robot = parse(chain(("lead", kind, ""), ("follow", "revolute", '<mimic joint="lead"/>')))
    assert robot.dofs == ("follow",)
    (warning,) = warnings(robot)
    assert "'follow'" in warning
    assert "'lead'" in warning
    assert kind in warning


@pytest.mark.parametrize(
    "mimic", ['<mimic joint="ghost"/>', "<mimic/>", '<mimic joint=""/>', '<mimic multiplier="2"/>']
)
def test_dangling_followers_are_plain_joints(parse, warnings, mimic: str) -> None:
    robot = parse(chain(("jf", "revolute", mimic)))
    assert robot.dofs == ("jf",)
    (warning,) = warnings(robot)
    assert "'jf'" in warning
    assert ("ghost" in warning) == ("ghost" in mimic)


@pytest.mark.parametrize("kind", ["fixed", "planar", "floating"])
def test_mimic_on_joints_without_a_value_is_noted_only(parse, kind: str) -> None:
    robot = parse(chain(("lead", "revolute", ""), ("jf", kind, '<mimic joint="lead"/>')))
    assert robot.joint("jf").mimic is None
    assert [remark.level.value for remark in robot.diagnostics] == ["info"]


def test_following_oneself_is_refused(parse) -> None:
    with pytest.raises(UrdfReferenceError, match="joint 'js': it follows itself"):
        parse(chain(("js", "revolute", '<mimic joint="js"/>')))


def test_a_circle_names_its_joints_and_no_others(parse) -> None:
    with pytest.raises(UrdfReferenceError) as caught:
        parse(
            chain(
                ("outside", "revolute", '<mimic joint="a"/>'),
                ("a", "revolute", '<mimic joint="b"/>'),
                ("b", "revolute", '<mimic joint="c"/>'),
                ("c", "revolute", '<mimic joint="a"/>'),
            )
        )
    assert "'a', 'b', 'c'" in str(caught.value)
    assert "outside" not in str(caught.value)


def test_a_circle_through_a_fixed_joint_is_no_circle(parse) -> None:
    robot = parse(chain(("a", "revolute", '<mimic joint="b"/>'), ("b", "fixed", '<mimic joint="a"/>')))
    assert robot.dofs == ("a",)


def test_long_chains_of_followers_are_fast(parse) -> None:
    count = 5_000
    rows = [(f"j{index}", "revolute", f'<mimic joint="j{index + 1}"/>') for index in range(count)]
    started = time.monotonic()
    robot = parse(chain(*rows, (f"j{count}", "revolute", "")))
    assert robot.dofs == (f"j{count}",)
    assert time.monotonic() - started < 10.0
