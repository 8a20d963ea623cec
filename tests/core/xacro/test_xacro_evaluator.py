# SPDX-License-Identifier: GPL-3.0-or-later
"""Expressions: the same as Python's for what is allowed, a project error for everything else, always soon."""

from __future__ import annotations

import contextlib
import math
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from urdf_rig.core.errors import UrdfError, UrdfReferenceError, UrdfValueError
from urdf_rig.core.xacro.budget import Budget
from urdf_rig.core.xacro.evaluator import evaluate
from urdf_rig.core.xacro.mathematics import EXTRA_SYMBOLS, SYMBOLS

PYTHON = {
    **{name: getattr(math, name) for name in ("sin", "sqrt", "floor", "degrees", "pi")},
    **{f.__name__: f for f in (abs, round, min, max, len, int, float, str, bool, sum, sorted, list, tuple)},
    "__builtins__": {},
}


class Symbols:
    cost = 1

    def lookup(self, name):
        return SYMBOLS[name] if name in SYMBOLS else EXTRA_SYMBOLS[name]

    def known(self):
        return SYMBOLS


def value_of(text):
    return evaluate(text, Symbols(), Budget())


def same(left, right):
    if isinstance(left, float) and isinstance(right, float) and math.isnan(left):
        return math.isnan(right)
    return type(left) is type(right) and left == right and repr(left) == repr(right)


numbers = st.one_of(
    st.integers(-30, 30).map(str),
    st.floats(-100, 100, allow_nan=False).map(repr),
    st.sampled_from(["True", "False", "pi", "0.0"]),
)


def larger(inner):
    operator = st.sampled_from(["+", "-", "*", "/", "//", "%"])
    comparison = st.sampled_from(["<", "<=", "==", "!=", ">", ">="])
    return st.one_of(
        st.tuples(inner, operator, inner).map(lambda p: f"({p[0]} {p[1]} {p[2]})"),
        st.tuples(inner, operator, inner, operator, inner).map(" ".join).map(lambda s: f"({s})"),
        st.tuples(inner, st.integers(-3, 4)).map(lambda p: f"({p[0]})**{p[1]}"),
        st.tuples(inner, comparison, inner, comparison, inner).map(" ".join).map(lambda s: f"({s})"),
        st.tuples(inner, st.sampled_from(["and", "or"]), inner).map(" ".join).map(lambda s: f"({s})"),
        st.tuples(inner, inner, inner).map(lambda p: f"({p[0]} if {p[1]} else {p[2]})"),
        st.tuples(st.sampled_from(["-", "+", "not "]), inner).map(lambda p: f"({p[0]}{p[1]})"),
        st.tuples(st.sampled_from(["abs", "sin", "sqrt", "floor", "round", "int", "float", "str", "bool"]), inner).map(
            lambda p: f"{p[0]}({p[1]})"
        ),
        st.tuples(st.sampled_from(["min", "max"]), inner, inner).map(lambda p: f"{p[0]}({p[1]}, {p[2]})"),
        st.lists(inner, min_size=1, max_size=3).map(lambda p: f"[{', '.join(p)}]"),
        st.tuples(inner, st.integers(-3, 3)).map(lambda p: f"[{p[0]}, 2, 'ab'][{p[1]}]"),
        st.tuples(st.integers(-3, 3), st.integers(-3, 3)).map(lambda p: f"'abcde'[{p[0]}:{p[1]}]"),
        st.tuples(inner, inner).map(lambda p: f"[x + {p[0]} for x in [1, 2.5] if x > {p[1]}]"),
        st.tuples(inner, inner).map(lambda p: f"'%.3g|%s' % ({p[0]}, {p[1]})"),
    )


