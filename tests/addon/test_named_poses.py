# SPDX-License-Identifier: GPL-3.0-or-later
"""The named poses of an SRDF file, kept on the armature."""

from __future__ import annotations

import json

ROBOT = """<robot name="r"><link name="base"/><link name="arm"/>
  <joint name="j" type="continuous"><parent link="base"/><child link="arm"/></joint></robot>"""


def test_named_poses_beside_the_description_are_kept(rig_of, tmp_path):
    (tmp_path / "robot.srdf").write_text(
        '<robot name="r"><group_state name="up" group="g"><joint name="j" value="0.5"/></group_state></robot>'
    )
    made = rig_of(ROBOT, tmp_path)
    stored = json.loads(made.rig.data.urdf_rig.semantics)
    assert stored["states"] == [{"name": "up", "group": "g", "values": {"j": 0.5}, "spatial": {}}]
    assert not made.diagnostics


def test_a_broken_srdf_is_a_warning_and_no_more(rig_of, tmp_path):
    (tmp_path / "robot.srdf").write_text('<robot name="r" xmlns:xacro="x"><xacro:y/></robot>')
    made = rig_of(ROBOT, tmp_path)
    assert made.rig.data.urdf_rig.semantics == ""
    (remark,) = made.diagnostics
    assert remark.level.value == "warning" and "robot.srdf" in str(remark) and "xacro" in remark.message
