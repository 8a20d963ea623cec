# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import time
from xml.sax.saxutils import escape, quoteattr

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from urdf_rig.core.errors import UrdfSyntaxError
from urdf_rig.core.urdf.xml import MAX_DEPTH, parse_xml


def test_lines_prefixes_and_text_are_kept() -> None:
    root = parse_xml('<r>\n <xacro:if a:b="1">one<c/>two</xacro:if>\n\n <d/>\n</r>', file="f")
    first, last = root.children
    assert (root.line, first.line, first.children[0].line, last.line) == (1, 2, 2, 4)
    assert (first.tag, first.attributes) == ("xacro:if", {"a:b": "1"})
    assert (first.text, first.children[0].tail, root.text) == ("one", "two", "\n ")
    assert [element.tag for element in root.walk()] == ["r", "xacro:if", "c", "d"]


def test_prefix_that_nothing_declares_is_no_error() -> None:
    assert parse_xml("<robot><drake:x/></robot>").children[0].tag == "drake:x"


def test_blanks_before_the_declaration_are_read_over_and_counted() -> None:
    assert parse_xml(b"\n\n <?xml version='1.0'?>\n<r/>").line == 4


def test_a_final_zero_is_read_over_but_none_elsewhere() -> None:
    assert parse_xml(b"<r/>\r\n\0").tag == "r"
    with pytest.raises(UrdfSyntaxError):
        parse_xml(b"<r/>\0\n<r/>\0")


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "iso-8859-1", "windows-1252", "koi8-r"]
)
def test_encodings_are_honoured(encoding: str) -> None:
    name = "Ж" if encoding == "koi8-r" else "é"
    text = f'<?xml version="1.0" encoding="{encoding.removesuffix("-sig")}"?><r name="{name}"/>'
    assert parse_xml(text.encode(encoding)).attributes["name"] == name


@pytest.mark.parametrize(
    ("encoding", "name"), [("gbk", "机器人"), ("shift_jis", "腕"), ("euc-kr", "로봇"), ("big5", "機")]
)
def test_multi_byte_encodings_are_honoured(encoding: str, name: str) -> None:
    data = f'<?xml version="1.0" encoding="{encoding}"?><r name="{name}"/>'.encode(encoding)
    assert parse_xml(data).attributes["name"] == name


def test_text_is_read_whatever_it_declares() -> None:
    assert parse_xml('<?xml version="1.0" encoding="ISO-8859-1"?><r name="é"/>').attributes["name"] == "é"


@pytest.mark.parametrize("encoding", ["klingon", "unicode_escape", "punycode", "rot13", "base64", "utf-7", "mbcs"])
def test_what_is_no_character_set_is_refused(encoding: str) -> None:
    with pytest.raises(UrdfSyntaxError, match=encoding):
        parse_xml(f'<?xml version="1.0" encoding="{encoding}"?><r/>'.encode())


def test_bytes_that_do_not_fit_are_refused_with_their_line() -> None:
    with pytest.raises(UrdfSyntaxError, match="UTF-8") as caught:
        parse_xml(b'<r>\n<a name="\xe9"/></r>', file="f")
    assert caught.value.line == 2


@pytest.mark.parametrize(
    ("data", "line"),
    [
        ("<r>\n<a></r>", 2),
        ("<r>\n\n<a b='1' b='2'/></r>", 3),
        ("", 1),
        ("<r/>\nmore", 2),
        ("<r>\n&nbsp;</r>", 2),
        ("<r a='1 < 2'/>", 1),
        ("<r>", 1),
        ("<r>\x00</r>", 1),
    ],
)
def test_syntax_errors_say_where(data: str, line: int) -> None:
    with pytest.raises(UrdfSyntaxError, match="not well-formed") as caught:
        parse_xml(data, file="arm.urdf")
    assert (caught.value.file, caught.value.line) == ("arm.urdf", line)


BOMB = '<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa">' + "".join(
    f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefgh", "bcdefghi", strict=True)
)


@pytest.mark.parametrize(
    "data",
    [
        BOMB + "]><r>&i;</r>",
        '<!DOCTYPE r SYSTEM "file:///etc/passwd"><r/>',
        '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><r>&x;</r>',
        '<!DOCTYPE r [<!ENTITY % p SYSTEM "http://127.0.0.1/x"> %p;]><r/>',
    ],
)
def test_document_types_and_entities_are_refused(data: str) -> None:
    started = time.monotonic()
    with pytest.raises(UrdfSyntaxError, match="DOCTYPE"):
        parse_xml(data)
    assert time.monotonic() - started < 1.0


def test_depth_is_bounded() -> None:
    parse_xml("<a>" * MAX_DEPTH + "</a>" * MAX_DEPTH)
    with pytest.raises(UrdfSyntaxError, match="deep"):
        parse_xml("<a>" * 100_000)


def test_size_is_bounded() -> None:
    with pytest.raises(UrdfSyntaxError, match="64 MiB"):
        parse_xml(b"<r>" + b" " * (64 << 20))


def test_number_of_elements_and_attributes_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("urdf_rig.core.urdf.xml.MAX_NODES", 10)
    parse_xml("<r>" + "<a b='c'/>" * 4 + "<d/></r>")
    with pytest.raises(UrdfSyntaxError, match="elements"):
        parse_xml("<r>" + "<a b='c'/>" * 5 + "</r>")


def test_half_a_surrogate_pair_is_refused() -> None:
    with pytest.raises(UrdfSyntaxError, match="surrogate"):
        parse_xml("<r name='\ud800'/>")


PRINTABLE = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs"), exclude_characters="\ufffe\uffff"))


@given(name=PRINTABLE, text=PRINTABLE)
def test_what_is_written_is_read(name: str, text: str) -> None:
    root = parse_xml(f"<r name={quoteattr(name)}>{escape(text)}<c/></r>")
    assert (root.attributes["name"], root.text) == (name, text)


@given(data=st.binary(max_size=200) | st.text("<>/?!&;'\"=[]abxml \n-", max_size=200).map(str.encode))
@settings(max_examples=300)
def test_any_bytes_give_a_tree_or_a_syntax_error(data: bytes) -> None:
    try:
        root = parse_xml(data)
    except UrdfSyntaxError as error:
        assert str(error)
    else:
        assert root.tag
