# SPDX-License-Identifier: GPL-3.0-or-later
"""The F-curves of an animated datablock: found by channel, written in bulk, and their keys removed."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from .actions import CurveHome, active_home, curve_homes, homes_of

Array = NDArray[np.float64]

Channel = tuple[str, int]
"""RNA path and array index."""

OBJECT_GROUP = "Object Transforms"
"""Blender's own group for the channels of an object."""

LAST_FRAME = 1_048_574
"""Blender's own bound on frames, before and after 0."""

_AT = 5e-3  # frames; less than the shortest distance of two keys


def action_curves(owner: bpy.types.Object) -> list[bpy.types.FCurve]:
    """Return the F-curves that the active action has for a datablock; none without an action."""
    animation: Any = owner.animation_data
    return [] if animation is None else [curve for home in homes_of(animation) for curve in home.fcurves]


def curves_by_channel(owner: bpy.types.Object) -> dict[Channel, bpy.types.FCurve]:
    """Return the F-curves that the active action has for a datablock, by their channels."""
    return {(curve.data_path, curve.array_index): curve for curve in action_curves(owner)}


def acts(curve: bpy.types.FCurve) -> bool:
    """Whether a curve is not muted and has keys or samples."""
    return not is_muted(curve) and (len(curve.keyframe_points) > 0 or len(curve.sampled_points) > 0)


def is_muted(curve: bpy.types.FCurve) -> bool:
    """Whether the curve or its group is switched off."""
    return curve.mute or (curve.group is not None and curve.group.mute)


def key_code(name: str, value: str) -> int:
    """Return the number that bulk access has for a choice: of ``interpolation``, say, for ``LINEAR``."""
    known: Any = bpy.types.Keyframe.bl_rna.properties[name]
    return int(known.enum_items[value].value)


def shorten_handle(handle: Array, key: Array, length: float) -> None:
    """Shorten a handle that reaches farther in time than the next key, which is ``length`` away, as Blender does."""
    reach = abs(handle[0] - key[0])
    if reach > length:
        handle[:] = key + (handle - key) * length / reach


def set_group(home: CurveHome, curve: bpy.types.FCurve, name: str) -> None:
    """Put a curve into a group of channels, which is made where there is none of that name."""
    curve.group = home.groups.get(name) or home.groups.new(name)


def ensure_curve(owner: bpy.types.Object, channel: Channel, group: str) -> bpy.types.FCurve:
    """Return the curve that the active action has for a channel; it, and the action, are made where there is none."""
    curve = curves_by_channel(owner).get(channel)
    if curve is None:
        home = active_home(owner)
        path, index = channel
        curve = home.fcurves.new(path, index=index)
        set_group(home, curve, group)
    return curve


def add_linear_curve(home: CurveHome, channel: Channel, group: str, frames: Array, values: Array) -> None:
    """Add a curve that is linear between its keys and constant outside them.

    Args:
        home: Where the curve goes.
        channel: What it moves; the path is from the object.
        group: Name of the group of channels that it is in.
        frames: Strictly increasing, parts of frames allowed, shape (k,).
        values: Shape (k,).
    """
    path, index = channel
    curve = home.fcurves.new(path, index=index)
    set_group(home, curve, group)
    curve.keyframe_points.add(len(frames))
    points = np.column_stack([frames, values]).astype(np.float32)
    third = np.gradient(frames) / 3.0 if len(frames) > 1 else np.ones(1)
    curve.keyframe_points.foreach_set("co", points.ravel())
    kinds = np.full(len(frames), key_code("interpolation", "LINEAR"), dtype=np.int32)
    curve.keyframe_points.foreach_set("interpolation", kinds)
    for name, sign in (("handle_left", -1.0), ("handle_right", 1.0)):
        handles = np.column_stack([frames + sign * third, values]).astype(np.float32)
        curve.keyframe_points.foreach_set(name, handles.ravel())
    curve.update()


def keys_between(curve: bpy.types.FCurve, first: float, last: float) -> list[bpy.types.Keyframe]:
    """Return the keys of a curve from one frame to another."""
    return [point for point in curve.keyframe_points if first - _AT <= point.co.x <= last + _AT]


def remove_keys(curve: bpy.types.FCurve, first: float, last: float) -> int:
    """Remove the keys of a curve from one frame to another, and return how many; the curve stays, perhaps empty."""
    points = curve.keyframe_points
    inside = [index for index, point in enumerate(points) if first - _AT <= point.co.x <= last + _AT]
    for index in reversed(inside):
        points.remove(points[index], fast=True)
    if inside:
        curve.update()
    return len(inside)


def remove_curves(owner: bpy.types.Object, paths: Collection[str]) -> None:
    """Remove all curves of properties with these paths, from all actions that the datablock follows."""
    for home in curve_homes(owner):
        for curve in [item for item in home.fcurves if item.data_path in paths]:
            home.fcurves.remove(curve)


def remove_curve(owner: bpy.types.Object, channel: Channel) -> None:
    """Remove the curve that the active action has for a channel."""
    animation: Any = owner.animation_data
    for home in homes_of(animation):
        for curve in [item for item in home.fcurves if (item.data_path, item.array_index) == channel]:
            home.fcurves.remove(curve)
