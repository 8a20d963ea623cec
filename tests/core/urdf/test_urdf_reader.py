# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import itertools
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from urdf_rig.core.errors import (
    ResourceNotFoundError,
    UrdfError,
    UrdfSyntaxError,
    UrdfUnsupportedError,
    UrdfValueError,
)
from urdf_rig.core.model import PackagePaths
from urdf_rig.core.urdf import parse_urdf, read_urdf
from urdf_rig.core.urdf.reader import uses_xacro
from urdf_rig.core.urdf.xml import parse_xml

SMALL = '<robot name="small"><link name="a"/></robot>'


def test_a_file_gives_a_robot_that_knows_where_it_is_from(tmp_path: Path) -> None:
    path = tmp_path / "small.urdf"
    path.write_text(SMALL, encoding="utf-8")
    packages = PackagePaths({"p": tmp_path})
    robot = read_urdf(path, package_paths=packages)
    assert (robot.name, robot.root, robot.source, robot.urdf) == ("small", "a", path, SMALL)
    assert robot.package_paths is packages
    assert read_urdf(str(path)).source == path


def test_the_text_kept_is_unicode_and_reads_the_same() -> None:
    robot = parse_urdf(
        '<?xml version="1.0" encoding="ISO-8859-1"?>\n<robot name="é"><link name="è"/></robot>'.encode("latin-1")
    )
    assert 'encoding="UTF-8"' in robot.urdf
    again = parse_urdf(robot.urdf.encode("utf-8"))
    assert (again.name, again.root) == ("é", "è")


def test_files_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ResourceNotFoundError, match=r"gone\.urdf: there is no such file"):
        read_urdf(tmp_path / "gone.urdf")
    with pytest.raises(ResourceNotFoundError, match="folder"):
        read_urdf(tmp_path)
    with pytest.raises(ResourceNotFoundError):
        read_urdf("nul\0.urdf")
    with pytest.raises(ResourceNotFoundError):
        read_urdf("x" * 5_000)


def test_a_device_is_no_file() -> None:
    with pytest.raises(ResourceNotFoundError):
        read_urdf(os.devnull)


def test_too_large_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "large.urdf"
    with path.open("wb") as stream:
        stream.truncate((64 << 20) + 1)
    with pytest.raises(UrdfSyntaxError, match="64 MiB"):
        read_urdf(path)


@pytest.mark.parametrize(
    ("tag", "word"), [("sdf", "SDF"), ("mujoco", "MJCF"), ("COLLADA", "mesh"), ("Robot", "<Robot>")]
)
def test_other_documents_are_refused(tag: str, word: str) -> None:
    with pytest.raises(UrdfSyntaxError, match=word):
        parse_urdf(f"<{tag}/>")


def test_a_missing_name_is_taken_from_the_file() -> None:
    robot = parse_urdf('<robot><link name="a"/></robot>', source=Path("/x/arm.urdf.xml"))
    assert robot.name == "arm"
    assert ["'arm'" in str(remark) for remark in robot.diagnostics] == [True]
    assert parse_urdf('<robot name=" "><link name="a"/></robot>').name == "robot"


@pytest.mark.parametrize(
    ("version", "known"), [("1.0", True), ("1.1", True), ("1.2", True), ("1", True), ("2.0", False), ("x", False)]
)
def test_versions(version: str, known: bool) -> None:
    robot = parse_urdf(SMALL.replace("<robot ", f'<robot version="{version}" '))
    assert (robot.diagnostics == ()) == known


def test_other_elements_are_skipped_with_one_note() -> None:
    inside = '<gazebo><link name="ghost"/></gazebo><transmission/><foo:bar/><foo:bar/><x/>'
    robot = parse_urdf(SMALL.replace("</robot>", inside + "</robot>"))
    assert [link.name for link in robot.links] == ["a"]
    assert robot.joints == ()
    (remark,) = robot.diagnostics
    assert remark.level.value == "info"
    assert "skipped: <foo:bar> (2), <x> (1)" in remark.message  # what simulators add goes without saying


