# SPDX-License-Identifier: GPL-3.0-or-later
"""Everything in this folder runs inside Blender, with the extension enabled afresh in an empty file for each test."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

_STATUS = pytest.StashKey[int]()
_HAS_BLENDER = importlib.util.find_spec("bpy") is not None

if _HAS_BLENDER:
    import bpy  # makes addon_utils importable
else:
    if os.environ.get("URDF_RIG_REQUIRE_BPY") == "1":
        raise pytest.UsageError("URDF_RIG_REQUIRE_BPY is set, but this Python has no bpy")
    collect_ignore_glob = ["test_*.py", "*/test_*.py"]


def pytest_report_header() -> str:
    if not _HAS_BLENDER:
        return "tests/addon: left out, as this Python has no bpy"
    return f"Blender {bpy.app.version_string}"


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    session.config.stash[_STATUS] = int(exitstatus)


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    """End here with the 4.2 wheel, which crashes while Python shuts down once its glTF exporter has run.

    It does so without this extension too: a factory start-up and one export are enough. All reports are written by now.
    """
    if _HAS_BLENDER and bpy.app.version < (4, 3, 0) and _STATUS in config.stash:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(config.stash[_STATUS])


@pytest.fixture(autouse=True)
def extension() -> Iterator[ModuleType]:
    """The extension, enabled in an empty file; disabled afterwards, or Blender may hang when it exits."""
    import addon_utils

    bpy.ops.wm.read_factory_settings(use_empty=True)
    errors: list[Exception] = []
    module = addon_utils.enable("urdf_rig", default_set=True, handle_error=errors.append)
    try:
        if errors:
            raise errors[0]
        assert module is not None
        yield module
    finally:
        errors.clear()
        addon_utils.disable("urdf_rig", default_set=True, handle_error=errors.append)
        if errors:
            raise errors[0]


@pytest.fixture
def plain_keying() -> Iterator[object]:
    """The preferences, as long as keys that are set by themselves go everywhere, whether needed or not."""
    edit = bpy.context.preferences.edit
    names = ("use_keyframe_insert_available", "use_auto_keyframe_insert_needed")
    before = {name: getattr(edit, name) for name in names}
    for name in names:
        setattr(edit, name, False)
    yield edit
    for name, value in before.items():
        setattr(edit, name, value)


@pytest.fixture
def cases() -> Path:
    """The folder of inputs that break tools of this kind."""
    return Path(__file__).parent.parent / "data" / "cases"


@pytest.fixture
def rig_of() -> Callable[..., object]:
    """A function that imports a description, or URDF text, and returns what was made."""

    def run(source: Path | str, folder: Path | None = None, **options: object) -> object:
        from urdf_rig.addon.importer import ImportOptions, import_robot

        if isinstance(source, str):
            assert folder is not None
            path = folder / "robot.urdf"
            path.write_text(source, encoding="utf-8")
        else:
            path = source
        return import_robot(bpy.context, path, ImportOptions(**options))

    return run


@pytest.fixture
def reload(tmp_path: Path) -> Callable[..., object]:
    """A function that reads the description of a rig made by ``rig_of`` again, or another text in its place."""

    def run(rig: object, text: str | None = None, **options: object) -> object:
        from urdf_rig.addon.rebuild.reload import reload_description

        if text is not None:
            (tmp_path / "robot.urdf").write_text(text, encoding="utf-8")
        return reload_description(rig, **options)

    return run


@pytest.fixture
def change() -> Callable[..., object]:
    """The function that changes a rig's base."""
    from urdf_rig.addon.rebuild.change_base import change_base

    return change_base


@pytest.fixture
def link_poses() -> Callable[..., dict[str, np.ndarray]]:
    """A function that reads every link's pose in the base link's frame from the evaluated bones, with float64 maths."""

    def read(rig: object) -> dict[str, np.ndarray]:
        bpy.context.view_layer.update()
        evaluated = rig.evaluated_get(bpy.context.evaluated_depsgraph_get())
        poses = {}
        for bone in evaluated.pose.bones:
            data = bone.bone.urdf_rig
            poses[data.link] = np.array(bone.matrix, dtype=float) @ np.reshape(data.bone_h_link, (4, 4))
        return poses

    return read
