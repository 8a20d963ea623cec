# SPDX-License-Identifier: GPL-3.0-or-later
"""From a description's cameras to Blender's, which look in another direction."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..model import Camera, Robot
from .names import shortened
from .rig import CameraPlan

SENSOR_H_VIEW = np.array([[0.0, 0.0, -1.0, 0.0], [-1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]])
"""``S_H_V``: the camera S of a description looks along +X, its left is +Y and its up is +Z; Blender's V looks along -Z,
its right is +X and its up is +Y. So V's X, Y, Z are S's -Y, +Z, -X: the columns here. ``L_H_V = L_H_S S_H_V``.

Source: sdformat.org, ``<camera>``: "The sensor looks along +X"; Blender manual, "Cameras": along the local -Z axis.
"""
SENSOR_H_VIEW.setflags(write=False)

# what a camera with a lens can be given in Blender, up to 172 degrees
_NARROWEST, _WIDEST = 0.0065, 3.0
_NEAREST = 1e-3
_SMALLEST = 4


def plan_cameras(robot: Robot, bone_of: Mapping[str, str]) -> tuple[CameraPlan, ...]:
    """Return the plans of a robot's cameras.

    Args:
        robot: Any robot.
        bone_of: The bone that carries each link.
    """
    return tuple(_planned(camera, bone_of[camera.link]) for camera in robot.cameras)


def _planned(camera: Camera, bone: str) -> CameraPlan:
    near = max(camera.near, _NEAREST)
    return CameraPlan(
        name=shortened(camera.name),
        link=camera.link,
        bone=bone,
        link_h_view=camera.link_h_camera @ SENSOR_H_VIEW,
        angle=min(max(camera.horizontal_fov, _NARROWEST), _WIDEST),
        width=max(camera.width, _SMALLEST),
        height=max(camera.height, _SMALLEST),
        near=near,
        far=max(camera.far, 2.0 * near),
    )
