# SPDX-License-Identifier: GPL-3.0-or-later
"""A humanoid whose description changes: an origin moved, a joint renamed, a link removed and one added."""

from __future__ import annotations

import re

import bpy
import numpy as np
from talos_scene import animated, poses

TOOL = """<link name="pointer"/><joint name="pointer_mount" type="fixed"><origin xyz="0 0 0.1"/>
  <parent link="arm_right_7_link"/><child link="pointer"/></joint></robot>"""
SHIFT = np.array([0.01, -0.02, 0.03])


def changed(text):
    """Talos with its left leg's origin moved, the head's joint renamed, without its IMU and with a pointer."""
    text, moved = re.subn(r'xyz="-0\.02 0\.085 -0\.27105"', 'xyz="-0.01 0.065 -0.24105"', text)
    text, renamed = re.subn(r'"head_1_joint"', '"neck_joint"', text)
    text, links = re.subn(r'<link name="imu_link">.*?</link>', "", text, flags=re.DOTALL)
    text, joints = re.subn(r'<joint name="imu_joint" .*?</joint>', "", text, flags=re.DOTALL)
    text = re.sub(r'<gazebo reference="imu_link">.*?</gazebo>', "", text, flags=re.DOTALL)
    assert (moved, links, joints) == (1, 1, 1) and renamed
    return text.replace("</robot>", TOOL)


def test_the_rest_moves_as_before_from_any_base(corpus_file, tmp_path):
    from urdf_rig.addon.rebuild.change_base import change_base
    from urdf_rig.addon.rebuild.reload import reload_description
    from urdf_rig.addon.rig import robot_of
    from urdf_rig.addon.verify import verify_rig
    from urdf_rig.core.tree import path_to

    source = corpus_file("talos_full_v2")
    rig = animated(source, visuals=False)
    change_base(rig, "torso_2_link")
    before, robot = poses(rig), robot_of(rig)
    file = tmp_path / "talos.urdf"
    file.write_text(changed(source.read_text(encoding="utf-8")), encoding="utf-8")
    done = reload_description(rig, file)
    assert done.base == "torso_2_link" and done.remarks == ()
    assert [(change.kind.value, change.name) for change in done.changes.changes] == [
        ("link added", "pointer"),
        ("link removed", "imu_link"),
        ("joint added", "pointer_mount"),
        ("joint removed", "imu_joint"),
        ("joint renamed", "neck_joint"),
        ("joint origin", "leg_left_1_joint"),
    ]
    after = poses(rig)
    assert set(after) == set(before) - {"imu_link"} | {"pointer"}
    leg = {link for link in before if any(step.joint.name == "leg_left_1_joint" for step in path_to(robot, link))}
    assert "left_sole_link" in leg and "right_sole_link" not in leg
    for link in set(before) - {"imu_link"}:
        expected = before[link].copy()
        if link in leg:
            expected[:, :3, 3] += before["base_link"][:, :3, :3] @ SHIFT
        assert np.abs(after[link] - expected).max() < 1e-5, link
    hand = after["arm_right_7_link"]
    assert np.abs(after["pointer"][:, :3, 3] - hand[:, :3, 3] - 0.1 * hand[:, :3, 2]).max() < 1e-5
    assert verify_rig(bpy.context, rig, 4).passed
