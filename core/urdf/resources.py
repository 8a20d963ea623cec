# SPDX-License-Identifier: GPL-3.0-or-later
"""Finding the files that a robot description names. Nothing is fetched from a network; see ``ResourceResolver``."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import unquote

from ..errors import ResourceNotFoundError
from ..model import PackagePaths
from .folders import Folders, is_file
from .packages import PackageFinder, ancestors_of
from .remarks import quoted

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):(.*)", re.DOTALL)
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")
_PACKAGE = re.compile(r"(?:package|model):/+([^/\\]+)", re.IGNORECASE)
_PACKAGE_SCHEMES = ("package", "model")
_NEAR = 3
"""Ancestors in whose folders a relative path is looked for."""
_MAX_BESIDE = 100
_PATIENCE = 1_000
_LONGEST = 4_096
_SHOWN = 8
_NO_PACKAGE_PATHS = PackagePaths()


class ResourceResolver:
    """Finds files by the names that stand in a robot description.

    - ``package://name/rest`` and ``model://name/rest``: in the folder that the user gave for the package; in the
      user's package folders; by ROS_PACKAGE_PATH and AMENT_PREFIX_PATH; in the nearest folder above the robot's file
      that is the package or holds it, by folder name or ``package.xml``; beside those. Where no package of that name
      holds the file, ``rest`` is tried in the folders above the robot's file whose ``package.xml`` does not say
      another name, as packages are often renamed.
    - Relative paths: from the robot's folder, then from each folder above it, then in the folders beside it.
    - ``file://`` addresses and absolute paths: as they are; then, as for a robot from another computer, their last
      parts from each folder above the robot's file, as long as a folder and a file name are left.

    Percent escapes and backslashes are read as such only if there is no file by the literal name; capitals may
    differ if no file has the right ones. The disk is read in a bounded way and remembered.

    Args:
        source_dir: Folder of the robot's file; None for a robot made in memory.
        package_paths: The user's packages and package folders.
        environ: Environment variables.
    """

    def __init__(
        self,
        source_dir: Path | None,
        package_paths: PackagePaths = _NO_PACKAGE_PATHS,
        environ: Mapping[str, str] = os.environ,
    ) -> None:
        self._folders = Folders()
        self._ancestors = ancestors_of(source_dir)
        self._found: dict[str, Path] = {}
        self._missing: dict[str, str] = {}
        self._packages = PackageFinder(self._ancestors, package_paths, environ, self._folders)

    def resolve(self, uri: str) -> Path:
        """Return the regular file that ``uri`` means.

        Raises:
            ResourceNotFoundError: Listing the folders that were tried.
        """
        uri = uri.strip()
        if not uri or "\0" in uri or len(uri) > _LONGEST:
            raise ResourceNotFoundError(f"{quoted(uri)} is no file name")
        if uri in self._missing:
            raise ResourceNotFoundError(self._missing[uri])
        if uri not in self._found:
            found = self._search(uri)
            if found is None:
                self._missing[uri] = self._not_found(uri)
                raise ResourceNotFoundError(self._missing[uri])
            self._found[uri] = found
        return self._found[uri]

    def find_package(self, name: str) -> Path:
        """Return the folder of a package.

        Raises:
            ResourceNotFoundError: Listing the folders in which it was looked for.
        """
        if name.strip() and not set(name) & set("/\\\0") and name not in (".", ".."):
            for folder in self._packages.candidates(name):
                return folder
        raise ResourceNotFoundError(
            f"the package {quoted(name)} is not found{_looked_in(list(self._packages.roots()))}; "
            f"give its folder as {name}=DIR"
        )

    def _search(self, uri: str) -> Path | None:
        texts = _spellings(uri)
        for text in texts:
            for base, parts in self._places(text):
                path = base.joinpath(*parts)
                if is_file(path):
                    return path
        if not self._is_patient():
            return None
        matches = (self._folders.match(base, parts) for text in texts for base, parts in self._places(text))
        return next((path for path in matches if path is not None), None)

    def _is_patient(self) -> bool:
        """Return whether unlikely places are looked at: not for ever, where a whole package is missing."""
        return len(self._missing) < _PATIENCE

    def _not_found(self, uri: str) -> str:
        tried = [base for text in _spellings(uri) for base, _ in self._places(text)]
        package = _PACKAGE.match(uri)
        if package is not None:
            tried.extend(self._packages.roots())
        remedy = f"; give the package's folder as {package[1]}=DIR" if package else ""
        return f"{quoted(uri)} is not found{_looked_in(tried)}{remedy}"

    def _places(self, text: str) -> Iterator[tuple[Path, list[str]]]:
        """Yield where the file may be: a folder, and the parts of the path in it."""
        scheme, rest = _split_scheme(text)
        if scheme in _PACKAGE_SCHEMES:
            yield from self._package_places(rest)
        elif _is_absolute(rest):
            yield from self._absolute_places(rest)
        else:
            yield from self._relative_places(_parts(rest))

    def _package_places(self, rest: str) -> Iterator[tuple[Path, list[str]]]:
        name, *parts = _parts(rest) or [""]
        above = [(folder, [name, *parts]) for folder in self._ancestors]
        if rest.startswith("///"):  # package:///rest gives no name, so that the first part need not be one
            yield from above
        if not parts:
            return
        if name not in (".", ".."):
            for folder in self._packages.candidates(name):
                yield folder, parts
        yield from above
        for folder in self._packages.renamed():
            yield folder, parts

    def _absolute_places(self, rest: str) -> Iterator[tuple[Path, list[str]]]:
        path = Path(rest)
        if path.is_absolute():
            yield path.parent, [path.name]
        parts = [part for part in _parts(rest) if part not in (".", "..") and not part.endswith(":")]
        for start in range(max(0, len(parts) - 6), len(parts) - 1):
            for folder in self._ancestors:
                yield folder, parts[start:]

    def _relative_places(self, parts: list[str]) -> Iterator[tuple[Path, list[str]]]:
        for folder in self._ancestors:
            yield folder, parts
        for folder in self._ancestors[:_NEAR] if self._is_patient() else ():
            for child in self._folders.children(folder)[:_MAX_BESIDE]:
                yield child, parts


def _spellings(uri: str) -> list[str]:
    """Return the text, with percent escapes undone, with backslashes turned, and with both, each once."""
    literal = (uri, unquote(uri))
    turned = tuple(text.replace("\\", "/") for text in literal)
    if uri.startswith("\\\\") or os.name != "nt":
        return list(dict.fromkeys((*literal, *turned)))
    return list(dict.fromkeys(turned))  # a backslash inside could lead out to a network drive


def _split_scheme(text: str) -> tuple[str, str]:
    """Return scheme and rest; a path has the scheme ''.

    Raises:
        ResourceNotFoundError: If the scheme or host is another than a file's.
    """
    if text.startswith("\\\\") or (os.name == "nt" and text.startswith("//")):
        raise ResourceNotFoundError(f"{quoted(text)}: network addresses are not followed; copy the file")
    found = None if _DRIVE.match(text) else _SCHEME.fullmatch(text)
    if found is None:
        return "", text
    scheme, rest = found[1].lower(), found[2]
    if scheme in _PACKAGE_SCHEMES:
        return scheme, rest
    if scheme == "file":
        return scheme, _file_path(text, rest)
    if rest.startswith("//"):
        raise ResourceNotFoundError(f"{quoted(text)}: network addresses are not followed; copy the file")
    return "", text


def _file_path(text: str, rest: str) -> str:
    """Return the path of ``file:///path``, ``file://localhost/path`` or ``file:/path``."""
    path = rest
    if rest.startswith("//"):
        host, slash, after = rest[2:].partition("/")
        if host in ("", "localhost"):
            path = slash + after
        elif host in (".", ".."):
            path = rest[2:]
        else:
            raise ResourceNotFoundError(f"{quoted(text)}: network addresses are not followed; write file:///path")
    return path[1:] if _DRIVE.match(path[1:]) else path


def _is_absolute(text: str) -> bool:
    return text.startswith("/") or bool(_DRIVE.match(text))


def _parts(text: str) -> list[str]:
    return [part for part in text.split("/") if part]


def _looked_in(folders: list[Path]) -> str:
    names = list(dict.fromkeys(str(folder) for folder in folders))
    if not names:
        return ""
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return f"; looked in {', '.join(names[:_SHOWN])}{more}"
