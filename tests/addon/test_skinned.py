# SPDX-License-Identifier: GPL-3.0-or-later
"""All visuals as one mesh bound to the bones, and rigs without the bones of fixed frames."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

ROBOT = """<robot name="r">
  <material name="red"><color rgba="1 0 0 1"/></material><material name="blue"><color rgba="0 0 1 1"/></material>
  <link name="base"><visual><geometry><cylinder radius="0.2" length="0.1"/></geometry><material name="red"/></visual>
    <visual><origin xyz="0 0.3 0" rpy="0.4 0.5 0.6"/><geometry><mesh filename="wedge.stl"/></geometry>
      <material name="blue"/></visual></link>
  <link name="mount"><visual><origin xyz="0.1 0 0"/><geometry><mesh filename="wedge.stl" scale="1 -2 0.5"/></geometry>
      <material name="red"/></visual></link>
  <link name="upper"><visual><origin xyz="0 0 0.2" rpy="0 1 0"/><geometry><mesh filename="tile.obj"/></geometry>
    </visual><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
  <link name="flange"><visual><geometry><mesh filename="spots.ply"/></geometry></visual></link>
  <link name="eye"><visual><geometry><box size="0.02 0.02 0.02"/></geometry></visual></link>
  <link name="lower"><visual><origin xyz="0 0 0.1"/><geometry><capsule radius="0.05" length="0.2"/></geometry>
      <material name="blue"/></visual></link>
  <link name="finger"><visual><geometry><mesh filename="tile.obj"/></geometry></visual></link>
  <joint name="bolt" type="fixed"><parent link="base"/><child link="mount"/>
    <origin xyz="0.1 0.2 0.3" rpy="1 0 2"/></joint>
  <joint name="shoulder" type="revolute"><parent link="mount"/><child link="upper"/><origin xyz="0 0 1"/>
    <axis xyz="0 0.6 0.8"/><limit lower="-1" upper="2" effort="1" velocity="1"/></joint>
  <joint name="glue" type="fixed"><parent link="upper"/><child link="flange"/>
    <origin xyz="0 0 0.4" rpy="0 0.3 0"/></joint>
  <joint name="tape" type="fixed"><parent link="flange"/><child link="eye"/><origin xyz="0.05 0 0" rpy="0 0 1"/></joint>
  <joint name="elbow" type="continuous"><parent link="flange"/><child link="lower"/><origin xyz="0 0.1 0" rpy="2 1 0"/>
    <axis xyz="1 0 0"/></joint>
  <joint name="grip" type="prismatic"><parent link="lower"/><child link="finger"/><axis xyz="0 0 -1"/>
    <limit lower="-2" upper="2" effort="1" velocity="1"/><mimic joint="elbow" multiplier="0.1" offset="0.2"/></joint>
  <gazebo reference="eye"><sensor name="cam" type="camera"><pose>0.1 0 0 0 0 1</pose>
    <camera><horizontal_fov>1</horizontal_fov></camera></sensor></gazebo>
</robot>"""

WEDGE = """solid wedge
facet normal 0 0 -1
 outer loop
  vertex 0 0 0
  vertex 0 0.1 0
  vertex 0.1 0 0
 endloop
endfacet
facet normal 0 -1 0
 outer loop
  vertex 0 0 0
  vertex 0.1 0 0
  vertex 0 0 0.1
 endloop
endfacet
endsolid
"""

TILE = """mtllib tile.mtl
v 0 0 0
v 0.1 0 0
v 0 0.2 0
v 0.1 0.2 0.05
vt 0 0
vt 1 0
vt 0.25 0.75
vt 1 1
vn 0 0.6 0.8
vn 0 0 1
usemtl green
f 1/1/1 2/2/1 3/3/2
usemtl dark
f 2/2/2 4/4/1 3/3/1
"""

SPOTS = """ply
format ascii 1.0
element vertex 3
property float x
property float y
property float z
property uchar red
property uchar green
property uchar blue
element face 1
property list uchar int vertex_indices
end_header
0 0 0 255 0 0
0.1 0 0 0 255 0
0 0.1 0 0 0 128
3 0 1 2
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "wedge.stl").write_text(WEDGE)
    (tmp_path / "tile.obj").write_text(TILE)
    (tmp_path / "tile.mtl").write_text("newmtl green\nKd 0 1 0\nnewmtl dark\nKd 0.1 0.1 0.1\n")
    (tmp_path / "spots.ply").write_text(SPOTS)
    return tmp_path


