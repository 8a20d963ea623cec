# SPDX-License-Identifier: GPL-3.0-or-later
"""Run in an environment of its own, as urdfpy needs a numpy older than 1.24: ``urdfpy_poses.py FOLDER``.

For each ``NAME.urdf`` with joint values in ``NAME.npz``, the link poses are written to ``NAME.poses.npz``.
"""

import sys
import warnings
from pathlib import Path

import numpy as np

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from urdfpy import URDF

for file in sorted(Path(sys.argv[1]).glob("*.urdf")):
    robot = URDF.load(str(file))
    with np.load(file.with_suffix(".npz")) as values:
        poses = robot.link_fk_batch(dict(values))
    np.savez(file.with_suffix(".poses.npz"), **{link.name: matrices for link, matrices in poses.items()})
