# SPDX-License-Identifier: GPL-3.0-or-later
"""URDF Rig: robot descriptions as exact Blender armatures.

Blender calls ``register`` and ``unregister``. Scripts find the library's public names here: those of ``urdf_rig.core``,
which need no Blender, and those of ``urdf_rig.addon.scripting``. They are loaded when first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .addon.scripting import (
        add_goal,
        apply_pose,
        attach,
        bake_goals,
        change_base,
        check_motion,
        detach,
        generate_motion,
        get_joints,
        link_pose,
        play_motion,
        poses,
        record_motion,
        record_waypoint,
        reload_description,
        rig,
        rigs,
        robot,
        save_pose,
        set_joints,
        solve_goals,
        verify,
    )
    from .core import (
        Robot,
        UrdfError,
        UrdfRigError,
        forward_kinematics,
        jacobian,
        jacobian_derivative,
        load,
        solve_ik,
        solve_ik_all,
    )

_WITHOUT_BLENDER = (
    "Robot",
    "UrdfError",
    "UrdfRigError",
    "forward_kinematics",
    "jacobian",
    "jacobian_derivative",
    "load",
    "solve_ik",
    "solve_ik_all",
)

__all__ = [
    "Robot",
    "UrdfError",
    "UrdfRigError",
    "add_goal",
    "apply_pose",
    "attach",
    "bake_goals",
    "change_base",
    "check_motion",
    "detach",
    "forward_kinematics",
    "generate_motion",
    "get_joints",
    "jacobian",
    "jacobian_derivative",
    "link_pose",
    "load",
    "play_motion",
    "poses",
    "record_motion",
    "record_waypoint",
    "register",
    "reload_description",
    "rig",
    "rigs",
    "robot",
    "save_pose",
    "set_joints",
    "solve_goals",
    "solve_ik",
    "solve_ik_all",
    "unregister",
    "verify",
]


def register() -> None:
    """Register the extension with Blender."""
    from . import addon
    from .cli import blender_command

    addon.register()
    blender_command.register()


def unregister() -> None:
    """Remove everything that ``register`` added."""
    from . import addon
    from .cli import blender_command

    blender_command.unregister()
    addon.unregister()


def __getattr__(name: str) -> object:
    """Load a public name on first use, so that importing the package loads neither numpy nor Blender."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name in _WITHOUT_BLENDER:
        from . import core

        return getattr(core, name)
    try:
        from .addon import scripting
    except ModuleNotFoundError as missing:
        if missing.name != "bpy":
            raise
        message = f"{__name__}.{name} works in Blender: run it there, or 'pip install bpy'"
        raise ImportError(message, name="bpy") from missing
    return getattr(scripting, name)


def __dir__() -> list[str]:
    """Return the public names."""
    return sorted([*globals(), *__all__])
