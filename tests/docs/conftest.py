# SPDX-License-Identifier: GPL-3.0-or-later
"""The published formalism: its text, and its page as a browser shows it."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def text(root: Path) -> str:
    """The Markdown text."""
    return (root / "docs" / "formalism.md").read_text(encoding="utf-8")
