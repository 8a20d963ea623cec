# SPDX-License-Identifier: GPL-3.0-or-later
"""The Blender layer: applies rig plans, shows panels, runs operators. No kinematics and no parsing here."""


def register() -> None:
    """Register all modules, in order."""
    from .registration import MODULES

    for module in MODULES:
        module.register()


def unregister() -> None:
    """Unregister all modules, in reverse order."""
    from .registration import MODULES

    for module in reversed(MODULES):
        module.unregister()