@settings(max_examples=400)
@given(st.recursive(numbers, larger, max_leaves=8))
def test_allowed_expressions_have_pythons_values(text):
    try:
        wanted = eval(text, dict(PYTHON))  # made above from safe parts
    except (ArithmeticError, TypeError, ValueError, LookupError):
        with pytest.raises(UrdfValueError):
            value_of(text)
        return
    if isinstance(wanted, complex) or "complex" in repr(wanted):
        with pytest.raises(UrdfValueError):
            value_of(text)
        return
    assert same(value_of(text), wanted), text


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("2**10 + (1 << 3) | 1 & 3 ^ 4", 2**10 + (1 << 3) | 1 & 3 ^ 4),
        ("1" + " + 1" * 200, 201),
        ("[a + b for a, b in [(1, 2), (3, 4)]]", [3, 7]),
        ("[(i, j) for i in range(3) for j in range(i)]", [(1, 0), (2, 0), (2, 1)]),
        ("{k: v for k, v in zip('ab', [1, 2])}", {"a": 1, "b": 2}),
        ("sum(i for i in range(4))", 6),
        ("max(*[1, 2], 3)", 3),
        ("sorted(['b', 'A'], key=len, reverse=True)", ["b", "A"]),
        ("min([], default=4)", 4),
        ("list(map(int, '1 2'.split()))", [1, 2]),
        ("filter(None, [0, 1])", [1]),
        ("dict([('a', 1)], b=2)", {"a": 1, "b": 2}),
        ("{'a': {'items': 1}}.a.items", 1),
        ("{'a': 1}.items()", [("a", 1)]),
        ("'%(a)d %%' % {'a': 3}", "3 %"),
        ("isinstance(1.5, float) and not isinstance('a', (int, float))", True),
        ("divmod(7, 2)", (3, 1)),
        ("enumerate('ab', 1)", [(1, "a"), (2, "b")]),
        ("prod([2, 3]) + fsum([.5, .5]) + comb(4, 2) + perm(3) + factorial(3) + gcd(4, 6) + lcm(4, 6)", 39.0),
        ("hypot(3, 4) + dist([0, 0], [3, 4])", 10.0),
        ("any([0, 1]) and not all([0, 1])", True),
        ("reversed([1, 2]) + list((3,))", [2, 1, 3]),
        ("'a,b'.replace(',', '-', 1).ljust(4, '.').zfill(6)", "00a-b."),
        ("1 if None is None else 2", 1),
        ("ord('a') + int('ff', 16)", 352),
        ("repr('a')", "'a'"),
    ],
)  # fmt: skip
def test_values(text, wanted):
    assert same(value_of(text), wanted)


DEEP = [
    "(" * 250 + "1" + ")" * 250, "[" * 90 + "]" * 90, "-" * 5000 + "1", "not " * 1900 + "1", "a" + ".a" * 3900,
    "'" + "x" * 9000 + "'",
]  # fmt: skip
REFUSED = (Path(__file__).parent / "refused_expressions.txt").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("text", [*REFUSED, *DEEP, "", "  ", "\x00", "\ud800"])
def test_refused_soon_and_by_name(text):
    started = time.process_time()
    with pytest.raises(UrdfError) as caught:
        value_of(text)
    assert time.process_time() - started < 1.0
    assert isinstance(caught.value, UrdfValueError | UrdfReferenceError)
    assert repr(text[:100])[1:-1] in str(caught.value)


def test_an_undefined_name_is_told_with_the_nearest_one():
    with pytest.raises(UrdfReferenceError, match=r"'radian' is not defined.*'radians'"):
        value_of("2 * radian(3)")


WORDS = (
    "( ) [ ] { } , : . + - * / // % ** << >> & | ^ ~ < > == != = := if else for in not and or is lambda None True "
    "0 1 2 -1 1e308 10**9 9**9**9 'a' '%s' \"b\" x y range len str list map sorted sum dict zip max math python pi inf "
    "nan format join split replace items get __class__ _ \\ \n ' é"
)
words = st.sampled_from(WORDS.split(" "))


@settings(max_examples=1_500)
@given(
    st.one_of(
        st.text(max_size=60), st.lists(words, max_size=25).map("".join), st.lists(words, max_size=25).map(" ".join)
    )
)
def test_nothing_but_a_project_error_ever(text):
    started = time.process_time()
    with contextlib.suppress(UrdfError):
        value_of(text)
    assert time.process_time() - started < 1.0


def test_values_that_hold_themselves_many_times_are_refused():
    """Nested lists that are small in memory and endless as text."""

    class Doubling(Symbols):
        def lookup(self, name):
            if name != "x":
                return super().lookup(name)
            value = [1]
            for _ in range(200):
                value = [value, value]
            return value

    for text in ("str(x)", "x == [x]", "x in [x]", "sorted([x, x])", "'%s' % x", "'%s' % [x]", "max(x, x)"):
        started = time.process_time()
        with pytest.raises(UrdfValueError, match="too large"):
            evaluate(text, Doubling(), Budget())
        assert time.process_time() - started < 1.0


def test_the_budget_of_the_expansion_counts():
    with pytest.raises(UrdfValueError, match="more steps"):
        evaluate("sum([x for x in range(5000)])", Symbols(), Budget(steps=3_000))
    with pytest.raises(UrdfValueError, match="takes too long"):
        evaluate("sum([x for x in range(5000)])", Symbols(), Budget(seconds=-1.0))
