# SPDX-License-Identifier: GPL-3.0-or-later
"""The example robots beside each other, as the command line's previews show them."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path

import bpy
import numpy as np
from numpy.typing import NDArray

from urdf_rig.addon.importer import ImportOptions, import_robot
from urdf_rig.addon.rig import set_joint_values
from urdf_rig.cli.preview import render_preview

_SIZE = 560, 600
_SAMPLES = 48
POSES: Mapping[str, Mapping[str, float]] = {
    "arm6": {"joint_1": -0.5, "joint_2": 0.35, "joint_3": -0.3, "joint_5": 0.6},
    "gripper": {"rail_joint": 0.16, "roll_joint": 0.5, "left_finger_joint": 0.45},
}


def examples(folder: Path) -> NDArray[np.float64]:
    """Return a picture of the example robots in ``folder``, each in a pose, shape (rows, columns, 3)."""
    pictures = []
    with tempfile.TemporaryDirectory() as scratch:
        for name, values in POSES.items():
            bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True, load_ui=False)
            rig = import_robot(bpy.context, folder / name / f"{name}.urdf", ImportOptions()).rig
            set_joint_values(rig, dict(values))
            path = Path(scratch, f"{name}.png")
            render_preview(bpy.context, rig, path, size=_SIZE, samples=_SAMPLES)
            image = bpy.data.images.load(str(path))
            pixels = np.empty(_SIZE[0] * _SIZE[1] * 4, dtype=np.float32)
            image.pixels.foreach_get(pixels)
            pictures.append(pixels.reshape(_SIZE[1], _SIZE[0], 4)[::-1, :, :3].astype(np.float64))
    return np.hstack(pictures)
