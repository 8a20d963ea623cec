# SPDX-License-Identifier: GPL-3.0-or-later
"""A Blender session for one command: the extension registered, and Blender's own messages kept off stdout."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from ..core.errors import RigError

try:
    import bpy
except ImportError as missing:
    raise RigError(
        "this command needs Blender: run it as `blender --command urdf_rig …`, or install the `bpy` package, "
        f"or use `python3 scripts/convert.py` of a checkout ({missing})"
    ) from missing


@contextmanager
def blender_session() -> Iterator[bpy.types.Context]:
    """Give an empty scene's context with the extension registered; what was there is discarded."""
    with messages_on_stderr(), extension_registered():
        # not the factory settings: these would disable the extension that may be running this command
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True, load_ui=False)
        yield bpy.context


@contextmanager
def extension_registered() -> Iterator[None]:
    """Register the extension unless Blender has done so, and take it away again."""
    from .. import addon

    if hasattr(bpy.types.Object, "urdf_rig"):
        yield
        return
    addon.register()
    try:
        yield
    finally:
        addon.unregister()


@contextmanager
def messages_on_stderr() -> Iterator[None]:
    """Send what Blender writes to stdout, from C too, to stderr: stdout is for results."""
    sys.stdout.flush()
    kept = os.dup(1)
    os.dup2(2, 1)
    try:
        yield
    finally:
        sys.stdout.flush()
        os.dup2(kept, 1)
        os.close(kept)
