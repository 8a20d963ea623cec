# SPDX-License-Identifier: GPL-3.0-or-later
"""``pip install .`` gives a whole library and the command ``urdf-rig``."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def installed(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which the project was installed, from a copy of the checkout, without network."""
    target = tmp_path_factory.mktemp("installed")
    options = ["--no-deps", "--no-build-isolation", "--no-index", "--quiet", "--disable-pip-version-check"]
    result = subprocess.run(
        [sys.executable, "-m", "pip", "install", *options, "--target", str(target), str(source)],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return target


def test_every_source_file_is_installed(installed: Path, root: Path):
    wanted = {path.relative_to(root) for layer in ("core", "addon", "cli") for path in (root / layer).rglob("*.py")}
    found = {path.relative_to(installed / "urdf_rig") for path in (installed / "urdf_rig").rglob("*.py")}
    assert found == {*wanted, Path("__init__.py")}
    assert (installed / "urdf_rig/py.typed").is_file()


def test_command_runs_from_there(installed: Path, tmp_path: Path):
    robot = tmp_path / "one.urdf"
    robot.write_text('<robot name="one"><link name="base"/></robot>', encoding="utf-8")
    command = installed / "bin/urdf-rig"
    result = subprocess.run(
        [sys.executable, "-P", str(command), "inspect", str(robot), "--json"],
        env={**os.environ, "PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (result.returncode, result.stderr) == (0, "")
    assert json.loads(result.stdout)["links"] == ["base"]


def test_the_library_comes_from_there(installed: Path):
    result = subprocess.run(
        [sys.executable, "-P", "-c", "from urdf_rig import core; print(core.__file__, core.load.__name__)"],
        env={**os.environ, "PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert result.stdout == f"{installed / 'urdf_rig/core/__init__.py'} load\n"
