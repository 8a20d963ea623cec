# SPDX-License-Identifier: GPL-3.0-or-later
"""Every section of the tab is opened by the mouse and drawn: with robots of several kinds, and with none."""

import sys

import bpy
from robots import clear, import_robot, panels, rigs

_DRAWN = set()
_SMALL = 0.5


def watch():
    """Note whose draw is called; Blender looks the method up each time."""
    for kind in panels():
        if "draw" in vars(kind) and not hasattr(vars(kind)["draw"], "watched"):
            kind.draw = _noting(kind, vars(kind)["draw"])


def _noting(kind, draw):
    def noting(self, context):
        _DRAWN.add(kind.__name__)
        draw(self, context)

    noting.watched = True
    return noting


def drawn(hand):
    """Return which sections one redraw draws."""
    _DRAWN.clear()
    hand.region().tag_redraw()
    yield 0.1
    return set(_DRAWN)


def shown_by_poll(hand):
    with hand.here("UI"):
        return {kind.__name__ for kind in panels() if not hasattr(kind, "poll") or kind.poll(bpy.context)}


def open_sections(hand, wanted=()):
    """Click down the left edge of the sidebar until the wanted sections are drawn, or all that there are.

    For all of them the interface is made small meanwhile, so that they fit below each other.
    """
    if wanted:
        return (yield from _click_down(hand, set(wanted)))
    view = bpy.context.preferences.view
    view.ui_scale = _SMALL
    yield 0.5
    seen = yield from _click_down(hand, shown_by_poll(hand))
    view.ui_scale = 1.0
    yield 0.5
    return seen


def _click_down(hand, wanted):
    """A click that opens a wanted section stays, other changes are taken back, on other things it does nothing."""
    area, region, unit = hand.area(), hand.region(), bpy.context.preferences.system.ui_scale
    seen = yield from drawn(hand)
    y = region.y + region.height - 10 * unit
    while y > region.y + 8 * unit and not wanted <= seen:
        step = 8 * unit
        yield from hand.move(region.x + 14 * unit, y)
        if not hand.under(region, area):
            yield from hand.press("LEFTMOUSE")
            now = yield from drawn(hand)
            if now != seen and not (now - seen) & wanted:
                yield from hand.press("LEFTMOUSE")
                now = yield from drawn(hand)
                step = 20 * unit  # past this header
            elif now - seen:
                step = 20 * unit
            seen = now
        y -= step
    return seen


def scenario(hand, robots, still):
    clear()
    watch()
    yield from hand.open_tab()
    assert "URDF_RIG_PT_robot" in (yield from drawn(hand))
    yield from hand.picture("0-no-robot")
    for number, path in enumerate((*sorted(robots.glob("*/*.urdf")), still), start=1):
        for old in rigs():
            bpy.data.batch_remove([old, *old.children_recursive])
        import_robot(hand, path)
        wanted = shown_by_poll(hand)
        assert len(wanted) > 3
        seen = yield from open_sections(hand)
        assert wanted <= seen, f"not drawn for {path.name}: {sorted(wanted - seen)}"
        for mode in ("POSE", "OBJECT"):
            with hand.here():
                bpy.ops.object.mode_set(mode=mode)
            yield from drawn(hand)
        yield from hand.picture(f"{number}-{path.stem}")
    sys.stdout.write(f"sections: {sorted(seen)}\n")
