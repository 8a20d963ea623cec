# SPDX-License-Identifier: GPL-3.0-or-later
"""Two robots: the tab shows the active one's joints, and moves only that one."""

import bpy
from robots import channels, clear, close, import_robot, rigs


def scenario(hand, robot, second):
    clear()
    import_robot(hand, robot)
    import_robot(hand, second)
    first, other = sorted(rigs(), key=lambda rig: rig.data.urdf_rig.robot == "ui")
    names = first.name, other.name
    yield from hand.open_tab()
    for mine, others in (names, reversed(names)):
        with hand.here():
            bpy.ops.object.select_all(action="DESELECT")
        bpy.data.objects[mine].select_set(True)
        bpy.context.view_layer.objects.active = bpy.data.objects[mine]
        yield 0.4
        found = yield from hand.widgets()
        paths = [path for path in found if "urdf_rig_joint_" in path]
        assert paths and all(f'bpy.data.objects["{mine}"]' in path for path in paths), paths
        before = {name: channels(bpy.data.objects[name]) for name in names}
        yield from hand.drag(*found[paths[0]], 25)
        assert not close(before[mine], channels(bpy.data.objects[mine]))
        assert close(before[others], channels(bpy.data.objects[others]))
        yield from hand.picture(mine)
