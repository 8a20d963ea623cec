# SPDX-License-Identifier: GPL-3.0-or-later
"""A small robot that is keyed by Blender's own means, and its check."""

from __future__ import annotations

from types import SimpleNamespace

import bpy

FPS = 24
ROBOT = """<robot name="r"><link name="base"/>{links}
  <joint name="turn" type="revolute"><parent link="base"/><child link="a"/><axis xyz="0 -0.6 0.8"/>
    <limit lower="-30" upper="30" effort="1" velocity="2"/></joint>
  <joint name="slide" type="prismatic"><parent link="a"/><child link="b"/><origin xyz="1 0 0"/><axis xyz="0 -1 0"/>
    <limit lower="-9" upper="9" effort="1" velocity="0.5"/></joint>
  <joint name="grip" type="revolute"><parent link="b"/><child link="c"/><origin xyz="1 0 0"/><axis xyz="1 0 0"/>
    <limit lower="-90" upper="90" effort="1" velocity="1.2"/><mimic joint="slide" multiplier="2"/></joint>
</robot>"""
PLAIN = ROBOT.format(links="".join(f'<link name="{name}"/>' for name in "abc"))


def curve_of(rig, joint):
    """Return the F-curve of a joint."""
    from urdf_rig.addon.fcurves import action_curves
    from urdf_rig.addon.rig import joint_bones_by_name

    bone = joint_bones_by_name(rig)[joint]
    path = f"{bone.bone.path_from_id()}.{bone.data_path}"
    return next(curve for curve in action_curves(rig) if curve.data_path == path and curve.array_index == 1)


def key(rig, joint, pairs, interpolation="LINEAR"):
    """Key a joint, and return its curve."""
    from urdf_rig.addon.rig import joint_bones_by_name

    bone = joint_bones_by_name(rig)[joint]
    for frame, value in pairs:
        bone.value = value
        bone.bone.keyframe_insert(bone.data_path, index=1, frame=frame)
    curve = curve_of(rig, joint)
    for point in curve.keyframe_points:
        point.interpolation = interpolation
    curve.update()
    return curve


def check(rig, **options):
    from urdf_rig.addon.motion.check_settings import check_data

    bpy.context.view_layer.objects.active = rig
    data = check_data(rig)
    for name, value in options.items():
        setattr(data, name, value)
    assert bpy.ops.urdf_rig.check_motion() == {"FINISHED"}
    return data


def rows(data):
    return [(item.kind, item.joint, item.frame, item.first, item.last) for item in data.findings]


def sliders_in_red(rig):
    """Return the joints that the panel draws in red."""
    found = []

    class Recorder:
        alert = False

        def __getattr__(self, name):
            return self._inner if name in ("row", "column") else lambda *_args, **_options: SimpleNamespace()

        def _inner(self, **_options):
            return Recorder()

        def prop(self, owner, name, text="", slider=False, **_options):
            if slider and self.alert:
                found.append(text)

    bpy.context.view_layer.objects.active = rig
    bpy.types.URDF_RIG_PT_joints.draw(SimpleNamespace(layout=Recorder()), bpy.context)
    return found
