# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from urdf_rig.core.errors import UrdfValueError
from urdf_rig.core.model import JointType, Limits
from urdf_rig.core.urdf import parse_urdf

LIMIT = '<limit lower="-1" upper="1" effort="1" velocity="1"/>'


def test_origin_defaults_to_identity(parse_joint) -> None:
    for inside in ("", "<origin/>", '<origin xyz="0 0 0"/>', '<origin rpy="0 0 0"/>'):
        origin = parse_joint(inside, "fixed").joints[0].origin
        assert np.array_equal(origin.matrix, np.eye(4))
        assert (origin.xyz, origin.rpy) == ((0, 0, 0), (0, 0, 0))


def test_rpy_turns_about_fixed_axes_in_that_order(parse_joint) -> None:
    half = repr(math.pi / 2)
    matrix = parse_joint(f'<origin xyz="1 2 3" rpy="{half} 0 {half}"/>', "fixed").joints[0].origin.matrix
    # Roll takes y to z, then yaw about the fixed z leaves it there; roll takes z to -y, and yaw takes that to x.
    assert np.allclose(matrix[:3, :3] @ [0, 1, 0], [0, 0, 1], atol=1e-15)
    assert np.allclose(matrix[:3, :3] @ [0, 0, 1], [1, 0, 0], atol=1e-15)
    assert np.array_equal(matrix[:, 3], [1, 2, 3, 1])


def test_origin_cannot_be_written_to(parse_joint) -> None:
    with pytest.raises(ValueError, match="read-only"):
        parse_joint("", "fixed").joints[0].origin.matrix[0, 3] = 1.0


@pytest.mark.parametrize("quaternion", ["0.5 0.5 0.5 0.5", "2 2 2 2", "-1 -1 -1 -1", "1e-200 1e-200 1e-200 1e-200"])
def test_quaternions_are_x_y_z_w_of_any_length(parse_joint, quaternion: str) -> None:
    origin = parse_joint(f'<origin quat_xyzw="{quaternion}"/>', "fixed").joints[0].origin
    assert np.allclose(origin.matrix[:3, :3], [[0, 0, 1], [1, 0, 0], [0, 1, 0]], atol=1e-15)  # x to y to z to x
    assert origin.rpy == pytest.approx((math.pi / 2, 0, math.pi / 2), abs=1e-12) or origin.rpy[1] == 0


def test_quaternion_about_x(parse_joint) -> None:
    origin = parse_joint('<origin quat_xyzw="0.6 0 0 0.8"/>', "fixed").joints[0].origin
    assert origin.rpy == pytest.approx((2 * math.atan2(0.6, 0.8), 0, 0))


@pytest.mark.parametrize(
    ("inside", "words"),
    [
        ('<origin rpy="0 0 0" quat_xyzw="0 0 0 1"/>', "keep one of the two"),
        ('<origin quat_xyzw="0 0 0 0"/>', "zero quaternion"),
        ('<origin quat_xyzw="0 0 1"/>', "4 numbers are needed"),
        ('<origin xyz="1 2"/>', "3 numbers are needed, here are 2"),
        ('<origin rpy="1 2 pi"/>', "'pi' is not a decimal number"),
        ('<axis xyz="0 0 0"/>', "cannot be zero"),
        ('<axis xyz="1e-12 0 -1e-12"/>', "cannot be zero"),
        ("<axis/>", "no attribute 'xyz'"),
        ('<limit lower="a" upper="1"/>', "'a' is not a decimal number"),
        ('<limit lower="nan" upper="1"/>', "'nan' is not"),
        ('<limit lower="0" upper="1" effort="1,5"/>', "'1,5' is not"),
        ('<mimic joint="k" multiplier="two"/>', "'two' is not"),
    ],
)
def test_bad_contents_name_the_joint_and_line(inside: str, words: str) -> None:
    text = f'<robot name="r"><link name="a"/><link name="b"/>\n<joint name="j" type="prismatic">\n{inside}'
    text += '<parent link="a"/><child link="b"/></joint></robot>'
    with pytest.raises(UrdfValueError, match=re.escape(words)) as caught:
        parse_urdf(text, file="r.urdf")
    assert (caught.value.element, caught.value.line, caught.value.file) == ("joint 'j'", 3, "r.urdf")


