# SPDX-License-Identifier: GPL-3.0-or-later
"""What ``check-motion`` has found, as text and as JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ..core.diagnostics import Diagnostic
from ..core.model import Robot
from ..core.motion.checking import Finding, Kind
from ..core.motion.limits import Override
from ..core.motion.limits_file import read_joint_limits
from ..core.motion.robot_check import MotionCheck

_PER_TIME: Mapping[Kind, str] = {Kind.VELOCITY: "/s", Kind.ACCELERATION: "/s²"}


@dataclass(frozen=True, slots=True, eq=False)
class Checked:
    """A motion held against a robot; ``frame`` gives the frame of a sample, None where there are no frames."""

    robot: Robot
    check: MotionCheck
    diagnostics: tuple[Diagnostic, ...]
    frame: Callable[[int], float] | None = None


def joint_limits(path: Path | None, robot: Robot) -> tuple[dict[str, Override], tuple[Diagnostic, ...]]:
    """Return what a file of joint limits says, with remarks; nothing without a file."""
    if path is None:
        return {}, ()
    found = read_joint_limits(path, robot)
    return found.overrides, found.diagnostics


def as_json(checked: Checked) -> dict[str, object]:
    """Return the result as one JSON object."""
    times = checked.check.motion.times.tolist()
    findings = checked.check.findings
    return {
        "robot": checked.robot.name,
        "passed": checked.check.passed,
        "samples": len(times),
        "joints": list(checked.check.motion.joints),
        "findings": [_entry(checked, item, times) for item in findings.items],
        "left_out": findings.left_out,
        "diagnostics": [item.as_dict() for item in checked.diagnostics],
    }


def _entry(checked: Checked, item: Finding, times: list[float]) -> dict[str, object]:
    frame = checked.frame
    collides = item.kind is Kind.COLLISION
    return {
        "kind": item.kind.value,
        "joint": None if collides else item.joint,
        "links": [item.joint, item.other] if collides else [],
        "time": times[item.index],
        "first_time": times[item.first],
        "last_time": times[item.last],
        "frame": None if frame is None else frame(item.index),
        "first_frame": None if frame is None else frame(item.first),
        "last_frame": None if frame is None else frame(item.last),
        "value": item.value,
        "limit": item.limit,
        "note": item.note,
    }


def say(checked: Checked) -> None:
    """Print the result for people."""
    findings, times = checked.check.findings, checked.check.motion.times
    count = len(findings.items) + findings.left_out
    verdict = "can do it" if not count else f"cannot do it, {count} finding{'s' if count > 1 else ''}"
    print(f"{checked.robot.name}: {verdict}; {len(times)} samples in {checked.check.motion.duration:.6g} s")
    for item in findings.items:
        if item.kind is Kind.COLLISION:
            amount = f"{item.value:.4g} m deep"
        else:
            unit = ("rad" if checked.robot.joint(item.joint).type.turns else "m") + _PER_TIME.get(item.kind, "")
            amount = f"{item.value:.6g} {unit}, limit {item.limit:.6g}"
        place = f"frame {checked.frame(item.index):.10g}" if checked.frame else f"{times[item.index]:.6g} s"
        note = f" ({item.note})" if item.note else ""
        print(f"  {item.kind.value} of {item.subject} at {place}: {amount}{note}")
    if findings.left_out:
        print(f"  and {findings.left_out} more")
    for remark in checked.diagnostics:
        print(f"  {remark.level.value}: {remark}")
