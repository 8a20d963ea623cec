# SPDX-License-Identifier: GPL-3.0-or-later
"""Two keys by the slider's dot, the animation played by the space bar, and checked: channels move, followers too."""

import bpy
from robots import channels, clear, import_robot, rig
from scenarios.every_section import open_sections, watch
from scenarios.sliders import key_dot, near, sliders, typed, values


def scenario(hand, robot):
    clear()
    import_robot(hand, robot)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 20
    scene.frame_set(1)
    yield from hand.open_tab()
    zeta = (yield from sliders(hand))["zeta"]
    yield from typed(hand, zeta, "0")
    yield from key_dot(hand, zeta, "rotation_euler")
    scene.frame_set(20)
    yield from typed(hand, zeta, "45")
    yield from key_dot(hand, zeta, "rotation_euler")
    scene.frame_set(1)
    yield 0.2
    assert near(values()["zeta"], 0.0)

    seen = []

    def note(*_):
        seen.append((bpy.context.scene.frame_current, values()["zeta"], values()["foll"]))

    bpy.app.handlers.frame_change_post.append(note)
    yield from hand.to_viewport()
    yield from hand.press("SPACE")
    yield 2.5
    assert hand.window.screen.is_animation_playing
    yield from hand.picture("1-playing")
    yield from hand.to_viewport()
    yield from hand.press("SPACE")
    yield 0.3
    bpy.app.handlers.frame_change_post.remove(note)
    assert not hand.window.screen.is_animation_playing
    by_frame = {frame: (zeta, foll) for frame, zeta, foll in seen}
    assert len(by_frame) > 3, "it plays"
    rising = [by_frame[frame][0] for frame in sorted(by_frame)]
    assert rising == sorted(rising) and rising[-1] > rising[0] + 0.1
    assert all(near(zeta, foll) for zeta, foll in by_frame.values())
    assert channels(rig())

    watch()
    scene.render.fps = 1  # so slow that nothing is found, which would be a warning
    rig().data.urdf_rig_check.collisions = False
    yield from open_sections(hand, ["URDF_RIG_PT_check"])
    place = yield from hand.widget("urdf_rig.check_motion")
    yield from hand.click(*place)
    yield 1.0
    assert rig().data.urdf_rig_check.summary == "The robot can do it"
    yield from hand.picture("2-checked")
