# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines in the viewport: the chosen frame's axes, its velocity and its manipulability ellipsoid.

The drawing handler exists only while the overlay is on, and the gpu module is imported by the first drawing.
"""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ..core.errors import UrdfRigError
from ..core.kinematics import manipulability_ellipsoid
from ..core.spatial import rotation_between
from .convert import to_array
from .kinematics_settings import URDF_RIG_PG_kinematics, chosen_frame, kinematics_settings
from .live_motion import current_frame, measured, motion_seen
from .readout import linear_jacobian, size_of
from .rig import active_rig, robot_of
from .world import armature_pose, world_pose

Array = NDArray[np.float64]

_AXIS_COLORS = ((1.0, 0.2, 0.25, 1.0), (0.45, 0.8, 0.1, 1.0), (0.2, 0.5, 1.0, 1.0))
_VELOCITY_COLOR = (1.0, 0.75, 0.1, 1.0)
_ELLIPSOID_COLOR = (0.8, 0.8, 0.85, 0.7)
_AXIS_SHARE = 0.1  # of the robot's reach
_HEAD_SHARE = 0.2  # of the arrow
_LINE_WIDTH = 2.0
_TURN = np.linspace(0.0, 2.0 * np.pi, 49)

_handle: list[object] = []


def overlay_is_on() -> bool:
    """Whether the overlay is drawn."""
    return bool(_handle)


def show_overlay() -> None:
    """Draw the overlay from now on."""
    if not _handle:
        _handle.append(bpy.types.SpaceView3D.draw_handler_add(_draw, (), "WINDOW", "POST_VIEW"))


def hide_overlay() -> None:
    """Stop drawing; nothing of the overlay is left."""
    while _handle:
        bpy.types.SpaceView3D.draw_handler_remove(_handle.pop(), "WINDOW")


def overlay_lines(context: bpy.types.Context) -> tuple[Array, Array]:
    """Return pairs of points in Blender's world, shape (2 k, 3), and their colors, shape (2 k, 4).

    Raises:
        UrdfRigError: If there is no such frame, or the rig is damaged.
    """
    rig = active_rig(context)
    if rig is None:
        return np.empty((0, 3)), np.empty((0, 4))
    state = kinematics_settings(context.window_manager)
    robot = robot_of(rig)
    link = chosen_frame(context, rig, robot).link
    pose = armature_pose(rig, robot, link)
    parts: list[tuple[Array, tuple[float, ...]]] = []
    if state.axes:
        tips = pose[:3, 3] + _AXIS_SHARE * size_of(rig) * pose[:3, :3].T
        parts += [(np.array([pose[:3, 3], tip]), color) for tip, color in zip(tips, _AXIS_COLORS, strict=True)]
    if state.ellipsoid:
        parts.append((_ellipsoid(rig, link, pose, state), _ELLIPSOID_COLOR))
    if state.velocity:
        parts.append((_arrow(context, rig, link, pose, state), _VELOCITY_COLOR))
    points = np.concatenate([np.empty((0, 3)), *(points for points, _ in parts)])
    colors = np.concatenate([np.empty((0, 4)), *(np.tile(color, (len(points), 1)) for points, color in parts)])
    world = to_array(rig.matrix_world)
    return points @ world[:3, :3].T + world[:3, 3], colors


def _ellipsoid(rig: bpy.types.Object, link: str, pose: Array, state: URDF_RIG_PG_kinematics) -> Array:
    """Return the ellipses in the planes of its axes, in the armature."""
    ellipsoid = manipulability_ellipsoid(linear_jacobian(rig, link))
    half = ellipsoid.axes * ellipsoid.lengths * state.length
    rings = [
        np.outer(np.cos(_TURN), half[:, i]) + np.outer(np.sin(_TURN), half[:, j]) for i, j in ((0, 1), (1, 2), (2, 0))
    ]
    return np.asarray(
        pose[:3, 3] + np.concatenate([np.stack([ring[:-1], ring[1:]], axis=1).reshape(-1, 3) for ring in rings])
    )


def _arrow(
    context: bpy.types.Context, rig: bpy.types.Object, link: str, pose: Array, state: URDF_RIG_PG_kinematics
) -> Array:
    """Return the arrow in the armature; nothing where no velocity was measured at this frame, or it is 0."""
    found = measured(rig)
    if found is None or abs(found.frame - current_frame(context.scene)) > 1e-6:
        return np.empty((0, 3))
    velocity = motion_seen(found, link, None, "mixed").velocity[0, :3]
    arrow = world_pose(rig, context.scene)[:3, :3].T @ velocity * state.length
    length = np.linalg.norm(arrow)
    if length < 1e-9:
        return np.empty((0, 3))
    barbs = length * np.array([[1.0, 0.0, 0.0]] + [[1.0 - _HEAD_SHARE, y, z] for y, z in _barb_ends()])
    turned = barbs @ _from_x(arrow / length).T
    lines = [np.zeros(3), turned[0]] + [point for barb in turned[1:] for point in (turned[0], barb)]
    return np.asarray(pose[:3, 3] + np.array(lines))


def _barb_ends() -> list[tuple[float, float]]:
    wide = 0.4 * _HEAD_SHARE
    return [(wide, 0.0), (-wide, 0.0), (0.0, wide), (0.0, -wide)]


def _from_x(direction: Array) -> Array:
    """Return a rotation that turns the x axis into a unit vector."""
    if direction[0] < -0.9:  # the smallest rotation is not unique there: go over y
        half = rotation_between([1.0, 0.0, 0.0], [0.0, 1.0, 0.0])
        return rotation_between([0.0, 1.0, 0.0], direction) @ half
    return rotation_between([1.0, 0.0, 0.0], direction)


def _draw() -> None:
    try:
        points, colors = overlay_lines(bpy.context)
    except UrdfRigError:  # the panel says what is wrong
        return
    if len(points):
        _draw_lines(points, colors, _LINE_WIDTH * bpy.context.preferences.system.ui_scale)


def _draw_lines(points: Array, colors: Array, width: float) -> None:
    # what the first drawing needs and a Blender without a window lacks
    import gpu
    from gpu_extras.batch import batch_for_shader

    shader: Any = gpu.shader.from_builtin("POLYLINE_FLAT_COLOR")  # 4.2's stubs say that it returns nothing
    viewport: Any = gpu.state.viewport_get()
    batch = batch_for_shader(shader, "LINES", {"pos": _listed(points), "color": _listed(colors)})
    gpu.state.blend_set("ALPHA")
    shader.bind()
    shader.uniform_float("viewportSize", viewport[2:])
    shader.uniform_float("lineWidth", width)
    batch.draw(shader)
    gpu.state.blend_set("NONE")


def _listed(rows: Array) -> list[list[float]]:
    return [[float(value) for value in row] for row in rows]


def register() -> None:
    """Start with the overlay off."""


def unregister() -> None:
    """Take the overlay away."""
    hide_overlay()
