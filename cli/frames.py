# SPDX-License-Identifier: GPL-3.0-or-later
"""``frames``: how a frame of a robot moves in the animation of a .blend, as CSV."""

from __future__ import annotations

from argparse import Namespace

from ..core.errors import ModelError, RigError, UnknownNameError
from .session import blender_session  # first: it says what to do where there is no Blender

# isort: split
import bpy

from ..addon.frame_csv import frame_motion_csv, frame_range, write_csv
from ..addon.rig import is_rig, robot_of


def run(arguments: Namespace) -> int:
    """Write the file; return 0."""
    if not arguments.out.absolute().parent.is_dir():
        raise ModelError(f"the folder of {arguments.out} does not exist")
    with blender_session():
        try:
            bpy.ops.wm.open_mainfile(filepath=str(arguments.input.absolute()), load_ui=False, use_scripts=False)
        except RuntimeError as error:
            raise RigError(f"{arguments.input} cannot be opened: {str(error).strip()}") from error
        context = bpy.context
        scene = context.scene
        start = scene.frame_start if arguments.start is None else arguments.start
        end = scene.frame_end if arguments.end is None else arguments.end
        frames = frame_range(start, end, arguments.step)
        rig = _rig(context, arguments)
        text = frame_motion_csv(context, rig, arguments.frame, arguments.reference, arguments.representation, frames)
    write_csv(arguments.out, text)
    return 0


def _rig(context: bpy.types.Context, arguments: Namespace) -> bpy.types.Object:
    """Return the armature that was asked for, or the only one with such a link."""
    rigs = {obj.name: obj for obj in context.view_layer.objects if is_rig(obj)}
    if not rigs:
        raise RigError(f"{arguments.input} holds no robot: convert or import one first")
    if arguments.rig:
        if arguments.rig not in rigs:
            raise UnknownNameError("rig", arguments.rig, rigs)
        return rigs[arguments.rig]
    having = {name: obj for name, obj in rigs.items() if any(x.name == arguments.frame for x in robot_of(obj).links)}
    if len(having) > 1:
        raise ModelError(f"several robots have a link {arguments.frame!r}: choose by --rig {' or '.join(having)}")
    return next(iter((having or rigs).values()))
