# SPDX-License-Identifier: GPL-3.0-or-later
"""An archive whose bytes depend on its content alone."""

from __future__ import annotations

import os
import time
import zipfile
from pathlib import Path

_FILE_MODE = 0o100644
_EARLIEST = 315532800  # 1980-01-01, the first day that a zip can tell


# what is shipped; anything else that lies in a checkout, such as a robot that was converted there, is left out
_SHIPPED = {"LICENSE", "README.md", "__init__.py", "blender_manifest.toml", "addon", "cli", "core", "wheels"}


def repack(source: Path, target: Path) -> None:
    """Write the shipped files of the zip ``source`` to the zip ``target``: sorted, of one date, readable by everyone.

    The date is SOURCE_DATE_EPOCH, or 1980-01-01. Files are stored as they are: what a compressor makes of them depends
    on the zlib of the machine, and most of the bytes are in wheels, which are compressed anyway.
    """
    epoch = max(_EARLIEST, int(os.environ.get("SOURCE_DATE_EPOCH", _EARLIEST)))
    date = time.gmtime(epoch)[:6]
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as new:
        for name in sorted(item for item in old.namelist() if not item.endswith("/")):
            if name.split("/")[0] not in _SHIPPED:
                continue
            entry = zipfile.ZipInfo(name, date)
            entry.create_system = 3  # Unix, so that the mode is read as one
            entry.external_attr = _FILE_MODE << 16
            new.writestr(entry, old.read(name))
