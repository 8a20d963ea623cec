# SPDX-License-Identifier: GPL-3.0-or-later
"""``frames``: how a frame of a robot moves in the animation of a .blend, as CSV."""

from __future__ import annotations

from argparse import Namespace

from ..core.errors import ModelError
from .session import blender_session  # first: it says what to do where there is no Blender

# isort: split
from ..addon.frame_csv import frame_motion_csv, frame_range, write_csv
from .blend_file import chosen_rig, open_blend


def run(arguments: Namespace) -> int:
    """Write the file; return 0."""
    if not arguments.out.absolute().parent.is_dir():
        raise ModelError(f"the folder of {arguments.out} does not exist")
    with blender_session():
        context = open_blend(arguments.input)
        scene = context.scene
        start = scene.frame_start if arguments.start is None else arguments.start
        end = scene.frame_end if arguments.end is None else arguments.end
        frames = frame_range(start, end, arguments.step)
        rig = chosen_rig(context, arguments.input, arguments.rig, arguments.frame)
        text = frame_motion_csv(context, rig, arguments.frame, arguments.reference, arguments.representation, frames)
    write_csv(arguments.out, text)
    return 0
