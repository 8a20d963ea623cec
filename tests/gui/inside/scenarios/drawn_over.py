# SPDX-License-Identifier: GPL-3.0-or-later
"""How long a redraw of the viewport takes with everything drawn over a robot of 130 links, and without the extension.

Milliseconds, medians: ``all`` and ``off`` in turns, as other work on the machine changes; then ``without``. They go
from before the scene's drawing to behind the last text, by the clock and, as ``…_main``, by the main thread's work,
without software OpenGL's threads.
"""

import time

import bpy
from robots import NAME, clear, import_robot

_TURNS = 15


class Stopwatch:
    """Notes when the drawing of the viewport begins and ends."""

    def __init__(self):
        self.began = self.ended = None

    def begin(self):
        self.began = time.perf_counter(), time.thread_time()

    def end(self):
        self.ended = time.perf_counter(), time.thread_time()


def redrawn(hand):
    """Return how long one redraw took, by the clock and by the main thread's work [ms]."""
    watch, kind = Stopwatch(), bpy.types.SpaceView3D
    handles = [
        kind.draw_handler_add(watch.begin, (), "WINDOW", "PRE_VIEW"),
        kind.draw_handler_add(watch.end, (), "WINDOW", "POST_PIXEL"),  # behind the names' handler
    ]
    hand.region("WINDOW").tag_redraw()
    yield 0.05
    for handle in handles:
        kind.draw_handler_remove(handle, "WINDOW")
    assert watch.began is not None and watch.ended is not None, "the viewport was not drawn"
    return [1e3 * (end - start) for start, end in zip(watch.began, watch.ended, strict=True)]


def switch(on):
    state = bpy.context.window_manager.urdf_rig_viewport
    state.handles = state.names = state.axes = on


def medians(name, rows):
    clock, work = (sorted(column)[len(column) // 2] for column in zip(*rows, strict=True))
    return {name: clock, f"{name}_main": work}


def scenario(hand, robot):
    clear()
    import_robot(hand, robot)
    hand.area().spaces.active.shading.type = "SOLID"
    yield 0.5
    times = {True: [], False: []}
    for _ in range(_TURNS):
        for on in (True, False):
            switch(on)
            yield 0.1
            times[on].append((yield from redrawn(hand)))
    switch(True)
    yield from hand.picture("1-all")
    hand.area().spaces.active.shading.type = "SOLID"
    switch(False)
    bpy.ops.preferences.addon_disable(module=NAME)
    yield 0.5
    without = []
    for _ in range(_TURNS):
        without.append((yield from redrawn(hand)))
    return {**medians("all", times[True]), **medians("off", times[False]), **medians("without", without)}
