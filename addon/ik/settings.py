# SPDX-License-Identifier: GPL-3.0-or-later
"""What the file remembers of goals and pinned joints.

It is all in the file, what was seen and found last too, so that undo takes goals, poses and status back together.
What belongs to a robot is on its object and its pose bones, not on the armature: copies that share it and library
overrides have their own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    FloatVectorProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)

from ...core.errors import UrdfRigError
from ...core.ik import swivel_angle
from ..classes import ROBOT_WORDS
from ..properties import armature_data
from ..rig import armature_of, is_rig, joint_values, robot_of
from .kinds import AXIS_ITEMS, KIND_ITEMS, KINDS

_SEEN = 17
_NOTHING_SEEN = (0.0,) * _SEEN
_CHANGED_BY_USER: set[Any] = {"LIBRARY_OVERRIDABLE"}

switch_listeners: list[Callable[[], None]] = []  # called whenever a rig is switched live or not


def _solve_again(goal: URDF_RIG_PG_ik_goal, _context: bpy.types.Context) -> None:
    goal.seen = _NOTHING_SEEN  # so that a live rig takes it for moved


def _on_value(item: URDF_RIG_PG_ik_value, _context: bpy.types.Context) -> None:
    if ".posture[" in item.path_from_id():
        goal_data(cast("bpy.types.Object", item.id_data)).seen = _NOTHING_SEEN


def _on_kind(goal: URDF_RIG_PG_ik_goal, _context: bpy.types.Context) -> None:
    cast("bpy.types.Object", goal.id_data).empty_display_type = KINDS[goal.kind].display
    goal.solved, goal.problem = False, ""
    goal.seen = _NOTHING_SEEN
    if goal.kind == "POSTURE" and goal.rig is not None and not goal.posture:
        goal.priority = max(goal.priority, 1)  # it is a wish behind what links are to do
        remember_values(goal.posture, joint_values(goal.rig))


def _on_swivel(goal: URDF_RIG_PG_ik_goal, _context: bpy.types.Context) -> None:
    goal.seen = _NOTHING_SEEN
    if goal.use_swivel and goal.rig is not None:
        robot, base = robot_of(goal.rig), armature_data(armature_of(goal.rig)).base
        try:  # the elbow stays where it is
            goal.swivel = swivel_angle(robot, joint_values(goal.rig), goal.link, base)
        except UrdfRigError as error:
            goal.use_swivel = False
            goal.problem = str(error)


def _on_switch(settings: URDF_RIG_PG_ik, _context: bpy.types.Context) -> None:
    if settings.live:
        for obj in bpy.data.objects:
            if obj.type == "EMPTY" and obj.library is None and goal_data(obj).rig == settings.id_data:
                goal_data(obj).seen = _NOTHING_SEEN
    for told in switch_listeners:
        told()


def _is_robot(_goal: URDF_RIG_PG_ik_goal, obj: bpy.types.Object) -> bool:
    return is_rig(obj)


class URDF_RIG_PG_ik_value(bpy.types.PropertyGroup):
    """A joint's value; the property's name is the joint's"""

    if TYPE_CHECKING:
        value: float
    else:
        value: FloatProperty(
            name="Value", description="The joint's value, in radians or metres", precision=4, update=_on_value
        )


class URDF_RIG_PG_ik_solution(bpy.types.PropertyGroup):
    """One configuration with the link at the goal"""

    if TYPE_CHECKING:
        values: bpy.types.bpy_prop_collection[URDF_RIG_PG_ik_value]
    else:
        values: CollectionProperty(
            name="Joints", description="The values of the joints that serve the goal", type=URDF_RIG_PG_ik_value
        )


