# SPDX-License-Identifier: GPL-3.0-or-later
"""Mutations of XML documents element by element, so that what comes out gets past the XML parser."""

from __future__ import annotations

import copy
import random
import xml.etree.ElementTree as ET

from .raw import NUMBERS, mutated_numbers

_MAX_ELEMENTS = 20_000
_TEXTS = (
    "", " ", "a b", "\u202e", "ж" * 3000, "../" * 40 + "etc/passwd", "/dev/zero", "/", ".", "file:///dev/zero",
    "package://", "package:///", "package://a", "model://a/b.stl", "http://localhost/a.stl", "%00", "%",
    "\\\\server\\a.stl", "C:\\a.stl", "${9**9**9}", "${1/0}", "${[0] * 10**9}", "$(find a)", "$(arg a)",
    "$(env HOME)", "$$(", "${a", "${'a' * 10**9}", "${lambda: 0}", "${load_yaml('/dev/zero')}",
)  # fmt: skip
_TAGS = (
    "robot", "link", "joint", "visual", "collision", "geometry", "mesh", "origin", "axis", "limit", "mimic",
    "material", "color", "texture", "inertial", "inertia", "mass", "sensor", "camera", "gazebo", "capsule",
    "xacro:if", "xacro:macro", "xacro:include", "xacro:property", "xacro:insert_block", "COLLADA", "p", "node",
    "float_array", "instance_node",
)  # fmt: skip
_XACRO = "http://www.ros.org/wiki/xacro"


def mutated_tree(data: bytes, rng: random.Random, donor: bytes) -> bytes:
    """Return the document after one to six mutations of its elements; unparsable ones come back unchanged."""
    root = _parsed(data)
    if root is None:
        return data
    other = _parsed(donor)
    for _ in range(rng.randint(1, 6)):
        rng.choice(_MUTATIONS)(root, rng, root if other is None else other)
    return ET.tostring(root, encoding="utf-8" if rng.random() < 0.95 else "utf-16")


def _parsed(data: bytes) -> ET.Element | None:
    try:
        return ET.fromstring(data)
    except (ET.ParseError, ValueError, LookupError):  # a declared encoding that does not exist is a LookupError
        return None


def _any(root: ET.Element, rng: random.Random) -> ET.Element:
    return rng.choice(list(root.iter()))


def _parent(root: ET.Element, rng: random.Random) -> ET.Element:
    return rng.choice([element for element in root.iter() if len(element)] or [root])


def _room(root: ET.Element, *more: ET.Element) -> bool:
    return sum(1 for _ in root.iter()) + sum(1 for each in more for _ in each.iter()) < _MAX_ELEMENTS


def _delete(root: ET.Element, rng: random.Random, _other: ET.Element) -> None:
    parent = _parent(root, rng)
    if len(parent):
        parent.remove(rng.choice(list(parent)))


def _graft(root: ET.Element, rng: random.Random, other: ET.Element) -> None:
    """Copy an element of this or of another document to anywhere."""
    branch = copy.deepcopy(_any(rng.choice((root, other)), rng))
    if _room(root, branch):
        target = _any(root, rng)
        target.insert(rng.randint(0, len(target)), branch)


def _double(root: ET.Element, rng: random.Random, _other: ET.Element) -> None:
    parent = _parent(root, rng)
    if len(parent):
        child = rng.choice(list(parent))
        for _ in range(rng.choice((1, 1, 1, 200))):
            if _room(root, child):
                parent.append(copy.deepcopy(child))


def _swap(root: ET.Element, rng: random.Random, _other: ET.Element) -> None:
    parent = _parent(root, rng)
    rng.shuffle(children := list(parent))
    parent[:] = children


def _retag(root: ET.Element, rng: random.Random, other: ET.Element) -> None:
    tag = rng.choice(_TAGS) if rng.random() < 0.6 else _any(other, rng).tag
    _any(root, rng).tag = f"{{{_XACRO}}}{tag[6:]}" if tag.startswith("xacro:") else tag


def _value(root: ET.Element, rng: random.Random, _other: ET.Element) -> None:
    owner = rng.choice([element for element in root.iter() if element.attrib] or [root])
    name = rng.choice(list(owner.attrib) or ["name"])
    pick = rng.random()
    if pick < 0.3:
        owner.set(name, rng.choice(_TEXTS))
    elif pick < 0.55:
        owner.set(name, " ".join(rng.choice(NUMBERS) for _ in range(rng.choice((1, 3, 3, 4)))))
    elif pick < 0.75:
        text = mutated_numbers(owner.get(name, "").encode(), rng)
        owner.set(name, text.decode("utf-8", "replace"))
    else:  # a value that another element has: names clash, loops close
        donor = rng.choice([element for element in root.iter() if element.attrib] or [root])
        owner.set(name, rng.choice(list(donor.attrib.values()) or [""]))


def _attribute(root: ET.Element, rng: random.Random, _other: ET.Element) -> None:
    owner = rng.choice([element for element in root.iter() if element.attrib] or [root])
    if owner.attrib:
        name = rng.choice(list(owner.attrib))
        value = owner.attrib.pop(name)
        if rng.random() < 0.4:
            owner.set(rng.choice(("name", "type", "link", "xyz", "filename", "value", "source", "quat_xyzw")), value)


def _text(root: ET.Element, rng: random.Random, _other: ET.Element) -> None:
    element = _any(root, rng)
    kept = (element.text or "").encode("utf-8", "replace")
    changed = mutated_numbers(kept, rng).decode("utf-8", "replace")
    element.text = changed if kept.strip() else rng.choice(_TEXTS)


def _nest(root: ET.Element, rng: random.Random, _other: ET.Element) -> None:
    at = _any(root, rng)
    for _ in range(rng.choice((3, 30, 150))):  # six times are deeper than the core reads, not than ElementTree writes
        at = ET.SubElement(at, at.tag, at.attrib)


_MUTATIONS = (
    _delete, _delete, _graft, _graft, _double, _swap, _retag, _value, _value, _value, _value, _attribute,
    _attribute, _text, _text, _nest,
)  # fmt: skip
