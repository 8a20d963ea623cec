# SPDX-License-Identifier: GPL-3.0-or-later
"""Six revolute joints of which the second, third and fourth are parallel: all candidates for a pose.

What turning about parallel axes can't change, components along their direction h, gives two equations that are linear
in the cosines and sines of q1 and q5 (subproblem 6):

    h . R1^T (R h6)        = h . R5 h6
    h . E1^-1 (G a6)       = h . E5 a6          with a6 a point on axis 6

Then the angle of the three together and q6 are subproblem 1, and the three a planar arm (subproblems 3, 1).

Source: Elias and Wen, "IK-Geo", 2022.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from .loop import Candidate, Loop, same_way
from .subproblems import Trig, angle_between, projected, quadratic_trig_roots, trig_roots
from .vectors import (
    V3,
    add,
    along,
    any_normal,
    common_normal,
    dot,
    minus,
    norm,
    times,
    turn,
    turn_about,
)

_EXACT, _NEARLY = 1e-9, 1e-4
_SINGULAR = 2e-7


def solve(loop: Loop) -> list[Candidate]:
    """Return candidates for the six angles, some perhaps wrong or double."""
    h = loop.h[1]
    candidates: list[Candidate] = []
    for q1, q5 in _outer(loop, h):
        free: tuple[int, ...] = ()
        q1, free = (q1, free) if q1 is not None else (loop.reference[0], (0,))
        q5, free = (q5, free) if q5 is not None else (loop.reference[4], (*free, 4))
        candidates += _inner(loop, h, q1, q5, free)
    return candidates


def _outer(loop: Loop, h: V3) -> Iterator[tuple[float | None, float | None]]:
    """Yield (q1, q5)."""
    h1, h5, h6 = loop.h[0], loop.h[4], loop.h[5]
    a5, a6 = common_normal(h5, loop.p[4], h6, loop.p[5])
    a1 = loop.p[0]
    goal = minus(add(times(loop.rotation, a6), loop.shift), a1)
    scale = norm(goal) + norm(minus(a6, a5)) + norm(minus(a5, a1))
    # R1^T v is a turn by -q1
    turned = [projected(h, h1, times(loop.rotation, h6)), projected(h, h1, goal)]
    first = [(one, cosine, -sine) for one, cosine, sine in turned]
    one, cosine, sine = projected(h, h5, minus(a6, a5))
    fifth = [projected(h, h5, h6), (one + dot(h, minus(a5, a1)), cosine, sine)]
    yield from _two_angles(first, fifth, scale, loop)


def _two_angles(f: list[Trig], g: list[Trig], scale: float, loop: Loop) -> Iterator[tuple[float | None, float | None]]:
    """Yield the pairs with ``f1(q1) = g1(q5)`` and ``f2(q1) = g2(q5)``; the second equation is in metres."""
    f = [f[0], (f[1][0] / scale, f[1][1] / scale, f[1][2] / scale)]
    g = [g[0], (g[1][0] / scale, g[1][1] / scale, g[1][2] / scale)]
    coupled = False
    alone_1, size_1 = _without(g, f)  # an equation in q1 alone, if any
    alone_5, size_5 = _without(f, g)
    if size_1 < _NEARLY:
        coupled |= size_1 > _EXACT
        for q1 in _list(trig_roots(alone_1[1], alone_1[2], -alone_1[0], 1.0, loop.slack)):
            yield from ((q1, q5) for q5 in _other(f, g, loop.reference[0] if q1 is None else q1, loop.slack))
    elif size_5 < _NEARLY:
        coupled |= size_5 > _EXACT
        for q5 in _list(trig_roots(alone_5[1], alone_5[2], -alone_5[0], 1.0, loop.slack)):
            yield from ((q1, q5) for q1 in _other(g, f, loop.reference[4] if q5 is None else q5, loop.slack))
    else:
        coupled = True
    if coupled:
        for q1 in quadratic_trig_roots(_eliminated(f, g), loop.slack):
            yield from ((q1, q5) for q5 in _both(f, g, q1))


def _without(g: list[Trig], f: list[Trig]) -> tuple[Trig, float]:
    """Return the combination of ``f - g`` that is free of g's angle as nearly as can be, and how much of it is left."""
    rows = [(g[0][1], g[0][2]), (g[1][1], g[1][2])]
    sizes = [math.hypot(*row) for row in rows]
    large = 0 if sizes[0] >= sizes[1] else 1
    if sizes[large] < _EXACT:
        large, ratio, rest = 0, 0.0, 0.0
    else:
        a, b = rows[large], rows[1 - large]
        ratio = (a[0] * b[0] + a[1] * b[1]) / sizes[large] ** 2
        rest = math.hypot(b[0] - ratio * a[0], b[1] - ratio * a[1])
    kept, taken = 1 - large, large
    one = f[kept][0] - g[kept][0] - ratio * (f[taken][0] - g[taken][0])
    return (one, f[kept][1] - ratio * f[taken][1], f[kept][2] - ratio * f[taken][2]), rest


