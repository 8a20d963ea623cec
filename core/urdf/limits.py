# SPDX-License-Identifier: GPL-3.0-or-later
"""``<limit>`` elements.

Where a file leaves room, the rules are: a range belongs to revolute and prismatic joints only. One without ``<limit>``,
or whose ``<limit>`` gives neither end, is unlimited (many files give effort and velocity alone for wheels and knees;
a joint locked at 0 is never what they mean). One end alone: the other is 0, as the specification says. Ends the wrong
way round are exchanged, as Gazebo does. ``inf`` is no limit, nor is a number beyond any robot. Each of these gives a
warning.
"""

from __future__ import annotations

import math

from ..diagnostics import Diagnostics
from ..model import JointType, Limits
from .remarks import only, warn
from .values import FARTHEST, number_or_infinite
from .xml import Element

_Range = tuple[float | None, float | None]
_UNLIMITED: _Range = (None, None)


def read_limits(joint: Element, kind: JointType, remarks: Diagnostics, who: str) -> Limits | None:
    """Return the limits of a scalar joint; None for other joints and where there is no ``<limit>``.

    Raises:
        UrdfValueError: If a number is bad.
    """
    if not kind.is_scalar:
        return None
    element = only(joint, "limit", remarks, who)
    ranged = kind is not JointType.CONTINUOUS
    if element is None:
        if ranged:
            warn(remarks, joint, f"the {kind.value} joint has no <limit>; it is unlimited", who)
        return None
    lower, upper = _range(element, remarks, who) if ranged else _UNLIMITED
    silent = [name for name in ("effort", "velocity") if name not in element.attributes]
    if silent:
        used = "; its range is used" if ranged else ""
        warn(remarks, element, f"<limit> gives no {' and no '.join(silent)}{used}", who)
    rates = (_rate(element, name, remarks, who) for name in ("velocity", "effort", "acceleration", "jerk"))
    return Limits(lower, upper, *rates)


def _range(element: Element, remarks: Diagnostics, who: str) -> _Range:
    lower = number_or_infinite(element, "lower", who)
    upper = number_or_infinite(element, "upper", who)
    if upper is None:
        if lower is not None:
            return _half_given("upper", lower, 0.0, element, remarks, who)
        warn(remarks, element, "<limit> gives neither lower nor upper; the joint is unlimited", who)
        return _UNLIMITED
    if lower is None:
        return _half_given("lower", 0.0, upper, element, remarks, who)
    if lower > upper:
        message = f"lower {lower:g} is above upper {upper:g}; they are exchanged"
        warn(remarks, element, message, who)
        lower, upper = upper, lower
    return _finite(lower, upper, element, remarks, who)


def _half_given(absent: str, lower: float, upper: float, element: Element, remarks: Diagnostics, who: str) -> _Range:
    if lower > upper:
        message = f"<limit> gives no {absent}, and 0 for it would leave no range; the joint is unlimited"
        warn(remarks, element, message, who)
        return _UNLIMITED
    warn(remarks, element, f"<limit> gives no {absent}; it is 0", who)
    return _finite(lower, upper, element, remarks, who)


def _finite(lower: float, upper: float, element: Element, remarks: Diagnostics, who: str) -> _Range:
    if max(abs(lower), abs(upper)) > FARTHEST:
        # 1e16 and the largest float are how Gazebo and others write "no limit"
        warn(remarks, element, "an end of the range is infinite or beyond any robot; the joint is unlimited", who)
        return _UNLIMITED
    if lower == upper:
        warn(
            remarks,
            element,
            f"lower and upper are both {lower:g}; the joint cannot move until it is given a range",
            who,
        )
    return lower, upper


def _rate(element: Element, name: str, remarks: Diagnostics, who: str) -> float | None:
    value = number_or_infinite(element, name, who)
    if value is None or value == math.inf:
        return None
    if value < 0.0:
        warn(remarks, element, f"{name} is negative ({value:g}); it is not used", who)
        return None
    return value
