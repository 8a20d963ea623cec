# SPDX-License-Identifier: GPL-3.0-or-later
"""Goals in what users do to a file: undo, copies, parents and constraints, links and overrides, other units."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import bpy
import numpy as np
import pytest
from ik_panels import draw
from ik_scene import ARM, add, circle, handlers, joints, live, off, ready_arm
from mathutils import Quaternion, Vector


@pytest.fixture
def rig(rig_of):
    return ready_arm(rig_of)


def select(*objects):
    for obj in bpy.context.view_layer.objects:
        obj.select_set(obj in objects)
    bpy.context.view_layer.objects.active = objects[0]


def goals(rig):
    from urdf_rig.addon.ik.goals import goals_of

    return goals_of(rig, bpy.context.view_layer)


def test_undo_and_redo_through_adding_solving_and_removing(rig):
    name = rig.name

    def state():
        rig = bpy.data.objects[name]
        return [goal.name for goal in goals(rig)], [round(value, 5) for value in joints(rig).values()]

    bpy.ops.ed.undo_push(message="imported")
    states = [state()]
    for step in ("add", "move", "solve", "live", "choose", "remove"):
        if step == "add":
            add()
        elif step == "move":
            bpy.data.objects["IK tool0"].location.z -= 0.1
        elif step == "solve":
            bpy.ops.urdf_rig.solve_ik()
        elif step == "live":
            bpy.data.objects[name].urdf_rig_ik_robot.live = True
        elif step == "choose":
            bpy.ops.urdf_rig.step_ik_solution(step=1)
        else:
            bpy.ops.urdf_rig.remove_ik_goal()
        bpy.context.view_layer.update()
        bpy.ops.ed.undo_push(message=step)
        states.append(state())
    assert len({str(item) for item in states}) == 5  # moving the goal and switching live move nothing
    for expected in states[-2::-1]:
        bpy.ops.ed.undo()
        bpy.context.view_layer.update()
        assert state() == expected
    assert handlers() == []
    for expected in states[1:]:
        bpy.ops.ed.redo()
        bpy.context.view_layer.update()
        assert state() == expected
    assert handlers() == []


@pytest.mark.parametrize("linked", [True, False])
def test_a_copy_of_the_robot_alone_has_no_goals_and_stays(rig, linked):
    goal = add()
    live(rig)
    select(rig)
    bpy.ops.object.duplicate(linked=linked)
    copy = bpy.context.object
    assert copy != rig and (copy.data == rig.data) == linked
    assert goals(copy) == [] and goals(rig) == [goal]
    before = joints(copy)
    goal.location.z -= 0.1
    bpy.context.view_layer.update()
    assert max(off(rig, goal)) < 1e-5 and joints(copy) == before
    # a switch or a pin of one is none of the other, though they may share their armature
    live(rig, on=False)
    rig.pose.bones[1].urdf_rig_ik.pinned = True
    assert not copy.pose.bones[1].urdf_rig_ik.pinned
    bpy.context.view_layer.objects.active = copy
    assert not bpy.ops.urdf_rig.solve_ik.poll()


@pytest.mark.parametrize("linked", [True, False])
def test_a_copy_of_the_robot_with_its_goals_follows_its_own(rig, linked):
    goal = add()
    live(rig)
    select(rig, goal)
    bpy.ops.object.duplicate(linked=linked)
    copy = next(obj for obj in bpy.context.selected_objects if obj.type == "ARMATURE")
    (other,) = [obj for obj in bpy.context.selected_objects if obj.type == "EMPTY"]
    assert goals(rig) == [goal] and goals(copy) == [other]
    rested = joints(rig)
    other.location += Vector((0.05, 0.0, -0.1))
    bpy.context.view_layer.update()
    assert max(off(copy, other)) < 1e-5
    assert joints(rig) == pytest.approx(rested, abs=1e-6)


def test_renaming_bones_and_objects_while_live_is_no_matter(rig):
    goal = add()
    live(rig)
    for bone in rig.data.bones:
        bone.name = f"x_{bone.name}"
    rig.name, goal.name, rig.data.name = "one", "two", "three"
    goal.location.z -= 0.1
    bpy.context.view_layer.update()
    assert max(off(rig, goal)) < 1e-5
    bpy.ops.urdf_rig.bake_ik(start=1, end=2)


@pytest.mark.parametrize("how", ["parent", "constraint", "driver", "animated parent"])
def test_a_goal_moves_as_any_object_does(rig, how):
    goal = add()
    hub = bpy.data.objects.new("hub", None)
    bpy.context.scene.collection.objects.link(hub)
    hub.location = goal.matrix_world.translation
    bpy.context.view_layer.update()
    if "parent" in how:
        goal.parent, goal.matrix_parent_inverse = hub, hub.matrix_world.inverted()
    elif how == "constraint":
        goal.constraints.new("COPY_LOCATION").target = hub
    else:
        driver = goal.driver_add("location", 2).driver
        driver.type = "SUM"
        target = driver.variables.new().targets[0]
        target.id, target.data_path = hub, "location[2]"
    live(rig)
    for frame in (1, 4, 8):
        if how == "animated parent":
            for key, height in ((1, 0.0), (8, -0.15)):
                hub.location.z = goal.matrix_world.translation.z + height
                hub.keyframe_insert("location", frame=key)
            bpy.context.scene.frame_set(frame)
        else:
            hub.location.z -= 0.02
            bpy.context.view_layer.update()
        assert max(off(rig, goal)) < 1e-5
        if how != "parent":
            continue
        hub.rotation_euler.z += 0.1
        bpy.context.view_layer.update()
        assert max(off(rig, goal)) < 1e-5


def test_the_panels_robot_is_the_active_goals(rig, rig_of, cases):
    from urdf_rig.addon.rig import active_rig

    goal = add()
    other = rig_of(cases / "42-panel-and-menu-found" / "robot.urdf").rig
    child = bpy.data.objects.new("child", None)
    bpy.context.scene.collection.objects.link(child)
    child.parent = goal
    visual = bpy.data.objects.new("visual", None)
    bpy.context.scene.collection.objects.link(visual)
    visual.parent = other
    for active, expected in ((goal, rig), (child, rig), (other, other), (visual, other), (rig, rig)):
        bpy.context.view_layer.objects.active = active
        assert active_rig(bpy.context) == expected
    goal.parent = other  # what follows one robot may hang from another
    bpy.context.view_layer.objects.active = goal
    assert active_rig(bpy.context) == rig
    goal.urdf_rig_ik.rig = None
    assert active_rig(bpy.context) == other


@pytest.mark.parametrize("unit", [0.001, 10.0])
def test_another_scene_unit_is_no_matter(rig_of, unit):
    from urdf_rig.addon.rig import set_joint_values

    bpy.context.scene.unit_settings.scale_length = unit
    rig = rig_of(ARM).rig
    set_joint_values(rig, {"joint_2": 0.3, "joint_5": 0.9})
    goal = add()
    reach = np.linalg.norm(np.array(goal.matrix_world)[:3, 3]) * unit
    assert 0.2 < reach < 2.0  # metres, as the arm is
    assert 0.005 < goal.empty_display_size * unit < 0.5
    goal.location.z -= 0.1 / unit
    bpy.ops.urdf_rig.solve_ik()
    assert off(rig, goal)[0] * unit < 1e-5
    goal.urdf_rig_ik.kind = "POSITION"
    goal.location.z += 30.0 / unit
    bpy.ops.urdf_rig.solve_ik()
    # the residual is in metres whatever the unit
    assert goal.urdf_rig_ik.position_error == pytest.approx(off(rig, goal)[0] * unit, rel=1e-4)
    assert goal.urdf_rig_ik.position_error > 25.0


@pytest.mark.parametrize("scale", [(0.5, 0.5, 0.5), (-1.0, 1.0, 1.0), (1.0, 2.0, 0.7)])
def test_a_turned_scaled_and_mirrored_armature_is_followed_as_it_is_shown(rig, scale):
    rig.scale = scale
    rig.rotation_mode = "QUATERNION"
    rig.rotation_quaternion = Quaternion((1, 2, 3), 1.2)
    bpy.context.view_layer.update()
    goal = add(kind="POSITION")
    live(rig)
    goal.location += Vector((0.03, 0.05, -0.04))
    bpy.context.view_layer.update()
    assert goal.urdf_rig_ik.reached
    assert off(rig, goal)[0] < 1e-5


@pytest.fixture
def library(rig, tmp_path):
    """A file with an arm in a collection."""
    path = tmp_path / "library.blend"
    name = rig.users_collection[0].name
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    return path, name


def linked_collection(library):
    path, name = library
    with bpy.data.libraries.load(str(path), link=True) as (_, wanted):
        wanted.collections = [name]
    return wanted.collections[0]


def test_a_linked_robot_is_refused_and_says_why(library):
    collection = linked_collection(library)
    bpy.context.scene.collection.children.link(collection)
    rig = next(obj for obj in collection.all_objects if obj.type == "ARMATURE")
    bpy.context.view_layer.objects.active = rig
    for name in ("add_ik_goal", "solve_ik", "bake_ik", "step_ik_solution"):
        operator = getattr(bpy.ops.urdf_rig, name)
        assert not operator.poll()
        with pytest.raises(RuntimeError, match="library override"):
            operator()
    assert any("library override" in str(item) for item in draw("URDF_RIG_PT_ik"))


def test_an_overridden_robot_follows_is_saved_and_is_baked(library, tmp_path):
    collection = linked_collection(library)
    bpy.context.scene.collection.children.link(collection)
    made = collection.override_hierarchy_create(bpy.context.scene, bpy.context.view_layer, do_fully_editable=True)
    rig = next(obj for obj in made.all_objects if obj.type == "ARMATURE")
    bpy.context.scene.collection.children.unlink(collection)
    assert rig.override_library is not None and rig.library is None
    bpy.context.view_layer.objects.active = rig
    goal = add()
    assert goal.library is None and goal.override_library is None
    live(rig)
    goal.location.z -= 0.08
    bpy.context.view_layer.update()
    assert max(off(rig, goal)) < 1e-5
    rig.pose.bones[0].urdf_rig_ik.pinned = True
    path = str(tmp_path / "shot.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    rig = next(obj for obj in bpy.context.view_layer.objects if obj.type == "ARMATURE")
    assert rig.override_library is not None
    goal = bpy.data.objects["IK tool0"]
    assert rig.pose.bones[0].urdf_rig_ik.pinned
    assert rig.urdf_rig_ik_robot.live and goals(rig) == [goal] and len(handlers()) == 2
    assert max(off(rig, goal)) < 1e-5
    goal.location.z -= 0.02
    bpy.context.view_layer.update()
    assert max(off(rig, goal)) < 1e-5
    circle(goal, frames=5, radius=0.02)
    assert bpy.ops.urdf_rig.bake_ik(start=1, end=5) == {"FINISHED"}
    bpy.context.scene.frame_set(3)
    assert max(off(rig, goal)) < 1e-5


def test_without_a_live_goal_the_handlers_are_away_or_return_at_once(rig, monkeypatch):
    from urdf_rig.addon.ik import live as module

    goal = add()
    assert handlers() == []
    live(rig)
    bpy.data.objects.remove(goal)
    calls = []
    monkeypatch.setattr(module, "follow", lambda *_, **__: calls.append(1))
    rig.location.x += 0.1
    bpy.context.view_layer.update()
    bpy.context.scene.frame_set(4)
    assert calls == []
    goal = add()
    bpy.context.view_layer.objects.active = rig
    bpy.ops.urdf_rig.remove_ik_goal()  # the last one
    assert handlers() == [] and not rig.urdf_rig_ik_robot.live


_PLAYED = """
import json, sys
import bpy
bpy.ops.wm.open_mainfile(filepath=sys.argv[-1])
assert not hasattr(bpy.types.Object, "urdf_rig_ik") and not bpy.data.texts
rig = next(obj for obj in bpy.data.objects if obj.type == "ARMATURE")
out = []
for frame in range(1, 11):
    bpy.context.scene.frame_set(frame)
    graph = bpy.context.evaluated_depsgraph_get()
    seen = rig.evaluated_get(graph)
    out.append([list(row) for row in seen.matrix_world @ seen.pose.bones["tool0"].matrix])
print("POSES", json.dumps(out))
"""


def test_a_baked_file_plays_without_the_extension(rig, tmp_path):
    goal = add()
    circle(goal, frames=10)
    assert bpy.ops.urdf_rig.bake_ik(start=1, end=10) == {"FINISHED"}
    expected = []
    for frame in range(1, 11):
        bpy.context.scene.frame_set(frame)
        assert max(off(rig, goal)) < 1e-5
        expected.append(np.array(rig.matrix_world @ rig.pose.bones["tool0"].matrix))
    path = tmp_path / "baked.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    environment = {**os.environ, "BLENDER_USER_RESOURCES": str(tmp_path / "user")}
    command = [sys.executable, "-c", _PLAYED, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment, check=False)
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("POSES ")] or [done.stderr]
    played = json.loads(line.removeprefix("POSES "))
    assert np.abs(np.array(played) - np.array(expected)).max() < 1e-6
