# SPDX-License-Identifier: GPL-3.0-or-later
"""The extension switched off and on twice in the window, used in between, and one entry in the menu at the end."""

import sys
import warnings

import addon_utils
import bpy
from robots import NAME, clear, import_robot, panels, rigs


def entries():
    drawn = getattr(bpy.types.TOPBAR_MT_file_import.draw, "_draw_funcs", ())
    return sum(function.__module__.startswith(NAME) for function in drawn)


def scenario(hand, robot):
    warnings.simplefilter("always")
    clear()
    yield from hand.open_tab()
    before = entries()
    assert before == 2, "robots and joint motions"
    for _ in range(2):
        addon_utils.disable(NAME, default_set=True)
        yield 0.5
        assert entries() == 0
        assert not [kind for kind in dir(bpy.types) if kind.startswith("URDF_RIG_")]
        assert not panels() or not hasattr(bpy.types, "URDF_RIG_PT_robot")
        for name in [name for name in sys.modules if name.startswith(NAME)]:
            del sys.modules[name]
        assert addon_utils.enable(NAME, default_set=True) is not None
        yield 0.5
        assert entries() == before
        import_robot(hand, robot)
        yield 0.5
    assert len(rigs()) == 2
    yield from hand.picture("1-on-again")
