# SPDX-License-Identifier: GPL-3.0-or-later
"""The files of a description: which may be read, and what was.

A file may be read if it lies in the description's own tree, in a folder that the user allowed, or in a package that
the lookup finds, by ``$(find …)`` or by its folder's name. A found folder without ``package.xml`` counts only if it is
near the description, as ``$(find etc)`` finds a folder too. Symbolic links are followed only to such places.
"""

from __future__ import annotations

import fnmatch
import os
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path

from ..errors import ResourceNotFoundError, UrdfSyntaxError, UrdfUnsupportedError
from ..urdf.reader import read_bytes
from ..urdf.remarks import quoted
from ..urdf.xml import Element, parse_xml
from .budget import Budget

FindPackage = Callable[[str], Path]
MAX_FILES = 1_000
MAX_BYTES = 16 << 20
"""Of all files together."""
_MAX_NAME = 4_000
_MAX_ENTRIES = 2_000
_MANIFEST = "package.xml"
_ANCESTORS = 12
_INNER = frozenset(
    ("urdf", "xacro", "xacros", "robot", "robots", "model", "models", "description", "descriptions", "macros")
)
"""Names of folders inside of a description; one without ``package.xml`` is taken to start above them."""
_PACKAGE = re.compile(r"(?:package|model)://([^/]+)/(.*)")
_WILDCARD = re.compile(r"[*?\[]")


def no_package(name: str) -> Path:
    """Find nothing.

    Raises:
        ResourceNotFoundError: Always.
    """
    raise ResourceNotFoundError(f"the package {quoted(name)} is not found")


def absolute(path: Path) -> Path:
    """Return a path from the root, without ``..``; the disk is not looked at."""
    return Path(os.path.normpath(path.absolute()))


def description_root(file: Path) -> Path:
    """Return the folder of the whole description: the package around a file, or else the folder above ``urdf``."""
    folder = absolute(file).parent
    for ancestor in islice((folder, *folder.parents), _ANCESTORS):
        if _exists(ancestor / _MANIFEST):
            return ancestor
    while folder.name.lower() in _INNER and len(folder.parts) > 2:
        folder = folder.parent
    return folder


