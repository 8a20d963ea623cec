# SPDX-License-Identifier: GPL-3.0-or-later
"""Six revolute joints of which the last three meet in a point: all candidates for a pose.

The wrist's centre c is moved by the first three joints only, ``E1 E2 E3 c = G c``; its distance from axis 1 and its
height along it do not depend on q1, which leaves two equations in (q2, q3) that are linear in ``R2 v`` with
``v = E3 c - a2``. Where axes 1 and 2 are parallel or meet, or 2 and 3 are parallel, they fall apart into subproblems
3 and 4; otherwise they make one polynomial of degree four. The wrist is subproblems 4, 1, 1.

Sources: D. L. Pieper, "The kinematics of manipulators under computer control", Stanford 1968; Elias and Wen, "IK-Geo",
2022. ``E`` turns about a line, ``h`` is its direction, ``a`` a point on it, all at q = 0.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from .loop import Candidate, Loop
from .subproblems import Trig, angle_between, product, projected, quadratic_trig_roots, trig_roots
from .vectors import (
    V3,
    add,
    along,
    any_normal,
    common_normal,
    cross,
    dot,
    minus,
    norm,
    times,
    turn,
)

_EXACT, _NEARLY = 1e-9, 1e-3
_SINGULAR = 2e-7


def solve(loop: Loop) -> list[Candidate]:
    """Return candidates for the six angles, some perhaps wrong or double."""
    candidates: list[Candidate] = []
    for angles, free in first_three(loop):
        candidates += _wrist(loop, angles, free)
    return candidates


@dataclass(frozen=True, slots=True)
class _Shoulder:
    """The equations of the first three joints.

    Attributes:
        d: From axis 1 to axis 2, along their common normal.
        u: The part of h1 at right angles to h2; it is at right angles to d too.
        w: From a2 to a3.
        m: From a3 to the wrist's centre.
        x: ``u . R2 v`` as a function of q3.
        y: ``d . R2 v`` as a function of q3.
        vv: ``|v|^2`` as a function of q3.
        vh: ``h2 . v`` as a function of q3.
        goal: From a1 to where the wrist's centre has to be.
        scale: Size of the arm.
    """

    h1: V3
    h2: V3
    h3: V3
    d: V3
    u: V3
    w: V3
    m: V3
    x: Trig
    y: Trig
    vv: Trig
    vh: Trig
    goal: V3
    scale: float


def _equations(loop: Loop) -> _Shoulder:
    (h1, h2, h3), (p1, p2, p3) = loop.h[:3], loop.p[:3]
    a1, a2 = common_normal(h1, p1, h2, p2)
    a3 = common_normal(h2, a2, h3, p3)[1]
    d, w, m = minus(a2, a1), minus(a3, a2), minus(loop.center, a3)
    goal = minus(add(times(loop.rotation, loop.center), loop.shift), a1)
    h12 = dot(h1, h2)
    u = along(h1, -h12, h2)
    one, cosine, sine = projected(h2, h3, m)
    vh = (one + dot(h2, w), cosine, sine)
    one, cosine, sine = projected(w, h3, m)
    vv = (dot(w, w) + dot(m, m) + 2.0 * one, 2.0 * cosine, 2.0 * sine)
    x = (dot(h1, goal) - h12 * vh[0], -h12 * vh[1], -h12 * vh[2])
    y = (0.5 * (dot(goal, goal) - dot(d, d) - vv[0]), -0.5 * vv[1], -0.5 * vv[2])
    scale = norm(d) + norm(w) + norm(m)
    return _Shoulder(h1, h2, h3, d, u, w, m, x, y, vv, vh, goal, scale)


def first_three(loop: Loop) -> Iterator[Candidate]:
    """Yield candidates for the three angles that bring the loop's centre where the displacement brings it."""
    e = _equations(loop)
    for q3 in _third(e, loop):
        free3 = () if q3 is not None else (2,)
        q3 = loop.reference[2] if q3 is None else q3
        v = add(e.w, turn(e.h3, q3, e.m))
        for q2 in _second(e, q3, v, loop.slack):
            free2 = free3 if q2 is not None else (*free3, 1)
            q2 = loop.reference[1] if q2 is None else q2
            reached = add(e.d, turn(e.h2, q2, v))
            q1 = angle_between(e.h1, reached, e.goal, _EXACT**2 * e.scale**2)
            free1 = free2 if q1 is not None else (*free2, 0)
            yield (loop.reference[0] if q1 is None else q1, q2, q3), free1


