# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading a robot description from disk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path

from .model import PackagePaths, Robot
from .urdf import read_urdf

AnyPath = str | PathLike[str]


def load(
    path: AnyPath,
    *,
    packages: Mapping[str, AnyPath] | None = None,
    package_paths: Sequence[AnyPath] = (),
) -> Robot:
    """Return the robot that a file describes.

    Args:
        path: A URDF file.
        packages: Folder of each package that the user names, before any search.
        package_paths: Further folders in which packages are looked for.

    Raises:
        UrdfError: If the description is refused; it names file, line, element and remedy.
    """
    places = PackagePaths(
        {name: Path(folder).absolute() for name, folder in (packages or {}).items()},
        tuple(Path(folder).absolute() for folder in package_paths),
    )
    return read_urdf(Path(path), package_paths=places)
