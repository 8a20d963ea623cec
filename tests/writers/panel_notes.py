# SPDX-License-Identifier: GPL-3.0-or-later
"""What a panel draws, recorded by a layout that only takes notes: Blender makes a real one only in a window."""

from __future__ import annotations

from types import SimpleNamespace

import bpy


class Notes:
    """Stands in for the layout of a panel: writes texts, operators and names of properties down, in order."""

    def __init__(self, log):
        self.log = log
        self.enabled = self.alert = True
        self.use_property_split = self.use_property_decorate = False

    def row(self, **_):
        return type(self)(self.log)

    column = box = row

    def label(self, text="", **_):
        self.log.append(text)

    def operator(self, idname, **_):
        category, name = idname.split(".")
        assert getattr(getattr(bpy.ops, category), name).get_rna_type()
        self.log.append(idname)
        return SimpleNamespace()

    def operator_menu_enum(self, idname, prop, **_):
        category, name = idname.split(".")
        assert prop in getattr(getattr(bpy.ops, category), name).get_rna_type().properties
        self.log.append(idname)

    def prop(self, owner, name, **_):
        assert name in owner.bl_rna.properties, name
        self.log.append(name)

    def template_list(self, kind, _identifier, owner, name, active_owner, active, **_):
        assert hasattr(bpy.types, kind) and name in owner.bl_rna.properties
        assert active in active_owner.bl_rna.properties
        self.log.append(name)


class NotesWithTexts(Notes):
    """Writes down what operators are called in the panel, too."""

    def operator(self, idname, text="", **options):
        made = super().operator(idname, **options)
        self.log.append(text)
        return made


def notes(panel_name, kind=Notes):
    """Draw a panel of the sidebar, which is there, and return texts, operators and property names in order."""
    log = []
    panel = getattr(bpy.types, panel_name)
    assert getattr(panel, "poll", lambda _context: True)(bpy.context)
    panel.draw(SimpleNamespace(layout=kind(log)), bpy.context)
    return log
