# SPDX-License-Identifier: GPL-3.0-or-later
"""Material names. The table is made before any visual is coloured, so that the place of a definition does not matter.

Robot-level definitions come first wherever they stand, then inline ones; of two with one name the first in the
document counts, as in RViz, and a warning says where another look is not shown. A nameless material belongs to its
visual alone.
"""

from __future__ import annotations

from ..diagnostics import Diagnostics
from ..errors import UrdfError
from ..meshes.data import Rgba
from ..model import Material
from .remarks import only, quoted, warn
from .values import attribute_error, missing_attribute, numbers
from .xml import Element


class Materials:
    """The named materials of one robot.

    Args:
        robot: The ``<robot>`` element.
        remarks: Takes the warnings.
    """

    def __init__(self, robot: Element, remarks: Diagnostics) -> None:
        self._remarks = remarks
        self._named: dict[str, tuple[Material, Element]] = {}
        self._bad_names: set[str] = set()
        for element in robot.all("material"):
            self._add_robot_level(element)
        for link in robot.all("link"):
            for visual in link.all("visual"):
                self._add_inline(visual.first("material"))

    def of_visual(self, visual: Element, who: str) -> Material | None:
        """Return what the visual shows; None is the default look."""
        element = only(visual, "material", self._remarks, who)
        if element is None:
            return None
        name = element.attributes.get("name")
        own = self._contents(element, f"material {quoted(name)} of {who}" if name else who)
        if name is None:
            warn(self._remarks, element, "the material has no name; it is used for this visual alone", who)
        if not name:
            return own
        if name not in self._named:
            if name not in self._bad_names:
                message = f"the material {quoted(name)} is not defined anywhere; the default look is shown"
                warn(self._remarks, element, message, who)
            return None
        material, place = self._named[name]
        if own is not None and own != material:
            message = f"its own look for material {quoted(name)} is not used; line {place.line} defined that name first"
            warn(self._remarks, element, message, who)
        return material

    def _add_robot_level(self, element: Element) -> None:
        name = element.attributes.get("name")
        who = f"material {quoted(name)}" if name else "material"
        if not name:
            warn(self._remarks, element, "a material of the robot has no name and cannot be used; name it", who)
            return
        material = self._contents(element, who)
        if material is None:
            if name not in self._bad_names:
                message = "it has neither a usable colour nor a texture; the default look is shown"
                warn(self._remarks, element, message, who)
            self._bad_names.add(name)
        elif name not in self._named:
            self._named[name] = (material, element)
        elif material != self._named[name][0]:
            line = self._named[name][1].line
            warn(self._remarks, element, f"it is defined before in line {line} with another look, which is shown", who)

    def _add_inline(self, element: Element | None) -> None:
        name = element.attributes.get("name") if element is not None else None
        if element is None or not name or name in self._named:
            return
        material = self._contents(element, "")
        if material is not None:
            self._named[name] = (material, element)

    def _contents(self, element: Element, who: str) -> Material | None:
        """Return the look that the element itself gives; with ``who`` empty, bad colours are not remarked on."""
        texture = element.first("texture")
        filename = texture.attributes.get("filename", "").strip() if texture is not None else ""
        rgba: Rgba | None = None
        color = element.first("color")
        if color is not None:
            try:
                rgba = _rgba(color, who)
            except UrdfError as error:
                self._bad_names.add(element.attributes.get("name", ""))
                if who:
                    warn(self._remarks, color, f"{error.message}; the colour is not used", who)
        if rgba is None and not filename:
            return None
        return Material(element.attributes.get("name", ""), rgba, filename or None)


def _rgba(color: Element, who: str) -> Rgba:
    if "rgba" not in color.attributes:
        raise missing_attribute(color, "rgba", who)
    red, green, blue, alpha = numbers(color, "rgba", 4, who)
    if not all(0.0 <= component <= 1.0 for component in (red, green, blue, alpha)):
        raise attribute_error(color, "rgba", "components are between 0 and 1", who)
    return red, green, blue, alpha
