# SPDX-License-Identifier: GPL-3.0-or-later
"""``play-motion``: a recorded motion as keys of a robot in a .blend."""

from __future__ import annotations

import sys
from argparse import Namespace

from ..core.errors import ModelError, RigError
from .session import blender_session  # first: it says what to do where there is no Blender

# isort: split
import bpy

from ..addon.motion.playback import play_motion, show_all
from ..addon.rig import robot_of
from ..core.motion import is_bag, read_motion
from .blend_file import chosen_rig, open_blend


def run(arguments: Namespace) -> int:
    """Write the .blend, say what is worth knowing on stderr, and return 0."""
    if arguments.out.suffix.lower() != ".blend" or not arguments.out.absolute().parent.is_dir():
        raise ModelError(f"{arguments.out}: not a .blend in a folder that exists")
    with blender_session():
        context = open_blend(arguments.input)
        scene = context.scene
        rig = chosen_rig(context, arguments.input, arguments.rig)
        link = (arguments.base_frame or robot_of(rig).root) if is_bag(arguments.motion) else ""
        recording = read_motion(
            arguments.motion, topic=arguments.topic, base_topic=arguments.base_topic, base_link=link
        )
        played = play_motion(
            context,
            rig,
            recording.motion,
            start=scene.frame_start if arguments.start is None else arguments.start,
            degrees=arguments.degrees,
            offset=arguments.offset,
            rate=arguments.rate,
            file=arguments.motion.name,
        )
        show_all(scene, played)
        try:
            bpy.ops.wm.save_as_mainfile(filepath=str(arguments.out.absolute()), copy=True, check_existing=False)
        except RuntimeError as error:
            raise RigError(f"{arguments.out} cannot be written: {str(error).strip()}") from error
    for item in (*recording.diagnostics, *played.diagnostics):
        print(item, file=sys.stderr)
    return 0
