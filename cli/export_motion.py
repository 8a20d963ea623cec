# SPDX-License-Identifier: GPL-3.0-or-later
"""``export-motion``: the joints' values in the animation of a .blend, for a robot."""

from __future__ import annotations

from argparse import Namespace

from ..core.errors import ModelError, RigError, UnknownNameError
from .session import blender_session  # first: it says what to do where there is no Blender

# isort: split
import bpy

from ..addon.motion.sampling import recorded_motion
from ..addon.rig import is_rig
from ..core.motion import WRITABLE, write_motion


def run(arguments: Namespace) -> int:
    """Write the file; return 0."""
    if arguments.out.suffix.lower() not in WRITABLE:
        raise ModelError(f"{arguments.out}: the suffix says which kind, one of {', '.join(WRITABLE)}")
    if not arguments.out.absolute().parent.is_dir():
        raise ModelError(f"the folder of {arguments.out} does not exist")
    with blender_session():
        try:
            bpy.ops.wm.open_mainfile(filepath=str(arguments.input.absolute()), load_ui=False, use_scripts=False)
        except RuntimeError as error:
            raise RigError(f"{arguments.input} cannot be opened: {str(error).strip()}") from error
        context = bpy.context
        scene = context.scene
        motion = recorded_motion(
            context,
            _rig(context, arguments),
            start=scene.frame_start if arguments.start is None else arguments.start,
            end=scene.frame_end if arguments.end is None else arguments.end,
            rate=arguments.rate,
            degrees=arguments.degrees,
            followers=arguments.followers,
            rates=arguments.rates,
        )
    write_motion(arguments.out, motion)
    return 0


def _rig(context: bpy.types.Context, arguments: Namespace) -> bpy.types.Object:
    """Return the armature that was asked for, or the only one."""
    rigs = {obj.name: obj for obj in context.view_layer.objects if is_rig(obj)}
    if not rigs:
        raise RigError(f"{arguments.input} holds no robot: convert or import one first")
    if arguments.rig:
        if arguments.rig not in rigs:
            raise UnknownNameError("rig", arguments.rig, rigs)
        return rigs[arguments.rig]
    if len(rigs) > 1:
        raise ModelError(f"there are several robots: choose by --rig {' or '.join(rigs)}")
    return next(iter(rigs.values()))
