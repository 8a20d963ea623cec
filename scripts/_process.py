# SPDX-License-Identifier: GPL-3.0-or-later
"""Child processes that always end: with a time limit, and together with everything that they started."""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, NamedTuple

_running: set[subprocess.Popen[str]] = set()
_guard = threading.Lock()
_closing = threading.Event()

TIMED_OUT = 124


class Result(NamedTuple):
    """Exit status (124: out of time; negative: ended by that signal) and the output, both streams in order."""

    status: int
    output: str


def clean_environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the process's environment without the variables that lead a child's Python astray, and with ``extra``.

    ROS, for one, sets PYTHONPATH to packages of another Python version.
    """
    environment = {
        name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP"}
    }
    environment.update(PYTHONNOUSERSITE="1", PYTHONUTF8="1", PYTHONUNBUFFERED="1")
    environment.update(extra or {})
    return environment


def run(
    command: Sequence[str],
    *,
    timeout: float,
    cwd: Path | None = None,
    extra: Mapping[str, str] | None = None,
    on_line: Callable[[str], None] | None = None,
    keep_lines: int = 100_000,
) -> Result:
    """Run a command without input and return when it and its children are gone.

    Args:
        command: Program and arguments.
        timeout: Seconds after which the whole process group is killed.
        cwd: Folder to run in.
        extra: Environment variables on top of ``clean_environment``.
        on_line: Called with each line of output as it comes.
        keep_lines: How many of the last lines to return.
    """
    with _guard:
        if _closing.is_set():
            return Result(-signal.SIGTERM, "")
        process = subprocess.Popen(
            list(command),
            cwd=cwd,
            env=clean_environment(extra),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,  # so that all that it starts can be killed with it; without effect on Windows
        )
        _running.add(process)
    late = threading.Event()

    def out_of_time() -> None:
        late.set()
        _kill(process)

    timer = threading.Timer(timeout, out_of_time)
    timer.daemon = True
    timer.start()
    lines: deque[str] = deque(maxlen=keep_lines)
    try:
        assert process.stdout is not None
        with process.stdout as stream:
            for line in stream:
                lines.append(line)
                if on_line is not None:
                    on_line(line.rstrip("\n"))
        status = process.wait()
    finally:
        timer.cancel()
        _kill(process)
        with _guard:
            _running.discard(process)
    if late.is_set():
        lines.append(f"killed after {timeout:.0f} s\n")
        status = TIMED_OUT
    return Result(status, "".join(lines))


def end_all() -> None:
    """Kill every running child, and let no other start."""
    _closing.set()
    with _guard:
        for process in _running:
            _kill(process)


def _kill(process: subprocess.Popen[str]) -> None:
    """Kill the process and its children; nothing happens if all of them are gone."""
    if sys.platform == "win32":
        if process.poll() is None:
            subprocess.run(["taskkill", "/F", "/T", "/PID", str(process.pid)], capture_output=True, check=False)
        return
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def hand_over(command: Sequence[str], environment: Mapping[str, str]) -> int:
    """Run a command in the place of this process, as far as the user can tell, and return its exit status.

    Ctrl-C reaches the child from the terminal itself; a request to end this process is passed on. Status 128 + n: ended
    by signal n.
    """
    process = subprocess.Popen(list(command), env=dict(environment))
    previous = [
        (number, signal.signal(number, lambda number, _: process.send_signal(number))) for number in _passed_on()
    ]
    interrupted = False
    try:
        while True:
            try:
                status = process.wait()
                break
            except KeyboardInterrupt:
                if interrupted:
                    process.kill()
                interrupted = True
    finally:
        for number, handler in previous:
            signal.signal(number, handler)
    return 128 - status if status < 0 else status


def _passed_on() -> list[signal.Signals]:
    return [signal.SIGTERM] if sys.platform == "win32" else [signal.SIGTERM, signal.SIGHUP]


def ended(process: subprocess.Popen[str]) -> int:
    """Return the exit status, after a kill if the process does not end by itself at once."""
    try:
        return process.wait(timeout=10.0)
    except subprocess.TimeoutExpired:
        process.kill()
        return process.wait()


def pass_lines(stream: IO[str], lines: queue.Queue[str]) -> None:
    """Put every line of ``stream`` on ``lines``, and an empty text at its end."""
    with stream:
        for line in stream:
            lines.put(line)
    lines.put("")
