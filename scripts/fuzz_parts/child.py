# SPDX-License-Identifier: GPL-3.0-or-later
"""The child process: trials within a memory limit, and a line on stdout before and after each."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
import traceback
from pathlib import Path
from typing import Any

from .trials import Trial, trial_of

MAX_SECONDS = 5.0
MAX_MEMORY = 1 << 30


def work() -> None:
    """Do the trials that stdin names as one JSON object; a foreign exception ends the process after a last line."""
    job = json.load(sys.stdin)
    _limit_memory()
    trial = trial_of(job["kind"], [Path(path) for path in job["sources"]], job["seed"])
    with tempfile.TemporaryDirectory(prefix="urdf-rig-fuzz-") as folder:
        # deep, so that a search for packages does not look into the system's folder for temporary files
        place = Path(folder, *"abcdefghijklm") / "package" / "urdf"
        for number in job["numbers"]:
            _tell({"start": number})
            _tell({"end": number, "finding": judged(trial, number, place)})
    sys.stdout.flush()


def judged(trial: Trial, number: int, folder: Path) -> str:
    """Do one trial and return what is wrong, with the last calls before a foreign exception."""
    started = time.process_time()
    try:
        finding = trial(number, folder)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # noqa: BLE001  # whatever it is: that is what is looked for
        return "".join(traceback.format_exception(error)[-4:])
    seconds = time.process_time() - started
    return f"took {seconds:.1f} s" if seconds > MAX_SECONDS and not finding else finding


def _tell(message: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def _limit_memory() -> None:
    if os.name == "posix":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
