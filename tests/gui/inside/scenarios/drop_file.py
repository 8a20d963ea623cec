# SPDX-License-Identifier: GPL-3.0-or-later
"""A file dropped into the viewport, handed over as Blender does it when the pointer lets go."""

import bpy
from robots import clear, rigs


def scenario(hand, robot):
    clear()
    area = hand.area()
    yield from hand.to_viewport()
    with hand.here():
        bpy.ops.wm.drop_import_file("INVOKE_DEFAULT", directory=str(robot.parent), files=[{"name": robot.name}])
    yield 0.6
    yield from hand.picture("1-options")
    assert not rigs()
    yield from hand.press("RET")
    for _ in range(60):
        yield 0.25
        if rigs():
            break
    yield 1.0
    (made,) = rigs()
    assert made.data.urdf_rig.robot == "arm6"
    assert hand.area() == area
    yield from hand.picture("2-dropped")
    yield from hand.undo()
    assert not rigs()
