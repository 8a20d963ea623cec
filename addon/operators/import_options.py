# SPDX-License-Identifier: GPL-3.0-or-later
"""The options of the import dialog, and what they mean for the importer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import bpy
from bpy.props import BoolProperty, CollectionProperty, EnumProperty, StringProperty

from ...core.errors import UrdfRigError
from ...core.loading import arguments_of
from ..classes import class_registration
from ..importer import ImportOptions
from ..preferences import package_folders


class URDF_RIG_PG_xacro_argument(bpy.types.PropertyGroup):
    """One argument of a xacro file"""

    if TYPE_CHECKING:
        name: str
        value: str
        default: str
    else:
        value: StringProperty(name="Value", description="Value of this argument of the xacro file")
        default: StringProperty()


if TYPE_CHECKING:

    class _Arguments(Protocol):
        """What a collection property is; the stubs of 4.2 have no name for it."""

        def add(self) -> URDF_RIG_PG_xacro_argument: ...
        def clear(self) -> None: ...
        def __len__(self) -> int: ...
        def __iter__(self) -> Iterator[URDF_RIG_PG_xacro_argument]: ...


class ImportOptionsMixin:
    """Properties shared by everything that imports robots; their names are those of ``ImportOptions``."""

    if TYPE_CHECKING:
        base: str
        package_path: str
        visuals: bool
        collisions: bool
        cameras: bool
        inertia: bool
        skinned: bool
        pack_textures: bool
        fixed_frames: bool
        dae_up_axis: str
        gltf_up_axis: str
        verify: bool
        xacro_arguments: _Arguments
        xacro_file: str
    else:
        base: StringProperty(
            name="Base Link", description="The link that the armature hangs from. Empty: the robot's own root"
        )
        package_path: StringProperty(
            name="Package Folder",
            subtype="DIR_PATH",
            description="A folder that holds packages, beside the folders around the file and those in the preferences",
        )
        visuals: BoolProperty(name="Visuals", default=True, description="Import what the robot looks like")
        collisions: BoolProperty(
            name="Collisions", default=False, description="Import collision shapes as wires, in a hidden collection"
        )
        cameras: BoolProperty(name="Cameras", default=True, description="Make cameras of the robot's camera sensors")
        inertia: BoolProperty(
            name="Inertia", default=False, description="Show each link's center of mass and its inertia as a box"
        )
        skinned: BoolProperty(
            name="One Skinned Mesh",
            default=False,
            description="Join all visuals to one mesh that the bones deform, for game engines and the web",
        )
        fixed_frames: BoolProperty(
            name="Fixed Frames",
            default=True,
            description="Make bones for links on fixed joints too. If not, their meshes ride on the next bone",
        )
        pack_textures: BoolProperty(
            name="Pack Textures", default=False, description="Keep image files inside the .blend"
        )
        dae_up_axis: EnumProperty(
            name="COLLADA Up Axis",
            description="What is made of the up axis that COLLADA files name",
            items=(
                ("ignore", "Ignore", "Take coordinates as they are, as RViz and Gazebo do"),
                ("obey", "Obey", "Turn meshes whose file says that Y or X is up"),
            ),
            default="ignore",
        )
        gltf_up_axis: EnumProperty(
            name="glTF Up Axis",
            description="What is made of glTF's convention that Y is up",
            items=(
                ("ignore", "Ignore", "Take coordinates as they are, as most descriptions expect"),
                ("obey", "Obey", "Turn meshes from glTF's Y up to Z up"),
            ),
            default="ignore",
        )
        verify: BoolProperty(
            name="Verify",
            default=True,
            description="After the import, pose the rig and compare every link with forward kinematics",
        )
        xacro_arguments: CollectionProperty(type=URDF_RIG_PG_xacro_argument, options={"HIDDEN", "SKIP_SAVE"})
        xacro_file: StringProperty(options={"HIDDEN", "SKIP_SAVE"})

    def import_options(self, context: bpy.types.Context) -> ImportOptions:
        """Return the options for the importer; arguments at their defaults are left to the file."""
        return ImportOptions(
            base=self.base,
            package_paths=self._folders(context),
            xacro_args={item.name: item.value for item in self.xacro_arguments if item.value != item.default},
            visuals=self.visuals,
            collisions=self.collisions,
            cameras=self.cameras,
            inertia=self.inertia,
            skinned=self.skinned,
            fixed_frames=self.fixed_frames,
            pack_textures=self.pack_textures,
            dae_up_axis=self.dae_up_axis,
            gltf_up_axis=self.gltf_up_axis,
        )

    def _folders(self, context: bpy.types.Context) -> tuple[Path, ...]:
        own = (Path(bpy.path.abspath(self.package_path)),) if self.package_path else ()
        return (*own, *package_folders(context))

    def offer_arguments(self, context: bpy.types.Context, path: Path) -> bool:
        """List the arguments of a xacro file with their defaults; return whether the list has changed.

        What is wrong with the file is said when it is imported.
        """
        if self.xacro_file == str(path):
            return False
        self.xacro_file = str(path)
        self.xacro_arguments.clear()
        try:
            found = arguments_of(path, package_paths=self._folders(context)) if path.is_file() else ()
        except UrdfRigError:
            found = ()
        for argument in found:
            item = self.xacro_arguments.add()
            item.name = argument.name
            item.value = item.default = argument.default or ""
        return True

    def draw_options(self, layout: bpy.types.UILayout) -> None:
        """Draw the options in groups, and the arguments of the chosen xacro file."""
        layout.use_property_split = True
        layout.use_property_decorate = False
        foldable: Any = layout  # the stubs of 4.2 do not know what panel() returns
        if len(self.xacro_arguments):
            header, body = foldable.panel("URDF_RIG_import_xacro")
            header.label(text="Xacro Arguments")
            if body is not None:
                for item in self.xacro_arguments:
                    body.prop(item, "value", text=item.name, translate=False)
        column = layout.column()
        column.prop(self, "base", placeholder="The robot's root")
        column.prop(self, "package_path", placeholder="Around the file")
        for heading, names in _GROUPS:
            column = layout.column(heading=heading)
            for name in names:
                column.prop(self, name)
        header, body = foldable.panel("URDF_RIG_import_axes", default_closed=True)
        header.label(text="Up Axis of Meshes")
        if body is not None:
            body.prop(self, "dae_up_axis", text="COLLADA")
            body.prop(self, "gltf_up_axis", text="glTF")


_GROUPS = (
    ("Import", ("visuals", "collisions", "cameras", "inertia")),
    ("Rig", ("fixed_frames", "skinned", "pack_textures", "verify")),
)

register, unregister = class_registration(URDF_RIG_PG_xacro_argument)
