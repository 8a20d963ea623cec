# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests in a whole Blender with a window, which ``scripts/test.py --gui`` sets up and names in URDF_RIG_WINDOW."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

_ROOT = Path(__file__).resolve().parents[2]
_INSIDE = Path(__file__).resolve().parent / "inside"
_LIMIT = 400  # seconds for a scenario; idle machines need twenty
_GRACE = 5
_BAD = re.compile(r"warn|error|exception|traceback|fail|invalid|deprecat", re.IGNORECASE)

if not os.environ.get("URDF_RIG_WINDOW"):
    collect_ignore_glob = ["test_*.py"]


def complaints(output: str) -> list[str]:
    """Return the lines in which Blender or Python complains."""
    return [line for line in output.splitlines() if _BAD.search(line)]


class Window:
    """A Blender with a window, into which the extension's zip was installed by Blender's own command."""

    def __init__(self, name: str, folder: Path) -> None:
        sys.path.insert(0, str(_ROOT / "scripts"))
        import _process
        import _windows

        self._run, self._windows = _process.run, _windows
        self._name, self.folder = name, folder
        self.version = _windows.window_version(name)
        self.clean = folder / "profile"
        self.installed = ""

    def blender(self, profile: Path, *arguments: str, size: str | None = None) -> str:
        """Run Blender and return what it printed; it must end well."""
        command = self._windows.window_command(
            self._name, arguments, folders=[self.folder, _INSIDE, _ROOT / "examples", _ROOT / "tests/data"], size=size
        )
        bounded = ["timeout", f"--kill-after={_GRACE}", str(_LIMIT)]  # even when this process is killed
        result = self._run(
            [*bounded, *command], timeout=_LIMIT + 2 * _GRACE, extra=self._windows.window_settings(profile)
        )
        assert result.status == 0, result.output
        return result.output

    def install(self, archive: Path) -> None:
        """Install and enable the zip in a clean profile."""
        shutil.copyfile(archive, self.folder / archive.name)
        command = ("--command", "extension", "install-file", "-r", "user_default", "-e")
        self.installed = self.blender(self.clean, *command, str(self.folder / archive.name))

    def write(self, name: str, text: str) -> Path:
        """Write a file that Blender can see."""
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def play(self, scenario: str, size: str, *, opened: Path | None = None, **inputs: Path) -> Any:
        """Play a scenario with a copy of the profile, perhaps with a file opened; return its figures.

        Pictures stay in a folder of the scenario's name.
        """
        folder = self.folder / scenario
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        profile = self.folder / f"profile-{scenario}"
        shutil.rmtree(profile, ignore_errors=True)
        shutil.copytree(self.clean, profile)
        (folder / "inputs.json").write_text(json.dumps({name: str(path) for name, path in inputs.items()}))
        file = [] if opened is None else [str(opened)]
        start = [*file, "--enable-event-simulate", "--offline-mode", "--python", str(_INSIDE / "play.py"), "--"]
        output = self.blender(profile, *start, scenario, str(folder), str(folder / "inputs.json"), size=size)
        shutil.rmtree(profile)
        (folder / "output.txt").write_text(output, encoding="utf-8")
        assert (folder / "result.json").exists(), output
        result = json.loads((folder / "result.json").read_text(encoding="utf-8"))
        assert not result["problem"], "\n".join([result["problem"], *complaints(output)])
        assert complaints(output) == []
        return result.get("figures")


@pytest.fixture(scope="session")
def window() -> Window:
    """The Blender that the step is about, with the extension's zip as ``scripts/build.py`` makes it."""
    name = os.environ["URDF_RIG_WINDOW"]
    folder = _ROOT / "build" / "gui" / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    made = Window(name, folder)
    python = os.environ["URDF_RIG_BLENDER_PYTHON"]
    built = made._run([python, str(_ROOT / "scripts/build.py"), "--output-dir", str(folder / "dist")], timeout=_LIMIT)
    assert built.status == 0, built.output
    (archive,) = (folder / "dist").glob("*.zip")
    made.install(archive)
    return made


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return _ROOT


@pytest.fixture(scope="session")
def noise() -> Callable[[str], list[str]]:
    """What finds complaints in an output."""
    return complaints
