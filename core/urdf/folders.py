# SPDX-License-Identifier: GPL-3.0-or-later
"""A bounded, remembered look at the disk: listings, package manifests, files whatever their capitals."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path

from ..errors import UrdfError
from .xml import parse_xml

_MAX_ENTRIES = 2_000
_MAX_LISTED = 50_000
_MAX_MANIFEST = 256 << 10


def is_file(path: Path) -> bool:
    """Return whether there is a regular file; a path that the system cannot take is none."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def is_folder(path: Path) -> bool:
    """Return whether there is a folder; a path that the system cannot take is none."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


class Folders:
    """Folders that have been looked at. At most 2000 entries of each and 50 000 in all are seen."""

    def __init__(self) -> None:
        self._left = _MAX_LISTED
        self._entries: dict[Path, dict[str, bool]] = {}
        self._children: dict[Path, list[Path]] = {}
        self._names: dict[Path, str | None] = {}
        self._packages: dict[Path, dict[str, list[Path]]] = {}
        self._packages_below: dict[Path, dict[str, list[Path]]] = {}

    def entries(self, folder: Path) -> dict[str, bool]:
        """Return the names in a folder, sorted, each with whether it is a folder itself."""
        if folder not in self._entries:
            self._entries[folder] = self._listed(folder)
        return self._entries[folder]

    def _listed(self, folder: Path) -> dict[str, bool]:
        try:
            with os.scandir(folder) as scan:
                found = {entry.name: _leads_on(entry) for entry in islice(scan, min(_MAX_ENTRIES, self._left))}
        except (OSError, ValueError):
            return {}
        self._left -= len(found)
        return dict(sorted(found.items()))

    def children(self, folder: Path) -> list[Path]:
        """Return the folders in a folder, sorted by name, without hidden ones."""
        if folder not in self._children:
            entries = self.entries(folder).items()
            self._children[folder] = [folder / name for name, inside in entries if inside and not name.startswith(".")]
        return self._children[folder]

    def packages(self, folder: Path) -> dict[str, list[Path]]:
        """Return the folders in a folder by the names in their ``package.xml``."""
        if folder not in self._packages:
            named = ((self.package_name(child), child) for child in self.children(folder))
            self._packages[folder] = _grouped((name, child) for name, child in named if name is not None)
        return self._packages[folder]

    def packages_below(self, folder: Path) -> dict[str, list[Path]]:
        """Return the folders two levels below a folder, by folder name and by the names in their ``package.xml``."""
        if folder not in self._packages_below:
            found: list[tuple[str, Path]] = []
            for child in self.children(folder):
                found += [(inner.name, inner) for inner in self.children(child)]
                found += [(name, inner) for name, inners in self.packages(child).items() for inner in inners]
            self._packages_below[folder] = _grouped(found)
        return self._packages_below[folder]

    def package_name(self, folder: Path) -> str | None:
        """Return the ``<name>`` in the folder's ``package.xml``, if it has one."""
        if folder not in self._names:
            self._names[folder] = _manifest_name(folder / "package.xml")
        return self._names[folder]

    def match(self, base: Path, parts: Sequence[str]) -> Path | None:
        """Return the regular file ``base/part/part…``, whatever its capitals; the right ones come first."""
        path = base
        for part in parts:
            if part in ("", "."):
                continue
            following = path / part
            if part != ".." and not os.path.lexists(following):
                actual = self._same_but_capitals(path, part)
                if actual is None:
                    return None
                following = path / actual
            path = following
        return path if is_file(path) else None

    def _same_but_capitals(self, folder: Path, name: str) -> str | None:
        folded = name.casefold()
        found = [entry for entry in self.entries(folder) if entry.casefold() == folded]
        stem = name.rpartition(".")[0]
        return min(found, key=lambda entry: (entry.rpartition(".")[0] != stem, entry), default=None)


def _grouped(pairs: Iterable[tuple[str, Path]]) -> dict[str, list[Path]]:
    groups: dict[str, list[Path]] = {}
    for name, path in pairs:
        groups.setdefault(name, []).append(path)
    return groups


def _leads_on(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def _manifest_name(manifest: Path) -> str | None:
    try:
        if not manifest.is_file():
            return None
        with manifest.open("rb") as stream:
            data = stream.read(_MAX_MANIFEST)
        name = parse_xml(data, file=str(manifest)).first("name")
    except (OSError, ValueError, UrdfError):
        return None
    return name.text.strip() or None if name is not None else None