def _exists(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _home() -> Path:
    try:
        return Path.home()
    except RuntimeError:
        return Path(os.path.sep)


def _real(path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError):
        return path


class Files:
    """Reads the files that a description names.

    Args:
        top: The file that the user opened.
        find_package: Returns a package's folder, or raises ResourceNotFoundError.
        allowed_roots: Folders whose files may be read, besides the description's own.
        budget: What the expansion may take.

    Attributes:
        read_files: The files that were read, in order.
        tree: The description's folder.
        guessed: Packages that were not found, and why; ``tree`` was taken for them.
    """

    def __init__(self, top: Path, find_package: FindPackage, allowed_roots: Iterable[Path], budget: Budget) -> None:
        self._find_package = find_package
        self._budget = budget
        self._packages: dict[str, Path] = {}
        self._roots: dict[Path, None] = {}
        self._parsed: dict[Path, Element] = {}
        self._left = MAX_BYTES
        self.read_files: dict[Path, None] = {}
        self.guessed: dict[str, str] = {}
        self.tree = description_root(top)
        for root in (self.tree, description_root(_real(top)), *allowed_roots):
            self._allow(root)

    def _allow(self, root: Path) -> None:
        folder = absolute(root)
        self._roots[folder] = None
        self._roots[_real(folder)] = None

    def package(self, name: str) -> Path:
        """Return a package's folder; its files may be read from now on.

        Raises:
            ResourceNotFoundError: If it is not found.
        """
        if name not in self._packages:
            self._budget.spend(1_000)
            folder = self._found(name)
            self._packages[name] = folder
            if self._is_credible(folder):
                self._allow(folder)
        return self._packages[name]

    def _found(self, name: str) -> Path:
        try:
            return self._find_package(name)
        except ResourceNotFoundError as error:
            # Packages are often renamed, as are those of meshes; a manifest says that this one was not.
            if _exists(self.tree / _MANIFEST) or not name:
                raise
            self.guessed[name] = error.message
            return self.tree

    def _is_credible(self, folder: Path) -> bool:
        """Return whether a found folder is a package, and not any folder that happens to have the name (``etc``)."""
        if _exists(folder / _MANIFEST):
            return True
        if _home().is_relative_to(folder.parent):
            return False
        try:
            shared = Path(os.path.commonpath((self.tree, folder)))
        except ValueError:  # on different drives
            return False
        return shared != Path(shared.anchor) and not _home().is_relative_to(shared)

    def locate(self, text: str, folder: Path) -> list[Path]:
        """Return the files that a name means: one, or as many as fit its wildcards.

        Args:
            text: As in the description.
            folder: What it is relative to.

        Raises:
            ResourceNotFoundError: If a name without wildcards is no file.
            UrdfUnsupportedError: If it is outside of where files may be read.
        """
        name = text.strip().removeprefix("file://")
        if not name or "\0" in name or len(name) > _MAX_NAME:
            raise ResourceNotFoundError(f"{quoted(text)} is no file name")
        named = _PACKAGE.fullmatch(name)
        path = Path(os.path.normpath(self.package(named[1]) / named[2] if named else folder / name))
        self.check(path)
        if _exists(path):
            return [path]
        if _WILDCARD.search(name):
            return self._matches(folder, name)
        guesses = "".join(f"; {reason}" for reason in self.guessed.values())
        raise ResourceNotFoundError(f"the file {quoted(text)} is not found; it would be {path}{guesses}")

    def check(self, path: Path) -> None:
        """Refuse a path outside of where files may be read, before anything is looked up there.

        Raises:
            UrdfUnsupportedError: If it is outside.
        """
        if not (self._inside(path) or self._in_known_package(path)):
            raise self._outside(path)
        real = _real(path)
        if real != path and not (self._inside(real) or self._in_known_package(real)):
            raise self._outside(real)

    def _outside(self, path: Path) -> UrdfUnsupportedError:
        return UrdfUnsupportedError(
            f"the file {path} is outside of the description ({self.tree}) and of the packages that were found, so it "
            "is not read; if you trust it, give its folder as a package folder"
        )

    def _inside(self, path: Path) -> bool:
        return any(path.is_relative_to(root) for root in self._roots)

    def _in_known_package(self, path: Path) -> bool:
        """Return whether the package lookup leads to the package around a path by itself."""
        if str(path).startswith(("\\\\", "//")):  # looking would already call another computer
            return False
        for folder in islice(path.parents, _ANCESTORS):
            if folder.name and _exists(folder / _MANIFEST):
                return self._is_found(folder)
        return False

    def _is_found(self, folder: Path) -> bool:
        try:
            found = self.package(folder.name)
            same = (found / _MANIFEST).samefile(folder / _MANIFEST)
        except (ResourceNotFoundError, OSError):
            return False
        if same:
            self._allow(folder)
        return same

    def _matches(self, folder: Path, name: str) -> list[Path]:
        base, *parts = Path(os.path.normpath(folder / "x")).parent, *Path(name).parts
        if Path(name).is_absolute():
            base, *parts = Path(Path(name).anchor), *Path(name).parts[1:]
        found = [base]
        for part in parts:
            found = [child for parent in found for child in self._children(parent, part)]
        return [path for path in found if _exists(path)]

    def _children(self, folder: Path, part: str) -> Iterator[Path]:
        path = Path(os.path.normpath(folder / part))
        if not _WILDCARD.search(part):
            yield path
            return
        self.check(folder)
        try:
            with os.scandir(folder) as scan:
                names = sorted(entry.name for entry in islice(scan, _MAX_ENTRIES))
        except (OSError, ValueError):
            return
        self._budget.spend(10 * len(names))
        for name in names:
            if fnmatch.fnmatchcase(name, part) and (part.startswith(".") or not name.startswith(".")):
                self.check(folder / name)
                yield folder / name

    def read(self, path: Path) -> bytes:
        """Return a file's contents.

        Raises:
            ResourceNotFoundError: If it cannot be read.
            UrdfError: If it may not be read, is too large, or is one too many.
        """
        self.check(path)
        if len(self.read_files) >= MAX_FILES:
            raise UrdfSyntaxError(f"more than {MAX_FILES} files are read", file=str(path))
        data = read_bytes(path)
        self._left -= len(data)
        if self._left < 0:
            raise UrdfSyntaxError(f"the files are larger than {MAX_BYTES >> 20} MiB together", file=str(path))
        self._budget.spend(len(data) // 64)
        self.read_files[path] = None
        return data

    def parse(self, path: Path, shown: str = "") -> Element:
        """Return the root element of a file, which is read and parsed once.

        Args:
            path: The file, absolute.
            shown: What messages call it, if not by its path.

        Raises:
            UrdfError: As ``read``, or if it is no well-formed XML.
        """
        if path not in self._parsed:
            self._parsed[path] = parse_xml(self.read(path), file=shown or str(path))
        return self._parsed[path]
