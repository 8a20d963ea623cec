# SPDX-License-Identifier: GPL-3.0-or-later
"""URDF Rig: robot descriptions as exact Blender armatures.

Blender calls ``register`` and ``unregister``. Outside Blender the package is ``urdf_rig``; see ``urdf_rig.core``.
"""


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
