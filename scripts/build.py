# SPDX-License-Identifier: GPL-3.0-or-later
"""Build the extension's zip and a repository that Blender can be pointed to.

    python3 scripts/build.py [--output-dir FOLDER]

Any Python from 3.8 starts it; Blender's tool for extensions comes from the environment that test.py uses too. The same
sources give the same zip, byte for byte. Old zips in the folder stay; the index lists the new one alone.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import re
import sys
import tempfile
from pathlib import Path

from _environments import ROOT, SetupError, bundled_wheels
from _in_blender import run_in_blender

_INDEX = ("index.json", "index.html")


def main() -> int:
    """Build. Exit status: 0 done, 1 it cannot be built, 2 wrong usage."""
    parser = argparse.ArgumentParser(description="Build the extension's zip and a repository index.")
    parser.add_argument("--output-dir", type=Path, default=ROOT / "dist", help="folder to write to (default: dist)")
    parser.add_argument("--notices", action="store_true", help="only renew wheels/LICENSES.md")
    options = parser.parse_args()
    from release_parts.extension_tool import ReleaseError
    from release_parts.notices import notices

    if options.notices:
        (ROOT / "wheels" / "LICENSES.md").write_text(notices(bundled_wheels()), encoding="utf-8")
        return 0
    if importlib.util.find_spec("bpy") is None:
        return run_in_blender(__file__)
    try:
        archive = build(options.output_dir.absolute())
    except (ReleaseError, OSError) as error:
        print(f"build: {error}", file=sys.stderr)
        return 1
    content = archive.read_bytes()
    print(f"{archive}  {len(content) / 1e6:.1f} MB  sha256 {hashlib.sha256(content).hexdigest()}")
    print(f"{archive.parent / _INDEX[0]}  give its address to Blender's Preferences > Get Extensions > Repositories")
    return 0


def build(folder: Path) -> Path:
    """Write zip and index to ``folder`` and return the zip's path.

    Raises:
        ReleaseError: If Blender's tool finds something wrong, or the notices of the bundled wheels are old.
    """
    from release_parts.archive import repack
    from release_parts.extension_tool import ReleaseError, extension_tool, valid_tags
    from release_parts.notices import notices

    if (ROOT / "wheels" / "LICENSES.md").read_text(encoding="utf-8") != notices(bundled_wheels()):
        raise ReleaseError("wheels/LICENSES.md does not fit the wheels: run scripts/build.py --notices")
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".urdf-rig-build-", dir=folder) as scratch:
        raw, place = Path(scratch) / "raw.zip", Path(scratch) / "repository"
        place.mkdir()
        extension_tool("build", "--source-dir", str(ROOT), "--output-filepath", str(raw))
        archive = place / f"urdf_rig-{manifest_version()}.zip"
        repack(raw, archive)
        extension_tool("validate", str(archive), "--valid-tags", str(valid_tags()))
        extension_tool("server-generate", "--repo-dir", str(place), "--html")
        for name in (archive.name, *_INDEX):
            (place / name).replace(folder / name)
    return folder / archive.name


def manifest_version() -> str:
    """Return the version that the manifest gives."""
    text = (ROOT / "blender_manifest.toml").read_text(encoding="utf-8")
    found = re.search(r'^version = "([^"]+)"', text, re.MULTILINE)
    assert found is not None  # a test compares it with pyproject.toml
    return found[1]


if __name__ == "__main__":
    try:
        sys.exit(main())
    except SetupError as error:
        print(f"build: {error}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
