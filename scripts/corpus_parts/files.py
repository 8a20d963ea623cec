# SPDX-License-Identifier: GPL-3.0-or-later
"""The descriptions in a folder of packages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

_SUFFIXES = (".urdf", ".xacro")
_MANY = 100
"""More descriptions than this in neighbouring folders are a generated set, of which a sample does."""
_PREFIXES = ("site-packages", "cmeel.prefix", "share")


def descriptions(folders: Sequence[Path], sample: int) -> list[Path]:
    """Return the descriptions below the folders, sorted; of generated sets an even sample.

    Args:
        folders: Where to look.
        sample: How many of a set to take.
    """
    found = {
        path.absolute()
        for folder in folders
        for path in folder.rglob("*")
        if path.suffix.lower() in _SUFFIXES and path.is_file()
    }
    sets: dict[Path, list[Path]] = defaultdict(list)
    for path in sorted(found):
        sets[path.parent.parent].append(path)
    taken: list[Path] = []
    for members in sets.values():
        step = len(members) / sample if len(members) > _MANY else 1.0
        taken += [members[int(index * step)] for index in range(int(len(members) / step))]
    return sorted(taken)


def shown(path: Path, folders: Sequence[Path]) -> str:
    """Return the path from its package on: without the given folder, and what an environment puts in front."""
    above = next((folder for folder in folders if path.is_relative_to(folder.absolute())), None)
    parts = path.parts if above is None else path.relative_to(above.absolute()).parts
    for prefix in _PREFIXES:
        if prefix in parts:
            parts = parts[parts.index(prefix) + 1 :]
    return "/".join(parts)
