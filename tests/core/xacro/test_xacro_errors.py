# SPDX-License-Identifier: GPL-3.0-or-later
"""Refusals and remarks name the file, line, element, macro and expression; so do those of the result's reading."""

from __future__ import annotations

import contextlib
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from urdf_rig.core import load
from urdf_rig.core.errors import UrdfError, UrdfReferenceError, UrdfRigError, UrdfSyntaxError, UrdfValueError
from urdf_rig.core.xacro import XacroArgument, expand_xacro, is_xacro, xacro_arguments

HEAD = '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">'


def warnings(result):
    return [str(remark) for remark in result.diagnostics if remark.level.value == "warning"]


@pytest.mark.parametrize(
    ("body", "kind", "words"),
    [
        ("<xacro:nope/>", UrdfReferenceError, "<xacro:nope>: there is no macro 'nope'; known: none"),
        ("<xacro:macro name='m' params='a'/><xacro:m/>", UrdfReferenceError, "'m' needs the parameter 'a'"),
        ("<xacro:macro name='m' params='a:=^'/><xacro:m/>", UrdfReferenceError, "'m' needs the parameter 'a'"),
        ("<xacro:macro name='m' params='a'/><xacro:m b='1'/>", UrdfReferenceError, "no parameter 'b'; known: 'a'"),
        ("<xacro:macro name='m' params='*b'/><xacro:m/>", UrdfReferenceError, r"needs an element for '\*b'"),
        ("<xacro:macro name='m'/><xacro:m><a/></xacro:m>", UrdfReferenceError, "no use for the element <a>"),
        ("<xacro:macro name='m' params=\"a:='b\"/>", UrdfValueError, "quotes"),
        ("<xacro:macro name='a.b'/>", UrdfValueError, "'a.b' cannot be the name of a macro"),
        ("<xacro:macro/>", UrdfValueError, "<xacro:macro>: the attribute 'name' is missing"),
        ("<xacro:property name='a b' value='1'/>", UrdfValueError, "'a b' cannot be the name of a property"),
        ("<xacro:property name='class' value='1'/>", UrdfValueError, "'class' cannot be"),
        ("<xacro:property name='__a' value='1'/>", UrdfValueError, "'__a' cannot be"),
        ("<xacro:property name='a' value='1' default='2'/>", UrdfValueError, "more than one of value, default"),
        ("<xacro:insert_block name='b'/>", UrdfReferenceError, "no block 'b'"),
        ("<xacro:if value='perhaps'/>", UrdfValueError, "'perhaps' is neither true nor false"),
        ("<xacro:if value=\"${'a'}\"/>", UrdfValueError, "which is 'a', is neither"),
        ("<xacro:element xacro:name='1a'/>", UrdfValueError, "'1a' cannot be the name"),
        ("<xacro:element xacro:name=''/>", UrdfValueError, "'' cannot be the name"),
        ("<a><xacro:attribute name='b c' value='1'/></a>", UrdfValueError, "'b c' cannot be the name"),
        ("<xacro:call/>", UrdfValueError, "'macro' is missing"),
        ("<l a='${1'/>", UrdfValueError, r"'\$\{1' has no \}"),
        ("<l a='$(arg x'/>", UrdfValueError, r"'\$\(arg x' has no \)"),
        ("<l a='$(nonsense)'/>", UrdfValueError, r"'\$\(nonsense\)' is no substitution; known: find"),
        ("<l a='$()'/>", UrdfValueError, "is no substitution"),
        ("<l a='$(arg x)'/>", UrdfReferenceError, "argument 'x' is not declared"),
        ("<xacro:arg name='x'/><l a='$(arg x)'/>", UrdfReferenceError, "'x' has no default; give it as x:=VALUE"),
        ("<l a='$(eval 9**9**9)'/>", UrdfValueError, r"'9\*\*9\*\*9' cannot be evaluated"),
        ("<l a=\"$(eval arg('x'))\"/>", UrdfReferenceError, "argument 'x' is not declared"),
        ("<l a='$(eval y)'/>", UrdfReferenceError, "'y' is not defined"),
        ("<l a=\"${'\\x01'}\"/>", UrdfValueError, "no XML file can"),
        ("<l a='${math}'/>", UrdfValueError, "namespace has no text"),
        ("<l a=\"${xacro.fatal('no', 5)}\"/>", UrdfValueError, "the description stops: no 5"),
        ("<l>${nope}</l>", UrdfReferenceError, "<l>: the name 'nope' is not defined"),
        ("<xacro:property name='a' value='${b}'/><l a='${a}'/>", UrdfReferenceError, "'b' is not defined"),
    ],
)
def test_refusals(body, kind, words, expand):
    with pytest.raises(kind, match=rf"top\.xacro:1: .*{words}"):
        expand(body)


