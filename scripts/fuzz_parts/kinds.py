# SPDX-License-Identifier: GPL-3.0-or-later
"""How each kind of file is mutated: by its structure where it has one, else by its bytes."""

from __future__ import annotations

import json
import random
import struct
from collections.abc import Callable
from typing import Any

from .raw import NUMBERS, mutated_bytes, mutated_numbers
from .trees import mutated_tree

Mutator = Callable[[bytes, random.Random, bytes], bytes]
_GLB_HEAD, _JSON = 12, b"JSON"
_ATOMS: tuple[Any, ...] = (None, True, -1, 0, 1, 3, 10**12, 1e308, 0.5, "", "a", [], {}, [0], [[0.0]], 5126, 5125, 4, 5)


def mutated(data: bytes, suffix: str, rng: random.Random, donor: bytes) -> bytes:
    """Return a file's content, changed.

    Args:
        data: The content.
        suffix: The file's extension, in small letters.
        rng: Decides everything.
        donor: The content of another file, of which pieces may be taken.
    """
    structured = _STRUCTURED.get(suffix)
    pick = rng.random()
    if structured is not None and pick < 0.6:
        data = structured(data, rng, donor)
    if structured is None or pick >= 0.5:
        data = mutated_bytes(data, rng, donor)
    return data


def _stl(data: bytes, rng: random.Random, donor: bytes) -> bytes:
    if data[:5] == b"solid" or len(data) < 84:
        return _text(data, rng, donor)
    count = rng.choice((0, 1, 0xFFFFFFFF, len(data), (len(data) - 84) // 50 + rng.choice((-1, 1))))
    body = data[84 : 84 + 50 * rng.randint(0, 200)] if rng.random() < 0.3 else data[84:]
    return rng.choice((data[:80], b"solid".ljust(80), b"facet solid".ljust(80))) + struct.pack("<I", count) + body


def _text(data: bytes, rng: random.Random, _donor: bytes) -> bytes:
    """Change numbers, and words of the first lines."""
    for _ in range(rng.randint(1, 5)):
        data = mutated_numbers(data, rng)
    lines = data.split(b"\n", 40)
    at = rng.randrange(len(lines))
    words = lines[at].split()
    if words and rng.random() < 0.5:
        words[rng.randrange(len(words))] = rng.choice(
            (b"", b"v", b"f", b"usemtl", b"list", b"uint8", b"vertex", b"end_header")
        )
        lines[at] = b" ".join(words)
    return b"\n".join(lines)


def _glb(data: bytes, rng: random.Random, _donor: bytes) -> bytes:
    """Change values anywhere in the JSON part, and keep the lengths right."""
    if len(data) < 20 or data[16:20] != _JSON:
        return data
    size = struct.unpack_from("<I", data, _GLB_HEAD)[0]
    try:
        document = json.loads(data[20 : 20 + size])
    except ValueError:
        return data
    for _ in range(rng.randint(1, 5)):
        _change(document, rng)
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    rest = data[20 + size :]
    head = struct.pack("<4sIII4s", data[:4], 2, 20 + len(text) + len(rest), len(text), _JSON)
    return head + text + rest


def _gltf(data: bytes, rng: random.Random, _donor: bytes) -> bytes:
    try:
        document = json.loads(data)
    except ValueError:
        return data
    for _ in range(rng.randint(1, 5)):
        _change(document, rng)
    return json.dumps(document).encode()


def _change(document: object, rng: random.Random) -> None:
    """Replace, remove or double one value at a random depth."""
    at: Any = document
    while isinstance(at, dict | list) and at:
        key = rng.choice(list(at)) if isinstance(at, dict) else rng.randrange(len(at))
        below = at[key]
        if isinstance(below, dict | list) and below and rng.random() < 0.85:
            at = below
            continue
        pick = rng.random()
        if pick < 0.6:
            at[key] = rng.choice(_ATOMS)
        elif pick < 0.75:
            del at[key]
        elif isinstance(at, list):
            at.extend([below] * rng.choice((1, 1000)))
        else:
            at[key] = rng.choice(NUMBERS)
        return


_STRUCTURED: dict[str, Mutator] = {
    ".urdf": mutated_tree, ".xacro": mutated_tree, ".srdf": mutated_tree, ".dae": mutated_tree, ".stl": _stl,
    ".obj": _text, ".mtl": _text, ".ply": _text, ".glb": _glb, ".gltf": _gltf,
}  # fmt: skip
