# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists of property groups, as Blender's collection properties are, for type checkers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol, TypeVar

Item = TypeVar("Item", covariant=True)


class ItemList(Protocol[Item]):
    """What a ``CollectionProperty`` gives."""

    def __len__(self) -> int:
        """Return the number of items."""

    def __iter__(self) -> Iterator[Item]:
        """Go through the items."""

    def __getitem__(self, index: int) -> Item:
        """Return an item by its place."""

    def add(self) -> Item:
        """Return a new item at the end."""

    def remove(self, index: int) -> None:
        """Remove an item by its place."""

    def move(self, source: int, target: int) -> None:
        """Move an item to another place."""

    def find(self, key: str) -> int:
        """Return the place of the first item with a name; -1 where there is none."""