def test_place_of_an_error_in_a_macro_of_an_included_file(expand, tmp_path):
    library = "\n\n<xacro:macro name='arm' params='prefix'>\n<link name='${prefx}_w'/></xacro:macro>"
    two = "<xacro:macro name='two'>\n<xacro:arm prefix='l'/></xacro:macro>"
    body = f"\n<xacro:include filename='lib.xacro'/>\n{two}\n<xacro:two/>"
    with pytest.raises(UrdfReferenceError) as caught:
        expand(body, {"robot/lib.xacro": library})
    error = caught.value
    assert (error.file, error.line, error.element) == (str(tmp_path / "robot/lib.xacro"), 4, "<link>")
    top = tmp_path / "robot/top.xacro"
    assert f"the macro 'arm', called at {top}:4, in the macro 'two', called at {top}:5" in error.message
    assert "'prefx' is not defined (is 'prefix' meant?)" in error.message


def test_remarks_and_errors_about_the_result_lead_to_the_xacro_file(write, tmp_path):
    visual = "<visual><geometry><box size='1 2'/></geometry></visual>"
    part = f"\n<xacro:macro name='bad'><link name='x'>\n{visual}</link></xacro:macro>"
    top = write("<xacro:include filename='part.xacro'/><xacro:bad/>", {"robot/part.xacro": part})
    robot = load(top)
    places = [(remark.file, remark.line) for remark in robot.diagnostics if remark.level.value == "warning"]
    assert places == [(str(tmp_path / "robot/part.xacro"), 3)]
    assert "xacro" not in robot.urdf and 'size="1 2"' in robot.urdf
    broken = write("<link name='a'/>\n\n<joint name='j' type='fixed'><parent link='a'/><child link='${1+1}'/></joint>")
    with pytest.raises(UrdfError) as caught:
        load(broken)
    assert caught.value.line == 3
    assert any("expanded from xacro" in remark.message for remark in caught.value.diagnostics)


def test_a_file_of_macros_alone_says_so(write):
    macro = "<xacro:macro name='arm'><link name='a'/></xacro:macro>"
    with pytest.raises(UrdfReferenceError, match="it only defines macros, for other files to include"):
        load(write(macro))
    with pytest.raises(UrdfReferenceError, match=r"no links; there is only <material> \(1\)"):
        load(write("<material name='grey'/><xacro:property name='a' value='1'/>"))
    assert load(write(macro + "<xacro:arm/>")).root == "a"


def test_load_takes_arguments_and_packages(write, tmp_path):
    body = (
        "<xacro:arg name='side' default='left'/><xacro:include filename='$(find hands)/hand.xacro'/>"
        "<xacro:hand name='$(arg side)'/>"
    )
    hand = "<xacro:macro name='hand' params='name'><link name='${name}_hand'/></xacro:macro>"
    top = write(body, {"far/away/hand.xacro": hand})
    options = {"packages": {"hands": tmp_path / "far/away"}}
    assert [link.name for link in load(top, **options).links] == ["left_hand"]
    robot = load(top, xacro_args={"side": "right"}, **options)
    assert [link.name for link in robot.links] == ["right_hand"]
    assert robot.source == top
    assert "side:=right" in robot.diagnostics[0].message


def test_arguments_given_in_vain_are_warned_of(write, expand, tmp_path):
    result = expand("<xacro:arg name='a' default='1'/><link name='x'/>", args={"b": "2"})
    assert len(warnings(result)) == 1 and "no argument 'b'" in warnings(result)[0] and "'a'" in warnings(result)[0]
    plain = tmp_path / "plain.urdf"
    plain.write_text("<robot name='r'><link name='x'/></robot>")
    assert any("'b' is not used" in remark.message for remark in load(plain, xacro_args={"b": "2"}).diagnostics)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("<xacro:property name='a' value='1' vlue='2'/>", "<xacro:property>: the attribute 'vlue' means nothing"),
        ("<xacro:property name='a' value='1' scope='world'/>", "scope 'world' is not known"),
        ("<xacro:property name='a' value='1' scope='parent'/>", "nothing called"),
        ("<xacro:macro name='property'/>", "can never be called"),
        ("<property name='a' value='1'/>", "<property>: without the prefix"),
        ("<l a=\"${xacro.warning('careful', 1)}\"/>", "<l>: careful 1"),
    ],
)
def test_warnings(body, words, expand):
    assert [words in text and "top.xacro:1" in text for text in warnings(expand(body))] == [True]


