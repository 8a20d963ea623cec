# SPDX-License-Identifier: GPL-3.0-or-later
"""What runs in a process of its own: the command line, and a Blender that does not have the extension."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import bpy
import numpy as np

_READER = """
import json, math, sys
import bpy
bpy.ops.wm.open_mainfile(filepath=sys.argv[1], use_scripts=False)
assert not hasattr(bpy.types.Object, "urdf_rig")
rig = bpy.data.objects[sys.argv[2]]
found = []
for frame in json.loads(sys.argv[4]):
    bpy.context.scene.frame_set(math.floor(frame), subframe=frame - math.floor(frame))
    evaluated = rig.evaluated_get(bpy.context.evaluated_depsgraph_get())
    found.append([list(row) for row in evaluated.matrix_world @ evaluated.pose.bones[sys.argv[3]].matrix])
print("RESULT " + json.dumps(found))
sys.stdout.flush()
"""


def urdf_rig(*arguments):
    """Run the command line as a shell would."""
    return subprocess.run(
        [sys.executable, "-m", "urdf_rig.cli.main", *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
        env={**os.environ, "PYTHONWARNINGS": "default"},
    )


def without_extension(blend, code, *arguments):
    """Save the file and run Python code with it and arguments, in a Blender without the extension.

    Returns:
        What the code has printed behind ``RESULT``, as JSON.
    """
    bpy.ops.wm.save_as_mainfile(filepath=str(blend))
    script = blend.with_suffix(".py")
    script.write_text(code)
    run = subprocess.run(
        [sys.executable, str(script), str(blend), *arguments], capture_output=True, text=True, timeout=120, check=True
    )
    return json.loads(run.stdout.split("RESULT ")[1].splitlines()[0])


def played_alone(blend, rig, bone, frames):
    """Return a bone's matrices in the world at frames, (T, 4, 4), as the saved file plays without the extension."""
    return np.array(without_extension(blend, _READER, rig.name, bone, json.dumps(frames)))
