# SPDX-License-Identifier: GPL-3.0-or-later
"""Bone names: unique, and short enough for Blender, which cuts names at 63 bytes."""

from __future__ import annotations

from collections.abc import Iterable

BONE_NAME_BYTES = 63


def shortened(name: str, limit: int = BONE_NAME_BYTES) -> str:
    """Return ``name`` cut to ``limit`` bytes of UTF-8, never inside a character."""
    return name.encode("utf-8", "replace")[:limit].decode("utf-8", "ignore")


def unique_names(names: Iterable[str], limit: int = BONE_NAME_BYTES) -> dict[str, str]:
    """Return a name of at most ``limit`` bytes for each of ``names``, no two alike.

    Names that fit are kept as they are, whatever their order; the others are cut and numbered.
    """
    names = list(names)
    taken = {name for name in names if len(name.encode("utf-8", "replace")) <= limit}
    chosen: dict[str, str] = {}
    for name in names:
        short = name if name in taken else shortened(name, limit)
        number = 0
        while name not in taken and short in taken:
            number += 1
            suffix = f"~{number}"
            short = shortened(name, limit - len(suffix)) + suffix
        taken.add(short)
        chosen[name] = short
    return chosen
