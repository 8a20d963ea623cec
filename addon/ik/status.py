# SPDX-License-Identifier: GPL-3.0-or-later
"""What there is to say to each goal of how well it is met."""

from __future__ import annotations

import math
from collections.abc import Sequence

import bpy
import numpy as np

from ...core.ik import IkResult
from .asked import joints_of_goal
from .kinds import KINDS
from .settings import goal_data

_SWIVEL_SEEN = 1e-5


def tell(rig: bpy.types.Object, goals: Sequence[bpy.types.Object], result: IkResult) -> None:
    """Write on each goal how well it is met, and which of the joints that serve it stand at a limit."""
    swivels = iter(result.residuals[len(goals) :])
    for goal, found in zip(goals, result.residuals, strict=False):
        limits = [name for name in result.active_limits if name in joints_of_goal(rig, goal)]
        _put(goal, "problem", "")
        _put(goal, "solved", True)
        _put(goal, "reached", found.reached)
        _put(goal, "position_error", float(np.float32(found.position)))
        _put(goal, "rotation_error", float(np.float32(found.rotation)))
        swivel = next(swivels, None) if uses_swivel(goal) else None
        if swivel is not None:
            _put(goal, "swivel_error", float(np.float32(swivel.rotation)))
        _put(goal, "at_limits", ", ".join(limits))


def uses_swivel(goal: bpy.types.Object) -> bool:
    """Whether the elbow's swivel is asked for."""
    data = goal_data(goal)
    return data.use_swivel and KINDS[data.kind].frame


def tell_problem(goal: bpy.types.Object, problem: str) -> None:
    """Write on a goal why it can't be solved for."""
    _put(goal, "problem", problem)
    _put(goal, "reached", False)


def _put(goal: bpy.types.Object, name: str, value: bool | float | str) -> None:
    # every assignment makes Blender evaluate the object again, so that there must be none without a change
    data = goal_data(goal)
    if getattr(data, name) != value:
        setattr(data, name, value)


def status_text(goal: bpy.types.Object) -> str:
    """Return in a few words how well a goal is met, with what is left in millimetres and degrees."""
    data = goal_data(goal)
    if data.problem:
        return data.problem
    if not data.solved:
        return "Not solved yet"
    return f"Reached, off by {_residual(goal)}" if data.reached else f"Off by {_residual(goal)}"


def _residual(goal: bpy.types.Object) -> str:
    data = goal_data(goal)
    kind = KINDS[data.kind]
    if data.kind == "POSTURE":
        return f"{data.position_error:.3g} rad or m"
    parts = []
    if kind.lengths:
        parts.append(f"{_shown(data.position_error * 1e3)} mm")
    if kind.angles:
        parts.append(f"{_shown(math.degrees(data.rotation_error))}°")
    if uses_swivel(goal) and data.swivel_error > _SWIVEL_SEEN:
        parts.append(f"{_shown(math.degrees(data.swivel_error))}° of swivel")
    return " and ".join(parts)


def _shown(value: float) -> str:
    # what is below a nanometre or a millionth of a degree is noise that would flicker
    return "0" if value < 1e-6 else f"{value:.2g}" if value < 1e-3 else f"{value:.3g}"


def is_missed(goal: bpy.types.Object) -> bool:
    """Whether a goal asks for attention: one of lower rank gives way to others."""
    data = goal_data(goal)
    return bool(data.problem) or (data.solved and not data.reached and data.priority == 0)
