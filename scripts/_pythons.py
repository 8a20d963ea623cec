# SPDX-License-Identifier: GPL-3.0-or-later
"""Find a Python of a wanted version on this machine, installed in any of the usual ways."""

from __future__ import annotations

import functools
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from _process import clean_environment

# Blender's wheels are made for ordinary 64-bit CPython only; no environment can be made without venv and ensurepip.
_PROBE = """
import sys, sysconfig, struct, importlib.util
print("%d.%d" % sys.version_info[:2])
print(sys.executable)
ordinary = sys.implementation.name == "cpython" and not sysconfig.get_config_var("Py_GIL_DISABLED")
print(ordinary and struct.calcsize("P") == 8)
print(all(importlib.util.find_spec(name) for name in ("venv", "ensurepip")))
"""


class Python(NamedTuple):
    """An interpreter: version such as ``3.11``, program, and whether it can make environments."""

    version: str
    program: str
    complete: bool


@functools.lru_cache(maxsize=None)
def probe(program: str) -> Python | None:
    """Ask an interpreter what it is. None if it does not answer or is of a kind that can't be used."""
    try:
        answer = subprocess.run(
            [program, "-I", "-c", _PROBE],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=20,
            check=False,
            env=clean_environment(),
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    lines = answer.stdout.decode("utf-8", "replace").split("\n")
    if answer.returncode != 0 or len(lines) < 4 or lines[2].strip() != "True":
        return None
    return Python(lines[0].strip(), lines[1].strip() or program, lines[3].strip() == "True")


def find_python(versions: Sequence[str]) -> Python | None:
    """Return an interpreter of the first of ``versions`` that is there, if possible one that has venv."""
    spare = None
    for version in versions:
        for program in _candidates(version):
            found = probe(program)
            if found is None or found.version != version:
                continue
            if found.complete:
                return found
            spare = spare or found
    return spare


def _candidates(version: str) -> Iterator[str]:
    """Yield programs that may be Python ``version``, the likeliest first, without asking them."""
    if version == "{}.{}".format(*sys.version_info) and sys.executable:
        yield sys.executable
    if sys.platform == "win32":
        yield from _windows_launcher(version)
    names = [f"python{version}", "python3", "python"]
    folders = [Path(folder) for folder in os.environ.get("PATH", "").split(os.pathsep) if folder]
    folders += [Path("/usr/local/bin"), Path("/usr/bin"), Path("/opt/homebrew/bin")]
    folders += [Path(f"/Library/Frameworks/Python.framework/Versions/{version}/bin")]
    exact = [folder / names[0] for folder in folders]
    managed = [folder / "bin" / names[0] for folder in _managed(version)]
    loose = [folder / name for folder in folders for name in names[1:]]
    seen = set()
    suffix = ".exe" if sys.platform == "win32" else ""
    for path in [*exact, *managed, *[folder / "python" for folder in _managed(version)], *loose]:
        program = str(path) + suffix
        if program not in seen and os.access(program, os.X_OK):
            seen.add(program)
            yield program


def _managed(version: str) -> list[Path]:
    """Return the folders of pyenv's and uv's installations of a version, the newest first."""
    home = Path.home()
    pyenv = Path(os.environ.get("PYENV_ROOT") or home / ".pyenv") / "versions"
    data = Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share")
    uv = Path(os.environ.get("UV_PYTHON_INSTALL_DIR") or data / "uv" / "python")
    found = [*pyenv.glob(f"{version}.*"), *pyenv.glob(version), *uv.glob(f"cpython-{version}.*")]
    return sorted(found, key=lambda folder: [int(part) for part in re.findall(r"\d+", folder.name)], reverse=True)


def _windows_launcher(version: str) -> Iterator[str]:
    """Ask the Windows launcher ``py`` for a version."""
    try:
        answer = subprocess.run(
            ["py", f"-{version}", "-c", "import sys; print(sys.executable)"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=20,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return
    yield answer.stdout.decode("utf-8", "replace").strip()
