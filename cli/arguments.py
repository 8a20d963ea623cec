# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line's arguments: one definition for every way to start it."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

USAGE_STATUS = 2


def _pair(separator: str, text: str, example: str) -> tuple[str, str]:
    name, found, value = text.partition(separator)
    if not found or not name:
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form {example}")
    return name, value


def _package(text: str) -> tuple[str, Path]:
    name, folder = _pair("=", text, "NAME=DIR")
    return name, Path(folder)


def _xacro_argument(text: str) -> tuple[str, str]:
    return _pair(":=", text, "NAME:=VALUE")


def _joint_value(text: str) -> tuple[str, float]:
    # the joint's name may hold an equals sign, its value can't
    name, found, value = text.rpartition("=")
    try:
        number = float(value)
    except ValueError:
        number = float("nan")
    if not found or not name or number != number or abs(number) == float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form JOINT=VALUE, in radians or metres")
    return name, number


def _positive(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number above 0")
    return number


def _reading_options(parser: argparse.ArgumentParser) -> None:
    group = _finding_options(parser)
    group.add_argument("--base", metavar="LINK", default="", help="the link that the robot hangs from")
    group.add_argument(
        "--set",
        action="append",
        default=[],
        type=_joint_value,
        metavar="JOINT=VALUE",
        dest="values",
        help="set a joint, in radians or metres",
    )


def _finding_options(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    group = parser.add_argument_group("reading")
    group.add_argument(
        "--package", action="append", default=[], type=_package, metavar="NAME=DIR", help="the folder of one package"
    )
    group.add_argument(
        "--package-path", action="append", default=[], type=Path, metavar="DIR", help="a folder that holds packages"
    )
    group.add_argument(
        "--xacro-arg",
        action="append",
        default=[],
        type=_xacro_argument,
        metavar="NAME:=VALUE",
        help="a value for an argument of a xacro file",
    )
    group.add_argument(
        "--dae-up-axis",
        choices=("ignore", "obey"),
        default="ignore",
        help="whether COLLADA's up axis is ignored, as RViz does, or obeyed",
    )
    group.add_argument(
        "--gltf-up-axis",
        choices=("ignore", "obey"),
        default="ignore",
        help="whether glTF's convention that Y is up is ignored, as most descriptions expect, or obeyed",
    )
    return group


def _add_ik(ik: argparse.ArgumentParser) -> None:
    # argparse takes -1e-3 for an option, since its own pattern knows no exponents
    ik._negative_number_matcher = re.compile(r"^-(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$|^-(inf|nan)", re.IGNORECASE)
    ik.add_argument("input", type=Path, metavar="FILE", help="robot description")
    _reading_options(ik)
    ik.add_argument("--frame", required=True, metavar="NAME", help="the link to bring to the target")
    ik.add_argument(
        "--xyz", required=True, nargs=3, type=float, metavar=("X", "Y", "Z"), help="target in the base link, metres"
    )
    ik.add_argument(
        "--rpy",
        nargs=3,
        type=float,
        metavar=("R", "P", "Y"),
        help="orientation there, radians about fixed axes; else any",
    )
    ik.add_argument("--lock", action="append", default=[], metavar="JOINT", help="keep this joint where --set puts it")
    ik.add_argument("--all", action="store_true", help="all configurations")
    ik.add_argument("--json", action="store_true", help="print one JSON object")


def _add_frames(frames: argparse.ArgumentParser) -> None:
    frames.add_argument("input", type=Path, metavar="FILE.blend", help="file with an animated robot")
    frames.add_argument("--frame", required=True, metavar="LINK", help="the link whose frame it is")
    frames.add_argument("--reference", metavar="LINK", help="the link that it is seen from; otherwise the world")
    frames.add_argument(
        "--representation",
        choices=("inertial", "body", "mixed"),
        default="mixed",
        help="how velocity and acceleration are written (mixed)",
    )
    frames.add_argument("--start", type=float, metavar="N", help="first frame; otherwise the scene's")
    frames.add_argument("--end", type=float, metavar="N", help="last frame; otherwise the scene's")
    frames.add_argument("--step", type=float, default=1.0, metavar="N", help="frames from line to line (1)")
    frames.add_argument("--rig", default="", metavar="NAME", help="the armature, where several have such a link")
    frames.add_argument("--out", type=Path, required=True, metavar="FILE.csv", help="file to write")


def _add_export_motion(export: argparse.ArgumentParser) -> None:
    export.add_argument("input", type=Path, metavar="FILE.blend", help="file with an animated robot")
    export.add_argument("--start", type=float, metavar="N", help="first frame, time 0; otherwise the scene's")
    export.add_argument("--end", type=float, metavar="N", help="last frame; otherwise the scene's")
    export.add_argument("--rate", type=float, default=0.0, metavar="HZ", help="samples a second; otherwise one a frame")
    export.add_argument("--degrees", action="store_true", help="angles in degrees, not in radians")
    export.add_argument("--followers", action="store_true", help="joints too that follow another one")
    export.add_argument("--rates", action="store_true", help="velocities and accelerations too")
    export.add_argument("--no-base", action="store_false", dest="base", help="leave out the base's pose")
    export.add_argument("--states", action="store_true", help="in YAML, JointState messages, not a JointTrajectory")
    export.add_argument("--rig", default="", metavar="NAME", help="the armature, where there are several")
    export.add_argument(
        "--out", type=Path, required=True, metavar="FILE", help="file to write: .csv, .json, .yaml, .mcap"
    )


def _add_play_motion(play: argparse.ArgumentParser) -> None:
    play.add_argument("input", type=Path, metavar="FILE.blend", help="file with a robot")
    play.add_argument(
        "motion", type=Path, metavar="MOTION", help=".csv, .json, .yaml, .mcap, .db3, .bag, or a bag's folder"
    )
    play.add_argument("--topic", default="", metavar="NAME", help="of a bag, the topic with joint values; - for none")
    play.add_argument("--base-topic", default="", metavar="NAME", help="and the one with the base's pose; - for none")
    play.add_argument("--base-frame", default="", metavar="NAME", help="the root link's name in the bag's transforms")
    play.add_argument("--start", type=float, metavar="N", help="frame at time 0; otherwise the scene's first")
    play.add_argument("--offset", type=float, default=0.0, metavar="S", help="seconds to add to all times")
    play.add_argument("--rate", type=float, default=0.0, metavar="HZ", help="keys a second; otherwise one a sample")
    play.add_argument("--degrees", action="store_true", help="angles are in degrees, not in radians")
    play.add_argument("--rig", default="", metavar="NAME", help="the armature, where there are several")
    play.add_argument("--out", type=Path, required=True, metavar="OUT.blend", help="file to write")


def _add_check_motion(check: argparse.ArgumentParser) -> None:
    check.add_argument("input", type=Path, metavar="FILE", help="a .blend with an animated robot, or a description")
    check.add_argument(
        "motion", type=Path, nargs="?", metavar="MOTION", help="with a description, recorded joint values"
    )
    _finding_options(check)
    check.add_argument("--joint-limits", type=Path, metavar="FILE.yaml", help="limits of MoveIt or ros2_control")
    check.add_argument("--no-collisions", action="store_false", dest="collisions", help="no self-collision")
    check.add_argument("--rate", type=float, default=0.0, metavar="HZ", help="samples a second; otherwise one a frame")
    check.add_argument("--degrees", action="store_true", help="angles in MOTION are in degrees")
    check.add_argument("--start", type=float, metavar="N", help="first frame of a .blend; otherwise the scene's")
    check.add_argument("--end", type=float, metavar="N", help="last frame; otherwise the scene's")
    check.add_argument("--rig", default="", metavar="NAME", help="the armature, where there are several")
    check.add_argument("--plot", type=Path, metavar="FILE", help="draw the motion against its limits: .png or .svg")
    check.add_argument("--json", action="store_true", help="print one JSON object")


def make_parser(program: str = "urdf-rig") -> argparse.ArgumentParser:
    """Return the parser for all subcommands."""
    parser = argparse.ArgumentParser(program, description="Robot descriptions as exact Blender armatures.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    convert = commands.add_parser("convert", help="make a .blend, .glb, .fbx or .usd of a robot")
    convert.add_argument("input", type=Path, metavar="IN", help="robot description")
    convert.add_argument("output", type=Path, metavar="OUT", help="file to write; its suffix says which kind")
    _reading_options(convert)
    convert.add_argument("--no-visuals", action="store_false", dest="visuals", help="leave the visuals out")
    convert.add_argument("--collisions", action="store_true", help="import collision shapes too")
    convert.add_argument("--no-cameras", action="store_false", dest="cameras", help="leave the cameras out")
    convert.add_argument("--inertia", action="store_true", help="show each link's center of mass and inertia")
    convert.add_argument("--skinned", action="store_true", help="join all visuals to one mesh that the bones deform")
    convert.add_argument(
        "--no-fixed-frames", action="store_false", dest="fixed_frames", help="make no bones for links on fixed joints"
    )
    convert.add_argument("--pack-textures", action="store_true", help="keep image files inside the .blend")
    convert.add_argument("--verify", type=_positive, metavar="N", help="compare N poses with forward kinematics")
    convert.add_argument("--preview", type=Path, metavar="FILE.png", help="render a picture")
    convert.add_argument("--report", type=Path, metavar="FILE.json", help="write a report")

    inspect = commands.add_parser("inspect", help="say what is in a robot description; needs no Blender")
    inspect.add_argument("input", type=Path, metavar="IN", help="robot description")
    _reading_options(inspect)
    inspect.add_argument("--json", action="store_true", help="print one JSON object")
    inspect.add_argument("--fk", action="store_true", help="give the pose of every link for the values of --set")

    _add_ik(commands.add_parser("ik", help="joint values that put a frame somewhere; needs no Blender"))

    _add_frames(commands.add_parser("frames", help="how a frame moves in the animation of a .blend, as CSV"))

    _add_export_motion(commands.add_parser("export-motion", help="joint values in the animation of a .blend"))

    _add_play_motion(commands.add_parser("play-motion", help="a recorded motion as keys of a robot in a .blend"))
    _add_check_motion(commands.add_parser("check-motion", help="whether a robot can do a motion"))

    verify = commands.add_parser("verify", help="compare a rig with forward kinematics")
    verify.add_argument("input", type=Path, metavar="FILE", help="robot description, or a .blend with rigs")
    _reading_options(verify)
    verify.add_argument("--samples", type=_positive, default=20, metavar="N", help="number of poses (20)")
    verify.add_argument("--json", action="store_true", help="print one JSON object")
    return parser
