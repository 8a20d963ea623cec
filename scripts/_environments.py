# SPDX-License-Identifier: GPL-3.0-or-later
"""Make the virtual environments of ``environments.json``: once, whole or not at all, by one process at a time."""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import json
import os
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from _process import run
from _pythons import Python, find_python

SCRIPTS = Path(__file__).resolve().parent
ROOT = SCRIPTS.parent
_STAMP = "urdf_rig_environment.json"
_LOCK = "urdf_rig_environment.lock"
_LIMIT = 2400.0


class SetupError(Exception):
    """The set-up cannot be done; the message is one line that says what to do about it."""


class Recipe(NamedTuple):
    """What an environment holds: Python versions to choose from, exact requirements, wheel files of the checkout."""

    pythons: tuple[str, ...]
    requirements: tuple[str, ...]
    wheels: tuple[Path, ...] = ()

    @property
    def needs_blender(self) -> bool:
        """Whether the environment holds Blender as a Python module."""
        return any(item.startswith("bpy==") for item in self.requirements)


def table() -> dict[str, Any]:
    """Return the table of pinned versions."""
    loaded: dict[str, Any] = json.loads((SCRIPTS / "environments.json").read_text(encoding="utf-8"))
    return loaded


def recipe(name: str) -> Recipe:
    """Return the recipe of a named environment."""
    pins = table()
    entry = pins["environments"][name]
    listed = [item for group in entry.get("groups", ()) for item in pins["groups"][group]]
    return Recipe(tuple(entry["python"]), tuple(sorted({*listed, *entry.get("packages", ())})))


def convert_recipe(version: str) -> Recipe:
    """Return the recipe of the environment that converts robots with a Python ``version``."""
    pins = table()
    listed = [item for group in pins["convert"][version] for item in pins["groups"][group]]
    return Recipe((version,), tuple(sorted(listed)), bundled_wheels())


def bundled_wheels() -> tuple[Path, ...]:
    """Return the pure-Python wheels that the extension ships."""
    return tuple(sorted((ROOT / "wheels").glob("*.whl")))


def environments_root() -> Path:
    """Return the folder of the developer's environments: ``URDF_RIG_ENVS``, or ``.envs`` in the checkout."""
    return Path(os.environ.get("URDF_RIG_ENVS") or ROOT / ".envs").absolute()


def python_of(folder: Path) -> Path:
    """Return the interpreter of the environment in ``folder``."""
    return folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def site_packages(folder: Path) -> Path:
    """Return the package folder of the environment in ``folder``."""
    if sys.platform == "win32":
        return folder / "Lib" / "site-packages"
    return next((folder / "lib").glob("python3.*")) / "site-packages"


