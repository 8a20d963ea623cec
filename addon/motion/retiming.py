# SPDX-License-Identifier: GPL-3.0-or-later
"""Slowing a part of a rig's motion down until the robot can follow it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import bpy
import numpy as np

from ...core.errors import ModelError, RigError
from ...core.motion import with_followers
from ...core.motion.checking import excess
from ...core.motion.limits import motion_limits
from ...core.motion.retiming import Stretch, needed_stretch
from ..fcurves import LAST_FRAME, action_curves
from ..keying import show_animation
from ..rig import robot_of
from .check_settings import stored_overrides
from .constrained import is_constrained
from .keys import Keys
from .playback import frames_a_second
from .sampling import recorded_motion

_MOST_ROUNDS = 100
_MOST = 1e4
_STUCK = 1.05
_PATIENCE = 6


@dataclass(frozen=True, slots=True)
class Retimed:
    """What was done: the stretch, the last frame of the range then, and what demanded it first."""

    factor: float
    end: float
    demand: Stretch


def retime(context: bpy.types.Context, rig: bpy.types.Object, start: float, end: float) -> Retimed:
    """Stretch a range of frames by the smallest factor that respects all limits of velocity and acceleration.

    All curves of the rig's action are stretched alike, handles too, and what is behind is put off, the scene's range
    with it; the path stays. A key is made where a curve crosses an end of the range. The factor grows as long as the
    samples at frames are too fast: at a corner between keys the acceleration falls as 1/s, not as 1/s².

    Args:
        context: Its scene says how many frames a second has.
        rig: The armature object.
        start: First frame of the range.
        end: Its last frame.

    Raises:
        ModelError: If that is no range.
        RigError: If something else than keys moves the robot, or no stretch helps; the keys are as they were then.
        UrdfError: If the stored description was damaged.
    """
    if not (math.isfinite(start) and math.isfinite(end)) or end <= start:
        raise ModelError(f"no range to stretch: from {start:g} to {end:g}")
    curves = _keyed_curves(rig)
    before = [Keys.of(curve) for curve in curves]
    try:
        base = [_prepared(keys, start, end, curve) for keys, curve in zip(before, curves, strict=True)]
        retimed = _search(context, rig, curves, base, start, end)
    except (RigError, ModelError):
        _write(context, rig, curves, before)
        raise
    if retimed.factor == 1.0:
        _write(context, rig, curves, before)
    else:
        _put_off(context.scene, end, retimed.end - end)
    return retimed


def _keyed_curves(rig: bpy.types.Object) -> list[bpy.types.FCurve]:
    """Return the curves to stretch.

    Raises:
        RigError: If keys are not all that moves the robot.
    """
    animation = rig.animation_data
    curves = action_curves(rig)
    if not curves:
        raise RigError(f"{rig.name!r} has no keys")
    if animation.action.library is not None:
        raise RigError(f"{animation.action.name!r} is linked from another file: make it local first")
    if is_constrained(rig) or (animation.use_nla and len(animation.nla_tracks)):
        raise RigError("constraints or the NLA move the robot: bake its motion to keys first")
    for curve in curves:
        if any(not modifier.mute for modifier in curve.modifiers) or not len(curve.keyframe_points):
            raise RigError(f"{curve.data_path} is not moved by its keys alone: bake its modifiers or samples to keys")
    return curves


def _prepared(keys: Keys, start: float, end: float, curve: bpy.types.FCurve) -> Keys:
    """Return keys of which every segment lies in the range or out of it."""
    frames, path = keys.frames, curve.data_path
    if curve.extrapolation == "LINEAR" and (frames[0] > start or frames[-1] < end):
        raise RigError(f"{path} goes on beyond its keys: make keys where the range begins and ends")
    if start <= frames[0] and frames[-1] <= end:
        return keys
    return keys.split_at(start, path).split_at(end, path).with_fixed_handles((start, end))


def _write(context: bpy.types.Context, rig: bpy.types.Object, curves: list[bpy.types.FCurve], keys: list[Keys]) -> None:
    for curve, item in zip(curves, keys, strict=True):
        item.write(curve)
    show_animation(context, rig)


def _search(
    context: bpy.types.Context,
    rig: bpy.types.Object,
    curves: list[bpy.types.FCurve],
    base: list[Keys],
    start: float,
    end: float,
) -> Retimed:
    factor, first = 1.0, Stretch()
    needs: list[float] = []
    for _ in range(_MOST_ROUNDS):
        last = start + (end - start) * factor
        if last > LAST_FRAME:
            break
        need = _need(context, rig, start, last)
        if need is None:
            return Retimed(factor, last, first)
        first = first if needs else need
        needs.append(need.factor)
        if factor > _MOST or (len(needs) > _PATIENCE and max(_STUCK, 0.9 * needs[-1 - _PATIENCE]) < need.factor):
            break
        factor *= max(need.factor, 1.0 + 1e-5)
        _write(context, rig, curves, [keys.stretched(start, end, factor) for keys in base])
    raise RigError(_why(need, start, end, factor))


def _why(need: Stretch, start: float, end: float, factor: float) -> str:
    """Return why no stretch helps."""
    frame = math.floor(start) - 1 + need.index
    original = start + (frame - start) / (factor if frame > start else 1.0)
    if need.by == "acceleration" and min(abs(original - start), abs(original - end)) <= 1.5:
        return (
            f"joint {need.joint!r} moves at the end of the range near frame {original:.0f}: choose a range where it "
            "rests at both ends, as a change of speed there is an acceleration that no stretch makes smaller"
        )
    return f"no stretch slows joint {need.joint!r} down near frame {original:.0f}: it jumps or is not moved by keys"


def _need(context: bpy.types.Context, rig: bpy.types.Object, start: float, end: float) -> Stretch | None:
    """Return how much slower the range must be, as its frames show it; None where it is slow enough."""
    low, high = math.floor(start) - 1, math.ceil(end) + 1
    robot = robot_of(rig)
    motion = with_followers(recorded_motion(context, rig, start=low, end=high), robot)
    limits = motion_limits(robot, motion.joints, stored_overrides(rig))
    # frames come from float32 keys, which the stretch puts between whole ones
    clock = float(np.spacing(np.float32(max(abs(low), abs(high))))) / frames_a_second(context.scene)
    found = excess(motion, limits, clock)
    first, last = math.ceil(start) - low, math.floor(end) - low  # a step across an end is the outside's too
    steps, inner = slice(first, last), slice(first - 1, last)
    if not (found.fast[steps].any() or found.jumps[steps].any() or found.hard[inner].any()):
        return None
    return needed_stretch(motion, limits, first, last)


def _put_off(scene: bpy.types.Scene, end: float, frames: float) -> None:
    more = math.ceil(frames - 1e-3)
    if scene.frame_end >= end:
        scene.frame_end += more
    if scene.use_preview_range and scene.frame_preview_end >= end:
        scene.frame_preview_end += more