class URDF_RIG_PG_ik_goal(bpy.types.PropertyGroup):
    """What a link of a robot is to do where an object is"""

    if TYPE_CHECKING:
        rig: bpy.types.Object
        kind: str
        link: str
        weight: float
        rotation_weight: float
        priority: int
        tool_xyz: Sequence[float]
        tool_rpy: Sequence[float]
        tool_axis: str
        use_height: bool
        use_swivel: bool
        swivel: float
        posture: bpy.types.bpy_prop_collection[URDF_RIG_PG_ik_value]
        seen: Sequence[float]
        solved: bool
        reached: bool
        position_error: float
        rotation_error: float
        swivel_error: float
        at_limits: str
        problem: str
        solutions: bpy.types.bpy_prop_collection[URDF_RIG_PG_ik_solution]
        solution_index: int
        solution_note: str
        solutions_at: Sequence[float]
    else:
        rig: PointerProperty(
            name="Robot",
            description="The robot that follows this object",
            type=bpy.types.Object,
            poll=_is_robot,
            update=_solve_again,
        )
        kind: EnumProperty(
            name="Kind", items=KIND_ITEMS, description="What the robot does about this object", update=_on_kind
        )
        link: StringProperty(
            name="Link",
            translation_context=ROBOT_WORDS,
            description="The link that follows this object",
            update=_solve_again,
        )
        weight: FloatProperty(
            name="Weight",
            default=1.0,
            min=1e-3,
            max=1e3,
            description="How much the goal counts against others of its priority where not all can be reached",
            update=_solve_again,
        )
        rotation_weight: FloatProperty(
            name="Rotation Weight",
            default=1.0,
            min=1e-3,
            max=1e3,
            description="How many metres off are as bad as one radian off, where the goal can't be reached",
            update=_solve_again,
        )
        priority: IntProperty(
            name="Priority",
            default=0,
            min=0,
            max=9,
            description="Goals of a higher number are met only as far as those of lower numbers allow",
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
        tool_axis: EnumProperty(
            name="Tool Axis", items=AXIS_ITEMS, description="The axis of the tool that is directed", update=_solve_again
        )
        use_height: BoolProperty(
            name="Height Too",
            description="The centre of mass is at the goal, not just above or below it",
            update=_solve_again,
        )
        use_swivel: BoolProperty(
            name="Elbow Swivel",
            description="The elbow's angle about the line from shoulder to wrist is given. Not for arms of six joints",
            update=_on_swivel,
        )
        swivel: FloatProperty(
            name="Swivel",
            subtype="ANGLE",
            soft_min=-3.1415927,
            soft_max=3.1415927,
            description="The elbow's angle about the line from shoulder to wrist",
            update=_solve_again,
        )
        posture: CollectionProperty(
            name="Posture", description="The joint values that are wished for", type=URDF_RIG_PG_ik_value
        )
        seen: FloatVectorProperty(
            name="Seen", size=_SEEN, description="Where it was in the armature when solved last, and its swivel"
        )
        solved: BoolProperty(name="Solved", description="Whether it has been solved for")
        reached: BoolProperty(name="Reached", description="Whether the link is where it should be")
        position_error: FloatProperty(
            name="Position Error", description="How far the link is off, in metres; of a posture the worst joint"
        )
        rotation_error: FloatProperty(name="Rotation Error", description="How far the link is off, in radians")
        swivel_error: FloatProperty(name="Swivel Error", description="How far the elbow is off its swivel, in radians")
        at_limits: StringProperty(name="At Limits", description="The joints serving the goal that stand at a limit")
        problem: StringProperty(name="Problem", description="Why it can't be solved for")
        solutions: CollectionProperty(
            name="Solutions", description="The configurations found last", type=URDF_RIG_PG_ik_solution
        )
        solution_index: IntProperty(name="Solution", description="Which of the solutions was chosen last, from 0")
        solution_note: StringProperty(name="Note", description="What there is to say of the solutions")
        solutions_at: FloatVectorProperty(
            name="Solutions' Place", size=_SEEN, description="Where it was in the armature when they were found"
        )


class URDF_RIG_PG_ik_bone(bpy.types.PropertyGroup):
    """What inverse kinematics may do with a joint"""

    if TYPE_CHECKING:
        pinned: bool
    else:
        pinned: BoolProperty(
            name="Pinned", description="Inverse kinematics leaves this joint where it is", override=_CHANGED_BY_USER
        )


class URDF_RIG_PG_ik(bpy.types.PropertyGroup):
    """How a robot follows its goals"""

    if TYPE_CHECKING:
        live: bool
        base_free: bool
    else:
        live: BoolProperty(
            name="Live",
            description="The robot follows its goals while they are moved or played. Bake before rendering",
            override=_CHANGED_BY_USER,
            update=_on_switch,
        )
        base_free: BoolProperty(
            name="Base Free",
            description="The armature itself moves too, as that of a humanoid with goals on its hands and feet",
            override=_CHANGED_BY_USER,
            update=_on_switch,
        )


def ik_data(rig: bpy.types.Object) -> URDF_RIG_PG_ik:
    """Return how a rig follows its goals."""
    return cast("URDF_RIG_PG_ik", rig.urdf_rig_ik_robot)  # type: ignore[attr-defined]


def goal_data(obj: bpy.types.Object) -> URDF_RIG_PG_ik_goal:
    """Return what an object is a goal for."""
    return cast("URDF_RIG_PG_ik_goal", obj.urdf_rig_ik)  # type: ignore[attr-defined]


def pin_data(bone: bpy.types.PoseBone) -> URDF_RIG_PG_ik_bone:
    """Return what inverse kinematics may do with a bone's joint."""
    return cast("URDF_RIG_PG_ik_bone", bone.urdf_rig_ik)  # type: ignore[attr-defined]


def make_room(rig: bpy.types.Object) -> None:
    """Give a new rig its settings: a library override can only change what its original has."""
    ik_data(rig).live = ik_data(rig).base_free = False
    for bone in rig.pose.bones:
        pin_data(bone).pinned = False


def remember_values(where: bpy.types.bpy_prop_collection[URDF_RIG_PG_ik_value], values: Mapping[str, float]) -> None:
    """Store joint values [rad or m], and nothing else, by joint name."""
    where.clear()  # type: ignore[attr-defined]
    for name, value in values.items():
        item = where.add()  # type: ignore[attr-defined]
        item.name, item.value = name, value


def remembered_values(where: bpy.types.bpy_prop_collection[URDF_RIG_PG_ik_value]) -> dict[str, float]:
    """Return stored joint values [rad or m] by joint name."""
    return {item.name: item.value for item in where}  # type: ignore[attr-defined]


_PARTS = (URDF_RIG_PG_ik_value, URDF_RIG_PG_ik_solution)
_GROUPS = (
    (bpy.types.Object, "urdf_rig_ik", URDF_RIG_PG_ik_goal, set[Any]()),
    (bpy.types.Object, "urdf_rig_ik_robot", URDF_RIG_PG_ik, _CHANGED_BY_USER),
    (bpy.types.PoseBone, "urdf_rig_ik", URDF_RIG_PG_ik_bone, _CHANGED_BY_USER),
)


def register() -> None:
    """Register the property groups and hang them on their types."""
    for part in _PARTS:
        bpy.utils.register_class(part)
    for owner, name, group, override in _GROUPS:
        bpy.utils.register_class(group)
        setattr(owner, name, PointerProperty(type=group, override=override))


def unregister() -> None:
    """Take the property groups away; the data stays in the file."""
    for owner, name, group, _ in reversed(_GROUPS):
        delattr(owner, name)
        bpy.utils.unregister_class(group)
    for part in reversed(_PARTS):
        bpy.utils.unregister_class(part)
