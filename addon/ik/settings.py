# SPDX-License-Identifier: GPL-3.0-or-later
"""What the file remembers of goals and pinned joints.

It is all in the file, what was seen and found last too, so that undo takes goals, poses and status back together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

import bpy
from bpy.props import BoolProperty, FloatProperty, FloatVectorProperty, PointerProperty, StringProperty

from ..rig import armature_of, is_rig

_NOTHING_SEEN = (0.0,) * 16

switch_listeners: list[Callable[[], None]] = []  # called whenever a rig is switched live or not


def _solve_again(goal: URDF_RIG_PG_ik_goal, _context: bpy.types.Context) -> None:
    goal.seen = _NOTHING_SEEN  # so that a live rig takes it for moved


def _on_switch(settings: URDF_RIG_PG_ik, _context: bpy.types.Context) -> None:
    if settings.live:
        for obj in bpy.data.objects:
            if obj.type == "EMPTY" and obj.library is None and goal_data(obj).rig is not None:
                goal_data(obj).seen = _NOTHING_SEEN
    for told in switch_listeners:
        told()


def _is_robot(_goal: URDF_RIG_PG_ik_goal, obj: bpy.types.Object) -> bool:
    return is_rig(obj)


class URDF_RIG_PG_ik_goal(bpy.types.PropertyGroup):
    """What a link of a robot is to do where an object is"""

    if TYPE_CHECKING:
        rig: bpy.types.Object
        link: str
        use_position: bool
        use_orientation: bool
        weight: float
        tool_xyz: Sequence[float]
        tool_rpy: Sequence[float]
        seen: Sequence[float]
        solved: bool
        reached: bool
        position_error: float
        rotation_error: float
        at_limits: str
        problem: str
    else:
        rig: PointerProperty(
            name="Robot",
            description="The robot that follows this object",
            type=bpy.types.Object,
            poll=_is_robot,
            update=_solve_again,
        )
        link: StringProperty(name="Link", description="The link that follows this object", update=_solve_again)
        use_position: BoolProperty(
            name="Position", default=True, description="The link follows the object's position", update=_solve_again
        )
        use_orientation: BoolProperty(
            name="Orientation",
            default=True,
            description="The link follows the object's orientation",
            update=_solve_again,
        )
        weight: FloatProperty(
            name="Weight",
            default=1.0,
            min=1e-3,
            max=1e3,
            description="How much the goal counts where not all can be reached",
            update=_solve_again,
        )
        tool_xyz: FloatVectorProperty(
            name="Tool XYZ",
            size=3,
            precision=4,
            description="Where the tool's point is in the link's frame, in metres",
            update=_solve_again,
        )
        tool_rpy: FloatVectorProperty(
            name="Tool RPY",
            size=3,
            subtype="EULER",
            description="How the tool is turned in the link's frame: roll, pitch and yaw as in URDF",
            update=_solve_again,
        )
        seen: FloatVectorProperty(name="Seen", size=16, description="Where it was in the armature when solved last")
        solved: BoolProperty(name="Solved", description="Whether it has been solved for")
        reached: BoolProperty(name="Reached", description="Whether the link is where it should be")
        position_error: FloatProperty(name="Position Error", description="How far the link is off, in metres")
        rotation_error: FloatProperty(name="Rotation Error", description="How far the link is off, in radians")
        at_limits: StringProperty(name="At Limits", description="The joints that stand at a limit")
        problem: StringProperty(name="Problem", description="Why it can't be solved for")


class URDF_RIG_PG_ik_bone(bpy.types.PropertyGroup):
    """What inverse kinematics may do with a joint"""

    if TYPE_CHECKING:
        pinned: bool
    else:
        pinned: BoolProperty(name="Pinned", description="Inverse kinematics leaves this joint where it is")


class URDF_RIG_PG_ik(bpy.types.PropertyGroup):
    """How a robot follows its goals"""

    if TYPE_CHECKING:
        live: bool
        base_free: bool
        solution: str
    else:
        live: BoolProperty(
            name="Live",
            description="The robot follows its goals while they are moved or played. Bake before rendering",
            update=_on_switch,
        )
        base_free: BoolProperty(
            name="Base Free",
            description="The armature itself moves too, as that of a humanoid with goals on its hands and feet",
            update=_on_switch,
        )
        solution: StringProperty(name="Solution", description="Which of the solutions was chosen last")


def ik_data(rig: bpy.types.Object) -> URDF_RIG_PG_ik:
    """Return how a rig follows its goals."""
    return cast("URDF_RIG_PG_ik", armature_of(rig).urdf_rig_ik)  # type: ignore[attr-defined]


def goal_data(obj: bpy.types.Object) -> URDF_RIG_PG_ik_goal:
    """Return what an object is a goal for."""
    return cast("URDF_RIG_PG_ik_goal", obj.urdf_rig_ik)  # type: ignore[attr-defined]


def pin_data(bone: bpy.types.Bone) -> URDF_RIG_PG_ik_bone:
    """Return what inverse kinematics may do with a bone's joint."""
    return cast("URDF_RIG_PG_ik_bone", bone.urdf_rig_ik)  # type: ignore[attr-defined]


_GROUPS = {
    bpy.types.Armature: URDF_RIG_PG_ik,
    bpy.types.Object: URDF_RIG_PG_ik_goal,
    bpy.types.Bone: URDF_RIG_PG_ik_bone,
}


def register() -> None:
    """Register the property groups and hang them on their types."""
    for owner, group in _GROUPS.items():
        bpy.utils.register_class(group)
        owner.urdf_rig_ik = PointerProperty(type=group)  # type: ignore[attr-defined]


def unregister() -> None:
    """Take the property groups away; the data stays in the file."""
    for owner, group in reversed(_GROUPS.items()):
        del owner.urdf_rig_ik  # type: ignore[attr-defined]
        bpy.utils.unregister_class(group)
