# SPDX-License-Identifier: GPL-3.0-or-later
"""Canonical subproblems: the few equations in one or two angles that closed forms are made of.

Sources: B. Paden, "Kinematics and control of robot manipulators", Berkeley 1986, and W. Kahan (subproblems 1 to 3);
A. J. Elias and J. T. Wen, "IK-Geo: unified robot inverse kinematics using subproblem decomposition", 2022
(subproblems 4 to 6, least-squares view). Derived here from the equations in the docstrings.
"""

from __future__ import annotations

import math

import numpy as np

from .vectors import V3, cross, dot

Trig = tuple[float, float, float]
"""``a + b cos q + c sin q`` as ``(a, b, c)``."""

_TINY = 1e-13
_SINGLE = 4e-15
SLACK = 1e-7


def angle_between(k: V3, p: V3, q: V3, smallest: float = _TINY) -> float | None:
    """Return the angle about the unit vector ``k`` that turns ``p`` towards ``q`` (subproblem 1).

    None where one of them is so near to the axis (``smallest`` is the product of the distances) that any angle does.
    """
    kp = k[0] * p[0] + k[1] * p[1] + k[2] * p[2]
    kq = k[0] * q[0] + k[1] * q[1] + k[2] * q[2]
    cosine = p[0] * q[0] + p[1] * q[1] + p[2] * q[2] - kp * kq
    sine = dot(k, cross(p, q))
    if abs(cosine) + abs(sine) < smallest:
        return None
    return math.atan2(sine, cosine)


def projected(h: V3, k: V3, p: V3) -> Trig:
    """Return ``h . Rot(k, q) p`` as a function of q (subproblem 4's left side)."""
    kp, hk = dot(k, p), dot(h, k)
    return hk * kp, dot(h, p) - hk * kp, dot(h, cross(k, p))


def trig_roots(b: float, c: float, d: float, scale: float, slack: float = SLACK) -> list[float] | None:
    """Return the angles with ``b cos q + c sin q = d`` (subproblems 3 and 4).

    Two of them, one where they coincide, none where there is none, up to a little slack next to the boundary that a
    later polish decides. None instead of a list where all angles do.

    Args:
        b: Factor of the cosine.
        c: Factor of the sine.
        d: Right side.
        scale: Size below a billionth of which b, c and d count as 0.
        slack: How far beyond the boundary, relative to it, there still is a root; where it is large, as for an arm that
            is only nearly of its class, there are two on either side of the boundary.
    """
    size = math.hypot(b, c)
    if size <= 1e-9 * scale:
        return None if abs(d) <= 1e-7 * scale else []
    ratio = d / size
    middle = math.atan2(c, b)
    if abs(ratio) > 1.0 - _SINGLE:
        if abs(ratio) > 1.0 + slack:
            return []
        middle = middle if ratio > 0.0 else middle + math.pi
        aside = math.sqrt(2.0 * slack)
        return [middle] if slack <= SLACK else [middle - aside, middle + aside]
    # the arc cosine by way of the half angle keeps its digits near the boundary
    half = math.atan2(math.sqrt(1.0 - ratio), math.sqrt(1.0 + ratio))
    return [middle + 2.0 * half, middle - 2.0 * half]


def product(f: Trig, g: Trig) -> tuple[float, ...]:
    """Return ``f g`` in the monomials 1, c, s, c^2, sc, s^2 of cosine and sine."""
    return (
        f[0] * g[0],
        f[0] * g[1] + f[1] * g[0],
        f[0] * g[2] + f[2] * g[0],
        f[1] * g[1],
        f[1] * g[2] + f[2] * g[1],
        f[2] * g[2],
    )


def quadratic_trig_roots(f: tuple[float, ...], slack: float = SLACK) -> list[float]:
    """Return the real roots of a polynomial of degree 2 in cosine and sine, at most four (subproblems 5 and 6).

    Args:
        f: Factors of 1, c, s, c^2, sc, s^2.
        slack: As for ``trig_roots``.

    Roots that are nearly real are taken as real: where two coincide, rounding makes them a complex pair. What is no
    root is for the caller's check to find.
    """
    scale = max(map(abs, f))
    if scale == 0.0:
        return []
    values = [(abs(_value(f, math.cos(x), math.sin(x))), x) for x in (0.3, 1.5, 2.8, 4.1, 5.3)]
    shift = max(values)[1] - math.pi  # the half angle's tangent is infinite at pi: let F be large there
    quartic = _half_angle(_shifted(f, math.cos(shift), math.sin(shift)))
    companion = np.zeros((4, 4))
    companion[1:, :3] = np.eye(3)
    companion[0] = [-value / quartic[0] for value in quartic[1:]]
    roots = []
    for root in np.linalg.eigvals(companion).tolist():
        t = complex(root)
        aside = 2.0 * t.imag / (1.0 + abs(t) ** 2)
        if abs(aside) > 6.0 * math.sqrt(slack):
            continue
        angle = 2.0 * math.atan(t.real) + shift
        roots.append(_refined(f, angle) if slack <= SLACK or aside == 0.0 else angle + aside)
    return roots


def _value(f: tuple[float, ...], c: float, s: float) -> float:
    return f[0] + f[1] * c + f[2] * s + f[3] * c * c + f[4] * s * c + f[5] * s * s


def _shifted(f: tuple[float, ...], c: float, s: float) -> tuple[float, ...]:
    """Return the polynomial in the angle less a shift with the given cosine and sine."""
    return (
        f[0],
        f[1] * c + f[2] * s,
        -f[1] * s + f[2] * c,
        f[3] * c * c + f[4] * s * c + f[5] * s * s,
        2.0 * (f[5] - f[3]) * s * c + f[4] * (c * c - s * s),
        f[3] * s * s - f[4] * s * c + f[5] * c * c,
    )


def _half_angle(f: tuple[float, ...]) -> tuple[float, float, float, float, float]:
    """Return the quartic in the tangent of half the angle, highest power first."""
    one, c, s, cc, sc, ss = f
    return (
        one - c + cc,
        2.0 * (s - sc),
        2.0 * (one - cc) + 4.0 * ss,
        2.0 * (s + sc),
        one + c + cc,
    )


def _refined(f: tuple[float, ...], angle: float) -> float:
    for _ in range(3):
        c, s = math.cos(angle), math.sin(angle)
        slope = -f[1] * s + f[2] * c + 2.0 * (f[5] - f[3]) * s * c + f[4] * (c * c - s * s)
        step = _value(f, c, s) / slope if slope else 0.0
        if not abs(step) < 1e-2:
            break
        angle -= step
    return angle
