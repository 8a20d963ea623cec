# SPDX-License-Identifier: GPL-3.0-or-later
"""A whole Blender with a window on a virtual display: Debian's, in a folder of its own, once.

The wheels that the other environments hold have no window. Debian packages Blender, and runs it by software OpenGL;
another Debian than the machine's is put into a folder and entered by chroot, so the machine itself stays as it is.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from _environments import SCRIPTS, SetupError, environments_root, hold_place
from _process import Result, run

_MIRROR = "http://deb.debian.org/debian"
_STAMP = "urdf_rig_window.txt"
_RECIPE = "1"
_LIMIT = 1200.0
# What a Debian starts with; Blender's extension system and importers need the Python packages; maim takes pictures.
_PACKAGES = (
    *("base-files", "libc-bin", "dash", "coreutils", "sed", "mount"),
    *("blender", "blender-data", "python3-numpy", "python3-cattr", "python3-requests", "python3-zstandard"),
    *(
        "xvfb",
        "xkb-data",
        "maim",
        "libgl1-mesa-dri",
        "libegl1",
        "libgl1",
        "libblas3",
        "liblapack3",
        "fonts-dejavu-core",
    ),
)
_LEFT_OUT = ("doc", "man", "info", "lintian", "bug")
_SETTINGS = {
    "LIBGL_ALWAYS_SOFTWARE": "1",
    "GALLIUM_DRIVER": "llvmpipe",
    "LC_ALL": "C.UTF-8",
}


class Window(NamedTuple):
    """A Debian with a Blender: its suite, and whether that may be missing, as a suite in motion sometimes is."""

    suite: str
    optional: bool


WINDOWS = {"window-trixie": Window("trixie", False), "window-sid": Window("sid", True)}


def window_root(name: str) -> Path:
    """Return the folder of a window's Debian."""
    return environments_root() / name


def window_version(name: str) -> str:
    """Return the version of a window's Blender, empty if it is not set up."""
    try:
        recipe, version = (window_root(name) / _STAMP).read_text(encoding="utf-8").split()
    except (OSError, ValueError):
        return ""
    return version if recipe == _RECIPE else ""


def ensure_window(name: str, report: Callable[[str], None]) -> None:
    """Make the window's Debian unless it is there.

    Raises:
        SetupError: If it cannot be made, with the reason. The next call begins anew.
    """
    _check_machine()
    if window_version(name):
        return
    root = window_root(name)
    root.parent.mkdir(parents=True, exist_ok=True)
    with hold_place(root.parent / f"{name}.lock", report):
        if not window_version(name):
            _make(root, WINDOWS[name].suite, report)


def _check_machine() -> None:
    if not sys.platform.startswith("linux"):
        raise SetupError("the window's tests run on Linux only")
    missing = [name for name in ("apt-get", "dpkg-deb", "unshare") if shutil.which(name) is None]
    if missing:
        raise SetupError(f"the window's tests take Blender from Debian, but this machine has no {missing[0]}")
    probe = run([*_alone(), "mount", "-t", "tmpfs", "tmpfs", "/mnt"], timeout=60)
    if probe.status != 0:
        who = "run it as root" if os.geteuid() else "this machine withholds CAP_SYS_ADMIN even from root"
        raise SetupError(f"the window's tests enter a Debian of their own, with its own mounts: {who}")


def _make(root: Path, suite: str, report: Callable[[str], None]) -> None:
    """Unpack the packages that apt chooses. Their scripts are not run: nothing of this machine is touched."""
    if root.exists():
        shutil.rmtree(root)
    files = root / "packages"
    for name in ("lists/partial", "archives/partial", "etc"):
        (files / name).mkdir(parents=True)
    (files / "status").touch()
    apt = _private_apt(files, suite)
    report(f"asking Debian {suite} for Blender")
    _must([*apt, "update"], "apt-get update")
    install = [*apt, "install", "-y", "--download-only", "--no-install-recommends", *_PACKAGES]
    _must(install, "apt-get install", on_line=lambda line: _tell(line, report))
    archives = sorted((files / "archives").glob("*.deb"), key=lambda path: not path.name.startswith("base-files_"))
    for count, archive in enumerate(archives):
        report(f"unpacking {count} of {len(archives)} packages")
        _must(["dpkg-deb", "-x", str(archive), str(root)], f"dpkg-deb {archive.name}")
    shutil.rmtree(files)
    _finish(root)
    told = _must(_entered(root, (), ["blender", "--version"]), "blender --version")
    found = re.search(r"^Blender (\d+\.\d+\.\d+)", told.output, re.MULTILINE)
    if found is None or tuple(map(int, found[1].split("."))) < (4, 2):
        raise SetupError(f"Debian {suite} has no Blender of version 4.2 or newer")
    (root / _STAMP).write_text(f"{_RECIPE} {found[1]}\n", encoding="utf-8")


