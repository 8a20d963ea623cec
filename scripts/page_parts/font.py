# SPDX-License-Identifier: GPL-3.0-or-later
"""The font for formulas, cut down to what a page uses: brackets and roots grow only with an OpenType MATH table.

STIX Two Math is under the SIL Open Font License, which allows this.
"""

from __future__ import annotations

import io
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

from fontTools import subset as fonttools
from fontTools.ttLib import TTFont

# letters are written upright in MathML and shown in italics: those glyphs are needed as well
_ITALIC = {chr(code): chr(0x1D434 + code - 65) for code in range(65, 91)}
_ITALIC |= {chr(code): chr(0x1D44E + code - 97) for code in range(97, 123)} | {"h": "\u210e"}
_GREEK = {chr(0x03B1 + index): chr(0x1D6FC + index) for index in range(25)} | {"ϵ": "\U0001d716"}


def subset(characters: Iterable[str]) -> bytes:
    """Return a WOFF file with the glyphs for ``characters``."""
    wanted = set(characters) | {"√"}  # which stands in no text
    wanted |= {table[character] for table in (_ITALIC, _GREEK) for character in wanted if character in table}
    font = TTFont(_path())
    options = fonttools.Options()
    options.flavor = "woff"
    options.layout_features = ["ssty", "dtls"]
    options.hinting = False
    options.name_IDs = [0, 13, 14]  # copyright and licence stay
    cutter = fonttools.Subsetter(options)
    cutter.populate(text="".join(wanted))
    cutter.subset(font)
    font.flavor = "woff"
    out = io.BytesIO()
    font.save(out)
    return out.getvalue()


def _path() -> Path:
    """Return the whole font, which the package ``ziamath`` brings along; its code is not used."""
    package = find_spec("ziamath")
    assert package is not None
    assert package.origin is not None
    return Path(package.origin).parent / "fonts" / "STIXTwoMath-Regular.ttf"
