# SPDX-License-Identifier: GPL-3.0-or-later
"""The release as ``scripts/build.py`` makes it: checked, installed and used by Blender, in a profile of its own."""

from __future__ import annotations

import ast
import hashlib
import json
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import bpy
import pytest

_TOP_LEVEL = {"LICENSE", "README.md", "__init__.py", "blender_manifest.toml", "addon", "cli", "core", "wheels"}
_SIZE_LIMIT = 10_000_000

_USE = """
import sys
from pathlib import Path

import bpy
import addon_utils

source, robot, resources = sys.argv[1:]
name = "bl_ext.{module}.urdf_rig"
folder = Path(resources) / "extensions" / "{module}" / "urdf_rig"


def has_operator():
    return "URDF_RIG_OT_import_robot" in dir(bpy.types)


def entries():
    drawn = getattr(bpy.types.TOPBAR_MT_file_import.draw, "_draw_funcs", ())
    return sum("urdf_rig" in function.__module__ for function in drawn)


repos = bpy.context.preferences.extensions.repos
for _ in range(2):
    {install}
    assert name in bpy.context.preferences.addons
    assert has_operator()
    assert entries() == 2  # robots, and joint motions
    library = next(Path(resources).glob("extensions/.local/lib/python3.*/site-packages"))
    assert (library / "collada" / "__init__.py").is_file()
    assert (library / "dateutil" / "parser").is_dir()
    assert (library / "ruamel" / "yaml").is_dir()
    assert str(library) in sys.path
    assert bpy.ops.urdf_rig.import_robot(filepath=robot) == {{"FINISHED"}}
    rig = next(item for item in bpy.data.objects if item.type == "ARMATURE")
    assert len(rig.data.bones) == 9
    assert bpy.ops.urdf_rig.verify() == {{"FINISHED"}}
    bpy.data.batch_remove([rig])
    addon_utils.disable(name, default_set=True)
    assert not has_operator()
    assert entries() == 0
    assert not [kind for kind in dir(bpy.types) if kind.startswith("URDF_RIG_")]
index = next(index for index, repo in enumerate(repos) if repo.module == "{module}")
bpy.ops.extensions.package_uninstall(repo_index=index, pkg_id="urdf_rig")
assert not folder.exists()
print("everything done")
"""

_FROM_ZIP = """bpy.ops.extensions.package_install_files(filepath=source, repo="user_default", enable_on_install=True)"""

_FROM_INDEX = """bpy.context.preferences.system.use_online_access = True  # the address is a file
    if "ours" not in [repo.module for repo in repos]:
        repos.new(name="Ours", module="ours", remote_url=source)
    index = next(index for index, repo in enumerate(repos) if repo.module == "ours")
    bpy.ops.extensions.repo_sync(repo_index=index)
    bpy.ops.extensions.package_install(repo_index=index, pkg_id="urdf_rig", enable_on_install=True)"""


