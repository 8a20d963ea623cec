# SPDX-License-Identifier: GPL-3.0-or-later
"""Cameras in ``<gazebo reference="link">`` blocks. Other sensors, plugins and settings there mean nothing here.

Source: sdformat.org/spec, ``<sensor>`` and ``<camera>``; what is missing there has SDFormat's default.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator

import numpy as np
from numpy.typing import NDArray

from ..diagnostics import Diagnostics
from ..errors import UrdfError
from ..model import Camera
from ..spatial import rotation_from_quaternion, rotation_from_rpy, transform
from .remarks import note, quoted, value_error, warn
from .values import numbers
from .xml import Element

_OLD_TAG = "sensor:camera"
_FOV, _WIDTH, _HEIGHT, _NEAR, _FAR = 1.047, 320.0, 240.0, 0.1, 100.0
_MOST_PIXELS = 65_536
_TRUE = ("true", "1")


def read_cameras(root: Element, links: Collection[str], remarks: Diagnostics) -> tuple[Camera, ...]:
    """Return the usable cameras in document order; one that is not is left out with a warning.

    Args:
        root: The ``<robot>``.
        links: The names of its links.
        remarks: Takes the warnings.
    """
    cameras: dict[tuple[str, str], Camera] = {}
    for block in root.all("gazebo"):
        for name, sensor, element in _found(block):
            who = f"camera {quoted(name)}"
            try:
                camera = _camera(block, sensor, element, name, links, who)
            except UrdfError as error:
                warn(remarks, element, f"{error.message}; the camera is left out", who)
                continue
            if (camera.link, name) in cameras:
                note(remarks, element, "there is another camera of this name on its link; the first is used", who)
                continue
            cameras[camera.link, name] = camera
            if camera.horizontal_fov >= math.pi:
                angle = math.degrees(camera.horizontal_fov)
                warn(remarks, element, f"no flat image shows {angle:.4g} degrees; it is narrowed", who)
    return tuple(cameras.values())


def _found(block: Element) -> Iterator[tuple[str, Element, Element]]:
    """Yield each camera's name, its sensor, and the element with its optics."""
    for sensor in block.children:
        name = sensor.attributes.get("name", "").strip() or "camera"
        if sensor.tag == _OLD_TAG:
            yield name, sensor, sensor
        elif sensor.tag == "sensor":
            inner = list(sensor.all("camera"))
            for index, element in enumerate(inner, start=1):
                own = element.attributes.get("name", "").strip() or index
                yield name if len(inner) == 1 else f"{name} {own}", sensor, element


def _camera(block: Element, sensor: Element, camera: Element, name: str, links: Collection[str], who: str) -> Camera:
    link = block.attributes.get("reference", "").strip()
    if link not in links:
        found = f"is {quoted(link)}, which is no link" if link else "is missing"
        raise value_error(block, f"the reference of its <gazebo> block {found}", who)
    fov, width, height, near, far = (_old_optics if camera.tag == _OLD_TAG else _optics)(camera, who)
    if not 0.0 < fov <= 2.0 * math.pi:
        raise value_error(camera, f"a horizontal field of view of {fov:g} rad is none", who)
    if not 0.0 <= near < far:
        raise value_error(camera, f"it sees from {near:g} m to {far:g} m, which is nothing", who)
    if not (1 <= width <= _MOST_PIXELS and 1 <= height <= _MOST_PIXELS):
        raise value_error(camera, f"an image of {width:g} times {height:g} pixels is none", who)
    with np.errstate(over="ignore", invalid="ignore"):
        h = _pose(sensor, link, who)
        if camera is not sensor:
            h = h @ _pose(camera, link, who)
    if not np.isfinite(h).all():
        raise value_error(camera, "its pose is too far away", who)
    h.setflags(write=False)
    return Camera(name, link, h, fov, round(width), round(height), near, far, camera.line)


def _optics(camera: Element, who: str) -> tuple[float, float, float, float, float]:
    """Return field of view [rad], width, height, and the nearest and farthest distance [m]."""
    image, clip = camera.first("image"), camera.first("clip")
    return (
        _number(camera, "horizontal_fov", _FOV, who),
        _number(image, "width", _WIDTH, who),
        _number(image, "height", _HEIGHT, who),
        _number(clip, "near", _NEAR, who),
        _number(clip, "far", _FAR, who),
    )


def _old_optics(sensor: Element, who: str) -> tuple[float, float, float, float, float]:
    """Return the same of a ``<sensor:camera>``, which is older than SDFormat and has its angle in degrees."""
    size = sensor.first("imageSize")
    width, height = (_WIDTH, _HEIGHT) if size is None else _numbers(size, 2, who)
    fov = math.radians(_number(sensor, "hfov", math.degrees(_FOV), who))
    return fov, width, height, _number(sensor, "nearClip", _NEAR, who), _number(sensor, "farClip", _FAR, who)


def _number(parent: Element | None, tag: str, default: float, who: str) -> float:
    element = None if parent is None else parent.first(tag)
    return default if element is None else _numbers(element, 1, who)[0]


def _pose(parent: Element, link: str, who: str) -> NDArray[np.float64]:
    """Return the transform (4, 4) in the ``<pose>`` child of ``parent``; the identity where there is none."""
    element = parent.first("pose")
    if element is None or not element.text.strip():
        return np.eye(4)
    frame = element.attributes.get("relative_to", element.attributes.get("frame", "")).strip()
    if frame not in ("", link):
        raise value_error(element, f"its pose is given in {quoted(frame)} and not in its link", who)
    if element.attributes.get("rotation_format", "euler_rpy").strip() == "quat_xyzw":
        *xyz, x, y, z, w = _numbers(element, 7, who)
        largest = max(map(abs, (x, y, z, w)))
        if largest == 0.0:
            raise value_error(element, "a zero quaternion is no rotation", who)
        return transform(rotation_from_quaternion([part / largest for part in (w, x, y, z)]), xyz)
    values = _numbers(element, 6, who)
    rpy = np.array(values[3:])
    if element.attributes.get("degrees", "").strip().lower() in _TRUE:
        rpy = np.radians(rpy)
    return transform(rotation_from_rpy(rpy), values[:3])


def _numbers(element: Element, count: int, who: str) -> tuple[float, ...]:
    """Return the numbers in an element's text, as SDFormat writes them."""
    return numbers(Element(element.tag, {"text": element.text}, element.file, element.line), "text", count, who)
