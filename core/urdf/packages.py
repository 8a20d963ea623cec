# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a ROS package may be, without ROS: named folders, the environment, and the folders around the robot's file."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ..model import PackagePaths
from .folders import Folders, is_folder

_MAX_ANCESTORS = 12
_NEAR = 5
"""Ancestors around which folders two levels deep are looked at."""
_SEARCH_PATHS = ("ROS_PACKAGE_PATH", "GAZEBO_MODEL_PATH", "GZ_SIM_RESOURCE_PATH", "IGN_GAZEBO_RESOURCE_PATH")
_PREFIX_PATHS = ("AMENT_PREFIX_PATH", "COLCON_PREFIX_PATH", "CMAKE_PREFIX_PATH")


def ancestors_of(folder: Path | None) -> tuple[Path, ...]:
    """Return the folder and at most eleven above it, nearest first; behind a symbolic link, those of its target too."""
    if folder is None:
        return ()
    near = Path(os.path.normpath(folder.absolute()))
    try:
        real = near.resolve()
    except (OSError, RuntimeError):
        real = near
    chains = [(path, *path.parents)[:_MAX_ANCESTORS] for path in (near, real)]
    return tuple(dict.fromkeys(path for chain in chains for path in chain))


class PackageFinder:
    """Yields the folders that may be a package, likeliest first.

    Args:
        ancestors: The robot's folder and those above it, nearest first.
        package_paths: What the user gave.
        environ: Environment variables.
        folders: The disk.
    """

    def __init__(
        self, ancestors: tuple[Path, ...], package_paths: PackagePaths, environ: Mapping[str, str], folders: Folders
    ) -> None:
        self._ancestors = ancestors
        self._given = package_paths
        self._environ = environ
        self._folders = folders
        self._found: dict[tuple[int, str], list[Path]] = {}

    def candidates(self, name: str) -> Iterator[Path]:
        """Yield the folders for a package, each once; looking further only when the next one is asked for."""
        seen: set[Path] = set()
        for stage, search in enumerate((self._user, self._environment, self._above, self._around)):
            key = (stage, name)
            if key not in self._found:
                self._found[key] = [path for path in search(name) if is_folder(path)]
            for folder in self._found[key]:
                if folder not in seen:
                    seen.add(folder)
                    yield folder

    def roots(self) -> Iterator[Path]:
        """Yield the folders in which packages are looked for."""
        yield from self._given.folders
        yield from self._from_variables(_SEARCH_PATHS)
        yield from (prefix / "share" for prefix in self._from_variables(_PREFIX_PATHS))
        yield from self._ancestors

    def renamed(self) -> Iterator[Path]:
        """Yield the folders above the robot's file that may be a package by another name: those that say no name."""
        return (folder for folder in self._ancestors if self._folders.package_name(folder) is None)

    def _user(self, name: str) -> Iterator[Path]:
        if name in self._given.packages:
            yield from self._installed(self._given.packages[name].absolute(), name)
        for folder in self._given.folders:
            yield from self._in(folder.absolute(), name, deep=True)

    def _environment(self, name: str) -> Iterator[Path]:
        for folder in self._from_variables(_SEARCH_PATHS):
            yield from self._in(folder, name, deep=True)
        for prefix in self._from_variables(_PREFIX_PATHS):
            yield prefix / "share" / name

    def _from_variables(self, variables: Sequence[str]) -> Iterator[Path]:
        for variable in variables:
            for entry in self._environ.get(variable, "").split(os.pathsep):
                if entry.strip():
                    yield Path(entry).absolute()

    def _above(self, name: str) -> Iterator[Path]:
        for folder in self._ancestors:
            if self._is_package(folder, name):
                yield folder
            yield from self._installed(folder / name, name)

    def _around(self, name: str) -> Iterator[Path]:
        """Folders beside the ancestors, also inside repositories and the ``src`` or ``share`` of a workspace."""
        for folder in self._ancestors:
            yield from self._in(folder, name, deep=False)
        for folder in self._ancestors[:_NEAR]:
            if len(folder.parts) > 2:  # neither the root of the disk nor all users' homes
                yield from self._in(folder, name, deep=True)
        for folder in self._ancestors:
            for inner in ("src", "share"):
                yield from self._in(folder / inner, name, deep=True)

    def _in(self, folder: Path, name: str, *, deep: bool) -> Iterator[Path]:
        """Yield ``folder`` or what is in it (in folders in it, where ``deep``), if it is the package."""
        if self._is_package(folder, name):
            yield folder
        yield from self._installed(folder / name, name)
        yield from self._folders.packages(folder).get(name, ())
        if deep:
            for inner in self._folders.packages_below(folder).get(name, ()):
                yield from self._installed(inner, name)

    def _is_package(self, folder: Path, name: str) -> bool:
        return folder.name == name or self._folders.package_name(folder) == name

    def _installed(self, folder: Path, name: str) -> Iterator[Path]:
        """Yield ``folder``; before it the package's files where it is an install prefix (``pkg/share/pkg``)."""
        yield folder / "share" / name
        yield folder