@pytest.fixture
def imported(rig_of, folder):
    return rig_of(ROBOT, folder, skinned=True)


@pytest.fixture
def skin(imported):
    return next(obj for obj in imported.rig.children if obj.type == "MESH")


def verify(rig, samples=6):
    from urdf_rig.addon.verify import verify_rig

    return verify_rig(bpy.context, rig, samples)


def vertices_of(skin, link):
    group = skin.vertex_groups[link].index
    return [vertex.index for vertex in skin.data.vertices if any(item.group == group for item in vertex.groups)]


def corners(obj):
    """Return each corner's world position and normal, UV, colour and material, as Blender evaluates them."""
    evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh, world = evaluated.data, np.array(evaluated.matrix_world)
    points = np.array([vertex.co for vertex in mesh.vertices]) @ world[:3, :3].T + world[:3, 3]
    normals = np.array([item.vector for item in mesh.corner_normals]) @ world[:3, :3].T
    count = len(mesh.loops)
    uv = np.array([item.vector for item in mesh.uv_layers[0].uv]) if mesh.uv_layers else np.full((count, 2), np.nan)
    colors = mesh.color_attributes
    color = np.array([item.color for item in colors[0].data]) if len(colors) else np.full((count, 4), np.nan)
    names = [obj.material_slots[face.material_index].material for face in mesh.polygons]
    index = [loop.vertex_index for loop in mesh.loops]
    return points[index], normals, uv, color, ["" if item is None else item.name_full for item in names]


def looks(objects):
    parts = [corners(obj) for obj in objects]
    names = [name for part in parts for name in part[4]]
    return [*(np.concatenate([part[k] for part in parts]) for k in range(4)), names]


def test_one_object_with_every_vertex_on_the_bone_of_its_link(imported, skin):
    assert [obj.type for obj in imported.rig.children if obj.type != "CAMERA"] == ["MESH"]
    assert skin.parent is imported.rig and skin.parent_type == "OBJECT"
    assert [modifier.object for modifier in skin.modifiers] == [imported.rig]
    weights = [[(skin.vertex_groups[item.group].name, item.weight) for item in v.groups] for v in skin.data.vertices]
    assert all(len(item) == 1 and item[0][1] == 1.0 for item in weights)
    assert {item[0][0] for item in weights} == {"base", "mount", "upper", "flange", "eye", "lower", "finger"}
    # triangles of two wedges with unshared or shared corners, of two tiles with four, of one spot with three
    assert len(vertices_of(skin, "upper")) == len(vertices_of(skin, "finger")) == 4
    assert len(vertices_of(skin, "flange")) == 3


