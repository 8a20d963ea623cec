# SPDX-License-Identifier: GPL-3.0-or-later
"""The extension's zip, made and checked by Blender's own tool, in a user profile of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import bpy
import pytest

_TOP_LEVEL = {"LICENSE", "README.md", "__init__.py", "blender_manifest.toml", "addon", "cli", "core", "wheels"}
_SIZE_LIMIT = 10_000_000

_INSTALL = """
import sys
from pathlib import Path

import bpy
import addon_utils

archive, robot, resources = sys.argv[1:]
name = "bl_ext.user_default.urdf_rig"


def has_operator():
    return "URDF_RIG_OT_import_robot" in dir(bpy.types)


for _ in range(2):
    bpy.ops.extensions.package_install_files(filepath=archive, repo="user_default", enable_on_install=True)
    assert name in bpy.context.preferences.addons
    assert has_operator()
    library = next(Path(resources).glob("extensions/.local/lib/python3.*/site-packages"))
    assert (library / "collada" / "__init__.py").is_file()
    assert (library / "dateutil" / "parser").is_dir()
    assert (library / "ruamel" / "yaml").is_dir()
    assert str(library) in sys.path
    assert bpy.ops.urdf_rig.import_robot(filepath=robot) == {"FINISHED"}
    rig = next(item for item in bpy.data.objects if item.type == "ARMATURE")
    assert sorted(rig.data.bones.keys()) == ["arm", "base"]
    bpy.data.batch_remove([rig])
    addon_utils.disable(name, default_set=True)
    assert not has_operator()
    assert not [kind for kind in dir(bpy.types) if kind.startswith("URDF_RIG_")]
bpy.ops.extensions.package_uninstall(repo_index=next(
    index for index, repo in enumerate(bpy.context.preferences.extensions.repos) if repo.module == "user_default"
), pkg_id="urdf_rig")
assert not (Path(resources) / "extensions" / "user_default" / "urdf_rig").exists()
print("everything done")
"""

_ROBOT = """<robot name="pair">
  <link name="base"><visual><geometry><box size="1 1 1"/></geometry></visual></link>
  <link name="arm"/>
  <joint name="hinge" type="revolute">
    <parent link="base"/><child link="arm"/><axis xyz="0 0 1"/><limit lower="-1" upper="1" velocity="1" effort="1"/>
  </joint>
</robot>
"""


def _extension_tool(*arguments: str) -> str:
    """Run Blender's command line for extensions and return what it printed."""
    tool = Path(bpy.utils.system_resource("SCRIPTS")) / "addons_core/bl_pkg/cli/blender_ext.py"
    result = subprocess.run(
        [sys.executable, str(tool), *arguments], capture_output=True, text=True, timeout=120, check=False
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout + result.stderr


@pytest.fixture(scope="module")
def archive(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The zip, built from a copy of the checkout."""
    path = tmp_path_factory.mktemp("archive") / "urdf_rig.zip"
    (source / ".idea").mkdir()
    (source / ".idea" / "stray.xml").touch()
    (source / "core" / "__pycache__").mkdir()
    (source / "core" / "__pycache__" / "model.cpython-311.pyc").touch()
    output = _extension_tool("build", "--source-dir", str(source), "--output-filepath", str(path))
    assert "warning" not in output.lower()
    return path


def test_blender_finds_nothing_wrong(archive: Path):
    tags = Path(bpy.utils.system_resource("SCRIPTS")) / "modules/_bpy_internal/extensions/tags.py"
    output = _extension_tool("validate", str(archive), "--valid-tags", str(tags))
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


def test_install_enable_import_disable_uninstall(archive: Path, tmp_path: Path):
    robot = tmp_path / "pair.urdf"
    robot.write_text(_ROBOT, encoding="utf-8")
    resources = tmp_path / "user"
    resources.mkdir()
    result = subprocess.run(
        [sys.executable, "-P", "-c", _INSTALL, str(archive), str(robot), str(resources)],
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
