# SPDX-License-Identifier: GPL-3.0-or-later
"""Playing recorded motions on the active robot: sidebar, File > Import, and drag and drop."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import bpy
from bpy.props import BoolProperty, FloatProperty, StringProperty
from bpy_extras.io_utils import ImportHelper, poll_file_object_drop

from ...core.diagnostics import Level
from ...core.errors import UrdfRigError
from ...core.motion import MotionError, Recording, Topic, is_bag, motion_topics, read_motion
from ..classes import class_registration
from ..motion.playback import play_motion, show_all
from ..rig import active_rig, robot_of
from .on_robot import OnRobot

_SUFFIXES = ".csv, .json, .yaml, .mcap, .db3, .bag"


@lru_cache(maxsize=8)
def _topics(path: Path, changed: int) -> tuple[Topic, ...]:
    try:
        return motion_topics(path)
    except MotionError:  # it is said when the file is read
        return ()


def _offered(path: Path, joints: bool) -> list[str]:
    """Return the names of a bag's topics with joint values, or else poses."""
    if not path.exists() or not is_bag(path) or path.is_dir():
        return []
    found = _topics(path, path.stat().st_mtime_ns)
    return [topic.name for topic in found if topic.moves_joints == joints]


def _joint_topics(self: URDF_RIG_OT_play_joint_states, _context: bpy.types.Context, _text: str) -> list[str]:
    return _offered(Path(bpy.path.abspath(self.filepath)), True)


def _base_topics(self: URDF_RIG_OT_play_joint_states, _context: bpy.types.Context, _text: str) -> list[str]:
    return _offered(Path(bpy.path.abspath(self.filepath)), False)


class URDF_RIG_OT_play_joint_states(OnRobot, bpy.types.Operator, ImportHelper):
    """Read recorded joint values and the base's pose from a file or a bag of ROS as keyframes, in a new action"""

    bl_idname = "urdf_rig.play_joint_states"
    bl_label = "Play Joint States"
    bl_options = {"REGISTER", "UNDO"}

    filename_ext = ".csv"

    if TYPE_CHECKING:
        filepath: str  # of ImportHelper
        topic: str
        base: bool
        base_topic: str
        base_frame: str
        start: float
        degrees: bool
        offset: float
        rate: float
        set_range: bool
    else:
        filter_glob: StringProperty(default="*.csv;*.json;*.yaml;*.yml;*.mcap;*.db3;*.bag", options={"HIDDEN"})
        topic: StringProperty(
            name="Joint Topic",
            description="The bag's topic with joint values. Empty: the one most likely meant. A minus: none",
            search=_joint_topics,
            search_options={"SUGGESTION"},
            options={"SKIP_SAVE"},
        )
        base: BoolProperty(
            name="Base", default=True, description="Move the armature object as the robot's base was recorded"
        )
        base_topic: StringProperty(
            name="Base Topic",
            description="The bag's topic with the base's pose. Empty: an odometry, or else transforms to the base link",
            search=_base_topics,
            search_options={"SUGGESTION"},
            options={"SKIP_SAVE"},
        )
        base_frame: StringProperty(
            name="Base Frame",
            description="What the robot's root link is called in the bag's transforms. Empty: as in the description",
            options={"SKIP_SAVE"},
        )
        start: FloatProperty(name="Start Frame", default=1.0, description="The frame at time 0")
        degrees: BoolProperty(name="Degrees", description="Angles in the file are in degrees, not in radians")
        offset: FloatProperty(name="Time Offset", default=0.0, description="Seconds to add to the times of the file")
        rate: FloatProperty(
            name="Resample",
            default=0.0,
            min=0.0,
            description="Keys a second, linear between the samples of the file. 0: a key for each sample",
        )
        set_range: BoolProperty(
            name="Extend Frame Range", default=True, description="Let the scene's frame range hold the whole motion"
        )

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Start where the scene does; ask for the file, or, for a dropped one, only for the options."""
        if not self.properties.is_property_set("start"):
            self.start = context.scene.frame_start
        return set(self.invoke_popup(context))

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the options; topics only where the file has some."""
        layout = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        column = layout.column(heading="Move")
        path = Path(bpy.path.abspath(self.filepath))
        bag = is_bag(path) and not path.is_dir()
        if bag:
            column.prop(self, "topic")
        column.prop(self, "base")
        if bag:
            part = column.column()
            part.active = self.base
            part.prop(self, "base_topic")
            part.prop(self, "base_frame")
        layout.column(heading="Angles").prop(self, "degrees", text="In Degrees")
        column = layout.column()
        column.prop(self, "start")
        column.prop(self, "offset", text="Time Offset (s)")
        column.prop(self, "rate", text="Resample (Hz)")
        layout.column(heading="Scene").prop(self, "set_range", text="Extend Range")

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Read the file and write the keys."""
        path = Path(bpy.path.abspath(self.filepath))
        try:
            recording = self._read(context, path)
            played = play_motion(
                context,
                active_rig(context),
                recording.motion,
                start=self.start,
                degrees=self.degrees,
                offset=self.offset,
                rate=self.rate,
                file=path.name,
            )
        except UrdfRigError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        if self.set_range:
            show_all(context.scene, played)
        for item in (*recording.diagnostics, *played.diagnostics):
            self.report({"INFO" if item.level is Level.INFO else "WARNING"}, str(item))
        what = " and the base" if played.base else ""
        self.report({"INFO"}, f"{played.joints} joints{what} move from frame {played.first:g} to {played.last:g}")
        return {"FINISHED"}

    def _read(self, context: bpy.types.Context, path: Path) -> Recording:
        if is_bag(path):
            base_topic = self.base_topic if self.base else "-"
            link = self.base_frame or robot_of(active_rig(context)).root
            return read_motion(path, topic=self.topic, base_topic=base_topic, base_link=link)
        recording = read_motion(path)
        return recording if self.base else replace(recording, motion=replace(recording.motion, base=None))


class URDF_RIG_FH_motion(bpy.types.FileHandler):
    """Recorded motions dropped into the viewport"""

    bl_idname = "URDF_RIG_FH_motion"
    bl_label = "Joint Motion"
    bl_import_operator = "urdf_rig.play_joint_states"
    bl_file_extensions = ".mcap;.db3;.bag;.csv"

    @classmethod
    def poll_drop(cls, context: bpy.types.Context) -> bool:
        """Whether the pointer is where objects can be dropped, and there is a robot to move."""
        return bool(poll_file_object_drop(context)) and active_rig(context) is not None


def _menu_entry(self: bpy.types.Menu, context: bpy.types.Context) -> None:
    self.layout.operator(URDF_RIG_OT_play_joint_states.bl_idname, text=f"Joint Motion ({_SUFFIXES})")


_register_classes, _unregister_classes = class_registration(URDF_RIG_OT_play_joint_states, URDF_RIG_FH_motion)


def register() -> None:
    """Register the operator and its menu entry."""
    _register_classes()
    bpy.types.TOPBAR_MT_file_import.append(_menu_entry)  # type: ignore[arg-type]  # the stubs forget the menu itself


def unregister() -> None:
    """Remove both."""
    bpy.types.TOPBAR_MT_file_import.remove(_menu_entry)  # type: ignore[arg-type]
    _unregister_classes()
