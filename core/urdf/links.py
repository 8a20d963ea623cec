# SPDX-License-Identifier: GPL-3.0-or-later
"""``<link>`` elements with their shapes and inertia."""

from __future__ import annotations

import numpy as np

from ..diagnostics import Diagnostics
from ..errors import UrdfError
from ..model import Inertial, Link
from .materials import Materials
from .origins import read_origin
from .remarks import only, quoted, warn
from .shapes import read_shapes
from .values import name_of, number
from .xml import Element


def read_link(element: Element, materials: Materials, remarks: Diagnostics) -> Link:
    """Return the link that ``element`` describes.

    Raises:
        UrdfValueError: If it has no name. Bad shapes and a bad inertia are left out with a warning.
    """
    name = name_of(element)
    who = f"link {quoted(name)}"
    return Link(
        name=name,
        visuals=read_shapes(element, "visual", materials, remarks, who),
        collisions=read_shapes(element, "collision", materials, remarks, who),
        inertial=_inertial(element, remarks, who),
        line=element.line,
    )


def _inertial(link: Element, remarks: Diagnostics, who: str) -> Inertial | None:
    element = only(link, "inertial", remarks, who)
    if element is None:
        return None
    mass, inertia = only(element, "mass", remarks, who), only(element, "inertia", remarks, who)
    missing = [tag for tag, part in (("mass", mass), ("inertia", inertia)) if part is None]
    if mass is None or inertia is None:
        warn(remarks, element, f"<inertial> has no <{'> and no <'.join(missing)}>; it is left out", who)
        return None
    try:
        xx, xy, xz, yy, yz, zz = (number(inertia, name, who) for name in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz"))
        matrix = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        matrix.setflags(write=False)
        return Inertial(number(mass, "value", who), read_origin(element, remarks, who), matrix)
    except UrdfError as error:
        warn(remarks, element, f"{error.message}; the <inertial> is left out", who)
        return None