def _private_apt(files: Path, suite: str) -> list[str]:
    """Return apt-get with a state of its own, for which nothing is installed."""
    key = "/usr/share/keyrings/debian-archive-keyring.gpg"
    if not Path(key).exists():
        raise SetupError("Debian's keys are not on this machine: apt install debian-archive-keyring")
    (files / "etc" / "sources.list").write_text(f"deb [signed-by={key}] {_MIRROR} {suite} main\n", encoding="utf-8")
    options = {
        "Dir::Etc::SourceList": files / "etc" / "sources.list",
        "Dir::Etc::SourceParts": "-",
        "Dir::Etc::Preferences": "-",
        "Dir::Etc::PreferencesParts": "-",
        "Dir::State": files,
        "Dir::State::Lists": files / "lists",
        "Dir::State::status": files / "status",
        "Dir::Cache": files,
        "Dir::Cache::archives": files / "archives",
        "APT::Sandbox::User": "root",
        "Acquire::Check-Valid-Until": "false",  # a mirror of sid may be a little behind
        "Acquire::Languages": "none",
        "Acquire::Retries": "3",
    }
    return ["apt-get", "-q", *(f"-o{name}={value}" for name, value in options.items())]


def _finish(root: Path) -> None:
    """Do what the packages' scripts would have done, as far as Blender needs it."""
    for name in _LEFT_OUT:
        shutil.rmtree(root / "usr/share" / name, ignore_errors=True)
    for name in ("proc", "dev", "tmp", "mnt", "root"):
        (root / name).mkdir(exist_ok=True)
    (root / "etc/passwd").write_text("root:x:0:0:root:/root:/bin/sh\n", encoding="utf-8")
    (root / "etc/group").write_text("root:x:0:\n", encoding="utf-8")
    (root / "etc/mtab").symlink_to("/proc/mounts")  # Blender lists what is mounted
    libraries = next((root / "usr/lib").glob("*-linux-gnu"))
    for name in ("blas", "lapack"):
        found = libraries / name / f"lib{name}.so.3"
        (libraries / found.name).symlink_to(f"{name}/{found.name}")
    _must(_entered(root, (), ["ldconfig"]), "ldconfig")


def _tell(line: str, report: Callable[[str], None]) -> None:
    amount = re.match(r"Need to get ([\d.,]+ \wB)", line)
    step = re.match(r"Get:(\d+) ", line)
    if amount:
        report(f"downloading {amount[1]}")
    elif step:
        report(f"downloading package {step[1]}")


def _must(command: Sequence[str], name: str, on_line: Callable[[str], None] | None = None) -> Result:
    result = run(command, timeout=_LIMIT, extra={"LC_ALL": "C.UTF-8"}, on_line=on_line)
    if result.status != 0:
        lines = [line.strip() for line in result.output.splitlines() if line.strip()] or ["it said nothing"]
        errors = [line for line in lines if line.startswith("E:")]
        raise SetupError(f"{name} failed: {(errors or lines)[-1]}")
    return result


def _alone() -> list[str]:
    """Return the command that gives what follows mounts and processes of its own."""
    rights = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
    return ["unshare", *rights, "--mount", "--pid", "--fork", "--kill-child"]


def _entered(root: Path, folders: Sequence[Path], command: Sequence[str]) -> list[str]:
    """Return the command line that runs ``command`` inside a Debian."""
    script = str(SCRIPTS / "window_parts" / "enter.sh")
    return [*_alone(), "sh", script, str(root), *map(str, folders), "--", *command]


def window_command(name: str, arguments: Sequence[str], *, folders: Sequence[Path], size: str | None) -> list[str]:
    """Return the command line that runs a window's Blender.

    Args:
        name: One of ``WINDOWS``.
        arguments: Blender's.
        folders: What Blender sees of this machine, at the same paths.
        size: Of the display, such as ``1280x800``; None for a Blender that needs no window.
    """
    blender = ["blender", *arguments]
    if size is not None:
        width, height = size.split("x")
        place = ["--window-geometry", "0", "0", width, height]
        blender = ["sh", str(SCRIPTS / "window_parts" / "display.sh"), size, "blender", *place, *arguments]
        folders = [*folders, SCRIPTS / "window_parts"]
    return _entered(window_root(name), folders, blender)


def window_settings(profile: Path) -> dict[str, str]:
    """Return the environment variables of a window's Blender, whose preferences and extensions are in ``profile``."""
    for name in ("config", "extensions", "scripts", "datafiles"):
        (profile / name).mkdir(parents=True, exist_ok=True)
    return {**_SETTINGS, "BLENDER_USER_RESOURCES": str(profile)}