def test_a_clean_description_says_only_what_it_was_made_from(expand):
    result = expand("<xacro:arg name='a' default='1'/><link name='x$(arg a)'/>")
    assert [remark.level.value for remark in result.diagnostics] == ["info"]
    assert "1 file; arguments: a:=1" in result.diagnostics[0].message


def test_declared_arguments(expand):
    result = expand("<xacro:arg name='a' default='${1+1}'/><xacro:arg name='b' default='x'/>", args={"b": "y"})
    assert result.arguments == (XacroArgument("a", "2"), XacroArgument("b", "x"))


def test_listing_the_arguments_without_expanding(write):
    body = (
        "<xacro:arg name='a' default='1'/><xacro:if value='${nonsense}'><xacro:arg name='b' default='${x}'/></xacro:if>"
        "<xacro:arg name='kind' default='arm'/><xacro:include filename='$(arg kind).xacro'/>"
        "<xacro:include filename='${x}.xacro'/><xacro:include filename='none.xacro'/><xacro:arg name='c'/>"
        "<xacro:arg name='a' default='2'/><xacro:arg default='3'/>"
    )
    arm = "<xacro:arg name='d' default='${2 * 2}'/><xacro:include filename='top.xacro'/>"
    top = write(body, {"robot/arm.xacro": arm})
    listed = {argument.name: argument.default for argument in xacro_arguments(top)}
    assert listed == {"a": "1", "b": "${x}", "kind": "arm", "d": "4", "c": None}
    assert list(listed) == ["a", "b", "kind", "d", "c"]


def test_listing_is_bounded(write):
    top = write("<xacro:arg name='a' default='${9**9**9}'/>")
    started = time.process_time()
    assert xacro_arguments(top) == (XacroArgument("a", "${9**9**9}"),)
    assert time.process_time() - started < 1.0
    top.write_text("<robot")
    with pytest.raises(UrdfSyntaxError, match=r"top\.xacro"):
        xacro_arguments(top)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (f"{HEAD}<xacro:m/></robot>", True),
        (f"{HEAD}<link name='${{a}}'/></robot>", True),
        (f"{HEAD}<link name='a'/></robot>", False),
        ("<robot name='r'><link name='a'/></robot>", False),
        ("<robot", False),
        ("", False),
    ],
)
def test_xacro_is_known_by_its_contents(text, wanted):
    assert is_xacro(text.encode()) is wanted
    assert is_xacro(text.encode("utf-16")) is wanted


names = st.sampled_from(["a", "b", "m", "n"])
expressions = st.sampled_from(
    [
        "1",
        "${a}",
        "${a + b}",
        "$(arg a)",
        "${'x' * 3}",
        "${[a, b]}",
        "$${a}",
        "true",
        "${a",
        "${9**9**9}",
        "$(find a)",
        "'1'",
    ]
)


def element(tag, **attributes):
    return st.fixed_dictionaries(attributes).map(
        lambda chosen: "<" + " ".join((tag, *(f'{name}="{value}"' for name, value in chosen.items())))
    )


openings = st.one_of(
    element("xacro:property", name=names, value=expressions),
    element("xacro:property", name=names, default=expressions, scope=st.sampled_from(["parent", "global"])),
    element("xacro:property", name=names),
    element("xacro:macro", name=names, params=st.sampled_from(["", "a", "a:=1 *b", "**b", "a:=^|${b}", "*a *b"])),
    element("xacro:m"),
    element("xacro:n", a=expressions),
    element("xacro:call", macro=names),
    element("xacro:if", value=expressions),
    element("xacro:unless", value=expressions),
    element("xacro:insert_block", name=names),
    element("xacro:arg", name=names, default=expressions),
    element("xacro:include", filename=st.sampled_from(["top.xacro", "*.xacro", "${a}", "."]), ns=names),
    element("xacro:element"),
    element("xacro:attribute", name=names, value=expressions),
    element("link", name=expressions),
)
documents = st.recursive(
    openings.map(lambda opening: f"{opening}/>"),
    lambda inner: st.tuples(openings, st.lists(inner, max_size=4)).map(
        lambda parts: f"{parts[0]}>{''.join(parts[1])}</{parts[0][1:].split()[0]}>"
    ),
    max_leaves=12,
)


@settings(max_examples=300)
@given(st.lists(documents, max_size=6).map("".join))
def test_nothing_but_a_project_error_ever(tmp_path_factory, body):
    top = tmp_path_factory.getbasetemp() / "top.xacro"
    top.write_text(f"{HEAD}{body}</robot>", encoding="utf-8")
    started = time.process_time()
    with contextlib.suppress(UrdfRigError):
        expand_xacro(top)
    with contextlib.suppress(UrdfRigError):
        xacro_arguments(top)
    assert time.process_time() - started < 5.0
