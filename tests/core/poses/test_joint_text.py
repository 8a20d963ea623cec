# SPDX-License-Identifier: GPL-3.0-or-later
"""Joint values as text: read and written by other programs too, bounded, fitted to a robot."""

from __future__ import annotations

import ast
import json
import math
import time

import pytest
from ruamel.yaml import YAML

from urdf_rig.core.motion import MotionError
from urdf_rig.core.poses import FORMS, blended, fit_values, joint_text, parse_joint_text, random_values
from urdf_rig.core.urdf import parse_urdf

ROBOT = parse_urdf("""<robot name="r"><link name="base"/><link name="a"/><link name="b"/><link name="c"/>
  <link name="d"/><link name="e"/>
  <joint name="turn" type="revolute"><parent link="base"/><child link="a"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="2" effort="1" velocity="1"/></joint>
  <joint name="wheel" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/></joint>
  <joint name="slide" type="prismatic"><parent link="b"/><child link="c"/><axis xyz="0 0 1"/>
    <limit lower="0" upper="0.1" effort="1" velocity="1"/></joint>
  <joint name="grip" type="revolute"><parent link="c"/><child link="d"/><axis xyz="1 0 0"/>
    <limit lower="-9" upper="9" effort="1" velocity="1"/><mimic joint="slide" multiplier="2"/></joint>
  <joint name="float" type="floating"><parent link="base"/><child link="e"/></joint></robot>""")

VALUES = {
    "turn": -0.25,
    "on": 1e-5,
    'odd "name\\': 12.5,
    "it's": 0.0,
    "1": 3.0,
    "float": (1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0),
}
READERS = {"JSON": json.loads, "PYTHON": ast.literal_eval, "YAML": YAML(typ="safe", pure=True).load}


@pytest.mark.parametrize("form", FORMS)
def test_other_readers_and_our_own_read_what_is_written(form):
    text = joint_text(VALUES, form)
    plain = {name: list(value) if isinstance(value, tuple) else value for name, value in VALUES.items()}
    assert READERS[form](text) == plain
    assert parse_joint_text(text) == VALUES


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1, "b": -2.5e-1}',
        "{'a': 1, 'b': -.25}  # rad",
        "{\n  'a': +1.0,\n  'b': -0.25,\n}\n",
        "a: 1\nb: -0.25\n",
        "{a: 1, b: -0.25}",
        '{"name": ["a", "b"], "position": [1, -0.25]}',
        "header:\n  seq: 1\nname: [a, b]\nposition: [1, -0.25]\nvelocity: []\n",
        "joint_names: [a, b]\npositions: [1, -0.25]\n",
        "{'joints': ('a', 'b'), 'values': (1, -0.25)}",
    ],
)
def test_all_usual_ways_to_write_values_are_read(text):
    assert parse_joint_text(text) == {"a": 1.0, "b": -0.25}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no joint values"),
        ("[1, 2]", "no joint values"),
        ("{}", "empty"),
        ("hello", "no joint values"),
        ('{"a": NaN}', "not finite"),
        ('{"a": 1e999}', "not finite"),
        ('{"a": "1"}', "no number"),
        ('{"a": true}', "no number"),
        ("{'a': None}", "no number"),
        ("on: 1", "quotes"),
        ("{1: 2}", "quotes"),
        ('{"name": ["a"], "position": [1, 2]}', "1 joint names and 2"),
        ("{'a': __import__('os').getpid()}", "no number"),  # YAML takes it for a text
        ("__import__('os').system('x')", "no joint values"),
        ("a: !!python/object/apply:os.getpid []", "no number"),
        ("a: &x [1]\nb: *x", "no joint values"),
        ("{'a': 1 + 1}", "no number"),
        ("{'a': 10**9}", "no number"),
        ("{'a': " + "[" * 5000 + "]" * 5000 + "}", "no joint values"),
        ("{'a': " + "-" * 100_000 + "1}", "no number"),
        ("{" * 100_000, "no joint values"),
        ("a" * 300_000, "longer"),
        ("{'a': " + "9" * 10_000 + "}", "no number"),
        ("{[1]: 2}", "no text|no joint values"),
        ("{'a': 1 +1}", "no number"),
    ],
)
def test_anything_else_is_refused_soon(text, words):
    begun = time.monotonic()
    with pytest.raises(MotionError, match=words):
        parse_joint_text(text)
    assert time.monotonic() - begun < 10


def test_values_outside_limits_are_put_there_and_said():
    values = {"turn": 5.0, "wheel": 100.0, "slide": -0.5, "grip": 1.0, "ghost": 1.0, "float": 2.0}
    fitted = fit_values(ROBOT, values)
    assert fitted.values == {"turn": 2.0, "wheel": 100.0, "slide": 0.0} and fitted.spatial == {}
    text = "; ".join(fitted.remarks)
    assert "turn from 5 to 2" in text and "slide from -0.5 to 0" in text and "wheel" not in text
    assert "'ghost'" in text and "'grip'" in text and "'float'" in text
    exact = fit_values(ROBOT, {"turn": 90.0, "slide": 0.05, "float": (0.0, 0, 0, 1, 0, 0, 0)}, degrees=True)
    assert exact.values == {"turn": pytest.approx(math.pi / 2), "slide": 0.05} and len(exact.spatial) == 1
    assert exact.remarks == ()
    assert "'float'" in fit_values(ROBOT, {"float": (0.0,) * 7}).remarks[0]


def test_random_values_are_within_limits_and_repeatable():
    seen = [random_values(ROBOT, seed) for seed in range(200)]
    for low, high, name in ((-1, 2, "turn"), (-math.pi, math.pi, "wheel"), (0, 0.1, "slide")):
        values = [item[name] for item in seen]
        assert min(values) >= low and max(values) <= high
        assert min(values) < low + 0.05 * (high - low) and max(values) > high - 0.05 * (high - low)
    assert set(seen[0]) == {"turn", "wheel", "slide"}
    assert random_values(ROBOT, 7) == seen[7] and random_values(ROBOT, 7, {"slide"}) == {"slide": seen[7]["slide"]}


def test_blending_is_linear_and_turns_the_short_way():
    assert blended({"a": 1.0, "c": 0.0}, {"a": 3.0, "b": 2.0}, 0.25) == {"a": 1.5, "b": 2.0}
    half = math.sqrt(0.5)
    start, end = (0.0, 0, 0, -1, 0, 0, 0), (2.0, 0, 0, half, half, 0, 0)  # 90 degrees about x, q and -q being the same
    (middle,) = blended({"f": start}, {"f": end}, 0.5).values()
    assert middle == pytest.approx((1, 0, 0, math.cos(math.pi / 8), math.sin(math.pi / 8), 0, 0))
    assert blended({"f": start}, {"f": end}, 1.0) == {"f": end}
