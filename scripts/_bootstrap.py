# SPDX-License-Identifier: GPL-3.0-or-later
"""Run the checkout without installing it: load the package, and find or make something that has Blender in it."""

from __future__ import annotations

import atexit
import importlib.abc
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

from _environments import ROOT, SetupError, bundled_wheels, convert_recipe, ensure, is_ready, python_of, table
from _process import clean_environment
from _progress import Progress
from _pythons import find_python

OLDEST_BLENDER = (4, 2)
VENV = ROOT / ".venv"


class _CheckoutFinder(importlib.abc.MetaPathFinder):
    """Finds the package ``urdf_rig`` in the checkout, whatever its folder is called."""

    def find_spec(self, fullname: str, path: object, target: ModuleType | None = None) -> ModuleSpec | None:
        """Return where the package is; other names are left to others."""
        if fullname != "urdf_rig":
            return None
        return importlib.util.spec_from_file_location(
            fullname, ROOT / "__init__.py", submodule_search_locations=[str(ROOT)]
        )


def load_package() -> ModuleType:
    """Make the checkout importable as ``urdf_rig`` in this process, and import it.

    The libraries that the extension ships as wheels are added at the end of the import path where one is not installed.
    """
    if not all(importlib.util.find_spec(name) for name in ("collada", "dateutil", "mcap", "ruamel")):
        _unpack_wheels()
    sys.meta_path.insert(0, _CheckoutFinder())
    return importlib.import_module("urdf_rig")


def _unpack_wheels() -> None:
    """Unpack the shipped wheels until the process ends; as archives their namespace packages can't be imported."""
    folder = tempfile.mkdtemp(prefix="urdf-rig-wheels-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for wheel in bundled_wheels():
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(folder)
    sys.path.append(folder)


def find_blender() -> tuple[str, str] | None:
    """Return program and version of an installed Blender of at least 4.2, or None.

    ``URDF_RIG_BLENDER`` names the program to use; ``none`` means that no installed Blender is to be used.
    """
    wish = os.environ.get("URDF_RIG_BLENDER", "")
    if wish.lower() == "none":
        return None
    for program in [wish] if wish else _blender_candidates():
        version = _blender_version(program)
        if version and tuple(int(part) for part in version.split(".")[:2]) >= OLDEST_BLENDER:
            return program, version
    if wish:
        raise SetupError(f"URDF_RIG_BLENDER: {wish} is not a Blender of version 4.2 or newer")
    return None


def _blender_candidates() -> list[str]:
    folders = os.environ.get("PATH", "").split(os.pathsep)
    found = [shutil.which("blender", path=folder) for folder in folders if folder]
    if sys.platform == "darwin":
        found += _newest_first(Path("/Applications"), "Blender*.app/Contents/MacOS/Blender")
    if sys.platform == "win32":
        programs = Path(os.environ.get("PROGRAMFILES", r"C:\Program Files"))
        found += _newest_first(programs / "Blender Foundation", "Blender */blender.exe")
    return list(dict.fromkeys(program for program in found if program))


def _newest_first(folder: Path, pattern: str) -> list[str]:
    return sorted(map(str, folder.glob(pattern)), reverse=True)


def _blender_version(program: str) -> str:
    """Return what the program calls its version, empty if it is no Blender."""
    try:
        answer = subprocess.run(
            [program, "--version"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=60,
            check=False,
            env=clean_environment(),
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    match = re.search(r"^Blender (\d+\.\d+(?:\.\d+)?)", answer.stdout.decode("utf-8", "replace"), re.MULTILINE)
    return match[1] if match else ""


def environment_ready() -> bool:
    """Return whether ``.venv`` is set up."""
    return any(is_ready(VENV, convert_recipe(version)) for version in table()["convert"])


def blender_environment() -> tuple[Path, str]:
    """Return the interpreter of ``.venv``, made now if need be, and the version of its bpy.

    Raises:
        SetupError: If there is no Python for it or it cannot be made.
    """
    versions = list(table()["convert"])
    for version in versions:
        made = convert_recipe(version)
        if is_ready(VENV, made):
            return python_of(VENV), _bpy_version(made.requirements)
    base = find_python(versions)
    if base is None:
        wish = " or ".join(sorted(versions))
        raise SetupError(
            "no Blender and no Python that can hold one: install Blender 4.2 or newer "
            f"(https://www.blender.org/download/) so that 'blender' is on the PATH, or Python {wish} (64-bit)"
        )
    recipe = convert_recipe(base.version)
    bpy = _bpy_version(recipe.requirements)
    with Progress(f"Setting up .venv with Blender {bpy}, once") as progress:
        return ensure(VENV, recipe, report=progress.detail, replace=False), bpy


def _bpy_version(requirements: tuple[str, ...]) -> str:
    return next(item.split("==")[1] for item in requirements if item.startswith("bpy=="))
