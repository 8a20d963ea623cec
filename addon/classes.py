# SPDX-License-Identifier: GPL-3.0-or-later
"""Registration of the classes that a module defines."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import bpy

# Context for translations: of words that Blender translates in another sense, as "Link" by a verb
ROBOT_WORDS = "URDF Rig"

Step = Callable[[], None]


def class_registration(*classes: type) -> tuple[Step, Step]:
    """Return the ``register`` and ``unregister`` of a module with these classes."""
    # the stubs give no result (4.2) or one of an odd type (newer)
    return cast("tuple[Step, Step]", bpy.utils.register_classes_factory(classes))
