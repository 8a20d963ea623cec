# SPDX-License-Identifier: GPL-3.0-or-later
"""Markdown to one HTML page: formulas as MathML, pictures and the font for formulas inside, a list of contents."""

from __future__ import annotations

import base64
import html
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypedDict

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markdown_it.utils import OptionsDict

from .font import subset
from .formulas import to_mathml

_STYLE = Path(__file__).with_name("style.css")
_PICTURES = {".png": "image/png", ".svg": "image/svg+xml", ".jpg": "image/jpeg"}


class _Environment(TypedDict):
    """What rendering knows of its page."""

    folder: Path
    pages: Mapping[Path, str]


def build_page(source: Path, pages: Mapping[Path, str]) -> str:
    """Return the HTML page of a Markdown file.

    Args:
        source: The file.
        pages: Names of the HTML pages that stand beside this one, by their Markdown files; links to them are kept.

    Raises:
        FormulaError: If a formula cannot be converted.
        OSError: If the file or one of its pictures cannot be read.
    """
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    markdown.inline.ruler.before("backticks", "formula", _formula_rule)
    for name, rule in (
        ("formula", _render_formula),
        ("fence", _render_fence),
        ("code_inline", _render_code),
        ("image", _render_image),
        ("link_open", _render_link_open),
        ("link_close", _render_link_close),
        ("table_open", lambda *_: '<div class="table"><table>\n'),
        ("table_close", lambda *_: "</table></div>\n"),
    ):
        markdown.add_render_rule(name, rule)
    tokens = markdown.parse(source.read_text(encoding="utf-8"))
    headings = _name_headings(tokens)
    body = markdown.renderer.render(tokens, markdown.options, {"folder": source.parent, "pages": pages})
    body = re.sub(r"(<math(?:(?!</math>).)*</math>)([.,:;)]+)", r'<span class="whole">\1\2</span>', body)
    used = set(html.unescape(re.sub(r"<[^>]*>", "", "".join(re.findall(r"<math.*?</math>", body, re.DOTALL)))))
    font = base64.b64encode(subset(used)).decode()
    style = _STYLE.read_text(encoding="utf-8").replace("FONT_DATA", f"data:font/woff;base64,{font}")
    title = html.escape(headings[0][1])
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<style>\n{style}</style>\n</head>\n<body>\n{_contents(headings)}<main>\n{body}</main>\n</body>\n</html>\n"
    )


def _formula_rule(state: StateInline, silent: bool) -> bool:
    """Read ``$`...`$``, the form in which Markdown itself leaves the formula alone."""
    if not state.src.startswith("$`", state.pos):
        return False
    end = state.src.find("`$", state.pos + 2)
    if end < 0:
        return False
    if not silent:
        state.push("formula", "math", 0).content = state.src[state.pos + 2 : end]
    state.pos = end + 2
    return True


def _render_formula(_: RendererHTML, tokens: Sequence[Token], index: int, *__: object) -> str:
    return to_mathml(tokens[index].content, display=False)


def _render_code(_: RendererHTML, tokens: Sequence[Token], index: int, *__: object) -> str:
    """Write code that may be broken behind dots and slashes, so that tables of long names fit."""
    breakable = re.sub("([./])(?=[a-z])", r"\1<wbr>", html.escape(tokens[index].content))
    return f"<code>{breakable}</code>"


def _render_fence(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: _Environment
) -> str:
    token = tokens[index]
    if token.info.strip() != "math":
        return str(RendererHTML.fence(renderer, tokens, index, options, env))
    return f'<div class="formula">{to_mathml(token.content, display=True)}</div>\n'


def _render_image(_: RendererHTML, tokens: Sequence[Token], index: int, __: object, env: _Environment) -> str:
    token = tokens[index]
    path = env["folder"] / str(token.attrs["src"])
    data = base64.b64encode(path.read_bytes()).decode()
    return f'<img src="data:{_PICTURES[path.suffix]};base64,{data}" alt="{html.escape(token.content)}">'


def _destination(token: Token, env: _Environment) -> str:
    """Return where a link leads on the page; empty for a file of the checkout that is no page beside it."""
    href = str(token.attrs["href"])
    if re.match(r"#|https?:", href):
        return href
    path, sign, anchor = href.partition("#")
    name = env["pages"].get((env["folder"] / path).resolve(), "")
    return name + sign + anchor if name else ""


def _render_link_open(_: RendererHTML, tokens: Sequence[Token], index: int, __: object, env: _Environment) -> str:
    destination = _destination(tokens[index], env)
    return f'<a href="{html.escape(destination)}">' if destination else "<span>"


def _render_link_close(_: RendererHTML, tokens: Sequence[Token], index: int, __: object, env: _Environment) -> str:
    depth = 0
    for token in reversed(tokens[: index + 1]):
        depth += (token.type == "link_close") - (token.type == "link_open")
        if token.type == "link_open" and depth <= 0:
            return "</a>" if _destination(token, env) else "</span>"
    return "</a>"


def _name_headings(tokens: Sequence[Token]) -> list[tuple[int, str, str]]:
    """Give headings the anchors that code-hosting sites give them; return levels, texts and anchors."""
    found = []
    seen: Counter[str] = Counter()
    for token, content in zip(tokens, tokens[1:]):
        if token.type == "heading_open":
            text = content.content
            anchor = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
            seen[anchor] += 1
            anchor += f"-{seen[anchor] - 1}" if seen[anchor] > 1 else ""
            token.attrSet("id", anchor)
            found.append((int(token.tag[1]), text, anchor))
    return found


def _contents(headings: Sequence[tuple[int, str, str]]) -> str:
    rows = [
        f'<li class="level{level}"><a href="#{anchor}">{html.escape(text)}</a></li>'
        for level, text, anchor in headings
        if level > 1
    ]
    return "<nav>\n<p>Contents</p>\n<ul>\n" + "\n".join(rows) + "\n</ul>\n</nav>\n"
