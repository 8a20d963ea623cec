# SPDX-License-Identifier: GPL-3.0-or-later
"""A pose saved by its button and dialog, and applied by its own button: in one step, taken back in one."""

import math

from robots import clear, import_robot, rig
from scenarios.every_section import open_sections, watch
from scenarios.sliders import near, sliders, typed, values


def scenario(hand, robot):
    clear()
    import_robot(hand, robot)
    watch()
    yield from hand.open_tab()
    yield from open_sections(hand, ["URDF_RIG_PT_poses"])
    places = yield from sliders(hand)
    yield from typed(hand, places["zeta"], "30")
    yield from typed(hand, places["alpha"], "0.1")
    x, y = yield from hand.widget("urdf_rig.save_pose")
    yield from hand.click(x, y)
    yield 0.4
    yield from hand.picture("1-dialog")
    yield from hand.move(x, y + 32)  # the dialog's title, where Return means OK
    yield from hand.press("RET")
    yield 0.4
    assert [pose.name for pose in rig().data.urdf_rig_poses.poses] == ["Pose"]

    yield from typed(hand, places["zeta"], "0")
    yield from typed(hand, places["alpha"], "0")
    button = yield from hand.widget("urdf_rig.apply_pose", share=0.3)
    yield from hand.click(*button)
    yield 0.4
    assert near(values()["zeta"], math.radians(30)) and near(values()["alpha"], 0.1)
    assert near(values()["foll"], math.radians(30)), "followers follow"
    yield from hand.picture("2-applied")
    yield from hand.undo()
    assert near(values()["zeta"], 0.0) and near(values()["alpha"], 0.0)
    yield from hand.redo()
    assert near(values()["zeta"], math.radians(30)) and near(values()["alpha"], 0.1)
