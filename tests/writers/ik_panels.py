# SPDX-License-Identifier: GPL-3.0-or-later
"""The panels of inverse kinematics drawn as notes, for tests."""

from __future__ import annotations

from types import SimpleNamespace

import bpy

PANELS = ("URDF_RIG_PT_ik", "URDF_RIG_PT_ik_goal", "URDF_RIG_PT_ik_solutions", "URDF_RIG_PT_ik_pins")

ICONS = bpy.types.UILayout.bl_rna.functions["label"].parameters["icon"].enum_items.keys()


class Settings:
    """Stands in for the properties of a button's operator: takes what the operator has, and nothing else."""

    def __init__(self, idname):
        category, name = idname.split(".")
        self.__dict__["names"] = set(getattr(getattr(bpy.ops, category), name).get_rna_type().properties.keys())

    def __setattr__(self, name, value):
        assert name in self.names, name


class Notes:
    """Stands in for the layout of a panel, as Blender makes a real one only when it draws a window."""

    def __init__(self, log):
        self.log = log

    def row(self, **_):
        return Notes(self.log)

    column = row

    def label(self, text="", icon="NONE", **_):
        assert icon in ICONS
        self.log.extend(filter(None, [text]))

    def operator(self, idname, text="", icon="NONE", **_):
        assert icon in ICONS
        self.log += filter(None, (idname, text))
        return Settings(idname)

    def operator_menu_enum(self, idname, name, **_):
        assert name in Settings(idname).names

    def template_list(self, kind, _name, data, items, _active_data, active, **_):
        assert active in data.bl_rna.properties
        for index, item in enumerate(getattr(data, items)):
            getattr(bpy.types, kind).draw_item(
                None, bpy.context, Notes(self.log), data, item, 0, data, active, index, 0
            )

    def prop(self, owner, name, text="", slider=False, icon="NONE", **_):
        assert name in owner.bl_rna.properties, name
        self.log.append((name, text, icon))

    def prop_decorator(self, owner, name, index=-1):
        pass


def draw(*panels):
    log = []
    for name in panels or PANELS:
        panel = getattr(bpy.types, name)
        assert panel.poll(bpy.context)
        panel.draw(SimpleNamespace(layout=Notes(log)), bpy.context)
    return log
