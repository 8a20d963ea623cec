# SPDX-License-Identifier: GPL-3.0-or-later
"""Bytes of an XML file into text, by the byte order mark or the declaration as XML 1.0 says."""

from __future__ import annotations

import codecs
import re

from ..errors import UrdfSyntaxError

MAX_BYTES = 64 << 20

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_UNMARKED = ((b"<\0", "utf-16-le"), (b"\0<", "utf-16-be"))
_DECLARED = re.compile(rb"""\s*<\?xml[^>]{1,200}?encoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']""")
_DECLARATION = re.compile(r"""(\s*<\?xml[^>]{1,200}?encoding\s*=\s*["'])([A-Za-z0-9._-]{1,40})""")
# Character sets only: Python's other codecs (punycode, unicode_escape, …) are no encodings of an XML file.
_CHARACTER_SET = re.compile(
    r"utf-(8|8-sig|16|16-[lb]e)|ascii|iso8859-\d+|cp\d+|koi8-[rtu]|mac-[a-z]+|gb2312|gbk|gb18030|big5(hkscs)?"
    r"|shift_jis(x0213|_2004)?|euc_j(p|is_2004|isx0213)|euc_kr|johab|hz|iso2022_\w+|tis-620|hp-roman8"
)


def text_of(data: bytes, *, file: str = "") -> str:
    """Decode an XML document; the result's declaration, if it names an encoding, says UTF-8.

    Raises:
        UrdfSyntaxError: If it is too large, the encoding is not known, or the bytes do not fit it.
    """
    if len(data) > MAX_BYTES:
        raise UrdfSyntaxError(f"larger than {MAX_BYTES >> 20} MiB; this is no robot description", file=file)
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _utf8_declared(_decoded(data[len(mark) :], encoding, file))
    for start, encoding in _UNMARKED:
        if data.startswith(start):
            return _utf8_declared(_decoded(data, encoding, file))
    return _utf8_declared(_decoded(data, _declared_encoding(data, file), file))


def _declared_encoding(data: bytes, file: str) -> str:
    found = _DECLARED.match(data)
    if found is None:
        return "utf-8"
    declared = found[1].decode("ascii")
    try:
        name = codecs.lookup(declared).name
    except LookupError:
        name = ""
    if not _CHARACTER_SET.fullmatch(name):
        raise UrdfSyntaxError(f"the encoding {declared!r} is not known; save the file as UTF-8", file=file, line=1)
    # The declaration was legible as ASCII, so the file is not in UTF-16 whatever it says.
    return "utf-8" if name.startswith("utf-") else name


def _decoded(data: bytes, encoding: str, file: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise UrdfSyntaxError(
            f"the bytes do not fit the encoding {encoding}: {error.reason}; "
            "save the file as UTF-8, or declare its encoding in the first line",
            file=file,
            line=data.count(b"\n", 0, error.start) + 1,
        ) from None


def _utf8_declared(text: str) -> str:
    return _DECLARATION.sub(lambda found: found[1] + "UTF-8", text, count=1) if _DECLARATION.match(text) else text
