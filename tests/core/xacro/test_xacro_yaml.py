# SPDX-License-Identifier: GPL-3.0-or-later
"""YAML: the same values as PyYAML's safe loader, which xacro uses, and bounds on what a file may cost."""

from __future__ import annotations

import contextlib
import json
import math
import re
import time

import pytest
import yaml  # PyYAML, an oracle
from hypothesis import given, settings
from hypothesis import strategies as st

from urdf_rig.core.errors import UrdfError, UrdfUnsupportedError, UrdfValueError
from urdf_rig.core.xacro.budget import Budget
from urdf_rig.core.xacro.yaml_files import load_yaml


def load(text, evaluate=float):
    data = text if isinstance(text, bytes) else text.encode()
    return load_yaml(data, file="f.yaml", evaluate=evaluate, budget=Budget())


SCALARS = """
1 -1 +1 0 007 010 0o10 0x1F 0b101 1_000 0x_ 0b_ 1. .5 1.5 1.5e+3 1.5e-3 1.e-3 -0.0 .inf -.inf .nan .INF 1:30 1:30:15
1:30.5 190:20:30 yes no on off Yes NO true True TRUE tRue false ~ null Null NULL nUll y n 'yes' "1" 'a''b' "a\\tb"
a-b a_b 1a 1.2.3 08 09 0.1.2 _1 1_ - -- --a +a .a ._ 1__0 +.inf +0x1 -0b1 -010 =a '' "" 2001-1-1x 0x 1e 1e+ e3 1.e
1_0.5 '010'
"""
TAGGED = ["!!str 1", '!!int "3"', "!!float 1", '!!float "1.5"', '!!bool "no"', '!!null ""', "!!str"]
# What PyYAML takes for texts, as there is no dot, no sign, or nothing before the dot.
MEANT = {"1e3": 1000.0, "1e-3": 0.001, "1.5e3": 1500.0, "-.5": -0.5, "-1E5": -1e5}


@pytest.mark.parametrize("text", [*SCALARS.split(), *TAGGED])
def test_scalars(text):
    try:
        wanted = yaml.safe_load(f"a: {text}")
    except (yaml.YAMLError, ValueError):  # PyYAML tries to make a number of 0x_
        with contextlib.suppress(UrdfError):
            load(f"a: {text}")
        return
    assert repr(load(f"a: {text}")) == repr(wanted)


def test_numbers_that_pyyaml_does_not_take_for_such():
    for text, wanted in MEANT.items():
        assert load(f"a: {text}") == {"a": wanted}


DOCUMENTS = [
    "a: {b: [1, 2, {c: d}], e: }\nf:\n- 1\n-\n  - 2\n",
    "a: &x {b: 1}\nc: *x\nd: [*x, *x]\n",
    "base: &b {x: 1, y: 2}\nderived:\n  <<: *b\n  y: 3\nboth:\n  <<: [*b, {z: 4, x: 9}]\n",
    "a: |\n  one\n  two\nb: >-\n  one\n  two\n",
    "1: a\ntrue: b\n1.5: c\nnull: d\n",
    "a: 1\na: 2\n",
    "# nothing\n",
    "",
    "--- 5\n...\n",
    "- a\n- 'b'\n",
    "%YAML 1.1\n---\na: 010\n",
    "/**:\n  ros__parameters:\n    x: [0.0, -1.57]\n",
]


@pytest.mark.parametrize("text", DOCUMENTS)
def test_documents(text):
    assert load(text) == yaml.safe_load(text)


words = st.text(max_size=8).filter(lambda text: not re.match(r"[-+.\d]", text))  # as in test_numbers_that_…
nested = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-(10**6), 10**6), st.floats(-1e6, 1e6), words),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(words, inner, max_size=4)),
    max_leaves=10,
)


@settings(max_examples=150)
@given(nested, st.booleans())
def test_what_pyyaml_writes(value, flow):
    text = yaml.safe_dump(value, default_flow_style=flow, allow_unicode=True)
    assert load(text) == yaml.safe_load(text)


def test_units():
    text = "[!degrees 180, !radians 2, !meters 3, !millimeters 5, !foot 2, !inches 10]"
    assert load(text) == pytest.approx([math.pi, 2, 3, 0.005, 0.6096, 0.254])


