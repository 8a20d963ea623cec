# SPDX-License-Identifier: GPL-3.0-or-later
"""Run jobs that depend on each other, two at a time, and stop when one fails unless told to go on."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple


class Job(NamedTuple):
    """A piece of work: ``work`` gets a function that shows a few words, and returns whether all went well."""

    name: str
    work: Callable[[Callable[[str], None]], bool]
    after: tuple[str, ...] = ()


class Schedule:
    """The jobs' states while they run.

    Args:
        jobs: In the order of preference; a job starts as soon as those in its ``after`` went well.
        keep_going: Whether jobs that can still run are run after a failure.
        show: Called with one line that says what is running.
    """

    def __init__(self, jobs: Sequence[Job], *, keep_going: bool, show: Callable[[str], None]) -> None:
        self.results: dict[str, bool] = {}
        self.seconds: dict[str, float] = {}
        self._waiting = list(jobs)
        self._keep_going = keep_going
        self._show = show
        self._running: dict[str, str] = {}
        self._changed = threading.Condition()

    def run(self, workers: int) -> None:
        """Run everything. A job that raises has failed, and its traceback is printed."""
        threads = [threading.Thread(target=self._work, daemon=True) for _ in range(workers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            while thread.is_alive():
                thread.join(0.2)  # short, so that Ctrl-C is heard

    def _work(self) -> None:
        while True:
            with self._changed:
                job = self._next()
                while job is None:
                    if not self._waiting or not self._running:
                        return
                    self._changed.wait()
                    job = self._next()
                self._running[job.name] = ""
            started = time.monotonic()
            good = False
            try:
                good = job.work(lambda text, name=job.name: self._report(name, text))  # type: ignore[misc]
            finally:
                with self._changed:
                    self.results[job.name] = good
                    self.seconds[job.name] = time.monotonic() - started
                    del self._running[job.name]
                    if not good and not self._keep_going:
                        self._waiting.clear()
                    self._changed.notify_all()

    def _next(self) -> Job | None:
        """Take the first job that can start, and drop those that never can."""
        hopeless = True
        while hopeless:
            hopeless = False
            known = (
                {job.name for job in self._waiting}
                | set(self._running)
                | {name for name, good in self.results.items() if good}
            )
            for job in list(self._waiting):
                if not known.issuperset(job.after):
                    self._waiting.remove(job)
                    hopeless = True
        for job in self._waiting:
            if all(self.results.get(name) for name in job.after):
                self._waiting.remove(job)
                return job
        return None

    def _report(self, name: str, text: str) -> None:
        with self._changed:
            self._running[name] = text
            line = "; ".join(f"{job} {words}".strip() for job, words in self._running.items())
        self._show(line)
