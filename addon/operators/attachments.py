# SPDX-License-Identifier: GPL-3.0-or-later
"""Letting links carry objects, and letting these go."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
from bpy.props import EnumProperty, FloatVectorProperty, StringProperty

from ...core.errors import RigError, UrdfRigError
from ..attachments import attach, attach_collection, attachment_data, attachments_of, detach, offset_pose
from ..classes import ROBOT_WORDS, class_registration
from ..kinematics_settings import links_of_active_rig
from ..properties import bone_data, object_data
from ..rig import active_rig, armature_of
from ..sliders import scene_unit
from .on_robot import OnLocalRobot


def _collections(_operator: object, _context: bpy.types.Context, text: str) -> list[str]:
    return [item.name for item in bpy.data.collections if text.lower() in item.name.lower()]


class URDF_RIG_OT_attach(OnLocalRobot, bpy.types.Operator):
    """Let a link carry the selected objects, or all of a collection, measured from the link's frame"""

    bl_idname = "urdf_rig.attach"
    bl_label = "Attach to Link"
    bl_options = {"REGISTER", "UNDO"}

    if TYPE_CHECKING:
        link: str
        collection: str
        place: str
        xyz: tuple[float, float, float]
        rpy: tuple[float, float, float]
    else:
        link: StringProperty(
            name="Link",
            translation_context=ROBOT_WORDS,
            description="The link that carries them. Empty: that of the active bone",
            search=links_of_active_rig,
            options={"SKIP_SAVE"},
        )
        collection: StringProperty(
            name="Collection",
            description="The collection whose objects are carried. Empty: the selected objects",
            search=_collections,
            options={"SKIP_SAVE"},
        )
        place: EnumProperty(
            name="Place",
            items=(
                ("KEEP", "As It Is", "They stay where they are now"),
                ("OFFSET", "In the Link's Frame", "They go to a pose in the link's frame"),
            ),
            description="Where they are",
        )
        xyz: FloatVectorProperty(
            name="Position",
            size=3,
            subtype="XYZ",
            precision=4,
            step=1,
            description="Where they are in the link's frame, in metres",
        )
        rpy: FloatVectorProperty(
            name="Rotation",
            size=3,
            subtype="EULER",
            description="How they are turned in the link's frame: roll, pitch and yaw as in URDF",
        )

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Ask where; the active bone's link is offered."""
        bone = armature_of(active_rig(context)).bones.active
        if not self.link and bone is not None:
            self.link = bone_data(bone).link
        return set(context.window_manager.invoke_props_dialog(self, confirm_text="Attach"))

    def draw(self, context: bpy.types.Context) -> None:
        """Draw what is asked for."""
        layout = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        for name in ("link", "collection", "place"):
            layout.prop(self, name)
        if self.place == "OFFSET":
            layout.prop(self, "xyz")
            layout.prop(self, "rpy")

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Attach to the active robot."""
        rig = active_rig(context)
        try:
            count = self._attach(context, rig)
        except UrdfRigError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self.report({"INFO"}, f"{count} object{'s' * (count != 1)} attached")
        return {"FINISHED"}

    def _attach(self, context: bpy.types.Context, rig: bpy.types.Object) -> int:
        link = self.link
        bone = armature_of(rig).bones.active
        if not link and bone is not None:
            link = bone_data(bone).link
        pose = offset_pose(self.xyz, self.rpy) if self.place == "OFFSET" else None
        if self.collection:
            collection: bpy.types.Collection | None = bpy.data.collections.get(self.collection)
            if collection is None:
                raise RigError(f"there is no collection {self.collection!r}")
            return len(attach_collection(collection, rig, link, pose, scene_unit(context.scene)))
        chosen = [obj for obj in context.selected_objects if obj != rig and not _is_part(obj, rig)]
        tops = [obj for obj in chosen if obj.parent not in chosen]
        if not tops:
            raise RigError("select the objects that the link is to carry, or choose a collection")
        for obj in tops:
            attach(obj, rig, link, pose)
        return len(tops)


def _is_part(obj: bpy.types.Object, rig: bpy.types.Object) -> bool:
    """Whether an object shows something of the robot itself."""
    data = object_data(obj)
    return obj.parent == rig and bool(data.link or data.part)


class URDF_RIG_OT_detach(OnLocalRobot, bpy.types.Operator):
    """Let an attached object go; it stays where it is"""

    bl_idname = "urdf_rig.detach"
    bl_label = "Detach"
    bl_options = {"REGISTER", "UNDO"}

    if TYPE_CHECKING:
        name: str
    else:
        name: StringProperty(name="Object", description="The object. Empty: the selected ones", options={"SKIP_SAVE"})

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Detach from the active robot."""
        carried = attachments_of(active_rig(context))
        selected = [obj for obj in context.selected_objects if attachment_data(obj).link]
        wanted = [obj for obj in carried if (obj.name == self.name if self.name else obj in selected)]
        for obj in wanted:
            detach(obj)
        if not wanted:
            self.report({"ERROR"}, f"the robot carries no {self.name!r}" if self.name else "no attachment is selected")
            return {"CANCELLED"}
        return {"FINISHED"}


register, unregister = class_registration(URDF_RIG_OT_attach, URDF_RIG_OT_detach)
