# SPDX-License-Identifier: GPL-3.0-or-later
"""A file that the command line has made, opened in the window: its robot is there, and a slider moves it."""

import bpy
from robots import module, rig
from scenarios.every_section import open_sections, watch


def scenario(hand, **_):
    assert bpy.data.filepath
    watch()
    yield from hand.to_viewport()
    yield from hand.press("HOME")
    yield 0.5
    yield from hand.picture("1-opened")
    bpy.context.view_layer.objects.active = rig()
    yield from hand.open_tab()
    yield from open_sections(hand, ["URDF_RIG_PT_joints"])
    yield from hand.picture("2-tab")
    place = yield from hand.widget("urdf_rig_joint_")
    before = module("addon.rig").joint_values(rig())
    yield from hand.drag(*place, 40)
    after = module("addon.rig").joint_values(rig())
    moved = [name for name in before if abs(after[name] - before[name]) > 1e-3]
    assert moved == ["joint_1"], moved
    yield from hand.picture("3-moved")
