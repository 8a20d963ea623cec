# SPDX-License-Identifier: GPL-3.0-or-later
"""Joint values that go to another bone, or change their sign: curves, drivers, and drivers that read them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np

from ..actions import CurveHome, all_curves, animation_users, curve_homes
from ..fcurves import set_group
from ..rig import JointBone, joint_bones

_HOLDERS = (
    "objects", "armatures", "meshes", "shape_keys", "materials", "lights", "cameras", "curves", "worlds", "scenes",
    "node_groups",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Place:
    """Where a joint's value is.

    Attributes:
        bone: The bone's name.
        path: RNA path of its channel, whose array index is 1.
        sign: The stored sign.
        follows: Whether the joint follows another.
    """

    bone: str
    path: str
    sign: int
    follows: bool


@dataclass(frozen=True, slots=True)
class Move:
    """Where a channel goes, and the factor ±1 on its values."""

    to: Place
    factor: int


def place_of(joint: JointBone) -> Place:
    """Return where a joint's value is now."""
    return Place(joint.bone.name, joint.curve_path, joint.data.sign, bool(joint.data.leader))


def places(rig: bpy.types.Object) -> dict[str, Place]:
    """Return where the values of all scalar joints are, followers too, by joint."""
    return {joint.data.joint: place_of(joint) for joint in joint_bones(rig)}


def moves_between(
    before: Mapping[str, Place], after: Mapping[str, Place], joints: Mapping[str, str]
) -> dict[str, Move | None]:
    """Return where each channel goes, by its path; None where it has no joint any more.

    Args:
        before: Where the joints were.
        after: Where they are.
        joints: New names of the joints that are still there, by the old ones. One that turned is not there any more
            where it slides now, and the other way round.
    """
    moves: dict[str, Move | None] = {}
    for name, was in before.items():
        now = after.get(joints.get(name, ""))
        same_kind = now is not None and now.path.rpartition(".")[2] == was.path.rpartition(".")[2]
        moves[was.path] = Move(now, now.sign * was.sign) if now is not None and same_kind else None
    return moves


def move_curves(rig: bpy.types.Object, moves: Mapping[str, Move | None]) -> None:
    """Let all curves of the rig's actions follow their joints, keys, handles and modifiers included."""
    targets = {move.to.path for move in moves.values() if move is not None}
    for home in curve_homes(rig):
        for curve in list(home.fcurves):
            if curve.array_index != 1:
                continue
            move = moves.get(curve.data_path)
            if move is not None and not move.to.follows:
                _move_curve(home, curve, move)
            elif curve.data_path in moves or curve.data_path in targets:
                home.fcurves.remove(curve)


def _move_curve(home: CurveHome, curve: bpy.types.FCurve, move: Move) -> None:
    if curve.data_path != move.to.path:
        curve.data_path = move.to.path
        set_group(home, curve, move.to.bone)
    if move.factor < 0:
        negate_keys(curve)
        for modifier in curve.modifiers:
            _negate_modifier(modifier)
        curve.update()


def remove_empty_groups(rig: bpy.types.Object) -> None:
    """Remove the groups of the rig's actions that hold no curve any more."""
    for home in curve_homes(rig):
        used = {curve.group.name for curve in home.fcurves if curve.group is not None}
        for group in list(home.groups):
            if group.name not in used:
                home.groups.remove(group)


def negate_keys(curve: bpy.types.FCurve) -> None:
    """Turn the sign of all keys and handles."""
    points = curve.keyframe_points
    numbers = np.empty(2 * len(points), dtype=np.float32)
    for name in ("co", "handle_left", "handle_right"):
        points.foreach_get(name, numbers)
        numbers[1::2] *= -1.0
        points.foreach_set(name, numbers)
    for sample in curve.sampled_points:
        sample.co[1] = -sample.co[1]