def _other(f: list[Trig], g: list[Trig], angle: float, slack: float) -> list[float | None]:
    """Return g's angle for f's, from the equation that says most about it."""
    row = 0 if math.hypot(*g[0][1:]) >= math.hypot(*g[1][1:]) else 1
    value = f[row][0] + f[row][1] * math.cos(angle) + f[row][2] * math.sin(angle)
    return _list(trig_roots(g[row][1], g[row][2], value - g[row][0], 1.0, slack))


def _both(f: list[Trig], g: list[Trig], angle: float) -> list[float]:
    """Return g's angle from both equations together."""
    c, s = math.cos(angle), math.sin(angle)
    first, second = (f[i][0] + f[i][1] * c + f[i][2] * s - g[i][0] for i in (0, 1))
    determinant = g[0][1] * g[1][2] - g[0][2] * g[1][1]
    sign = 1.0 if determinant > 0.0 else -1.0
    cosine = sign * (g[1][2] * first - g[0][2] * second)
    sine = sign * (g[0][1] * second - g[1][1] * first)
    return [math.atan2(sine, cosine)]


def _eliminated(f: list[Trig], g: list[Trig]) -> tuple[float, ...]:
    """Return ``cos^2 + sin^2 - 1`` of g's angle as a polynomial in f's, free of divisions."""
    (f1, f2), (g1, g2) = f, g
    first = (f1[0] - g1[0], f1[1], f1[2])
    second = (f2[0] - g2[0], f2[1], f2[2])
    cosine = _mixed(g2[2], first, -g1[2], second)
    sine = _mixed(g1[1], second, -g2[1], first)
    determinant = g1[1] * g2[2] - g1[2] * g2[1]
    squares = [a + b for a, b in zip(_square(cosine), _square(sine), strict=True)]
    squares[0] -= determinant * determinant
    return tuple(squares)


def _mixed(a: float, f: Trig, b: float, g: Trig) -> Trig:
    return a * f[0] + b * g[0], a * f[1] + b * g[1], a * f[2] + b * g[2]


def _square(f: Trig) -> tuple[float, ...]:
    a, b, c = f
    return a * a, 2.0 * a * b, 2.0 * a * c, b * b, 2.0 * b * c, c * c


def _list(roots: list[float] | None) -> list[float | None]:
    return [None] if roots is None else [*roots]


def _inner(loop: Loop, h: V3, q1: float, q5: float, free: tuple[int, ...]) -> Iterator[Candidate]:
    """Yield candidates with the other four angles."""
    h1, h5, h6 = loop.h[0], loop.h[4], loop.h[5]
    tilted = turn(h5, q5, h6)
    toward = turn(h1, -q1, times(loop.rotation, h6))
    together = angle_between(h, tilted, toward, _SINGULAR**2)
    if together is None:
        q6, free = loop.reference[5], (*free, 5)
        across = any_normal(h)
        moved = times(loop.rotation, turn(h6, -q6, turn(h5, -q5, across)))
        together = angle_between(h, across, turn(h1, -q1, moved)) or 0.0
    else:
        across = any_normal(h6)
        moved = turn(h5, -q5, turn(h, -together, turn(h1, -q1, times(loop.rotation, across))))
        q6 = angle_between(h6, across, moved) or 0.0
    yield from _planar(loop, h, (q1, q5, q6), together, free)


def _planar(
    loop: Loop, h: V3, outer: tuple[float, float, float], together: float, free: tuple[int, ...]
) -> Iterator[Candidate]:
    """Yield candidates for the three parallel joints: ``E2 E3 a4 = E1^-1 G E6^-1 E5^-1 a4``."""
    q1, q5, q6 = outer
    a2 = loop.p[1]
    a3, a4 = (along(point, dot(h, minus(a2, point)), h) for point in loop.p[2:4])
    point = turn_about(loop.h[5], loop.p[5], -q6, turn_about(loop.h[4], loop.p[4], -q5, a4))
    y = turn_about(loop.h[0], loop.p[0], -q1, add(times(loop.rotation, point), loop.shift))
    goal = minus(y, a2)
    goal = along(goal, -dot(h, goal), h)
    w, m = minus(a3, a2), minus(a4, a3)
    one, cosine, sine = projected(w, h, m)
    scale = norm(w) + norm(m)
    distance = 0.5 * (dot(goal, goal) - dot(w, w) - dot(m, m))
    for angle3 in _list(trig_roots(cosine, sine, distance - one, scale**2, loop.slack)):
        free3 = free if angle3 is not None else (*free, 2)
        angle3 = loop.reference[2] * same_way(h, loop.h[2]) if angle3 is None else angle3
        angle2 = angle_between(h, add(w, turn(h, angle3, m)), goal, _EXACT**2 * scale**2)
        free2 = free3 if angle2 is not None else (*free3, 1)
        angle2 = loop.reference[1] if angle2 is None else angle2
        angle4 = together - angle2 - angle3
        yield (
            (q1, angle2, angle3 * same_way(h, loop.h[2]), angle4 * same_way(h, loop.h[3]), q5, q6),
            tuple(sorted(free2)),
        )
