# SPDX-License-Identifier: GPL-3.0-or-later
"""A file that the command line has made, opened in the window: its robot is there, and a slider moves it."""

import bpy
import numpy as np
from robots import module, rig
from scenarios.every_section import open_sections, watch


def keep(hand, name):
    """Keep a picture of the 3D view, sidebar and all, at half its size."""
    yield from hand.picture(name)
    image = bpy.data.images.load(str(hand.folder / f"{name}.png"))
    width, height = image.size
    pixels = np.empty(width * height * 4, dtype=np.float32)
    image.pixels.foreach_get(pixels)
    area = hand.area()
    across, up = area.width // 2, area.height // 2
    part = pixels.reshape(height, width, 4)[area.y : area.y + 2 * up, area.x : area.x + 2 * across]
    half = part.reshape(up, 2, across, 2, 4).mean(axis=(1, 3))
    made = bpy.data.images.new("half", across, up, alpha=False)
    made.pixels.foreach_set(half.ravel())
    hand.folder.joinpath("guide").mkdir(exist_ok=True)
    made.filepath_raw, made.file_format = str(hand.folder / "guide" / f"newcomer-{name}.png"), "PNG"
    made.save()
    bpy.data.images.remove(image)
    bpy.data.images.remove(made)


def scenario(hand, **_):
    assert bpy.data.filepath
    watch()
    yield from hand.to_viewport()
    yield from hand.press("HOME")
    yield 0.5
    yield from keep(hand, "1-opened")
    bpy.context.view_layer.objects.active = rig()
    yield from hand.open_tab()
    yield from open_sections(hand, ["URDF_RIG_PT_joints"])
    place = yield from hand.widget("urdf_rig_joint_")
    before = module("addon.rig").joint_values(rig())
    yield from hand.drag(*place, 40)
    after = module("addon.rig").joint_values(rig())
    moved = [name for name in before if abs(after[name] - before[name]) > 1e-3]
    assert moved == ["joint_1"], moved
    yield from keep(hand, "2-moved")