def _negate_modifier(of_curve: bpy.types.FModifier) -> None:
    """Let a modifier do to values of the other sign what it did."""
    modifier: Any = of_curve  # each kind has properties of its own
    kind = modifier.type
    if kind == "GENERATOR":
        count = 2 if modifier.mode == "POLYNOMIAL_FACTORISED" else len(modifier.coefficients)
        for index in range(min(count, len(modifier.coefficients))):
            modifier.coefficients[index] = -modifier.coefficients[index]
    elif kind == "FNGENERATOR":
        modifier.amplitude, modifier.value_offset = -modifier.amplitude, -modifier.value_offset
    elif kind == "NOISE":
        modifier.strength = -modifier.strength
    elif kind == "LIMITS":
        modifier.min_y, modifier.max_y = -modifier.max_y, -modifier.min_y
        modifier.use_min_y, modifier.use_max_y = modifier.use_max_y, modifier.use_min_y
    elif kind == "ENVELOPE":
        modifier.reference_value = -modifier.reference_value
        modifier.default_min, modifier.default_max = -modifier.default_max, -modifier.default_min
        for point in modifier.control_points:
            point.min, point.max = -point.max, -point.min


def move_drivers(rig: bpy.types.Object, moves: Mapping[str, Move | None]) -> None:
    """Let the drivers on joints follow them; those of followers must have been removed."""
    if rig.animation_data is None:
        return
    targets = {move.to.path for move in moves.values() if move is not None}
    for curve in list(rig.animation_data.drivers):
        if curve.array_index != 1:
            continue
        move = moves.get(curve.data_path)
        if move is not None and not move.to.follows:
            curve.data_path = move.to.path
            if move.factor < 0:
                _negate_driver(curve)
        elif curve.data_path in moves or curve.data_path in targets:
            rig.animation_data.drivers.remove(curve)


def _negate_driver(curve: bpy.types.FCurve) -> None:
    """Turn the sign of what a driver writes: its curve maps the driver's value."""
    if len(curve.keyframe_points):
        negate_keys(curve)
    if len(curve.modifiers):
        for item in curve.modifiers:
            _negate_modifier(item)
    elif not len(curve.keyframe_points):
        modifier: Any = curve.modifiers.new("GENERATOR")
        modifier.mode, modifier.poly_order = "POLYNOMIAL", 1
        modifier.coefficients = (0.0, -1.0)
    curve.update()


def redirect_readers(rig: bpy.types.Object, moves: Mapping[str, Move | None]) -> list[str]:
    """Let drivers that read joints, whoever has them, read them where they are now.

    Returns:
        What cannot be put right, in words.
    """
    remarks = []
    for owner, curve in _all_drivers():
        driver = curve.driver
        for variable in driver.variables if driver is not None else ():
            target = variable.targets[0]
            if variable.type != "SINGLE_PROP" or target.id != rig:
                continue
            path, bracket, rest = target.data_path.rpartition("[")
            if bracket + rest != "[1]" or path not in moves:
                continue
            move = moves[path]
            if move is None:
                remarks.append(f"a driver of {owner!r} reads a joint that is gone")
                continue
            target.data_path = f"{move.to.path}[1]"
            if move.factor < 0 and not _negate_variable(driver, variable.name):
                remarks.append(f"a driver of {owner!r} reads a joint whose channel has another sign now")
    return remarks


def stale_actions(moves: Mapping[str, Move | None]) -> list[str]:
    """Return the names of actions in the file, pose assets too, that hold moved channels but that nothing plays now."""
    moved = {path for path, move in moves.items() if move is None or move.to.path != path or move.factor < 0}
    played = {user.action for obj in bpy.data.objects for user in animation_users(obj)}
    return [
        action.name
        for action in bpy.data.actions
        if action not in played and any(curve.data_path in moved for curve in all_curves(action))
    ]


def _negate_variable(driver: bpy.types.Driver, name: str) -> bool:
    if driver.type != "SCRIPTED":
        return False
    driver.expression = re.sub(rf"\b{re.escape(name)}\b", f"(-{name})", driver.expression)
    return True


def _all_drivers() -> Iterator[tuple[str, bpy.types.FCurve]]:
    for name in _HOLDERS:
        for item in getattr(bpy.data, name, ()):
            owners = [item, getattr(item, "node_tree", None) if name != "node_groups" else None]
            for owner in owners:
                animation = getattr(owner, "animation_data", None)
                if animation is not None and item.library is None:
                    for curve in animation.drivers:
                        yield item.name, curve