@pytest.mark.parametrize("kind", ["revolute", "continuous", "prismatic", "planar"])
def test_missing_axis_is_x(parse_joint, kind: str) -> None:
    assert parse_joint(LIMIT, kind).joints[0].axis == (1.0, 0.0, 0.0)


@pytest.mark.parametrize("kind", ["fixed", "floating"])
def test_axis_of_joints_without_one_is_not_looked_at(parse_joint, kind: str) -> None:
    for axis in ('<axis xyz="0 0 0"/>', "<axis/>", '<axis xyz="junk"/>'):
        robot = parse_joint(axis, kind)
        assert robot.joints[0].axis is None
        assert robot.diagnostics == ()


def test_axes_are_normalised_and_tiny_components_kept(parse_joint) -> None:
    axis = parse_joint(f'<axis xyz="1 -4e-08 -2.4e-08"/>{LIMIT}').joints[0].axis
    assert axis == pytest.approx((1.0, -4e-8, -2.4e-8), rel=1e-12)
    assert parse_joint(f'<axis xyz="0 0 2"/>{LIMIT}').joints[0].axis == (0.0, 0.0, 1.0)
    assert parse_joint(f'<axis xyz="3e200 0 4e200"/>{LIMIT}').joints[0].axis == pytest.approx((0.6, 0.0, 0.8))


COMPONENT = st.floats(-1e3, 1e3)


@given(axis=st.tuples(COMPONENT, COMPONENT, COMPONENT).filter(lambda v: math.hypot(*v) > 1e-6))
def test_axes_keep_their_direction(axis: tuple[float, float, float]) -> None:
    ends = '<parent link="a"/><child link="b"/>'
    x, y, z = (repr(component) for component in axis)
    joint = f'<joint name="j" type="planar">{ends}<axis xyz="{x} {y} {z}"/></joint>'
    found = parse_urdf(f'<robot name="r"><link name="a"/><link name="b"/>{joint}</robot>').joints[0].axis
    assert math.hypot(*found) == pytest.approx(1.0, abs=1e-14)
    assert np.allclose(np.cross(found, axis), 0.0, atol=1e-10)
    assert np.dot(found, axis) > 0


def test_a_length_off_by_more_than_a_thousandth_is_warned_about(parse_joint, warnings) -> None:
    assert warnings(parse_joint(f'<axis xyz="0 0 1.0009"/>{LIMIT}')) == []
    (warning,) = warnings(parse_joint(f'<axis xyz="0 0 1.002"/>{LIMIT}'))
    assert "joint 'j'" in warning
    assert "1.002" in warning


@pytest.mark.parametrize("kind", [None, "", "Revolute", "hinge", "screw"])
def test_unknown_types_are_refused_with_the_known_ones(parse, kind: str | None) -> None:
    attribute = "" if kind is None else f'type="{kind}"'
    with pytest.raises(UrdfValueError, match=r"continuous.*floating") as caught:
        parse(f'<link name="a"/><joint name="j" {attribute}><parent link="a"/><child link="a"/></joint>')
    assert repr(kind or "") in str(caught.value) or kind is None


@pytest.mark.parametrize(("missing", "present"), [("parent", "child"), ("child", "parent")])
def test_both_ends_are_needed(parse, missing: str, present: str) -> None:
    for end in ("", f"<{missing}/>", f'<{missing} link=""/>'):
        with pytest.raises(UrdfValueError, match=missing):
            parse(f'<link name="a"/><joint name="j" type="fixed"><{present} link="a"/>{end}</joint>')


@pytest.mark.parametrize("tag", ["link", "joint"])
def test_names_are_needed(parse, tag: str) -> None:
    for attribute in ("", 'name=""'):
        with pytest.raises(UrdfValueError, match=f"{tag}: .*name"):
            parse(f'<link name="a"/><{tag} {attribute} type="fixed"/>')


