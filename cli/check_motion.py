# SPDX-License-Identifier: GPL-3.0-or-later
"""``check-motion``: whether a robot can do a motion. Blender is needed for a .blend only."""

from __future__ import annotations

import json
from argparse import Namespace

from ..core import load
from ..core.collision import CollisionModel, collision_model, proxies_of
from ..core.diagnostics import Diagnostic
from ..core.errors import ModelError, UrdfError
from ..core.model import Robot
from ..core.motion import fit_to_robot, read_motion
from ..core.motion.robot_check import check_robot_motion
from ..core.shapes import load_shapes
from ..core.urdf.srdf import find_srdf, read_srdf
from .motion_findings import Checked, as_json, joint_limits, say
from .plotting import picture_kinds, plot_motion

CANNOT = 3


def run(arguments: Namespace) -> int:
    """Print what the robot cannot do; return 0, or 3 where there is something."""
    if arguments.plot is not None:
        if arguments.plot.suffix.lower() not in picture_kinds():
            raise ModelError(f"{arguments.plot}: the suffix says which kind, one of {', '.join(picture_kinds())}")
        if not arguments.plot.absolute().parent.is_dir():
            raise ModelError(f"the folder of {arguments.plot} does not exist")
    if arguments.input.suffix.lower() == ".blend":
        if arguments.motion is not None:
            raise ModelError("a .blend has its own motion: give a description with a recording, or the .blend alone")
        from .check_blend import check_blend  # needs Blender

        checked = check_blend(arguments)
    else:
        checked = _check_recording(arguments)
    if arguments.plot is not None:
        recording = arguments.motion or arguments.input
        plot_motion(arguments.plot, checked.check, f"{checked.robot.name}: {recording.name}")
    if arguments.json:
        print(json.dumps(as_json(checked), ensure_ascii=False))
    else:
        say(checked)
    return 0 if checked.check.passed else CANNOT


def _check_recording(arguments: Namespace) -> Checked:
    if arguments.motion is None:
        raise ModelError("give the recorded motion behind the description, or a .blend alone")
    if arguments.start is not None or arguments.end is not None or arguments.rig:
        raise ModelError("--start, --end and --rig are for a .blend")
    robot = load(
        arguments.input,
        packages=dict(arguments.package),
        package_paths=arguments.package_path,
        xacro_args=dict(arguments.xacro_arg),
    )
    recording = read_motion(arguments.motion)
    fitted = fit_to_robot(recording.motion, robot, degrees=arguments.degrees, file=str(arguments.motion))
    motion = fitted.motion.resampled(arguments.rate) if arguments.rate else fitted.motion
    overrides, remarks = joint_limits(arguments.joint_limits, robot)
    collisions, shape_remarks = _collisions(robot, arguments) if arguments.collisions else (None, ())
    check = check_robot_motion(robot, motion, overrides=overrides, collisions=collisions)
    everything = (*recording.diagnostics, *fitted.diagnostics, *remarks, *shape_remarks, *check.diagnostics)
    return Checked(robot, check, everything)


def _collisions(robot: Robot, arguments: Namespace) -> tuple[CollisionModel, tuple[Diagnostic, ...]]:
    loaded = load_shapes(
        robot,
        visuals=False,
        collisions=True,
        dae_up_axis=arguments.dae_up_axis,
        gltf_up_axis=arguments.gltf_up_axis,
    )
    path = find_srdf(arguments.input, robot.name)
    try:
        pairs = () if path is None else read_srdf(path, robot).disabled_pairs
        remarks = loaded.diagnostics
    except UrdfError as error:
        pairs, remarks = (), (*loaded.diagnostics, *error.diagnostics)
    model = collision_model(robot, proxies_of(loaded.shapes), [(pair.link1, pair.link2) for pair in pairs])
    return model, remarks
