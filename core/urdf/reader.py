# SPDX-License-Identifier: GPL-3.0-or-later
"""A URDF file into a ``Robot``: the only place that knows the order in which the parts are read."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from ..diagnostics import Diagnostics
from ..errors import ResourceNotFoundError, UrdfError, UrdfSyntaxError, UrdfUnsupportedError
from ..model import PackagePaths, Robot
from .encoding import MAX_BYTES, text_of
from .joints import read_joint
from .links import read_link
from .materials import Materials
from .mimics import checked_mimics
from .remarks import note, quoted, tagged, warn
from .sensors import read_cameras
from .topology import check_tree, check_unique
from .xml import Element, parse_xml

NO_PACKAGE_PATHS = PackagePaths()
# what simulators and controllers put beside the model is expected there: nothing to remark on
_EXPECTED_TAGS = ("link", "joint", "material", "gazebo", "transmission", "ros2_control")
_OTHER_FORMATS = {"sdf": "SDF", "mujoco": "MuJoCo's MJCF", "COLLADA": "a mesh", "package": "a ROS package manifest"}


def read_urdf(path: Path | str, *, package_paths: PackagePaths = NO_PACKAGE_PATHS) -> Robot:
    """Return the robot that a file describes.

    Args:
        path: The file.
        package_paths: Kept in the robot, for finding its meshes.

    Raises:
        ResourceNotFoundError: If there is no such file, or it cannot be read.
        UrdfError: If it is no usable robot description; its ``diagnostics`` are the remarks up to there.
    """
    source = Path(path)
    return parse_urdf(read_bytes(source), file=str(source), source=source, package_paths=package_paths)


def read_bytes(path: Path) -> bytes:
    """Return the contents of a regular file of at most 64 MiB.

    Raises:
        ResourceNotFoundError: If there is none, or it cannot be read.
        UrdfSyntaxError: If it is larger.
    """
    try:
        if not path.is_file():
            reason = "it is a folder" if path.is_dir() else "there is no such file"
            raise ResourceNotFoundError(reason, file=str(path))
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise ResourceNotFoundError(f"the file cannot be read: {reason}", file=str(path)) from None
    if len(data) > MAX_BYTES:
        raise UrdfSyntaxError(f"larger than {MAX_BYTES >> 20} MiB; this is no robot description", file=str(path))
    return data


def parse_urdf(
    data: bytes | str,
    *,
    file: str = "",
    source: Path | None = None,
    package_paths: PackagePaths = NO_PACKAGE_PATHS,
) -> Robot:
    """Return the robot that a document describes.

    Args:
        data: The document; bytes are decoded as XML says.
        file: Name for messages.
        source: Where it was read from; its meshes are found from there.
        package_paths: Kept in the robot.

    Raises:
        UrdfError: If it is no usable robot description; its ``diagnostics`` are the remarks up to there.
    """
    text = data if isinstance(data, str) else text_of(data, file=file)
    root = parse_xml(text, file=file)
    if uses_xacro(root):
        raise UrdfUnsupportedError(
            "the file holds xacro, which must be expanded to URDF first", file=file, line=root.line, element=root.tag
        )
    return robot_of(root, urdf=text, file=file, source=source, package_paths=package_paths)


def uses_xacro(root: Element) -> bool:
    """Return whether a document has to be expanded: whether xacro is used in it, not only its namespace declared."""
    declared = "xmlns:xacro" in root.attributes
    for element in root.walk():
        if element.tag.startswith("xacro:"):
            return True
        if declared and any("${" in value or "$(" in value for value in element.attributes.values()):
            return True
    return False


def robot_of(
    root: Element, *, urdf: str, file: str, source: Path | None, package_paths: PackagePaths = NO_PACKAGE_PATHS
) -> Robot:
    """Return the robot that an element tree without xacro describes.

    Args:
        root: The ``<robot>``.
        urdf: The same as text.
        file: Name for messages.
        source: Where it was read from.
        package_paths: Kept in the robot.

    Raises:
        UrdfError: As ``parse_urdf``.
    """
    remarks = Diagnostics(file)
    try:
        return _robot(root, remarks, urdf, source, package_paths)
    except UrdfError as error:
        error.diagnostics = tuple(remarks)
        raise


def _robot(root: Element, remarks: Diagnostics, urdf: str, source: Path | None, package_paths: PackagePaths) -> Robot:
    if root.tag != "robot":
        actual = _OTHER_FORMATS.get(root.tag)
        message = f"the document is a {tagged(root.tag)}" + (f", {actual}," if actual else "") + " and not a <robot>"
        raise UrdfSyntaxError(message, file=root.file, line=root.line)
    name = _robot_name(root, source, remarks)
    _check_version(root, remarks)
    _note_other_elements(root, remarks)
    materials = Materials(root, remarks)
    links = tuple(read_link(element, materials, remarks) for element in root.all("link"))
    joints = tuple(read_joint(element, remarks) for element in root.all("joint"))
    check_unique(list(root.all("link")))
    check_unique(list(root.all("joint")))
    tree_root = check_tree(links, joints, root)
    joints = checked_mimics(joints, root, remarks)
    cameras = read_cameras(root, {link.name for link in links}, remarks)
    return Robot(name, links, joints, tree_root, tuple(remarks), source, urdf, package_paths, cameras)


def _robot_name(root: Element, source: Path | None, remarks: Diagnostics) -> str:
    name = root.attributes.get("name", "")
    if name.strip():
        return name
    name = (source.name.split(".")[0] if source is not None else "") or "robot"
    warn(remarks, root, f"the robot has no name; it is called {quoted(name)}", "robot")
    return name


def _check_version(root: Element, remarks: Diagnostics) -> None:
    version = root.attributes.get("version", "1.0").strip()
    major, _, minor = version.partition(".")
    if major != "1" or (minor and not minor.isdigit()):
        warn(remarks, root, f"URDF version {quoted(version)} is not known; the file is read as version 1.2", "robot")


def _note_other_elements(root: Element, remarks: Diagnostics) -> None:
    """Say in one line what else the file holds."""
    counts = Counter(child.tag for child in root.children if child.tag not in _EXPECTED_TAGS)
    if counts:
        shown = ", ".join(f"{tagged(tag)} ({count})" for tag, count in counts.most_common(12))
        note(remarks, root, f"elements that are no part of the model are skipped: {shown}", "robot")
