# SPDX-License-Identifier: GPL-3.0-or-later
"""The steps of ``scripts/test.py``: what runs where, and what ``--all`` adds."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from _environments import ROOT, environments_root, python_of, site_packages
from _windows import WINDOWS

_BPY = ("bpy-5.3", "bpy-5.2", "bpy-4.5", "bpy-4.2")
_MINUTE = 60.0


class Step(NamedTuple):
    """One line of the summary.

    Attributes:
        name: What ``--only`` takes.
        environment: Name of the environment that runs it.
        commands: Arguments of that environment's interpreter, one list a command. All run, even after a failure.
        tests: Paths for pytest; such a step has no commands.
        others: Environments that must exist besides.
        blender: Whether the tests must fail where bpy is missing.
        window: The Blender with a window that the tests use, if any.
        limit: Seconds for each command.
    """

    name: str
    environment: str
    commands: tuple[tuple[str, ...], ...] = ()
    tests: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    blender: bool = False
    window: str = ""
    limit: float = 20 * _MINUTE

    @property
    def environments(self) -> tuple[str, ...]:
        """All environments that the step needs."""
        return (self.environment, *self.others, *([self.window] if self.window else []))


def steps(newest_bpy: str, everything: bool) -> list[Step]:
    """Return the steps in the order in which they are started.

    Args:
        newest_bpy: The environment that runs the add-on's tests when not ``everything``.
        everything: Whether to add the matrix and the robot corpus.
    """
    chosen = [
        Step("lint", "tools", _lint(), limit=5 * _MINUTE),
        Step("types-4.2", "tools", _types("types-4.2"), others=("types-4.2",), limit=10 * _MINUTE),
        Step("types-latest", "tools", _types("types-latest"), others=("types-latest",), limit=10 * _MINUTE),
        Step("core", "tools", tests=("tests/core",)),
        Step("project", "tools", tests=("tests/packaging",)),
    ]
    if not everything:
        return [*chosen, _addon(newest_bpy)]
    chosen.append(Step("core-3.13", "core-3.13", tests=("tests/core",)))
    chosen.append(Step("docs", "docs", tests=("tests/docs",), limit=10 * _MINUTE))
    chosen += [_addon(name) for name in _BPY]
    chosen += gui_steps(newest_bpy)
    chosen.append(
        Step("oracle", "oracle", tests=("tests/corpus/oracle",), others=("robots", "urdfpy"), limit=30 * _MINUTE)
    )
    chosen += [
        Step(
            f"robots-{name[4:]}",
            name,
            tests=("tests/corpus/blender",),
            others=("robots",),
            blender=True,
            limit=40 * _MINUTE,
        )
        for name in ("bpy-5.3", "bpy-4.2")
    ]
    return chosen


def gui_steps(newest_bpy: str) -> list[Step]:
    """Return the steps in Blenders with a window; the extension is built by the newest environment with bpy."""
    return [
        Step(name.replace("window", "gui"), "tools", tests=("tests/gui",), others=(newest_bpy,), window=name)
        for name in WINDOWS
    ]


def newest_bpy(versions: set[str]) -> str | None:
    """Return the newest environment with bpy that one of these Python versions can hold."""
    if "3.13" in versions:
        return "bpy-5.3"
    return "bpy-4.5" if "3.11" in versions else None


def _addon(environment: str) -> Step:
    name = environment.replace("bpy", "addon")
    return Step(name, environment, tests=("tests/addon", "tests/packaging/test_extension.py"), blender=True)


def _lint() -> tuple[tuple[str, ...], ...]:
    contracts = "from importlinter.cli import lint_imports_command as lint; lint(['--no-logo'])"
    return (
        ("-m", "ruff", "check", "--output-format", "concise", "."),
        ("-m", "ruff", "format", "--check", "."),
        ("-c", contracts),
    )


def _types(stubs: str) -> tuple[tuple[str, ...], ...]:
    """Return the type check with one Blender's stubs: what this Blender lacks fails. The set-up is checked once."""
    interpreter = str(python_of(environments_root() / stubs))
    common = ("-m", "mypy", "--python-executable", interpreter, "--cache-dir", str(ROOT / ".mypy_cache" / stubs))
    own = [*(ROOT / "scripts").glob("_*.py"), ROOT / "scripts/convert.py", ROOT / "scripts/test.py"]
    scripts = tuple(str(path.relative_to(ROOT)) for path in sorted(own))
    return (common, (*common, *scripts)) if stubs == "types-latest" else (common,)


def variables(step: Step, scratch: Path) -> dict[str, str]:
    """Return the environment variables of a step; nothing of the user's own Blender is read or written."""
    scratch.mkdir(parents=True, exist_ok=True)
    values = {"BLENDER_USER_RESOURCES": str(scratch), "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    root = environments_root()
    if step.blender:
        values["URDF_RIG_REQUIRE_BPY"] = "1"
    if "robots" in step.others:
        values["URDF_RIG_ROBOTS"] = str(site_packages(root / "robots"))
    if step.window:
        values["URDF_RIG_WINDOW"] = step.window
        values["URDF_RIG_BLENDER_PYTHON"] = str(python_of(root / step.others[0]))
    if "urdfpy" in step.others:
        values["URDF_RIG_URDFPY"] = str(python_of(root / "urdfpy"))
    return values
