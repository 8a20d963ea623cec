# SPDX-License-Identifier: GPL-3.0-or-later
"""``ik``: joint values that put a frame somewhere, without Blender."""

from __future__ import annotations

import json
import math
from argparse import Namespace
from collections.abc import Mapping, Sequence

from ..core import load
from ..core.ik import IkResult, IkSolutions, PoseGoal, PositionGoal, solve_ik, solve_ik_all
from ..core.ik.goals import checked
from ..core.model import Robot
from ..core.spatial import Array, rotation_from_rpy, transform

NOT_REACHED = 3


def run(arguments: Namespace) -> int:
    """Print one configuration or all of them; the status says whether the target is reached."""
    robot = load(
        arguments.input,
        packages=dict(arguments.package),
        package_paths=arguments.package_path,
        xacro_args=dict(arguments.xacro_arg),
    )
    answer = _all(robot, arguments) if arguments.all else _one(robot, arguments)
    print(json.dumps(answer, ensure_ascii=False) if arguments.json else as_text(answer))
    return 0 if answer["reached"] else NOT_REACHED


def _one(robot: Robot, arguments: Namespace) -> dict[str, object]:
    goal: PoseGoal | PositionGoal
    if arguments.rpy is None:
        goal = PositionGoal(arguments.frame, arguments.xyz)
    else:
        goal = PoseGoal(arguments.frame, _target(arguments))
    result = solve_ik(robot, goal, dict(arguments.values), base=arguments.base or None, locked=arguments.lock)
    return _describe_one(robot, arguments, result)


def _target(arguments: Namespace) -> Array:
    """Return the target's pose, shape (4, 4).

    Raises:
        ModelError: If a number is not finite.
    """
    rpy = checked(arguments.rpy, (3,), "--rpy")
    return transform(rotation_from_rpy(rpy), checked(arguments.xyz, (3,), "--xyz"))


def _all(robot: Robot, arguments: Namespace) -> dict[str, object]:
    target = checked(arguments.xyz, (3,), "--xyz") if arguments.rpy is None else _target(arguments)
    given = {name: dict(arguments.values).get(name, 0.0) for name in arguments.lock}
    found = solve_ik_all(
        robot, arguments.frame, target, dict(arguments.values), base=arguments.base or None, given=given
    )
    return _describe_all(robot, arguments, found)


def _describe_one(robot: Robot, arguments: Namespace, result: IkResult) -> dict[str, object]:
    residual = result.residuals[0]
    return {
        **_heading(robot, arguments),
        "reached": result.reached,
        "q": _by_name(robot, result.q.tolist()),
        "residual": {"position": residual.position, "rotation": residual.rotation},
        "active_limits": list(result.active_limits),
        "iterations": result.iterations,
        "note": result.note,
    }


def _describe_all(robot: Robot, arguments: Namespace, found: IkSolutions) -> dict[str, object]:
    return {
        **_heading(robot, arguments),
        "reached": len(found) > 0,
        "solutions": [_by_name(robot, row) for row in found.q.tolist()],
        "free_joints": [list(names) for names in found.free_joints],
        "complete": found.complete,
        "note": found.note,
    }


def _heading(robot: Robot, arguments: Namespace) -> dict[str, object]:
    return {"robot": robot.name, "base": arguments.base or robot.root, "frame": arguments.frame}


def _by_name(robot: Robot, values: Sequence[float]) -> dict[str, float]:
    return dict(zip(robot.dofs, values, strict=True))


def as_text(answer: Mapping[str, object]) -> str:
    """Return the answer for people."""
    lines = []
    solutions = answer.get("solutions")
    if isinstance(solutions, list):
        kind = "all there are" if answer["complete"] else "there may be more"
        lines.append(f"{answer['frame']} in {answer['base']}: {len(solutions)} configurations, {kind}")
        lines += [_values_text(solution) for solution in solutions]
    else:
        residual, q, limits = answer["residual"], answer["q"], answer["active_limits"]
        assert isinstance(residual, dict) and isinstance(q, dict) and isinstance(limits, list)
        state = "reached" if answer["reached"] else "NOT reached"
        off = f"{residual['position'] * 1e3:.6g} mm, {math.degrees(residual['rotation']):.6g}°"
        lines += [f"{answer['frame']} in {answer['base']}: {state}, off by {off}", _values_text(q)]
        lines += [f"at a limit: {', '.join(limits)}"] if limits else []
    lines += [str(answer["note"])] if answer["note"] else []
    return "\n".join(lines)


def _values_text(values: Mapping[str, float]) -> str:
    return "  " + ", ".join(f"{name} {value:.9g}" for name, value in values.items())
