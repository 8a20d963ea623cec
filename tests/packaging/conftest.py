# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of what is shipped. Those of the extension's zip need Blender; what is installed is used by child processes."""

from __future__ import annotations

import importlib.util
import os
import shutil
from pathlib import Path

import pytest

if importlib.util.find_spec("bpy") is None:
    if os.environ.get("URDF_RIG_REQUIRE_BPY") == "1":
        raise pytest.UsageError("URDF_RIG_REQUIRE_BPY is set, but this Python has no bpy")
    collect_ignore = ["test_extension.py"]


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def source(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the checkout for tools that leave files behind, as a fresh clone would have it."""
    target = tmp_path_factory.mktemp("clone") / "a clone.x"
    junk = (".*", "__pycache__", "*.egg-info", "build", "dist")
    shutil.copytree(
        root, target, ignore=lambda folder, names: _matching(names, junk) if Path(folder) == root else _cache(names)
    )
    return target


def _matching(names: list[str], patterns: tuple[str, ...]) -> set[str]:
    return set(shutil.ignore_patterns(*patterns)("", names))


def _cache(names: list[str]) -> set[str]:
    return _matching(names, ("__pycache__",))