@pytest.mark.parametrize(
    ("kind", "limit", "expected", "words"),
    [
        ("revolute", LIMIT, (-1, 1), None),
        ("prismatic", '<limit lower="0.35" upper="2.4" effort="1" velocity="1"/>', (0.35, 2.4), None),
        ("revolute", "", None, "no <limit>"),
        ("prismatic", "", None, "no <limit>"),
        ("revolute", '<limit effort="1" velocity="1"/>', None, "neither lower nor upper"),
        ("revolute", '<limit upper="2" effort="1" velocity="1"/>', (0, 2), "no lower; it is 0"),
        ("prismatic", '<limit lower="-2" effort="1" velocity="1"/>', (-2, 0), "no upper; it is 0"),
        ("revolute", '<limit lower="1" effort="1" velocity="1"/>', None, "would leave no range"),
        ("revolute", '<limit upper="-1" effort="1" velocity="1"/>', None, "would leave no range"),
        ("revolute", '<limit lower="2" upper="-3" effort="1" velocity="1"/>', (-3, 2), "exchanged"),
        ("revolute", '<limit lower="0" upper="0" effort="1" velocity="1"/>', (0, 0), "cannot move"),
        ("revolute", '<limit lower="-inf" upper="inf" effort="1" velocity="1"/>', None, "infinite"),
        ("revolute", '<limit lower="-1e16" upper="1e16" effort="1" velocity="1"/>', None, "beyond any robot"),
        ("prismatic", '<limit lower="-1" upper="1"/>', (-1, 1), "no effort and no velocity"),
        ("prismatic", '<limit lower="-1" upper="1" effort="1"/>', (-1, 1), "no velocity"),
        ("prismatic", '<limit lower="-1" upper="1" effort="-1" velocity="1"/>', (-1, 1), "effort is negative"),
        ("continuous", "", None, None),
        ("continuous", '<limit effort="5" velocity="2"/>', None, None),
        ("continuous", '<limit lower="0" upper="0" effort="5" velocity="2"/>', None, None),
        ("continuous", '<limit lower="0" upper="0"/>', None, "no effort and no velocity"),
    ],
)
def test_ranges(parse_joint, warnings, kind: str, limit: str, expected: object, words: str | None) -> None:
    robot = parse_joint(limit, kind)
    assert robot.joints[0].range == expected
    found = warnings(robot)
    assert len(found) == (words is not None)
    assert all(words in warning and "joint 'j'" in warning for warning in found)


@pytest.mark.parametrize("kind", ["fixed", "floating", "planar"])
def test_limits_of_joints_without_a_value_are_not_looked_at(parse_joint, kind: str) -> None:
    for limit in ("", '<limit lower="junk"/>'):
        robot = parse_joint(limit, kind)
        assert robot.joints[0].limit is None
        assert robot.diagnostics == ()


def test_rates_are_read(parse_joint) -> None:
    limit = '<limit lower="-1" upper="1" effort="inf" velocity="0" acceleration="3" jerk="4"/>'
    assert parse_joint(limit).joints[0].limit == Limits(-1.0, 1.0, 0.0, None, 3.0, 4.0)


def test_all_types_are_read_with_lines(parse) -> None:
    kinds = [kind.value for kind in JointType]
    links = "".join(f'<link name="l{index}"/>\n' for index in range(len(kinds) + 1))
    joints = "\n".join(
        f'<joint name="j{index}" type="{kind}"><parent link="l{index}"/><child link="l{index + 1}"/>{LIMIT}</joint>'
        for index, kind in enumerate(kinds)
    )
    robot = parse(links + joints)
    assert [joint.type.value for joint in robot.joints] == kinds
    assert [joint.line for joint in robot.joints] == [len(kinds) + 2 + index for index in range(len(kinds))]
    assert robot.dofs == ("j1", "j2", "j3")


def test_the_first_of_two_elements_counts(parse_joint, warnings) -> None:
    robot = parse_joint(f'<axis xyz="0 1 0"/><axis xyz="0 0 1"/>{LIMIT}')
    assert robot.joints[0].axis == (0.0, 1.0, 0.0)
    assert ["more than one <axis>" in warning for warning in warnings(robot)] == [True]
