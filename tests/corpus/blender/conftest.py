# SPDX-License-Identifier: GPL-3.0-or-later
"""The robots in Blender: run where there is a bpy, never left out."""

from __future__ import annotations

from collections.abc import Iterator

import bpy
import pytest


@pytest.fixture(autouse=True)
def extension() -> Iterator[None]:
    """The enabled extension in an empty file, disabled before Blender exits."""
    import addon_utils

    bpy.ops.wm.read_factory_settings(use_empty=True)
    assert addon_utils.enable("urdf_rig", default_set=True) is not None
    try:
        yield
    finally:
        addon_utils.disable("urdf_rig", default_set=True)
