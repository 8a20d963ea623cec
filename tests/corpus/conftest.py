# SPDX-License-Identifier: GPL-3.0-or-later
"""The thirteen robots of ``robots.json``. A robot that is not there fails its test; none is left out."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

_TABLE = json.loads((Path(__file__).parent / "robots.json").read_text(encoding="utf-8"))
ROBOTS: dict[str, str] = _TABLE["robots"]


def _locate(name: str) -> Path:
    place = os.environ.get("URDF_RIG_ROBOTS")
    if not place:
        pytest.fail("URDF_RIG_ROBOTS must name the site-packages folder that holds the robots' packages")
    folder = Path(place)
    # icub-models puts its files outside the package folder, in the environment's own "share"
    for start in (folder, *list(folder.parents)[:3]):
        if (start / ROBOTS[name]).is_file():
            return start / ROBOTS[name]
    return pytest.fail(f"{ROBOTS[name]} is not in {folder}: the robot's package is missing")


@pytest.fixture(scope="session")
def corpus_file() -> Callable[[str], Path]:
    """Return the file of a robot by its name in the table."""
    return _locate


@pytest.fixture(scope="session")
def corpus_names() -> tuple[str, ...]:
    """The names of all robots."""
    return tuple(ROBOTS)


@pytest.fixture(scope="session", params=list(ROBOTS))
def corpus_name(request: pytest.FixtureRequest) -> str:
    """The name of each robot in turn."""
    return str(request.param)


@pytest.fixture(scope="session")
def corpus_path(corpus_name: str) -> Path:
    """The file of each robot in turn."""
    return _locate(corpus_name)
