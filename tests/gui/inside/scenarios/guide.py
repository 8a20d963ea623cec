# SPDX-License-Identifier: GPL-3.0-or-later
"""The pictures of the user guide: each section of the tab alone, at work on a robot, and what is drawn in the viewport.

``scripts/make_guide_pictures.py`` plays it and takes what is in the folder ``guide`` then.
"""

import math

import bpy
import numpy as np
from robots import clear, import_robot, module, panels, rig
from scenarios.every_section import open_sections, watch

_SAME = 1.5 / 255.0
_EDGE = 6  # rows left below the last thing drawn
_PART = "URDF_RIG_PT_"
# section with its subsections: the picture's name
SECTIONS = {
    "joints": "joints",
    "verify": "verification",
    "poses": "poses",
    "waypoints": "waypoints",
    "waypoint_tool": "waypoints-tool",
    "ik": "ik",
    "ik_goal": "ik-goal-settings",
    "ik_solutions": "ik-all-solutions",
    "ik_pins": "ik-pinned-joints",
    "kinematics": "kinematics",
    "frame_motion": "kinematics-motion",
    "manipulability": "kinematics-manipulability",
    "overlay": "kinematics-overlay",
    "viewport": "in-the-viewport",
    "description": "base-and-description",
    "attachments": "attachments",
    "motion": "motion",
    "check": "motion-check",
    "cameras": "cameras",
    "inertia": "inertia",
}


def only(*wanted):
    """Let no other sections be there: a section alone fits into a picture."""
    for kind in panels():
        kind.wanted = kind.__name__ in (*wanted, f"{_PART}robot")
        if not hasattr(kind, "asked"):
            kind.asked = getattr(kind, "poll", None)  # bound to the class
            kind.poll = classmethod(lambda cls, context: cls.wanted and (cls.asked is None or bool(cls.asked(context))))


def cut(source, target, left, bottom, width, height, *, trim=False):
    """Write a part of a picture, without what is empty below if that is to be trimmed."""
    image = bpy.data.images.load(str(source))
    whole = np.empty(len(image.pixels), dtype=np.float32)
    image.pixels.foreach_get(whole)
    part = whole.reshape(image.size[1], image.size[0], 4)[bottom : bottom + height, left : left + width]
    if trim:
        inner = part[:, 4:-24]
        used = np.flatnonzero((np.abs(inner - inner[:, :1]) > _SAME).any(axis=(1, 2)))
        part = part[max(0, used[0] - _EDGE) :]
    made = bpy.data.images.new("part", part.shape[1], part.shape[0], alpha=False)
    made.pixels.foreach_set(np.ascontiguousarray(part).ravel())
    made.filepath_raw, made.file_format = str(target), "PNG"
    made.save()
    bpy.data.images.remove(image)
    bpy.data.images.remove(made)


def keep(hand, name, region=None, trim=False):
    """Keep a picture of a region, the sidebar unless told otherwise."""
    region = region or hand.region()
    hand.folder.joinpath("guide").mkdir(exist_ok=True)
    yield from hand.picture("whole")
    place = (region.x, region.y, region.width, region.height)
    cut(hand.folder / "whole.png", hand.folder / "guide" / f"{name}.png", *place, trim=trim)


def keep_view(hand, name, size=400):
    """Keep a picture of the middle of the viewport."""
    region = hand.region("WINDOW")
    hand.folder.joinpath("guide").mkdir(exist_ok=True)
    bpy.context.preferences.system.viewport_aa = "8"
    yield from hand.picture("whole")
    bpy.context.preferences.system.viewport_aa = "OFF"
    left, bottom = region.x + (region.width - size) // 2, region.y + (region.height - size) // 2
    cut(hand.folder / "whole.png", hand.folder / "guide" / f"{name}.png", left, bottom, size, size)


