# SPDX-License-Identifier: GPL-3.0-or-later
"""The exception tree. Everything that a caller may want to catch derives from ``UrdfRigError``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .diagnostics import Diagnostic


class UrdfRigError(Exception):
    """Base of all errors that the project raises on purpose."""


class UrdfError(UrdfRigError):
    """A robot description that cannot be used.

    Args:
        message: What is wrong and how to put it right.
        file: Path of the description, or empty.
        line: 1-based line in the file, or 0 where it is not known.
        element: The element concerned, such as ``joint 'elbow'``.

    Attributes:
        diagnostics: Remarks from the reading that this error ended.
    """

    diagnostics: tuple[Diagnostic, ...] = ()

    def __init__(self, message: str, *, file: str = "", line: int = 0, element: str = "") -> None:
        self.message = message
        self.file = file
        self.line = line
        self.element = element
        place = f"{file}:{line}" if file and line else file
        super().__init__(": ".join(part for part in (place, element, message) if part))


class UrdfSyntaxError(UrdfError):
    """The file is not well-formed XML, or not a robot description at all."""


class UrdfReferenceError(UrdfError):
    """A name is used that nothing defines, is defined twice, or closes a loop."""


class UrdfValueError(UrdfError):
    """An attribute holds a value that cannot be used."""


class UrdfUnsupportedError(UrdfError):
    """The description uses something that this version does not read."""


class ResourceNotFoundError(UrdfError):
    """A file that the description names cannot be found."""


class MeshError(UrdfRigError):
    """A mesh file that cannot be decoded; the message says why."""


class ModelError(UrdfRigError):
    """A question to a robot model that it cannot answer."""


class UnknownNameError(ModelError):
    """A link or joint name that the robot does not have.

    Args:
        kind: ``link`` or ``joint``.
        name: The name asked for.
        known: The names that exist.
    """

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        self.kind = kind
        self.name = name
        self.known = tuple(known)
        shown = ", ".join(self.known[:12]) + (", …" if len(self.known) > 12 else "")
        super().__init__(f"there is no {kind} {name!r}; known: {shown}")


class JointValueError(ModelError):
    """A joint value of the wrong shape, not finite, or for a joint that has none."""


class RigError(UrdfRigError):
    """A rig in Blender that cannot be built or used."""
