# SPDX-License-Identifier: GPL-3.0-or-later
"""A pose as text for people, for Python and as JSON: metres and radians, quaternions ``w x y z``."""

from __future__ import annotations

import json
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from ..core.spatial import quaternion_from_rotation, rpy_from_rotation

Array = NDArray[np.float64]

FORMS = ("TEXT", "PYTHON", "JSON")
_DIGITS = 9


def pose_text(pose: Array, link: str, reference: str | None, form: str) -> str:
    """Return ``R_H_L``, shape (4, 4) [m], in one of ``FORMS``.

    Names come from robot files: in Python they are written as literals, so that pasting runs nothing of theirs.
    """
    parts: dict[str, object] = {
        "xyz": _plain(pose[:3, 3]),
        "rpy": _plain(rpy_from_rotation(pose[:3, :3])),
        "quat_wxyz": _plain(quaternion_from_rotation(pose[:3, :3])),
        "matrix": [_plain(row) for row in pose],
    }
    if form == "JSON":
        return json.dumps({"frame": link, "reference": reference, **parts}, ensure_ascii=False)
    if form == "PYTHON":
        units = {"xyz": "  # m", "rpy": "  # rad"}
        lines = [f"frame, reference = {link!r}, {reference!r}  # None: the world"]
        return "\n".join([*lines, *(f"{name} = {value}{units.get(name, '')}" for name, value in parts.items())]) + "\n"
    title = f"{link} in {'the world' if reference is None else reference}"
    rows = [
        ("xyz [m]", pose[:3, 3]),
        ("rpy [rad]", rpy_from_rotation(pose[:3, :3])),
        ("quaternion wxyz", quaternion_from_rotation(pose[:3, :3])),
        *((("matrix" if index == 0 else ""), row) for index, row in enumerate(pose)),
    ]
    return "\n".join([title, *(f"{name:<16}{_columns(row)}".rstrip() for name, row in rows)]) + "\n"


def _plain(values: Iterable[float]) -> list[float]:
    """Return the numbers with as many digits as Blender has, and no minus before zero."""
    return [round(float(value), _DIGITS) + 0.0 for value in values]


def _columns(values: Iterable[float]) -> str:
    return "".join(f"{value:14.9f}" for value in _plain(values))