def test_an_error_carries_the_remarks_before_it() -> None:
    text = '<robot><link name="a"><inertial/></link><joint name="j" type="odd"/></robot>'
    with pytest.raises(UrdfValueError) as caught:
        parse_urdf(text, file="r.urdf")
    assert ["called 'robot'" in str(remark) for remark in caught.value.diagnostics] == [True, False]
    assert all(remark.file == "r.urdf" for remark in caught.value.diagnostics)


@pytest.mark.parametrize(
    ("text", "xacro"),
    [
        ('<robot xmlns:xacro="http://www.ros.org/wiki/xacro"><link name="a"/></robot>', False),
        ('<robot xmlns:xacro="http://www.ros.org/wiki/xacro"><link name="${p}a"/></robot>', True),
        ('<robot xmlns:xacro="http://www.ros.org/wiki/xacro"><link name="$(arg p)a"/></robot>', True),
        ('<robot><link name="${a}"/></robot>', False),
        ("<robot><gazebo><xacro:x/></gazebo></robot>", True),
        ('<xacro:robot><link name="a"/></xacro:robot>', True),
    ],
)
def test_xacro_is_known_by_its_use(text: str, xacro: bool) -> None:
    assert uses_xacro(parse_xml(text)) == xacro


def test_xacro_is_not_read_as_urdf() -> None:
    with pytest.raises(UrdfUnsupportedError, match="xacro"):
        parse_urdf('<robot name="r"><xacro:include filename="a.xacro"/></robot>')


def test_names_are_kept_exactly() -> None:
    names = ["a/b", 'c "q" [0]', ".dot", "関" * 30, " blank "]
    links = "".join(f"<link name='{name}'/>" for name in names)
    joints = "".join(
        f"<joint name='j{index}' type='fixed'><parent link='{parent}'/><child link='{child}'/></joint>"
        for index, (parent, child) in enumerate(itertools.pairwise(names))
    )
    assert [link.name for link in parse_urdf(f"<robot name='r'>{links}{joints}</robot>").links] == names


WORDS = st.sampled_from(
    [
        "",
        "a",
        "b",
        "j",
        "revolute",
        "fixed",
        "planar",
        "0 0 1",
        "1",
        "-1",
        "0,5",
        "nan",
        "1e999",
        "inf",
        "0 0 0 1",
        "x.stl",
    ]
)
ATTRIBUTES = st.dictionaries(
    st.sampled_from(
        ["name", "type", "link", "xyz", "rpy", "quat_xyzw", "lower", "upper", "joint", "rgba", "size", "filename"]
    ),
    WORDS,
    max_size=4,
)
COMMON_TAGS = (
    "link joint material visual collision geometry box mesh origin axis limit mimic parent child color texture"
)
TAGS = st.sampled_from([*COMMON_TAGS.split(), "inertial", "mass", "inertia", "gazebo"])


def _xml(tag: str, attributes: dict[str, str], children: list[str]) -> str:
    shown = "".join(f' {name}="{value}"' for name, value in attributes.items())
    return f"<{tag}{shown}>{''.join(children)}</{tag}>"


ELEMENTS = st.recursive(
    st.builds(_xml, TAGS, ATTRIBUTES, st.just([])),
    lambda inner: st.builds(_xml, TAGS, ATTRIBUTES, st.lists(inner, max_size=4)),
    max_leaves=12,
)


@given(children=st.lists(ELEMENTS, max_size=5))
@settings(max_examples=150, deadline=None)
def test_any_elements_give_a_robot_or_the_projects_error(children: list[str]) -> None:
    text = f'<robot name="r"><link name="root"/>{"".join(children)}</robot>'
    try:
        robot = parse_urdf(text)
    except UrdfError as error:
        assert error.line > 0
    else:
        assert {joint.child for joint in robot.joints} == {link.name for link in robot.links} - {robot.root}