def _build(source: Path, folder: Path) -> Path:
    """Run the script of a checkout and return the one zip that it makes."""
    command = [sys.executable, str(source / "scripts/build.py"), "--output-dir", str(folder)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    assert result.stderr == ""
    (archive,) = folder.glob("*.zip")
    assert str(archive) in result.stdout
    return archive


@pytest.fixture(scope="module")
def archive(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The zip, built from a copy of the checkout in which somebody has worked."""
    (source / ".idea").mkdir()
    (source / ".idea" / "stray.xml").touch()
    (source / "robot.blend").touch()
    (source / "robot.png").touch()
    (source / "core" / "__pycache__").mkdir()
    (source / "core" / "__pycache__" / "model.cpython-311.pyc").touch()
    return _build(source, tmp_path_factory.mktemp("dist"))


@pytest.fixture
def manifest(archive: Path) -> dict[str, Any]:
    """The manifest inside the zip."""
    with zipfile.ZipFile(archive) as file:
        return tomllib.loads(file.read("blender_manifest.toml").decode())


def test_same_sources_give_the_same_bytes(archive: Path, source: Path, tmp_path: Path):
    for path in (source / "addon").rglob("*.py"):
        os.utime(path, (1e9, 1e9))
    (source / "__init__.py").chmod(0o755)
    again = _build(source, tmp_path / "again")
    assert again.name == archive.name
    assert again.read_bytes() == archive.read_bytes()


def test_entries_are_sorted_and_plain(archive: Path):
    with zipfile.ZipFile(archive) as file:
        entries = file.infolist()
    names = [entry.filename for entry in entries]
    assert names == sorted(names)
    assert {entry.date_time for entry in entries} == {(1980, 1, 1, 0, 0, 0)}
    assert {entry.external_attr >> 16 for entry in entries} == {0o100644}


def test_blender_finds_nothing_wrong(archive: Path):
    scripts = Path(bpy.utils.system_resource("SCRIPTS"))
    command = [sys.executable, str(scripts / "addons_core/bl_pkg/cli/blender_ext.py"), "validate", str(archive)]
    tags = ["--valid-tags", str(scripts / "modules/_bpy_internal/extensions/tags.py")]
    result = subprocess.run([*command, *tags], capture_output=True, text=True, timeout=120, check=False)
    output = result.stdout + result.stderr
    assert result.returncode == 0, output
    assert "Success" in output
    assert "warning" not in output.lower()


def test_zip_holds_the_product_and_nothing_else(archive: Path, root: Path):
    with zipfile.ZipFile(archive) as file:
        names = {name for name in file.namelist() if not name.endswith("/")}
    assert {name.split("/")[0] for name in names} == _TOP_LEVEL
    code = {
        str(path.relative_to(root).as_posix())
        for layer in ("addon", "cli", "core")
        for path in (root / layer).rglob("*.py")
    }
    assert code <= names
    assert [name for name in names if "__pycache__" in name or "/." in f"/{name}"] == []
    assert archive.stat().st_size < _SIZE_LIMIT


def test_version_is_the_manifests(archive: Path, manifest: dict[str, Any], root: Path):
    assert archive.name == f"urdf_rig-{manifest['version']}.zip"
    assert f"\n## {manifest['version']}\n" in (root / "CHANGELOG.md").read_text(encoding="utf-8")


def test_index_lists_the_version(archive: Path, manifest: dict[str, Any]):
    index = json.loads((archive.parent / "index.json").read_text(encoding="utf-8"))
    (listed,) = index["data"]
    assert (listed["id"], listed["version"]) == ("urdf_rig", manifest["version"])
    assert listed["archive_url"] == f"./{archive.name}"
    assert listed["archive_size"] == archive.stat().st_size
    assert listed["archive_hash"] == f"sha256:{hashlib.sha256(archive.read_bytes()).hexdigest()}"
    assert archive.name in (archive.parent / "index.html").read_text(encoding="utf-8")


def test_licences_of_the_wheels_are_told(archive: Path, manifest: dict[str, Any], root: Path):
    with zipfile.ZipFile(archive) as file:
        page = file.read("wheels/LICENSES.md").decode()
    told = " ".join(page.split())
    listed = {re.sub(r"[-_.]+", "_", line[3:]).lower() for line in page.splitlines() if line.startswith("## ")}
    for name in manifest["wheels"]:
        project, version = Path(name).name.split("-")[:2]
        assert re.sub(r"[-_.]+", "_", f"{project} {version}").lower() in listed
        with zipfile.ZipFile(root / name) as wheel:
            licences = [item for item in wheel.namelist() if re.search(r"dist-info/.*(LICEN[CS]E|COPYING)", item)]
            texts = [wheel.read(licence).decode() for licence in licences]
        texts += [path.read_text(encoding="utf-8") for path in (root / "wheels").glob(f"{project}-LICENSE.txt")]
        assert texts
        for text in texts:
            assert " ".join(text.split()) in told


def test_permissions_are_those_that_the_code_needs(manifest: dict[str, Any], root: Path):
    assert set(manifest["permissions"]) == {"files", "clipboard"}
    used = set()
    for layer in ("addon", "cli", "core"):
        for path in (root / layer).rglob("*.py"):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            used |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
            used |= {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
            used |= {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module}
    assert "clipboard" in used
    assert not used & {"socket", "ssl", "http.client", "urllib.request", "ftplib", "requests", "smtplib", "cv2"}


@pytest.mark.parametrize(("way", "module"), [(_FROM_ZIP, "user_default"), (_FROM_INDEX, "ours")], ids=["zip", "index"])
def test_install_enable_import_verify_disable_uninstall(
    way: str, module: str, archive: Path, root: Path, tmp_path: Path
):
    resources = tmp_path / "user"
    resources.mkdir()
    source = str(archive) if module == "user_default" else (archive.parent / "index.json").as_uri()
    robot = root / "examples" / "arm6" / "arm6.urdf"
    script = _USE.format(module=module, install=way)
    result = subprocess.run(
        [sys.executable, "-P", "-W", "always", "-c", script, source, str(robot), str(resources)],
        env={**os.environ, "BLENDER_USER_RESOURCES": str(resources)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    output = result.stdout + result.stderr
    assert result.returncode == 0, output
    assert result.stdout.rstrip().endswith("everything done"), output
    assert not [word for word in ("warning", "error", "exception", "traceback") if word in output.lower()], output