def test_units_of_expressions(expand):
    files = {"robot/f.yaml": "a: !degrees 180/2\nb: !degrees acos(0)*180/pi\n"}
    body = (
        "<xacro:property name='f' value=\"${xacro.load_yaml('f.yaml')}\"/>"
        "<l a='${f.a == pi/2}' b=\"${f['b'] == pi/2}\"/>"
    )
    assert expand(body, files).root.children[0].attributes == {"a": "True", "b": "True"}
    with pytest.raises(UrdfValueError, match=r"f\.yaml:2: !degrees.*9\*\*9\*\*9.*top\.xacro:1"):
        expand(body, {"robot/f.yaml": "a: 1\nb: !degrees 9**9**9\n"})


def test_tables_by_dots_and_lists_of_tables(expand):
    files = {"robot/f.yaml": json.dumps({"arm": {"links": [{"name": "a"}, {"name": "b"}], "items": 3}})}
    body = (
        "<xacro:property name='f' value=\"${load_yaml('$(dirname)/f.yaml')}\"/>"
        "<l a=\"${f.arm.links[1].name}\" b='${f.arm.items}' c=\"${[x.name for x in f['arm']['links']]}\"/>"
    )
    assert expand(body, files).root.children[0].attributes == {"a": "b", "b": "3", "c": "['a', 'b']"}


def test_missing_keys_are_told(expand):
    body = "<xacro:property name='f' value=\"${load_yaml('f.yaml')}\"/><l a='${f.arm}'/>"
    with pytest.raises(UrdfValueError, match="no key 'arm'; known: 'leg'"):
        expand(body, {"robot/f.yaml": "leg: 1"})


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_encodings(encoding):
    assert load("a: é\n".encode(encoding)) == {"a": "é"}


@pytest.mark.parametrize(
    "text",
    [
        "a: !!python/object/apply:os.system ['touch pwned']", "a: !!python/name:os.system x", "a: !unknown 1",
        "a: !!binary YQ==",
        "a: !!set {b}", "a: !!timestamp 2001-01-01", "!degrees [1]", "a: !!python/tuple [1]", "a: !!map [1]",
    ],
)  # fmt: skip
def test_tags_that_make_objects_are_refused(text):
    with pytest.raises(UrdfUnsupportedError, match=r"f\.yaml:1.*not allowed"):
        load(text)


@pytest.mark.parametrize(
    "text",
    [
        "a: [1", "a: b: c", "\t- a", "a: *none", "a: &x [*x]", "a: &x {b: *x}", "--- 1\n--- 2\n", b"\xff\xfea",
        b"\xe9", b"\xff\xfe\x00", "\x01", "%YAML 9.9\n--- a", "? [a]\n: b", "? {a: b}\n: c", "a: !!int x", "<<: 1",
        "a: !degrees x", "&a &b c",
        "[" * 3_000, "{a: " * 3_000, "- " * 3_000, "\n".join(" " * n + "a:" for n in range(300)), "a: 1\n" * 15_000,
        "x" * 300_000, "[" * 40 + "a, " * 20_000,
    ],
)  # fmt: skip
def test_what_is_no_yaml_or_too_much_is_refused_soon(text):
    started = time.process_time()
    with pytest.raises(UrdfError, match=r"f\.yaml"):
        load(text, evaluate=lambda text: text)
    assert time.process_time() - started < 2.0


def test_aliases_within_aliases_cost_nothing_until_they_are_written(expand):
    text = "l0: &l0 [ha, ha]\n" + "".join(f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 10)}]\n" for n in range(1, 30))
    started = time.process_time()
    body = "<l a=\"${len(xacro.load_yaml('f.yaml').l29)}\"/>"
    with pytest.raises(UrdfValueError, match="too large"):
        expand(body, {"robot/f.yaml": text})
    assert len(load(text)["l29"]) == 10
    assert time.process_time() - started < 2.0


pieces = st.sampled_from(
    [*"[]{}:,-?&*!|>'\"%@`#~ \n\t", "a", "1", "\n  ", "- ", ": ", "<<: ", "---\n", "*a", "&a ", "!!str ", "é", "\0"]
)


@settings(max_examples=500)
@given(st.one_of(st.binary(max_size=60), st.text(max_size=60), st.lists(pieces, max_size=40).map("".join)))
def test_nothing_but_a_project_error_ever(text):
    with contextlib.suppress(UrdfError):
        load(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"))
