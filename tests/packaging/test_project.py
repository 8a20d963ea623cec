# SPDX-License-Identifier: GPL-3.0-or-later
"""The checkout keeps its own rules."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

_LAYERS = ("core", "addon", "cli")
_BLENDER = ("bpy", "mathutils", "bmesh", "gpu", "blf", "bpy_extras", "bpy_types", "addon_utils")


def _toml(path: Path) -> dict:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def _sources(root: Path, *folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (root / folder).rglob("*.py"))


def test_versions_agree(root: Path):
    assert _toml(root / "pyproject.toml")["project"]["version"] == _toml(root / "blender_manifest.toml")["version"]


def test_every_folder_with_code_is_a_listed_package(root: Path):
    folders = {path.parent.relative_to(root) for path in _sources(root, *_LAYERS)}
    expected = {"urdf_rig", *(".".join(("urdf_rig", *folder.parts)) for folder in folders)}
    assert set(_toml(root / "pyproject.toml")["tool"]["setuptools"]["packages"]) == expected
    assert [folder for folder in folders if not (root / folder / "__init__.py").is_file()] == []


def test_bundled_wheels_are_pure_and_listed(root: Path):
    files = {path.name for path in (root / "wheels").glob("*.whl")}
    listed = {Path(path).name for path in _toml(root / "blender_manifest.toml")["wheels"]}
    assert files == listed
    assert all(name.endswith("-py3-none-any.whl") for name in files)


def test_bundled_wheels_are_the_versions_that_are_tested(root: Path):
    pins = json.loads((root / "scripts/environments.json").read_text(encoding="utf-8"))["groups"]["libraries"]
    names = {"==".join(path.name.split("-")[:2]) for path in (root / "wheels").glob("*.whl")}
    assert names <= {re.sub("[-.]", "_", pin.split("==")[0]) + "==" + pin.split("==")[1] for pin in pins}


def test_developers_extra_names_the_versions_of_the_table(root: Path):
    table = json.loads((root / "scripts/environments.json").read_text(encoding="utf-8"))
    pins = {item for group in table["groups"].values() for item in group}
    pins |= {item for entry in table["environments"].values() for item in entry.get("packages", ())}
    assert set(_toml(root / "pyproject.toml")["project"]["optional-dependencies"]["dev"]) <= pins


def test_environments_are_pinned_completely(root: Path):
    table = json.loads((root / "scripts/environments.json").read_text(encoding="utf-8"))
    for entry in table["environments"].values():
        items = [item for group in entry.get("groups", ()) for item in table["groups"][group]] + entry.get(
            "packages", []
        )
        assert all("==" in item for item in items)
        assert {"3.11", "3.13"} >= set(entry["python"])


@pytest.mark.parametrize("folder", [*_LAYERS, "scripts", "tests"])
def test_files_are_short_named_by_topic_and_licensed(root: Path, folder: str):
    for path in _sources(root, folder):
        text = path.read_text(encoding="utf-8")
        assert text.startswith("# SPDX-License-Identifier: GPL-3.0-or-later\n"), path
        assert text.count("\n") <= 400, path
        assert path.stem.strip("_") not in {"utils", "util", "common", "helpers", "helper", "misc"}, path


def test_core_imports_without_blender(root: Path):
    modules = ["urdf_rig." + ".".join(path.relative_to(root).with_suffix("").parts) for path in _sources(root, "core")]
    modules = [name.removesuffix(".__init__") for name in modules]
    code = (
        "import importlib, sys\n"
        f"sys.modules.update(dict.fromkeys({_BLENDER!r}))\n"
        f"for name in {modules!r}: importlib.import_module(name)\n"
        "print(len([name for name in sys.modules if name.startswith('urdf_rig.core')]))\n"
    )
    result = subprocess.run(
        [sys.executable, "-P", "-c", code], capture_output=True, text=True, timeout=120, check=False
    )
    assert result.stderr == ""
    assert int(result.stdout) >= len(modules) > 5


def test_root_package_and_command_line_import_neither_blender_nor_the_addon():
    code = (
        "import sys, urdf_rig\n"
        "assert 'numpy' not in sys.modules and 'bpy' not in sys.modules\n"
        "import urdf_rig.cli.main\n"
        "assert 'bpy' not in sys.modules and 'urdf_rig.addon' not in sys.modules\n"
    )
    result = subprocess.run(
        [sys.executable, "-P", "-c", code], capture_output=True, text=True, timeout=120, check=False
    )
    assert (result.returncode, result.stderr) == (0, "")