def is_ready(folder: Path, wanted: Recipe) -> bool:
    """Return whether a whole environment of this recipe is in ``folder``."""
    try:
        stamp = json.loads((folder / _STAMP).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return stamp == _stamp_text(folder, wanted) and python_of(folder).exists()


def ensure(folder: Path, wanted: Recipe, *, report: Callable[[str], None], replace: bool) -> Path:
    """Make the environment unless it is there, and return its interpreter.

    Args:
        folder: Where it belongs.
        wanted: What it holds.
        report: Called with a few words on what is going on.
        replace: Whether a folder that this project did not make may be overwritten.

    Raises:
        SetupError: If it cannot be made. What was made so far is redone by the next call.
    """
    if is_ready(folder, wanted):
        return python_of(folder)
    base = _base_python(wanted)
    if folder.is_dir() and not replace and not (folder / _LOCK).exists() and any(folder.iterdir()):
        raise SetupError(f"{folder} is not from this project: move it away, as the set-up needs that place")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with hold_place(folder / _LOCK, report):
            if not is_ready(folder, wanted):
                _make(folder, wanted, base, report)
    except OSError as error:
        raise SetupError(f"cannot set up {folder}: {error}") from error
    return python_of(folder)


def _base_python(wanted: Recipe) -> Python:
    base = find_python(wanted.pythons)
    wish = " or ".join(wanted.pythons)
    if base is None:
        raise SetupError(
            f"Python {wish} (64-bit) is not on this machine: install it, "
            f"for example with 'pyenv install {wanted.pythons[0]}'"
        )
    if not base.complete:
        raise SetupError(
            f"{base.program} cannot make environments: "
            f"install its venv module ('apt install python{base.version}-venv')"
        )
    return base


def _stamp_text(folder: Path, wanted: Recipe) -> dict[str, str]:
    content = [
        *wanted.pythons,
        *wanted.requirements,
        *(f"{wheel.name} {wheel.stat().st_size}" for wheel in wanted.wheels),
    ]
    digest = hashlib.sha256("\n".join(content).encode()).hexdigest()
    return {"recipe": digest, "folder": str(folder), "checkout": str(ROOT)}


def _make(folder: Path, wanted: Recipe, base: Python, report: Callable[[str], None]) -> None:
    report("making the environment")
    for entry in folder.iterdir():
        if entry.name != _LOCK:
            shutil.rmtree(entry) if entry.is_dir() and not entry.is_symlink() else entry.unlink()
    result = run([base.program, "-I", "-m", "venv", str(folder)], timeout=300)
    if result.status != 0:
        raise SetupError(f"{base.program} could not make {folder}: {_last_line(result.output)}")
    python = python_of(folder)
    if wanted.requirements or wanted.wheels:
        _pip_install(python, [*wanted.requirements, *map(str, wanted.wheels)], report)
    link_package()
    (site_packages(folder) / "urdf_rig_checkout.pth").write_text(f"{ROOT / '.dev'}\n", encoding="utf-8")
    if wanted.needs_blender:
        report("starting Blender")
        _check_blender(python)
    (folder / _STAMP).write_text(json.dumps(_stamp_text(folder, wanted)), encoding="utf-8")


def _pip_install(python: Path, requirements: Sequence[str], report: Callable[[str], None]) -> None:
    """Install exact requirements, showing pip's doings in a word or two."""
    pip = [str(python), "-I", "-m", "pip", "--disable-pip-version-check", "--no-input"]
    version = re.match(r"pip (\d+)\.(\d+)", run([*pip, "--version"], timeout=120).output)
    measured = version is not None and (int(version[1]), int(version[2])) >= (24, 1)
    packages = [item.split("==")[0] for item in requirements]
    current = ""

    def follow(line: str) -> None:
        nonlocal current
        started = re.match(r"\s*(?:Downloading|Processing|Using cached) (?:\S*/)?([^-\s]+)-\S+(?: \(([^)]*)\))?", line)
        amount = re.match(r"Progress (\d+) of (\d+)$", line)
        if started:
            current = f"downloading {started[1]}" + (f", {started[2]}" if started[2] else "")
            report(current)
        elif amount and int(amount[2]):
            report(f"{current}, {100 * int(amount[1]) // int(amount[2])} %")
        elif line.startswith("Installing collected"):
            report(f"unpacking {len(packages)} packages")

    bar = ["--progress-bar", "raw" if measured else "off"]
    result = run([*pip, "install", "--no-deps", *bar, *requirements], timeout=_LIMIT, on_line=follow, keep_lines=200)
    if result.status != 0:
        errors = [line[7:] for line in result.output.splitlines() if line.startswith("ERROR: ")]
        cause = errors[-1] if errors else _last_line(result.output)
        if re.search("connection|timed out|name resolution", result.output, re.IGNORECASE):
            cause = "the package index cannot be reached; the set-up needs the network once"
        raise SetupError(f"pip could not install what {python.parent.parent.name} needs: {cause}")


def _check_blender(python: Path) -> None:
    """Import bpy once, so that a missing system library is told at set-up and by name."""
    result = run([str(python), "-I", "-c", "import bpy; print(bpy.app.version_string)"], timeout=300)
    if result.status == 0:
        return
    missing = missing_libraries()
    if missing:
        raise SetupError("Blender needs system libraries that are not installed: apt install " + " ".join(missing))
    raise SetupError(f"Blender's Python module does not start: {_last_line(result.output)}")


def missing_libraries() -> list[str]:
    """Return the Debian packages of the system libraries that Blender needs and that this Linux lacks."""
    missing = []
    if sys.platform == "linux":
        for library, package in table()["system_libraries"].items():
            try:
                ctypes.CDLL(library)
            except OSError:
                missing.append(package)
    return missing


def link_package() -> None:
    """Make ``.dev/urdf_rig`` lead here, so that ``.dev`` is an import path whatever the checkout is called."""
    link = ROOT / ".dev" / "urdf_rig"
    if link.exists() and link.resolve() == ROOT:
        return
    link.parent.mkdir(exist_ok=True)
    with contextlib.suppress(FileNotFoundError):
        link.unlink()
    try:
        if sys.platform == "win32":
            import _winapi

            _winapi.CreateJunction(str(ROOT), str(link))
        else:
            link.symlink_to("..", target_is_directory=True)
    except FileExistsError:
        pass  # another set-up was quicker


@contextlib.contextmanager
def hold_place(path: Path, report: Callable[[str], None]) -> Iterator[None]:
    """Hold the file's lock; the system drops it when the process ends in any way."""
    with path.open("a+b") as file:
        while not _try_lock(file.fileno()):
            report("waiting for another set-up of the same place")
            time.sleep(0.3)
        yield


def _try_lock(descriptor: int) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(descriptor, 0, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else "it said nothing"
