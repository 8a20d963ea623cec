# SPDX-License-Identifier: GPL-3.0-or-later
"""The page of the corpus: a table of all robots, the refusals, and the warnings by kind."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

REASONS = Path(__file__).with_name("reasons.json")
_NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?![\w.])")
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
_TAG = re.compile(r"(?<!`)<([^>`]*)>(?!`)")
_WHERE = re.compile(r"; looked in .*?(?=; give|$)")
Result = dict[str, Any]


def is_imported(result: Result) -> bool:
    """Return whether the robot is in Blender and verified."""
    return "counts" in result and bool(result["verify"]["passed"])


def is_fault(result: Result) -> bool:
    """Return whether a result is neither an import that verifies nor a refusal of the project's own kind."""
    return not is_imported(result) and "refused" not in result


def warnings(result: Result) -> list[str]:
    """Return the warnings of a result, without the sum that the report puts at the end."""
    texts = [item["message"] for item in result.get("diagnostics", ()) if item["level"] != "info"]
    return [text for text in texts if not re.fullmatch(r"\d+ file\(s\) missing or unreadable", text)]


def kind_of(text: str) -> str:
    """Return a message without what differs from robot to robot."""
    return _NUMBER.sub("N", _QUOTED.sub("'…'", _WHERE.sub("", text)))


def make_page(results: Sequence[Result], blender: str, command: str) -> str:
    """Return the page as Markdown."""
    reasons = json.loads(REASONS.read_text(encoding="utf-8"))
    refused = [item for item in results if "refused" in item]
    faults = [item for item in results if is_fault(item)]
    imported = [item for item in results if is_imported(item)]
    parts = [
        "# Corpus",
        f"{len(results)} robot descriptions: {len(imported)} imported and verified, {len(refused)} refused with a "
        f"reason, {len(faults)} failed. Written by `{command}` with Blender {blender}; each rig was compared with "
        "forward kinematics in 10 poses besides its first. Seconds are those of the import on a shared computer.",
        "## Robots",
        _table(
            ("robot", "links", "dofs", "meshes", "triangles", "s", "error m", "error rad", "warnings"),
            [_row(item) for item in results if "counts" in item],
        ),
        "## Refused",
        _table(
            ("file", "reason", "what the file holds"),
            [(_code(item["name"]), item["refused"], _reason(reasons["refused"], item["refused"])) for item in refused],
        ),
        "## Warnings by kind",
        _table(
            ("times", "robots", "warning", "example", "what the files hold"), list(_kinds(results, reasons["warnings"]))
        ),
    ]
    if faults:
        parts += ["## Failed", _table(("file", "what happened"), [_fault(item) for item in faults])]
    return "\n\n".join(parts) + "\n"


def _row(result: Result) -> tuple[str, ...]:
    counts, verify = result["counts"], result["verify"]
    return (
        _code(result["name"]),
        *(f"{counts[name]:,}" for name in ("links", "dofs", "meshes", "triangles")),
        f"{result['seconds']['total']:.2f}",
        f"{verify['max_position_error']:.0e}",
        f"{verify['max_rotation_error']:.0e}",
        str(len(warnings(result))),
    )


def _kinds(results: Iterable[Result], reasons: dict[str, str]) -> Iterable[tuple[str, ...]]:
    groups: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for result in results:
        for text in warnings(result):
            groups[kind_of(text)].append((result["name"], text))
    for kind, found in sorted(groups.items(), key=lambda item: -len(item[1])):
        robots = {name for name, _ in found}
        name, text = found[0]
        example = f"{_code(name)}: {_WHERE.sub('', text)}"
        yield str(len(found)), str(len(robots)), kind, example, _reason(reasons, kind)


def _reason(reasons: dict[str, str], text: str) -> str:
    return next((reason for pattern, reason in reasons.items() if re.search(pattern, text)), "not looked into yet")


def _fault(result: Result) -> tuple[str, str]:
    what = result.get("lost") or "; ".join(result["verify"]["problems"][:5])
    return _code(result["name"]), f"{what} {' '.join(result.get('output', ())[-3:])}"


def _code(text: str) -> str:
    return f"`{text}`"


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    if not rows:
        return "None."
    aligned = ["---:" if _is_number(rows[0][column]) else "---" for column in range(len(heads))]
    lines = [heads, aligned, *([_cell(cell) for cell in row] for row in rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _is_number(text: str) -> bool:
    return bool(re.fullmatch(r"[-+\d.,e]+", text))


def _cell(text: str) -> str:
    return " ".join(_TAG.sub(r"`<\1>`", text).replace("|", "\\|").split())