def test_it_looks_as_the_separate_objects_do(imported, skin, rig_of, folder):
    from urdf_rig.addon.rig import set_joint_values

    pose = {"shoulder": 0.7, "elbow": -2.0}
    set_joint_values(imported.rig, pose)
    separate = rig_of(ROBOT, folder)
    set_joint_values(separate.rig, pose)
    bpy.context.view_layer.update()
    visuals = [obj for obj in separate.rig.children if obj.type == "MESH"]
    visuals.sort(key=lambda obj: [shape.name for shape in separate.plan.shapes].index(obj.name))
    assert len(visuals) == 8
    points, normals, uv, color, materials = looks([skin])
    points_2, normals_2, uv_2, color_2, materials_2 = looks(visuals)
    assert points == pytest.approx(points_2, abs=1e-6)
    assert normals == pytest.approx(normals_2, abs=1e-3)  # Blender keeps those that deform in 16 bits
    has_uv, has_color = ~np.isnan(uv_2).any(axis=1), ~np.isnan(color_2).any(axis=1)
    assert has_uv.sum() == 12 and has_color.sum() == 3
    assert uv[has_uv] == pytest.approx(uv_2[has_uv])
    assert color[has_color] == pytest.approx(color_2[has_color])
    assert (color[~has_color] == 1.0).all()
    kinds = {name.partition(".")[0] for name in materials}
    assert {"red", "blue", "green", "dark"} <= kinds
    assert [name.partition(".")[0] for name in materials] == [name.partition(".")[0] for name in materials_2]


def test_it_is_verified_wherever_it_stands_hidden_or_not_and_from_a_file(imported, skin, tmp_path):
    rig = imported.rig
    result = verify(rig)
    assert result.passed, result.problems
    assert (result.links, result.samples) == (7, 7)
    assert 0.0 < result.max_position_error < 2e-6
    rig.location, rig.scale = (3.0, -2.0, 1.0), (2.0, 2.0, 2.0)
    rig.rotation_euler = (0.4, 0.2, -0.9)
    assert verify(rig).passed
    skin.users_collection[0].hide_viewport = True
    before = set(bpy.data.objects)
    assert verify(rig).passed and set(bpy.data.objects) == before
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "skinned.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "skinned.blend"))
    assert verify(bpy.data.objects["r"]).passed


@pytest.mark.parametrize("hidden", [False, True])
def test_a_moved_vertex_is_named_by_its_link(imported, skin, hidden):
    index = vertices_of(skin, "lower")[3]
    skin.data.vertices[index].co.x += 1e-4
    skin.hide_viewport = hidden
    result = verify(imported.rig)
    assert not result.passed and len(result.problems) == 1
    assert "link 'lower'" in result.problems[0] and result.worst_link == "lower"
    assert result.max_position_error == pytest.approx(1e-4, rel=0.02)


def test_a_vertex_moved_in_edit_mode_is_named_by_its_link(imported, skin):
    bpy.context.view_layer.objects.active = skin
    bpy.ops.object.mode_set(mode="EDIT")
    result = verify(imported.rig)
    assert not result.passed and "leave Edit Mode" in result.problems[0]
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.object.mode_set(mode="OBJECT")
    assert verify(imported.rig).passed
    skin.data.vertices[vertices_of(skin, "flange")[0]].co.z -= 0.01
    assert "link 'flange'" in verify(imported.rig).problems[0]


@pytest.mark.parametrize("damage", ["half", "other", "none"])
def test_a_wrong_weight_is_named_by_its_link(imported, skin, damage):
    index = vertices_of(skin, "finger")[1]
    if damage == "half":
        skin.vertex_groups["lower"].add([index], 0.5, "REPLACE")
    elif damage == "other":
        skin.vertex_groups["finger"].remove([index])
        skin.vertex_groups["upper"].add([index], 1.0, "REPLACE")
    else:
        skin.vertex_groups["finger"].remove([index])
    result = verify(imported.rig)
    assert not result.passed and "link 'finger'" in result.problems[0] and len(result.problems) == 1


def test_other_damage_to_the_skin_is_found(imported, skin):
    skin.location.x = 0.001
    assert not verify(imported.rig).passed
    skin.location.x = 0.0
    skin.modifiers[0].show_viewport = False
    assert "link 'finger'" in " ".join(verify(imported.rig).problems)
    skin.modifiers[0].show_viewport = True
    assert verify(imported.rig).passed
    skin.modifiers.new("Subdivision", "SUBSURF")
    assert "modifiers that change its vertices" in verify(imported.rig).problems[0]
    skin.modifiers.remove(skin.modifiers[1])
    skin.data.attributes.remove(skin.data.attributes[".urdf_rig_part"])
    assert "has lost which of its vertices" in verify(imported.rig).problems[0]


