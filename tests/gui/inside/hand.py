# SPDX-License-Identifier: GPL-3.0-or-later
"""A hand on mouse and keyboard of the Blender that this runs in, and an eye for what is under the pointer.

Methods that need Blender's main loop to turn are generators, called with ``yield from``; a number that is yielded is
the seconds that Blender may go on by itself. Coordinates are pixels of the window from its lower left corner.
"""

import subprocess
from contextlib import suppress
from pathlib import Path

import bpy

_KEYS = {
    **{"0": "ZERO", "1": "ONE", "2": "TWO", "3": "THREE", "4": "FOUR"},
    **{"5": "FIVE", "6": "SIX", "7": "SEVEN", "8": "EIGHT", "9": "NINE"},
    **{".": "PERIOD", "-": "MINUS", "_": "MINUS", "/": "SLASH", " ": "SPACE"},
}
_STEP = 6  # pixels; buttons are 20 high
_NOTHING_MORE = 400
_BEHIND_A_MENU = 40
RIGHT = 0.83  # of the sidebar's width: where the small buttons behind sliders are


class Hand:
    """One window of Blender; pictures of it go to ``folder``."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.x = self.y = 10
        preferences = bpy.context.preferences
        preferences.use_preferences_save = False
        preferences.view.show_splash = False
        preferences.view.show_tooltips = False
        preferences.view.use_save_prompt = False
        preferences.view.filebrowser_display_type = "SCREEN"  # one window for everything
        preferences.system.viewport_aa = "OFF"
        self._look("WIREFRAME")

    @property
    def window(self):
        return bpy.context.window_manager.windows[0]

    def area(self, kind="VIEW_3D"):
        return next(area for area in self.window.screen.areas if area.type == kind)

    def region(self, kind="UI", area=None):
        return next(region for region in (area or self.area()).regions if region.type == kind)

    def here(self, kind="WINDOW", area=None):
        """Return a context manager that makes a region the context's; the viewport's unless told otherwise."""
        area = area or self.area()
        return bpy.context.temp_override(window=self.window, area=area, region=self.region(kind, area))

    def event(self, kind, value, **more):
        self.window.event_simulate(type=kind, value=value, x=int(self.x), y=int(self.y), **more)

    def move(self, x, y):
        self.x, self.y = x, y
        self.event("MOUSEMOVE", "NOTHING")
        yield 0
        yield 0

    def press(self, key, **modifiers):
        self.event(key, "PRESS", **modifiers)
        yield 0
        self.event(key, "RELEASE", **modifiers)
        yield 0.1

    def click(self, x, y, **modifiers):
        yield from self.move(x, y)
        yield from self.press("LEFTMOUSE", **modifiers)
        yield 0.2

    def drag(self, x, y, dx, dy=0, steps=10):
        yield from self.move(x, y)
        self.event("LEFTMOUSE", "PRESS")
        yield 0
        for step in range(1, steps + 1):
            yield from self.move(x + dx * step / steps, y + dy * step / steps)
        self.event("LEFTMOUSE", "RELEASE")
        yield 0.2

    def type(self, text):
        for letter in text:
            key = _KEYS.get(letter, letter.upper())
            self.event(key, "PRESS", unicode=letter, shift=letter.isupper() or letter == "_")
            yield 0
            self.event(key, "RELEASE")
            yield 0

    def enter(self, x, y, text):
        """Click on a field, replace what is in it, and press Return."""
        yield from self.click(x, y)
        yield from self.press("A", ctrl=True)
        yield from self.type(text)
        yield from self.press("RET")
        yield 0.3

    def to_viewport(self):
        """Move the pointer into the middle of the 3D view, where keys mean what they mean there."""
        area = self.area()
        yield from self.move(area.x + area.width // 3, area.y + area.height // 2)

    def undo(self):
        yield from self.to_viewport()
        yield from self.press("Z", ctrl=True)
        yield 0.4

    def redo(self):
        yield from self.to_viewport()
        yield from self.press("Z", ctrl=True, shift=True)
        yield 0.4

    def open_tab(self, name="Robot"):
        """Open the sidebar of the 3D view by its key, at the tab."""
        if not self.area().spaces.active.show_region_ui:
            yield from self.to_viewport()
            yield from self.press("N")
            yield 0.4
        assert self.area().spaces.active.show_region_ui
        self.region().active_panel_category = name
        self.area().tag_redraw()
        yield 0.4
        assert self.region().active_panel_category == name

    def under(self, region, area):
        """Return the data path or the command of the button under the pointer, or an empty text."""
        manager = bpy.context.window_manager
        with bpy.context.temp_override(window=self.window, area=area, region=region):
            for copy, options in (
                (bpy.ops.ui.copy_data_path_button, {"full_path": True}),
                (bpy.ops.ui.copy_python_command_button, {}),
            ):
                if copy.poll():
                    manager.clipboard = ""
                    with suppress(RuntimeError):  # said of buttons without a path
                        copy(**options)
                    if manager.clipboard:
                        return manager.clipboard
        return ""

    def widgets(self, kind="UI", area=None, share=0.5, until=None):
        """Return {data path or command: (x, y)} of the buttons at a share of the region's width, from the top.

        The search ends when ``until`` of what was found is true, and where nothing more comes.
        """
        area = area or self.area()
        region = self.region(kind, area)
        x, y = region.x + region.width * share, region.y + region.height - 4
        found, last = {}, y
        while y > max(region.y, last - _NOTHING_MORE):
            yield from self.move(x, y)
            name = self.under(region, area)
            if name:
                found.setdefault(name, []).append(y)
                last = y
            elif until is not None and until(found):
                break
            y -= _STEP
        return {name: (x, sum(ys) / len(ys)) for name, ys in found.items()}

    def widget(self, part, **where):
        """Return the place of the first button whose path or command contains ``part``."""
        found = yield from self.widgets(until=lambda found: any(part in name for name in found), **where)
        names = [name for name in found if part in name]
        assert names, f"no button for {part!r}; there are: {list(found)}"
        return found[names[0]]

    def in_menu(self, part, x, top):
        """Go down an open menu and return the height of the entry whose command contains ``part``.

        Each is come to from the left: a pointer that moves on straight is taken to be on its way into a submenu that
        has just opened.
        """
        manager, seen, y, last = bpy.context.window_manager, [], top, top
        while y > last - _BEHIND_A_MENU:
            yield from self.move(x - 50, y)
            yield from self.move(x, y)
            manager.clipboard = ""
            yield from self.press("C", ctrl=True)
            if part in manager.clipboard:
                return y
            if manager.clipboard:
                seen.append(manager.clipboard)
                last = y
            y -= 8
        raise AssertionError(f"no {part!r} in the menu; there are: {list(dict.fromkeys(seen))}")

    def picture(self, name):
        """Keep a picture of the whole display, with solid shading; in between, wires are drawn faster."""
        self._look("SOLID")
        yield 0.3
        subprocess.run(["maim", "-u", str(self.folder / f"{name}.png")], check=True)
        self._look("WIREFRAME")

    def _look(self, shading):
        for area in self.window.screen.areas:
            if area.type == "VIEW_3D":
                area.spaces.active.shading.type = shading
