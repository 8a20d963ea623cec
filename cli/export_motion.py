# SPDX-License-Identifier: GPL-3.0-or-later
"""``export-motion``: the joints' values in the animation of a .blend, for a robot."""

from __future__ import annotations

from argparse import Namespace

from ..core.errors import ModelError
from .session import blender_session  # first: it says what to do where there is no Blender

# isort: split
from ..addon.motion.sampling import recorded_motion
from ..core.motion import WRITABLE, write_motion
from .blend_file import chosen_rig, open_blend


def run(arguments: Namespace) -> int:
    """Write the file; return 0."""
    if arguments.out.suffix.lower() not in WRITABLE:
        raise ModelError(f"{arguments.out}: the suffix says which kind, one of {', '.join(WRITABLE)}")
    if not arguments.out.absolute().parent.is_dir():
        raise ModelError(f"the folder of {arguments.out} does not exist")
    with blender_session():
        context = open_blend(arguments.input)
        scene = context.scene
        motion = recorded_motion(
            context,
            chosen_rig(context, arguments.input, arguments.rig),
            start=scene.frame_start if arguments.start is None else arguments.start,
            end=scene.frame_end if arguments.end is None else arguments.end,
            rate=arguments.rate,
            degrees=arguments.degrees,
            followers=arguments.followers,
            rates=arguments.rates,
            base=arguments.base,
        )
    write_motion(arguments.out, motion, states=arguments.states)
    return 0
