# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender in German: the tab still works, names that come from the robot stay as they are."""

import bpy
from robots import clear, import_robot
from scenarios.every_section import open_sections, shown_by_poll, watch
from scenarios.sliders import near, sliders, typed


def scenario(hand, robot):
    clear()
    view = bpy.context.preferences.view
    view.language = "de_DE"
    view.use_translate_interface = view.use_translate_tooltips = True
    yield 0.5
    assert bpy.app.translations.pgettext_iface("Rotation", "*") == "Drehung" or (
        bpy.app.translations.pgettext_iface("Add", "Operator") == "Hinzufügen"
    )
    import_robot(hand, robot)
    watch()
    yield from hand.open_tab()
    seen = yield from open_sections(hand)
    assert shown_by_poll(hand) <= seen
    places = yield from sliders(hand)
    assert list(places) == ["zeta", "alpha", "foll"]
    assert near((yield from typed(hand, places["alpha"], "0.05"))["alpha"], 0.05)
    yield from hand.picture("1-german")
    top = hand.window.height
    yield from hand.click(46, top - 14)
    yield from hand.in_menu("TOPBAR_MT_file_import", 90, top - 35)
    yield from hand.picture("2-menu")
    yield from hand.press("ESC")
