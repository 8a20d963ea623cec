# SPDX-License-Identifier: GPL-3.0-or-later
"""How long a redraw of the tab takes for a robot of 130 links, in milliseconds of the main thread's work.

``draw_ms`` is what the sections' own code takes; ``redraw_ms`` goes from there to the end of the region's drawing and
holds Blender's layout and software OpenGL too.
"""

import time

import bpy
from robots import clear, import_robot, panels

_TURNS = 20


class Stopwatch:
    """Sums what is spent in draw methods, and notes when the first began and when the region was drawn."""

    def __init__(self):
        self.reset()

    def reset(self):
        self.spent, self.began, self.ended = 0.0, None, None

    def around(self, draw):
        def timed(panel, context):
            started = time.thread_time()
            self.began = started if self.began is None else self.began
            draw(panel, context)
            self.spent += time.thread_time() - started

        return timed

    def end(self):
        self.ended = time.thread_time()


def scenario(hand, robot):
    clear()
    import_robot(hand, robot)
    watch = Stopwatch()
    for kind in panels():
        if "draw" in vars(kind):
            kind.draw = watch.around(vars(kind)["draw"])
    yield from hand.open_tab()
    handle = bpy.types.SpaceView3D.draw_handler_add(watch.end, (), "UI", "POST_PIXEL")
    own, whole = [], []
    for _ in range(_TURNS):
        watch.reset()
        hand.region().tag_redraw()
        yield 0.1
        assert watch.began is not None and watch.ended is not None, "the tab was not drawn"
        own.append(watch.spent)
        whole.append(watch.ended - watch.began)
    bpy.types.SpaceView3D.draw_handler_remove(handle, "UI")
    yield from hand.picture("1-many-joints")
    return {"draw_ms": 1e3 * sorted(own)[_TURNS // 2], "redraw_ms": 1e3 * sorted(whole)[_TURNS // 2]}
