# SPDX-License-Identifier: GPL-3.0-or-later
"""The library as scripts in Blender use it."""

from __future__ import annotations

import doctest
import os
import subprocess
import sys
from pathlib import Path

import bpy
import numpy as np
import pytest

import urdf_rig
from urdf_rig.addon import scripting
from urdf_rig.core.model import Joint, JointType, Limits, Link, Robot
from urdf_rig.core.urdf.origins import make_origin

_ROOT = Path(__file__).parents[2]
ARM = _ROOT / "examples" / "arm6" / "arm6.urdf"
_FUNCTIONS = scripting.__all__


@pytest.mark.parametrize("name", _FUNCTIONS)
def test_each_function_has_an_example_that_runs(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(_ROOT)
    public = getattr(urdf_rig, name)
    (example,) = doctest.DocTestFinder(recurse=False).find(public, name, module=sys.modules[public.__module__])
    assert example.examples
    assert doctest.DocTestRunner().run(example).failed == 0


def test_the_public_names_are_all_there() -> None:
    assert len(_FUNCTIONS) >= 20
    assert set(_FUNCTIONS) < set(urdf_rig.__all__)
    assert set(urdf_rig.__all__) <= set(dir(urdf_rig))
    for name in urdf_rig.__all__:
        assert getattr(urdf_rig, name).__doc__
    with pytest.raises(AttributeError, match="no attribute 'no_such_name'"):
        urdf_rig.no_such_name  # noqa: B018


def test_a_link_is_where_forward_kinematics_has_it() -> None:
    arm = urdf_rig.rig(ARM, base="upper_arm")
    values = {"joint_1": 0.3, "joint_2": -0.4, "joint_4": 0.2}
    urdf_rig.set_joints(arm, values)
    poses = urdf_rig.forward_kinematics(urdf_rig.load(ARM), values, base="upper_arm")
    for link in ("base_link", "tool0"):
        np.testing.assert_allclose(urdf_rig.link_pose(arm, link), poses[link], atol=1e-5)


def test_a_robot_made_by_hand_is_rigged_and_stores_its_description() -> None:
    here = make_origin((0.0, 0.0, 0.5), (0.1, 0.2, 0.3))
    turn = Joint("turn", JointType.REVOLUTE, "a", "b", here, (0.0, 1.0, 0.0), Limits(-1.0, 1.0, 2.0, 3.0))
    arm = urdf_rig.rig(Robot("by_hand", (Link("a"), Link("b")), (turn,), "a"))
    assert urdf_rig.verify(arm, 5).passed
    assert urdf_rig.robot(arm).joint("turn").range == (-1.0, 1.0)


def test_a_robot_made_by_hand_that_is_no_tree_is_refused() -> None:
    with pytest.raises(urdf_rig.UrdfError):
        urdf_rig.rig(Robot("apart", (Link("a"), Link("b")), (), "a"))
    assert not bpy.data.objects


def test_a_script_that_never_enabled_the_extension_works_and_ends_well() -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); import urdf_rig; arm = urdf_rig.rig(sys.argv[2]);"
        "urdf_rig.set_joints(arm, {'joint_1': 0.5}); print('passed', urdf_rig.verify(arm, 3).passed)"
    )
    place = str(Path(urdf_rig.__path__[0]).parent)
    done = subprocess.run(
        [sys.executable, "-c", code, place, str(ARM)],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ},
        check=False,
    )
    assert "passed True" in done.stdout, done.stderr
    assert done.returncode == 0, done.stderr
    assert "Error" not in done.stderr