def test_renaming_a_bone_keeps_the_skin(imported, skin):
    from urdf_rig.addon.followers import repair_followers

    imported.rig.data.bones["lower"].name = "forearm"
    assert "forearm" in skin.vertex_groups and "lower" not in skin.vertex_groups
    repair_followers(imported.rig)  # happens by itself where there is a window
    assert verify(imported.rig).passed


def test_missing_meshes_stay_placeholders_and_robots_without_visuals_have_no_skin(rig_of, folder):
    made = rig_of(ROBOT.replace("spots.ply", "nowhere.ply"), folder, skinned=True, collisions=True)
    kinds = {obj.type: obj.name for obj in made.rig.children if obj.type != "CAMERA" and not obj.urdf_rig.is_collision}
    assert kinds == {"MESH": "r mesh", "EMPTY": "flange"}
    assert verify(made.rig).passed
    bare = rig_of(ROBOT, folder, skinned=True, visuals=False)
    assert bare.plan.skin is None and {obj.type for obj in bare.rig.children} == {"CAMERA"}


@pytest.mark.parametrize("base", ["base", "mount", "eye", "finger"])
@pytest.mark.parametrize("skinned", [False, True])
def test_without_fixed_frames_everything_is_where_it_was(rig_of, folder, base, skinned):
    from urdf_rig.addon.rig import set_joint_values

    pose = {"shoulder": -0.6, "elbow": 1.2}
    worlds = []
    options = {"base": base, "skinned": skinned, "collisions": True, "inertia": True}
    for fixed_frames in (True, False):
        made = rig_of(ROBOT, folder, fixed_frames=fixed_frames, **options)
        set_joint_values(made.rig, pose)
        bpy.context.view_layer.update()
        children = sorted(made.rig.children, key=lambda obj: obj.name.partition(".")[0])
        worlds.append({obj.name.partition(".")[0]: np.array(obj.matrix_world) for obj in children})
        result = verify(made.rig)
        assert result.passed and result.links == 7, result.problems
    assert worlds[0].keys() == worlds[1].keys()
    for name, world in worlds[0].items():
        assert world == pytest.approx(worlds[1][name], abs=2e-6), name


def test_without_fixed_frames_only_joints_that_move_have_bones(rig_of, folder):
    made = rig_of(ROBOT, folder, fixed_frames=False)
    parents = {bone.name: bone.parent and bone.parent.name for bone in made.rig.data.bones}
    assert parents == {"base": None, "upper": "base", "lower": "upper", "finger": "lower"}
    rides = {obj.name: obj.parent_bone for obj in made.rig.children}
    assert (rides["mount"], rides["flange"], rides["eye"], rides["cam"]) == ("base", "upper", "upper", "upper")
    bpy.ops.object.mode_set(mode="EDIT")
    made.rig.data.edit_bones.remove(made.rig.data.edit_bones["finger"])
    bpy.ops.object.mode_set(mode="OBJECT")
    assert "link 'finger' has no bone" in verify(made.rig).problems


def test_the_menu_and_the_command_line_know_both_options(folder):
    from urdf_rig.cli.arguments import make_parser

    (folder / "robot.urdf").write_text(ROBOT)
    assert bpy.ops.urdf_rig.import_robot(filepath=str(folder / "robot.urdf"), skinned=True, fixed_frames=False) == {
        "FINISHED"
    }
    rig = bpy.context.object
    assert len(rig.data.bones) == 4 and rig.data.urdf_rig.verify_passed
    parsed = make_parser().parse_args(["convert", "a.urdf", "b.glb", "--skinned", "--no-fixed-frames"])
    assert parsed.skinned and not parsed.fixed_frames
    parsed = make_parser().parse_args(["convert", "a.urdf", "b.glb"])
    assert parsed.fixed_frames and not parsed.skinned
