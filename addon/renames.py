# SPDX-License-Identifier: GPL-3.0-or-later
"""Who has to know when links and joints of a rig get other names: whatever keeps something in a file by their names."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import bpy

Listener = Callable[[bpy.types.Object, Mapping[str, str], Mapping[str, str]], list[str]]

rename_listeners: list[Listener] = []
"""Called after a description was read again, with the rig and the new names of the links and of the joints that are
still there, by the old names; each returns remarks on what it has of others. Modules add to it when registered."""


def tell_renamed(rig: bpy.types.Object, links: Mapping[str, str], joints: Mapping[str, str]) -> list[str]:
    """Tell all listeners; return their remarks."""
    return [remark for listener in rename_listeners for remark in listener(rig, links, joints)]
