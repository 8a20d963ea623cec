# SPDX-License-Identifier: GPL-3.0-or-later
"""File > Import > Robot: the entry, the browser with the options, a changed option, the import."""

import bpy
from robots import channels, clear, module, rig

OPTIONS = ["visuals", "collisions", "cameras", "inertia", "fixed_frames", "skinned", "pack_textures", "verify"]


def checkboxes(hand, browser):
    """Return {option: place of its checkbox}, found by clicking down their column and back again."""
    region, properties = hand.region("TOOL_PROPS", browser), browser.spaces.active.active_operator.properties
    x, y = region.x + region.width * 0.46, region.y + region.height - 40
    found = {}
    while y > region.y + region.height - 320:
        before = {name: getattr(properties, name) for name in OPTIONS}
        yield from hand.click(x, y)
        changed = [name for name in OPTIONS if getattr(properties, name) != before[name]]
        if changed:
            found.setdefault(changed[0], (x, y))
            yield from hand.click(x, y)
        y -= 12
    return found


def scenario(hand, robot):
    clear()
    top = hand.window.height
    yield from hand.click(46, top - 14)
    yield from hand.picture("1-file-menu")
    y = yield from hand.in_menu("TOPBAR_MT_file_import", 90, top - 35)
    yield from hand.press("LEFTMOUSE")
    yield 0.3
    yield from hand.move(330, y)
    yield from hand.in_menu("urdf_rig.import_robot", 330, y)
    yield from hand.picture("2-import-menu")
    yield from hand.press("LEFTMOUSE")
    yield 0.6

    browser = hand.area("FILE_BROWSER")
    space = browser.spaces.active
    assert space.active_operator.bl_idname == "URDF_RIG_OT_import_robot"
    space.params.directory = str(robot.parent).encode()
    yield 0.6
    assert space.params.filter_glob == "*.urdf;*.xacro"
    space.params.filename = robot.name
    browser.tag_redraw()
    yield 0.4
    yield from hand.picture("3-browser")
    boxes = yield from checkboxes(hand, browser)
    assert list(boxes) == OPTIONS
    yield from hand.click(*boxes["collisions"])
    assert space.active_operator.properties.collisions

    execute = hand.region("EXECUTE", browser)
    yield from hand.move(execute.x + execute.width * 0.93, execute.y + execute.height / 2)
    assert hand.under(execute, browser) == "bpy.ops.file.execute()"
    yield from hand.press("LEFTMOUSE")
    for _ in range(60):
        yield 0.25
        if [obj for obj in bpy.data.objects if obj.type == "ARMATURE"]:
            break
    yield 1.0
    made = rig()
    assert len(made.data.bones) == 9
    assert len(channels()) == 9
    assert [obj for obj in bpy.data.objects if obj.type == "MESH" and obj.urdf_rig.is_collision]
    assert made.data.urdf_rig.verify_passed
    assert len(module("addon.rig").joint_values(made)) == 6
    yield from hand.picture("4-imported")

    yield from hand.undo()
    assert not [obj for obj in bpy.data.objects if obj.type == "ARMATURE"]
    yield from hand.redo()
    assert len(rig().data.bones) == 9
