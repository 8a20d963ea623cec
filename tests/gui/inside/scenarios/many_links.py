# SPDX-License-Identifier: GPL-3.0-or-later
"""How long the tab takes to be drawn for a robot of 130 links; milliseconds are returned."""

import time

import bpy
from robots import clear, import_robot, panels

_TURNS = 20


def scenario(hand, robot):
    clear()
    import_robot(hand, robot)
    spent = []

    def timed(draw):
        def timing(self, context):
            started = time.perf_counter()
            draw(self, context)
            spent[-1] += time.perf_counter() - started

        return timing

    for kind in panels():
        if "draw" in vars(kind):
            kind.draw = timed(vars(kind)["draw"])
    spent.append(0.0)
    yield from hand.open_tab()
    yield 0.5
    spent.clear()
    whole = []
    for _ in range(_TURNS):
        spent.append(0.0)
        started = time.perf_counter()
        with hand.here("UI"):
            hand.region().tag_redraw()
            bpy.ops.wm.redraw_timer(type="DRAW", iterations=1)
        whole.append(time.perf_counter() - started)
        yield 0.05
    yield from hand.picture("1-many-joints")
    assert min(spent) > 0.0, "the tab was not drawn"
    return {"draw_ms": 1e3 * sorted(spent)[_TURNS // 2], "region_ms": 1e3 * sorted(whole)[_TURNS // 2]}
