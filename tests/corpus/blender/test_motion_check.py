# SPDX-License-Identifier: GPL-3.0-or-later
"""The panda's motions: each joint at its velocity limit, a thousandth above, into itself, and retimed."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

FPS, COUNT = 30, 61


@pytest.fixture
def panda(corpus_file):
    from urdf_rig.addon.importer import ImportOptions, import_robot

    scene = bpy.context.scene
    scene.render.fps, scene.frame_start, scene.frame_end = FPS, 1, COUNT
    return import_robot(bpy.context, corpus_file("panda"), ImportOptions(visuals=False)).rig


def limits(rig):
    from urdf_rig.addon.rig import robot_of

    robot = robot_of(rig)
    return robot.dofs, *np.array(
        [[*robot.joint(name).range, robot.joint(name).limit.velocity] for name in robot.dofs]
    ).T


def play(rig, q, frames_apart=1.0):
    from urdf_rig.addon.motion.playback import play_motion
    from urdf_rig.addon.rig import robot_of
    from urdf_rig.core.motion import JointMotion

    times = np.arange(len(q)) * frames_apart / FPS
    play_motion(bpy.context, rig, JointMotion(robot_of(rig).dofs, times, q))


def check(rig, last=COUNT, collisions=False):
    from urdf_rig.addon.motion.rig_check import check_rig

    return check_rig(bpy.context, rig, start=1, end=last, collisions=collisions).check.findings.items


def zigzag(low, high, speed):
    """Return a motion up and down at full speed within the middle of each range."""
    middle, half = 0.5 * (low + high), 0.4 * (high - low)
    turns = np.arange(COUNT)[:, None] * speed / FPS
    return middle + np.abs((turns + half) % (4.0 * half) - 2.0 * half) - half


def test_every_joint_at_its_limit_passes_and_a_thousandth_above_fails(panda):
    names, low, high, speed = limits(panda)
    still = np.tile(0.5 * (low + high), (COUNT, 1))
    for column, name in enumerate(names):
        steps = min(8, int(0.4 * (high - low)[column] * FPS / speed[column]))  # as far as the range allows
        ramp = np.minimum(np.arange(COUNT), steps) * speed[column] / FPS
        # the second finger follows the first
        blamed = [name, *(["panda_finger_joint2"] if name == "panda_finger_joint1" else [])]
        for share, expected in ((1.0, []), (1.001, [("velocity", each, 0) for each in blamed])):
            q = still.copy()
            q[:, column] = low[column] + 0.1 * (high - low)[column] + share * ramp
            play(panda, q)
            assert [(item.kind.value, item.joint, item.index) for item in check(panda)] == expected


def test_zigzags_pass_between_frames_and_along_the_whole_range(panda):
    _, low, high, speed = limits(panda)
    play(panda, zigzag(low, high, speed))
    assert check(panda) == ()
    play(panda, zigzag(low, high, 2.0 * speed), 2.37)
    assert check(panda, 140) == ()


def test_it_is_retimed_to_its_slowest_joint(panda):
    from urdf_rig.addon.motion.retiming import retime

    _, low, high, speed = limits(panda)
    share = np.linspace(1.0, 3.0, len(speed))
    play(panda, zigzag(low, high, share * speed))
    assert check(panda)
    done = retime(bpy.context, panda, 1, COUNT)
    assert done.factor == pytest.approx(3.0, rel=0.02)
    assert check(panda, int(done.end) + 1) == ()


def test_a_fold_into_itself_names_the_links(panda):
    from urdf_rig.addon.motion.rig_check import rig_collisions
    from urdf_rig.addon.rig import robot_of
    from urdf_rig.core.ik import PositionGoal, solve_ik

    model = rig_collisions(panda, robot_of(panda))
    assert model.always == ()
    assert ("panda_link0", "panda_link1") not in model.pairs  # neighbours
    assert ("panda_hand", "panda_link7") not in model.pairs  # one body
    # the hand's frame is put where the base's lowest link is; on the way it touches nothing at first
    ready = np.array([0.0, -0.785, 0.0, -2.356, 0.0, 1.571, 0.785, 0.02])
    robot = robot_of(panda)
    goal = PositionGoal("panda_hand", [0.0, 0.0, 0.1])
    inside = solve_ik(robot, goal, dict(zip(robot.dofs, ready, strict=True)))
    assert inside.reached
    play(panda, ready + np.linspace(0.0, 1.0, COUNT)[:, None] * (inside.q - ready))
    found = {(item.joint, item.other): item for item in check(panda, collisions=True) if item.kind == "collision"}
    deepest = found["panda_link0", "panda_hand"]
    assert 0 < deepest.first < deepest.last == COUNT - 1
    assert 0.03 < deepest.value < 0.2
