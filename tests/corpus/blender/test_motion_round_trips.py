# SPDX-License-Identifier: GPL-3.0-or-later
"""Import, export, import: the same motion in every format, on an arm, a walking robot and a gripper with followers."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from ros_bags import KINDS, write_motion_bag

ROBOTS = ("panda", "talos_full_v2", "robotiq_2f_85")
FORMATS = {".csv": "m.csv", ".json": "m.json", ".yaml": "m.yaml", "states.yaml": "states.yaml", ".mcap": "m.mcap"}
RATE, COUNT = 50.0, 51
TOLERANCE = 1e-6


@pytest.fixture(params=ROBOTS)
def rig(request, corpus_file):
    from urdf_rig.addon.importer import ImportOptions, import_robot

    bpy.context.scene.render.fps = 24
    made = import_robot(bpy.context, corpus_file(request.param), ImportOptions(visuals=False))
    return made.rig


def random_motion(rig):
    """Return a motion within all limits; a robot that walks has a base that moves and turns around more than once."""
    from urdf_rig.addon.rig import joint_bones, robot_of
    from urdf_rig.core.motion import BaseMotion, JointMotion

    dice = np.random.default_rng(4)
    free = [joint.data for joint in joint_bones(rig) if not joint.data.leader]
    times = np.arange(COUNT) / RATE
    columns = [dice.uniform(*((data.lower, data.upper) if data.limited else (-6, 6)), COUNT) for data in free]
    base = None
    if "talos" in robot_of(rig).name:
        angle = 9.0 * times
        turn = np.column_stack([np.cos(angle / 2), 0 * angle, 0.6 * np.sin(angle / 2), 0.8 * np.sin(angle / 2)])
        base = BaseMotion(times, dice.uniform(-2, 2, (COUNT, 3)), turn, "world", robot_of(rig).root)
    return JointMotion(tuple(data.joint for data in free), times, np.column_stack(columns), base=base)


def read(path, rig):
    from urdf_rig.addon.rig import robot_of
    from urdf_rig.core.motion import is_bag, read_motion

    return read_motion(path, **({"base_link": robot_of(rig).root} if is_bag(path) else {})).motion


def difference(got, want):
    got = got.of_joints(want.joints)
    assert np.abs(got.times - want.times).max() < 1e-8
    assert (got.base is None) == (want.base is None)
    base = 0.0 if want.base is None else np.abs(got.base.poses - want.base.poses).max()
    return max(base, np.abs(got.positions - want.positions).max())


def there_and_back(rig, source, target, kind, followers):
    """Play a file and export it again."""
    bpy.context.view_layer.objects.active = rig
    assert bpy.ops.urdf_rig.play_joint_states(filepath=str(source), start=1.0) == {"FINISHED"}
    options = {"start": 1.0, "end": 25.0, "rate": RATE, "format": kind, "followers": followers}
    assert bpy.ops.urdf_rig.export_joint_states(filepath=str(target), **options) == {"FINISHED"}
    return read(target, rig)


@pytest.mark.parametrize("followers", [False, True])
@pytest.mark.parametrize("kind", list(FORMATS))
def test_every_format_that_is_written(rig, tmp_path, kind, followers):
    from urdf_rig.addon.rig import robot_of
    from urdf_rig.core.kinematics import joint_positions
    from urdf_rig.core.motion import write_motion

    motion = random_motion(rig)
    for folder in ("given", "first", "second"):
        (tmp_path / folder).mkdir()
    name = FORMATS[kind]
    write_motion(tmp_path / "given" / name, motion, states=kind == "states.yaml")
    first = there_and_back(rig, tmp_path / "given" / name, tmp_path / "first" / name, kind, followers)
    second = there_and_back(rig, tmp_path / "first" / name, tmp_path / "second" / name, kind, followers)
    assert difference(first, motion) < TOLERANCE
    assert difference(second, first) < TOLERANCE
    if followers:
        values = joint_positions(robot_of(rig), dict(zip(motion.joints, motion.positions.T, strict=True)))
        assert set(first.joints) == set(values)
        for joint, column in zip(first.joints, first.positions.T, strict=True):
            assert column == pytest.approx(values[joint], abs=2e-6)


@pytest.mark.parametrize("kind", KINDS)
def test_every_bag_that_is_read(rig, tmp_path, kind):
    motion = random_motion(rig)
    path = write_motion_bag(tmp_path, kind, motion)
    if kind != "bag":
        path = path / "metadata.yaml"
    assert difference(read(path, rig), motion) < 1e-12
    again = there_and_back(rig, path, tmp_path / "out.mcap", ".mcap", False)
    assert difference(again, motion) < TOLERANCE
