# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading a robot description from disk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path

from .diagnostics import Diagnostic, Level
from .errors import UrdfError, UrdfReferenceError
from .model import PackagePaths, Robot
from .urdf import ResourceResolver, parse_urdf, urdf_text
from .urdf.encoding import text_of
from .urdf.reader import read_bytes, robot_of, uses_xacro
from .urdf.xml import Element, parse_xml
from .xacro import XacroArgument, expand_xacro, is_xacro, xacro_arguments

AnyPath = str | PathLike[str]


def load(
    path: AnyPath,
    *,
    packages: Mapping[str, AnyPath] | None = None,
    package_paths: Sequence[AnyPath] = (),
    xacro_args: Mapping[str, str] | None = None,
) -> Robot:
    """Return the robot that a file describes.

    >>> from urdf_rig import core
    >>> robot = core.load("examples/arm6/arm6.urdf")
    >>> robot.name, robot.root, len(robot.links), len(robot.dofs)
    ('arm6', 'base_link', 9, 6)

    Args:
        path: A URDF or xacro file; its contents decide which, not its name.
        packages: Folder of each package that the user names, before any search.
        package_paths: Further folders in which packages are looked for.
        xacro_args: Values for the arguments of a xacro file, in place of their defaults.

    Raises:
        UrdfError: If the description is refused; it names file, line, element and remedy.
    """
    places = PackagePaths(
        {name: Path(folder).absolute() for name, folder in (packages or {}).items()},
        tuple(Path(folder).absolute() for folder in package_paths),
    )
    source = Path(path)
    file = str(source)
    text = text_of(read_bytes(source), file=file)
    root = parse_xml(text, file=file)
    if uses_xacro(root):
        return _expanded(source, root, places, xacro_args or {})
    robot = robot_of(root, urdf=text, file=file, source=source, package_paths=places)
    return _with_remarks(robot, tuple(_vain(name, file) for name in xacro_args or {}))


def with_text(robot: Robot) -> Robot:
    """Return a robot together with its URDF text, which rigs store; one that has none is written and checked.

    Args:
        robot: A robot from a file or from memory.

    Raises:
        UrdfError: If a robot that was put together by hand is no usable one.
    """
    if robot.urdf:
        return robot
    file = robot.name if robot.source is None else str(robot.source)
    written = parse_urdf(urdf_text(robot), file=file, source=robot.source, package_paths=robot.package_paths)
    return replace(written, cameras=robot.cameras)


def arguments_of(path: AnyPath, *, package_paths: Sequence[AnyPath] = ()) -> tuple[XacroArgument, ...]:
    """Return the arguments that a xacro file declares, with their defaults; none for a file that is no xacro.

    Args:
        path: The file.
        package_paths: Folders in which packages are looked for.

    Raises:
        UrdfError: If the file cannot be read that far.
    """
    source = Path(path)
    if not is_xacro(read_bytes(source)):
        return ()
    folders = tuple(Path(folder).absolute() for folder in package_paths)
    resolver = ResourceResolver(source.parent, PackagePaths({}, folders))
    return xacro_arguments(source, resolver.find_package, folders)


def _expanded(source: Path, written: Element, places: PackagePaths, xacro_args: Mapping[str, str]) -> Robot:
    resolver = ResourceResolver(source.parent, places)
    folders = (*places.packages.values(), *places.folders)
    expansion = expand_xacro(source, xacro_args, resolver.find_package, folders)
    try:
        if expansion.root.first("link") is None and written.first("xacro:macro") is not None:
            message = "it only defines macros, for other files to include; open the file that calls them"
            raise UrdfReferenceError(message, file=str(source), line=written.line)
        robot = robot_of(expansion.root, urdf=expansion.text, file=str(source), source=source, package_paths=places)
    except UrdfError as error:
        error.diagnostics = (*expansion.diagnostics, *error.diagnostics)
        raise
    return _with_remarks(robot, expansion.diagnostics)


def _with_remarks(robot: Robot, remarks: tuple[Diagnostic, ...]) -> Robot:
    return replace(robot, diagnostics=(*remarks, *robot.diagnostics)) if remarks else robot


def _vain(name: str, file: str) -> Diagnostic:
    return Diagnostic(Level.WARNING, f"the description is no xacro, so the argument {name!r} is not used", file)
