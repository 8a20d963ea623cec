# SPDX-License-Identifier: GPL-3.0-or-later
"""Take the pictures of the user guide anew, in a Blender with a window.

    python3 scripts/make_guide_pictures.py

It plays one of the window's tests, which sets that Blender up where it is not yet there (CONTRIBUTING.md), and
puts what it has seen into docs/images/guide.
"""

from __future__ import annotations

import shutil
import subprocess
import sys

from _environments import ROOT

_TEST = ("--only", "gui-trixie", "--", "-k", "guide or newcomer")
_TAKEN = ROOT / "build" / "gui" / "window-trixie"
_KEPT = ROOT / "docs" / "images" / "guide"


def main() -> int:
    """Exit status: that of the test; 0 is well."""
    command = [sys.executable, str(ROOT / "scripts" / "test.py"), *_TEST]
    status = subprocess.run(command, check=False).returncode
    pictures = sorted(_TAKEN.glob("*/guide/*.png"))
    _KEPT.mkdir(parents=True, exist_ok=True)
    for picture in pictures:
        shutil.copyfile(picture, _KEPT / picture.name)
    print(f"{_KEPT}: {len(pictures)} pictures, {sum(picture.stat().st_size for picture in pictures) // 1000} kB")
    return status


if __name__ == "__main__":
    sys.exit(main())
