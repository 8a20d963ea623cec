# SPDX-License-Identifier: GPL-3.0-or-later
"""The language, rule by rule: what each document of ``language.json`` means, by hand and by the package ``xacro``."""

from __future__ import annotations

import json
from pathlib import Path
from xml.dom import minidom

import pytest
import xacro  # the package, an oracle

from urdf_rig.core.urdf.xml import Element, parse_xml

RULES = json.loads((Path(__file__).parent / "language.json").read_text(encoding="utf-8"))


def as_tuple(element: Element) -> tuple[object, ...]:
    text = "".join((element.text, *(child.tail for child in element.children)))
    children = [as_tuple(child) for child in element.children]
    return element.tag, element.attributes, text if text.strip() else "", children


def as_tuple_of_node(node: minidom.Element) -> tuple[object, ...]:
    text = "".join(child.data for child in node.childNodes if child.nodeType == child.TEXT_NODE)
    children = [as_tuple_of_node(child) for child in node.childNodes if child.nodeType == child.ELEMENT_NODE]
    return node.tagName, dict(node.attributes.items()), text if text.strip() else "", children


@pytest.mark.parametrize(("body", "wanted"), RULES.values(), ids=RULES.keys())
def test_rule(body, wanted, write, expand):
    result = expand(body)
    assert as_tuple(result.root) == as_tuple(parse_xml(f'<robot name="r">{wanted}</robot>'))
    assert as_tuple(parse_xml(result.text)) == as_tuple(result.root)
    theirs = xacro.process_file(str(write(body)), verbosity=0, mappings={}).documentElement
    assert as_tuple_of_node(theirs) == as_tuple(result.root)


def test_an_argument_that_is_given(expand):
    body = "<xacro:arg name='side' default='left'/><l a='$(arg side)'/>"
    assert expand(body, args={"side": "right"}).root.children[0].attributes == {"a": "right"}


def test_an_argument_may_be_used_without_declaring_it(expand):
    result = expand("<l a='$(arg side)'/>", args={"side": "right"})
    assert result.root.children[0].attributes == {"a": "right"}
    assert not [remark for remark in result.diagnostics if remark.level.value != "info"]


def test_what_is_understood_beyond_the_package(expand):
    body = (
        "<xacro:arg name='x' default='3'/><xacro:property name='d' value='${dict(a=[1, 2])}'/>"
        "<l a='${abs(-1)}' b='${sum([1, 2])}' c='${d.a}' e=\"$(eval arg('x') * (1 + 1))\" f='$(optenv HOME ~)'>"
        "<xacro:if value='true'><xacro:attribute name='g' value='${1}'/></xacro:if></l>"
    )
    wanted = {"a": "1", "b": "3", "c": "[1, 2]", "e": "6", "f": "~", "g": "1"}
    assert expand(body).root.children[0].attributes == wanted


def test_namespaces_keep_macros_and_properties_apart(write, expand):
    files = {"robot/lib.xacro": "<xacro:property name='a' value='2'/><xacro:macro name='m'><l a='${a}'/></xacro:macro>"}
    body = (
        "<xacro:property name='a' value='1'/><xacro:include filename='lib.xacro' ns='lib'/>"
        "<xacro:lib.m/><k a='${a}' b='${lib.a}'/>"
    )
    result = expand(body, files)
    assert [element.attributes for element in result.root.children] == [{"a": "2"}, {"a": "1", "b": "2"}]
    theirs = xacro.process_file(str(write(body, files)), verbosity=0, mappings={}).documentElement
    assert as_tuple_of_node(theirs) == as_tuple(result.root)


def test_namespaces_of_included_files_are_declared(expand):
    lib = '<robot xmlns:gz="http://gazebo" xmlns:xacro="x"><gz:plugin/></robot>'
    root = expand("<xacro:include filename='lib.urdf'/>", {"robot/lib.urdf": lib}).root
    assert root.attributes == {"name": "r", "xmlns:gz": "http://gazebo"}
    assert root.children[0].tag == "gz:plugin"