def _third(e: _Shoulder, loop: Loop) -> list[float | None]:
    """Return q3; None where any will do."""
    alpha, beta, gamma = norm(e.u), norm(e.d) / e.scale, norm(cross(e.h2, e.h3))
    found: list[float | None] = []
    if alpha < _NEARLY:
        found += _list(trig_roots(-e.x[1], -e.x[2], e.x[0], e.scale, loop.slack))
    if beta < _NEARLY:
        found += _list(trig_roots(-e.y[1], -e.y[2], e.y[0], e.scale**2, loop.slack))
    if gamma < _NEARLY and alpha > _EXACT and beta > _EXACT:
        found += _parallel_elbow(e, alpha, loop.slack)
    if min(alpha, beta, gamma) > _EXACT:
        found += _general(e, alpha * alpha, loop.slack)
    return found


def _list(roots: list[float] | None) -> list[float | None]:
    return [None] if roots is None else [*roots]


def _parallel_elbow(e: _Shoulder, alpha: float, slack: float) -> list[float | None]:
    """Axes 2 and 3 parallel: with ``t = w . R3 m``, x is constant and y and |v|^2 are linear in t."""
    one, cosine, sine = projected(e.w, e.h3, e.m)
    fixed = e.vv[0] - 2.0 * one
    dd = dot(e.d, e.d)
    y0 = e.y[0] + one
    rest = 2.0 * y0 + dd - ((e.x[0] / alpha) ** 2 + e.vh[0] ** 2 - fixed)
    if rest < -slack * e.scale**2:
        return []
    root = math.sqrt(dd * max(rest, 0.0))
    found: list[float | None] = []
    for t in (y0 + dd + root, y0 + dd - root)[: 2 if root > 0.0 else 1]:
        found += _list(trig_roots(cosine, sine, t - one, e.scale**2, slack))
    return found


def _general(e: _Shoulder, uu: float, slack: float) -> list[float | None]:
    """The squares of both parts of ``R2 v`` across axis 2 add up to that of its length less its part along it."""
    dd = dot(e.d, e.d)
    xx, yy, hh = product(e.x, e.x), product(e.y, e.y), product(e.vh, e.vh)
    vv = (*e.vv, 0.0, 0.0, 0.0)
    quartic = tuple(dd * a + uu * b + uu * dd * (c - v) for a, b, c, v in zip(xx, yy, hh, vv, strict=True))
    return [*quadratic_trig_roots(quartic, slack)]


def _second(e: _Shoulder, q3: float, v: V3, slack: float) -> list[float | None]:
    """Return q2, from whichever of the two equations determines it."""
    c, s = math.cos(q3), math.sin(q3)
    x, y = (f[0] + f[1] * c + f[2] * s for f in (e.x, e.y))
    uu, dd = dot(e.u, e.u), dot(e.d, e.d)
    normal = cross(e.h2, v)
    if uu < _NEARLY**2:
        return _list(trig_roots(dot(e.d, v) - dot(e.h2, v) * dot(e.h2, e.d), dot(e.d, normal), y, e.scale**2, slack))
    if dd < (_NEARLY * e.scale) ** 2:
        return _list(trig_roots(dot(e.u, v), dot(e.u, normal), x, e.scale, slack))
    target = (
        x / uu * e.u[0] + y / dd * e.d[0],
        x / uu * e.u[1] + y / dd * e.d[1],
        x / uu * e.u[2] + y / dd * e.d[2],
    )
    return [angle_between(e.h2, v, target, _EXACT**2 * e.scale**2)]


def _wrist(loop: Loop, arm: tuple[float, ...], free: tuple[int, ...]) -> Iterator[Candidate]:
    """Complete candidates with q4, q5, q6: ``R4 R5 R6 = (R1 R2 R3)^T R``."""
    h4, h5, h6 = loop.h[3:]

    def before(v: V3) -> V3:
        for axis, angle in zip(loop.h, arm, strict=False):
            v = turn(axis, -angle, v)
        return v

    toward = before(times(loop.rotation, h6))
    across = any_normal(h6)
    placed = before(times(loop.rotation, across))
    one, cosine, sine = projected(h4, h5, h6)
    for q5 in trig_roots(cosine, sine, dot(h4, toward) - one, 1.0, loop.slack) or []:
        tilted = turn(h5, q5, h6)
        q4 = angle_between(h4, tilted, toward, _SINGULAR**2)
        wrist_free = free if q4 is not None else (*free, 3)
        q4 = loop.reference[3] if q4 is None else q4
        q6 = angle_between(h6, across, turn(h5, -q5, turn(h4, -q4, placed)))
        yield (*arm, q4, q5, 0.0 if q6 is None else q6), wrist_free
