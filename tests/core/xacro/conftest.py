# SPDX-License-Identifier: GPL-3.0-or-later
"""Xacro documents written for one test, and what they expand to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from urdf_rig.core.xacro import ExpandedXacro, expand_xacro

HEAD = '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">'


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Write files given as ``name=body`` pairs below a folder; return the first one's path."""

    def write_all(body: str, files: Mapping[str, str] | None = None, name: str = "robot/top.xacro") -> Path:
        contents = {name: body, **(files or {})}
        for path, text in contents.items():
            if path.endswith(".xacro"):
                text = f"{HEAD}{text}</robot>"
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_text(text, encoding="utf-8")
        return tmp_path / name

    return write_all


@pytest.fixture
def expand(write: Callable[..., Path]) -> Callable[..., ExpandedXacro]:
    """Expand a document whose robot holds ``body``, beside further files."""

    def expand_body(body: str, files: Mapping[str, str] | None = None, **options: object) -> ExpandedXacro:
        return expand_xacro(write(body, files), **options)

    return expand_body
