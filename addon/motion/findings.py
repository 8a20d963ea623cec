# SPDX-License-Identifier: GPL-3.0-or-later
"""The findings of a check on the armature: stored, shown, marked on the timeline, and taken away."""

from __future__ import annotations

import math

import bpy

from ...core.model import Robot
from ...core.motion.checking import Finding, Kind, subject
from ..new_names import NewNames
from ..rig import require_local, robot_of
from .check_settings import URDF_RIG_PG_finding, check_data, store_overrides, stored_overrides
from .rig_check import RigCheck

_MOST_MARKERS = 100
_MARKER_BYTES = 63
_AT = 1e-3  # frames


def store_check(context: bpy.types.Context, rig: bpy.types.Object, result: RigCheck) -> None:
    """Keep the result on the armature in place of the last one, and mark it on the timeline if that is wanted.

    Raises:
        RigError: If the armature is linked from another file.
    """
    clear_check(rig)
    data = check_data(rig)
    robot = robot_of(rig)
    found = result.check.findings
    data.checked = True
    data.first, data.last = result.start, result.frame(len(result.check.motion.times) - 1)
    count = len(found.items) + found.left_out
    data.summary = "The robot can do it" if not count else f"{count} finding{'s' if count > 1 else ''}"
    if found.left_out:
        data.summary += f", the first {len(found.items)} listed"
    data.remarks = "\n".join(item.message for item in result.check.diagnostics)
    for item in found.items:
        _fill(data.findings.add(), item, result, robot)
    if data.markers:
        _mark(context.scene, rig)


def _fill(entry: URDF_RIG_PG_finding, item: Finding, result: RigCheck, robot: Robot) -> None:
    entry.name = item.subject
    entry.kind, entry.joint, entry.other, entry.note = item.kind.value, item.joint, item.other, item.note
    entry.frame, entry.first, entry.last = (result.frame(index) for index in (item.index, item.first, item.last))
    entry.value, entry.limit = item.value, item.limit
    if item.kind is Kind.COLLISION:
        movers = (_mover(robot, link) for link in (item.joint, item.other))
        entry.joints = "\n".join(name for name in dict.fromkeys(movers) if name)
    else:
        entry.joints = item.joint
        entry.turns = robot.joint(item.joint).type.turns


def _mover(robot: Robot, link: str) -> str:
    """Return the scalar joint that is the nearest one above a link, or nothing."""
    joints = {joint.child: joint for joint in robot.joints}
    while link in joints and not joints[link].type.is_scalar:
        link = joints[link].parent
    return joints[link].name if link in joints else ""


def clear_check(rig: bpy.types.Object) -> None:
    """Forget the last check, its markers too; how to check is kept.

    Raises:
        RigError: If the armature is linked from another file.
    """
    require_local(rig)
    data = check_data(rig)
    data.findings.clear()
    for name in ("checked", "summary", "remarks", "first", "last", "active"):
        data.property_unset(name)
    if data.marker_prefix:
        for scene in bpy.data.scenes:
            for marker in [item for item in scene.timeline_markers if item.name.startswith(data.marker_prefix)]:
                scene.timeline_markers.remove(marker)
    data.property_unset("marker_prefix")


def follow_new_names(_context: bpy.types.Context, rig: bpy.types.Object, names: NewNames) -> list[str]:
    """Let joint limits that were read, and what the last check has found, follow joints and links with new names.

    Raises:
        RigError: If the joint limits were damaged in the file.
    """
    data = check_data(rig)
    for item in data.findings:
        rename = names.link if item.kind == Kind.COLLISION.value else names.joint
        was = item.joint, item.other
        item.joint, item.other = rename(item.joint), names.link(item.other)
        item.name = item.name if (item.joint, item.other) == was else subject(item.joint, item.other)
        item.joints = "\n".join(names.joint(name) for name in item.joints.splitlines())
    store_overrides(rig, names.by_joint(stored_overrides(rig)), data.limits_file)
    return []


def _shortened(text: str, size: int) -> str:
    return text.encode()[:size].decode(errors="ignore")


def _mark(scene: bpy.types.Scene, rig: bpy.types.Object) -> None:
    data = check_data(rig)
    data.marker_prefix = f"Check {_shortened(rig.name, 30)}: "
    by_frame: dict[int, list[URDF_RIG_PG_finding]] = {}
    for item in data.findings:
        by_frame.setdefault(math.floor(item.frame), []).append(item)
    for frame, items in list(by_frame.items())[:_MOST_MARKERS]:
        more = f" +{len(items) - 1}" if len(items) > 1 else ""
        room = _MARKER_BYTES - len(data.marker_prefix.encode()) - len(more)
        text = _shortened(f"{items[0].name} {items[0].kind}", room)
        scene.timeline_markers.new(f"{data.marker_prefix}{text}{more}", frame=frame)


def offending_joints(rig: bpy.types.Object, frame: float) -> set[str]:
    """Return the joints that the last check blames at a frame."""
    data = check_data(rig)
    return {
        name
        for item in data.findings
        if item.first - _AT <= frame <= item.last + _AT
        for name in item.joints.splitlines()
    }
