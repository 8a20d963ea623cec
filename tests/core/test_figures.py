# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures: pixels where lines are, PNG as another reader decodes it, SVG that is well-formed, letters."""

from __future__ import annotations

import string
import struct
import xml.etree.ElementTree as ET
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from urdf_rig.core.figures import Figure, nice_ticks, png_bytes, rasterised, svg_text
from urdf_rig.core.figures.strokes import _GLYPHS, text_strokes

BLACK, RED = (0, 0, 0), (200, 0, 0)


def test_lines_and_rectangles_are_where_they_should_be():
    figure = Figure(40, 30)
    figure.rectangle(2, 3, 5, 4, RED)
    figure.line([[10.0, 15.5], [30.0, 15.5]], BLACK, 1.0)
    image = rasterised(figure)
    assert image.shape == (30, 40, 3)
    assert (image[3:7, 2:7] == RED).all()
    assert (image[2, 2:7] == 255).all()
    assert (image[7, 2:7] == 255).all()
    assert (image[15, 11:29] == 0).all()  # the row whose centres are at 15.5
    assert (image[[13, 17], 11:29] == 255).all()
    assert (rasterised(figure, 2.0)[6:14, 4:14] == RED).all()


def test_an_oblique_line_covers_as_much_as_it_is_long_and_wide():
    figure = Figure(100, 100)
    figure.line([[20.0, 20.0], [80.0, 65.0]], BLACK, 3.0)  # 75 long
    ink = (255.0 - rasterised(figure)[..., 0]).sum() / 255.0
    assert ink == pytest.approx(75.0 * 3.0 + np.pi * 1.5**2, rel=0.02)


def test_dashes_leave_gaps():
    figure = Figure(100, 9)
    figure.line([[0.0, 4.5], [100.0, 4.5]], BLACK, 1.0, dashed=True)
    row = rasterised(figure)[4, :, 0]
    # gaps of 4 in 10 pixels, less the dashes' round ends
    assert 0.2 < (row > 200).mean() < 0.4


def test_what_lies_outside_is_cut_off_and_giants_are_refused():
    figure = Figure(10, 10)
    figure.line([[-50.0, -50.0], [-20.0, -20.0]], BLACK)
    figure.line([[5.5, -50.0], [5.5, 50.0]], BLACK)
    figure.rectangle(-5, -5, 3, 3, RED)
    assert (rasterised(figure)[:, 5] < 200).all()
    with pytest.raises(ValueError, match="too large"):
        rasterised(Figure(10_000, 10_000))


def test_a_png_is_what_the_format_says():
    rng = np.random.default_rng(0)
    image = rng.integers(0, 256, size=(7, 5, 3), dtype=np.uint8)
    data = png_bytes(image)
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, chunks = 8, {}
    while at < len(data):
        (size,) = struct.unpack(">I", data[at : at + 4])
        kind, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + size]
        assert struct.unpack(">I", data[at + 8 + size : at + 12 + size])[0] == zlib.crc32(kind + body)
        chunks[kind], at = body, at + 12 + size
    assert list(chunks) == [b"IHDR", b"IDAT", b"IEND"]
    assert struct.unpack(">IIBBBBB", chunks[b"IHDR"]) == (5, 7, 8, 2, 0, 0, 0)
    rows = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), np.uint8).reshape(7, 16)
    assert (rows[:, 0] == 0).all()
    assert (rows[:, 1:].reshape(7, 5, 3) == image).all()


def test_svg_keeps_any_words():
    figure = Figure(50, 20)
    figure.text(1, 2, 'a<b> & "c"\x00', 12, BLACK, bold=True)
    figure.line([[0, 0], [1, 1]], RED, dashed=True)
    figure.rectangle(1, 2, 3, 4, RED)
    root = ET.fromstring(svg_text(figure))
    space = "{http://www.w3.org/2000/svg}"
    assert [item.text for item in root.iter(f"{space}text")] == ['a<b> & "c"?']
    assert root.find(f"{space}polyline").get("stroke") == "#c80000"


def test_every_letter_has_a_glyph_of_its_own_within_the_grid():
    missing = set(string.ascii_letters + string.digits + "_-.,/()[]:°²±…−") - set(_GLYPHS)
    assert missing == set()
    for letter, text in _GLYPHS.items():
        for stroke in text.split():
            assert len(stroke) % 2 == 0 and len(stroke) >= 4, letter
            assert all(0 <= int(x) <= 4 and 0 <= int(y) <= 8 for x, y in zip(stroke[::2], stroke[1::2], strict=True))
    distinct = {letter: text for letter, text in _GLYPHS.items() if letter not in "0−–"}
    assert len(set(distinct.values())) == len(distinct)


def test_words_have_a_width_and_capitals_a_height():
    strokes, width = text_strokes("HH", 100.0)
    points = np.concatenate(strokes)
    assert points[:, 1].min() == pytest.approx(-72.0)
    assert points[:, 1].max() == 0.0
    assert points[:, 0].max() == pytest.approx(width)
    assert text_strokes("", 10.0) == ([], 0.0)
    assert text_strokes("手", 10.0)[0]


@given(st.floats(-1e6, 1e6), st.floats(1e-6, 1e6), st.integers(2, 10))
def test_ticks_are_round_and_cover_the_range(low, span, most):
    high = low + span
    if high - low < 1e-9 * abs(low):
        return
    ticks = nice_ticks(low, high, most)
    assert all(low - 1e-6 * span <= tick <= high + 1e-6 * span for tick in ticks)
    assert len(ticks) <= most + 1
    if len(ticks) > 1 and span > 1e-3:
        steps = np.diff(ticks)
        assert steps == pytest.approx(np.full(len(steps), steps[0]), rel=1e-6, abs=1e-9)
        leading = float(f"{steps[0]:.3e}".split("e")[0])
        assert leading in (1.0, 2.0, 5.0)
    assert len(ticks) >= (most - 1) // 5