def import_options(hand, robot):
    """Keep a picture of the options beside the file browser."""
    with hand.here():
        bpy.ops.urdf_rig.import_robot("INVOKE_DEFAULT")
    yield 0.6
    browser = hand.area("FILE_BROWSER")
    browser.spaces.active.params.directory = str(robot.parent).encode()
    yield 0.6
    yield from keep(hand, "import-options", hand.region("TOOL_PROPS", browser), trim=True)
    yield from hand.move(browser.x + browser.width // 2, browser.y + browser.height // 2)
    yield from hand.press("ESC")
    yield 0.6


def section(hand, part):
    """Keep a picture of one section, opened by the mouse."""
    name = _PART + part
    parents = {kind.__name__: getattr(kind, "bl_parent_id", "") for kind in panels()}
    wanted = [name]
    while parents[wanted[-1]] not in ("", f"{_PART}robot"):
        wanted.append(parents[wanted[-1]])
    only(*wanted)
    hand.area().tag_redraw()
    yield 0.3
    for each in reversed(wanted):
        seen = yield from open_sections(hand, [each])
        assert each in seen, f"{each} is not drawn"
    yield from hand.to_viewport()
    yield 0.2
    yield from keep(hand, SECTIONS[part], trim=True)


def look(hand, distance, height, turn=0.85):
    view = hand.area().spaces.active.region_3d
    view.view_perspective = "PERSP"
    view.view_rotation = module("addon.convert").to_matrix(_turned(turn)).to_quaternion()
    view.view_distance, view.view_location = distance, (0.15, 0.0, height)
    yield 0.3


def _turned(turn):
    c, s = math.cos(turn), math.sin(turn)
    e, f = math.cos(1.2), math.sin(1.2)
    result = np.eye(4)
    result[:3, :3] = np.array([[c, -s * e, s * f], [s, c * e, -c * f], [0.0, f, e]])
    return result


def set_joints(**values):
    module("addon.rig").set_joint_values(rig(), values)
    bpy.context.view_layer.update()


def scenario(hand, robot):
    clear()
    watch()
    only()
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 49
    bpy.context.preferences.system.use_region_overlap = False  # nothing shows through the sidebar
    yield from import_options(hand, robot)
    yield from hand.open_tab()
    yield from keep(hand, "no-robot", trim=True)
    import_robot(hand, robot)
    scene.frame_set(1)
    yield from look(hand, 1.3, 0.4)
    set_joints(joint_1=0.3, joint_2=0.5, joint_3=-0.4, joint_5=0.8)
    yield from section(hand, "joints")
    yield from section(hand, "verify")
    for name, values in (("Ready", {"joint_2": 0.2}), ("Over the table", {"joint_2": 0.9, "joint_5": 0.5})):
        set_joints(**values)
        bpy.ops.urdf_rig.save_pose(name=name)
    yield from section(hand, "poses")
    yield from waypoints(hand, scene)
    yield from motion(hand, scene)
    yield from goals(hand, scene)
    yield from drawn(hand)
    yield from attached(hand)
    for part in ("description", "motion", "cameras", "inertia"):
        yield from section(hand, part)


def waypoints(hand, scene):
    data = module("addon.waypoints.settings").waypoints_data(rig())
    data.link = "tool0"
    with hand.here():
        for name, frame, move, values in (
            ("Start", 1, "joint", {"joint_1": 0.3, "joint_2": 0.4, "joint_3": -0.4, "joint_5": 0.8}),
            ("Above", 25, "joint", {"joint_1": -0.5, "joint_2": 0.6}),
            ("Down", 49, "line", {"joint_1": -0.2, "joint_2": 0.8}),
        ):
            set_joints(**values)
            bpy.ops.urdf_rig.record_waypoint(name=name, use_frame=True, frame=frame, move=move)
        assert bpy.ops.urdf_rig.generate_waypoint_motion() == {"FINISHED"}
    scene.frame_set(13)
    yield from section(hand, "waypoints")
    yield from section(hand, "waypoint_tool")


def motion(hand, scene):
    """What is measured of the motion, and a motion that asks for too much."""
    with hand.here():
        bpy.ops.object.mode_set(mode="POSE")
    rig().data.bones.active = rig().data.bones["tool0"]
    with hand.here():
        assert bpy.ops.urdf_rig.measure_motion() == {"FINISHED"}
    for part in ("kinematics", "frame_motion", "manipulability", "overlay"):
        yield from section(hand, part)
    scene.render.fps = 120
    found = module("addon.motion.rig_check").check_rig(bpy.context, rig(), start=1, end=49)  # its operator would warn
    module("addon.motion.findings").store_check(bpy.context, rig(), found)
    assert rig().data.urdf_rig_check.findings
    yield from section(hand, "check")
    scene.render.fps = 24
    with hand.here():
        bpy.ops.urdf_rig.clear_motion_check()
        bpy.ops.urdf_rig.clear_waypoint_motion()


def goals(hand, scene):
    set_joints(joint_1=0.3, joint_2=0.4, joint_3=-0.4, joint_4=0.0, joint_5=0.8, joint_6=0.0)
    with hand.here():
        assert bpy.ops.urdf_rig.add_ik_goal(link="tool0") == {"FINISHED"}
        bpy.ops.object.mode_set(mode="OBJECT")
    (goal,) = [obj for obj in bpy.data.objects if obj.type == "EMPTY" and obj.urdf_rig_ik.rig is not None]
    rig().urdf_rig_ik_robot.live = True
    goal.location = goal.location + goal.location.__class__((0.0, -0.1, -0.15))
    yield 0.5
    with hand.here():
        assert bpy.ops.urdf_rig.solve_ik() == {"FINISHED"}
        assert bpy.ops.urdf_rig.find_ik_solutions(goal=goal.name) == {"FINISHED"}
    for part in ("ik", "ik_goal", "ik_solutions", "ik_pins"):
        yield from section(hand, part)
    bpy.ops.object.select_all(action="DESELECT")
    goal.select_set(True)
    bpy.context.view_layer.objects.active = goal
    yield 0.3
    yield from keep_view(hand, "viewport-goal")
    bpy.data.objects.remove(goal)
    rig().urdf_rig_ik_robot.live = False
    bpy.context.view_layer.objects.active = rig()


def drawn(hand):
    """Handles, names and axes, and the section that switches them."""
    state = bpy.context.window_manager.urdf_rig_viewport
    state.handles = state.axes = True
    yield from section(hand, "viewport")
    yield 0.5
    yield from keep_view(hand, "viewport-handles")
    state.handles, state.names = False, True
    yield 0.5
    yield from keep_view(hand, "viewport-names")
    state.names = state.axes = False


def attached(hand):
    obj = bpy.data.objects.new("gripper", None)
    bpy.context.scene.collection.objects.link(obj)
    bpy.ops.object.select_all(action="DESELECT")
    obj.select_set(True)
    with hand.here():
        assert bpy.ops.urdf_rig.attach(link="tool0", place="OFFSET", xyz=(0.0, 0.0, 0.05)) == {"FINISHED"}
    yield from section(hand, "attachments")
