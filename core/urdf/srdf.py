# SPDX-License-Identifier: GPL-3.0-or-later
"""SRDF files: finding the one beside a description, and reading it against the robot."""

from __future__ import annotations

import os
from pathlib import Path

from ..diagnostics import Diagnostics
from ..errors import UrdfError, UrdfSyntaxError, UrdfUnsupportedError
from ..model import Robot
from .folders import Folders, is_file
from .reader import read_bytes, uses_xacro
from .remarks import listed, note, quoted, tagged
from .semantics import DisabledPair, Semantics
from .srdf_groups import read_groups
from .srdf_states import read_states
from .xml import Element, parse_xml

_BESIDE = ("srdf", "config")
_SUFFIX = ".srdf"
_MOST_READ = 8
"""Files that are opened to see which robot they are for."""
_LARGEST_READ = 4 << 20


def find_srdf(source: Path, robot_name: str) -> Path | None:
    """Return the SRDF file that belongs to a description, or None.

    It lies in the same folder, in ``../srdf`` or in ``../config``, and is for a robot of that name, or is called as
    the description or the robot is, capitals aside. One for a robot of that name comes first, then one called as the
    description.

    Args:
        source: The description's file.
        robot_name: The robot's name in it.
    """
    stem, name = _stem(source), robot_name.casefold()
    disk = Folders()
    found = [
        folder / entry
        for folder in _folders(source)
        for entry in disk.entries(folder)
        if entry.lower().endswith(_SUFFIX)
    ]
    # stable: of two that are called alike, the one in the nearer folder stays first
    found.sort(key=lambda path: (_stem(path) != stem, _stem(path) != name))
    ranked = []
    for path in found[:_MOST_READ]:
        robot = _robot_in(path)
        if robot is not None and (robot.casefold() == name or _stem(path) in (stem, name)):
            rank = (robot != robot_name, robot.casefold() != name, _stem(path) != stem)
            ranked.append((rank, path))
    return min(ranked, key=lambda item: item[0])[1] if ranked else None


def _folders(source: Path) -> list[Path]:
    """Return where to look, nearest first; behind a symbolic link, beside its target too."""
    near = Path(os.path.normpath(source.parent.absolute()))
    try:
        real = source.resolve().parent
    except (OSError, RuntimeError):
        real = near
    folders = [folder for here in (near, real) for folder in (here, *(here.parent / name for name in _BESIDE))]
    return list(dict.fromkeys(folders))


def _stem(path: Path) -> str:
    name = path.name.casefold()
    for suffix in (".xacro", ".urdf", _SUFFIX):
        name = name.removesuffix(suffix)
    return name


def _robot_in(path: Path) -> str | None:
    """Return the robot's name in an SRDF file; None where it is no such file, or too large to look into."""
    try:
        if not is_file(path) or path.stat().st_size > _LARGEST_READ:
            return None
        root = parse_xml(read_bytes(path), file=str(path))
    except (OSError, UrdfError):
        return None
    return root.attributes.get("name", "") if root.tag == "robot" else None


def read_srdf(path: Path, robot: Robot) -> Semantics:
    """Return what an SRDF file says of a robot; what does not fit the robot is left out with a remark.

    Raises:
        ResourceNotFoundError: If there is no such file.
        UrdfError: If it is no SRDF file, or holds xacro.
    """
    root = parse_xml(read_bytes(path), file=str(path))
    if root.tag != "robot":
        raise UrdfSyntaxError(f"the document is a {tagged(root.tag)} and not a <robot>", file=str(path), line=root.line)
    if uses_xacro(root):
        message = "the file holds xacro, which must be expanded to SRDF first"
        raise UrdfUnsupportedError(message, file=str(path), line=root.line)
    remarks = Diagnostics(str(path))
    name = root.attributes.get("name", "")
    if name.casefold() != robot.name.casefold():
        note(remarks, root, f"the file is for a robot called {quoted(name)}", f"robot {quoted(robot.name)}")
    virtual = {element.attributes.get("name", "") for element in root.all("virtual_joint")}
    groups = read_groups(root, robot, virtual, remarks)
    states = read_states(root, robot, virtual, remarks)
    pairs = _disabled_pairs(root, robot, remarks)
    return Semantics(path, name, groups, states, pairs, tuple(remarks))


def _disabled_pairs(root: Element, robot: Robot, remarks: Diagnostics) -> tuple[DisabledPair, ...]:
    links = {link.name for link in robot.links}
    pairs: dict[tuple[str, str], DisabledPair] = {}
    unknown: dict[str, Element] = {}
    for element in root.all("disable_collisions"):
        first, second = (element.attributes.get(end, "") for end in ("link1", "link2"))
        strange = [name for name in (first, second) if name not in links]
        for name in strange:
            unknown.setdefault(name, element)
        if not strange and first != second:
            key = (min(first, second), max(first, second))
            pairs.setdefault(key, DisabledPair(first, second, element.attributes.get("reason", "")))
    if unknown:
        place = next(iter(unknown.values()))
        note(remarks, place, f"links that the robot does not have are passed over: {listed(list(unknown), 8)}", "")
    return tuple(pairs.values())
