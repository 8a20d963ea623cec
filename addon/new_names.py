# SPDX-License-Identifier: GPL-3.0-or-later
"""What links and joints are called now, for all that remembers them by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True, eq=False)
class NewNames:
    """The names in a changed description.

    Attributes:
        links: By the old names; links that are gone are missing.
        joints: The same of joints.
    """

    links: Mapping[str, str]
    joints: Mapping[str, str]

    def link(self, name: str) -> str:
        """Return a link's name now; that of one that is gone stays."""
        return self.links.get(name, name)

    def joint(self, name: str) -> str:
        """Return a joint's name now; that of one that is gone stays."""
        return self.joints.get(name, name)

    def by_joint(self, table: Mapping[str, Value]) -> dict[str, Value]:
        """Return a table by the joints' names now; one that is gone stays in it until another takes its name."""
        taken = {self.joints[name] for name in table if name in self.joints}
        return {self.joint(name): value for name, value in table.items() if name in self.joints or name not in taken}
