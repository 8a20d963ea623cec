# SPDX-License-Identifier: GPL-3.0-or-later
"""What a panel draws, recorded by a layout that only takes notes: Blender makes a real one only in a window."""

from __future__ import annotations

from types import SimpleNamespace

import bpy


class _Notes:
    def __init__(self, log):
        self.log = log
        self.enabled = self.alert = True
        self.use_property_split = self.use_property_decorate = False

    def row(self, **_):
        return _Notes(self.log)

    column = box = row

    def label(self, text="", **_):
        self.log.append(text)

    def operator(self, idname, **_):
        self.log.append(idname)
        return SimpleNamespace()

    def prop(self, owner, name, **_):
        assert name in owner.bl_rna.properties, name
        self.log.append(name)


def notes(panel_name):
    """Draw a panel of the sidebar and return texts, operators and property names in order."""
    log = []
    getattr(bpy.types, panel_name).draw(SimpleNamespace(layout=_Notes(log)), bpy.context)
    return log
