# SPDX-License-Identifier: GPL-3.0-or-later
"""The command ``scripts/test.py``."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from _environments import ROOT, SetupError, ensure, environments_root, missing_libraries, python_of, recipe
from _process import TIMED_OUT, Result, end_all, run
from _progress import Progress
from _pythons import find_python
from _report import Outcome, read_junit, summary, total
from _schedule import Job, Schedule
from _steps import Step, gui_steps, newest_bpy, steps, variables
from _windows import WINDOWS, ensure_window, window_version

_NO_TESTS = 5  # pytest's exit status


def main(arguments: Sequence[str]) -> int:
    """Run what is asked for. Exit status: 0 all well, 1 something failed or cannot be set up, 2 wrong usage."""
    options = _parse(list(arguments))
    if options.missing_libraries:
        print(" ".join(missing_libraries()))
        return 0
    try:
        chosen = _choose(options)
    except SetupError as error:
        print(f"test: {error}", file=sys.stderr)
        return 1
    if options.list:
        print("\n".join(f"{step.name}  ({step.environment})" for step in chosen))
        return 0
    with tempfile.TemporaryDirectory(prefix="urdf-rig-test-") as scratch:
        try:
            return _Run(chosen, options, Path(scratch)).go()
        except KeyboardInterrupt:
            end_all()
            print("test: interrupted", file=sys.stderr)
            return 130


def _parse(arguments: list[str]) -> argparse.Namespace:
    own, passed = arguments, []
    if "--" in arguments:
        cut = arguments.index("--")
        own, passed = arguments[:cut], arguments[cut + 1 :]
    parser = argparse.ArgumentParser(prog="test.py", description=__doc__, epilog="Arguments behind -- go to pytest.")
    parser.add_argument(
        "--all", action="store_true", help="the whole matrix of Blender versions and the robot corpus, as CI does"
    )
    parser.add_argument(
        "--gui", action="store_true", help="only the tests in Blenders with a window; they need root or user namespaces"
    )
    parser.add_argument(
        "--only", metavar="STEP", action="append", default=[], help="run this step only; may be given again"
    )
    parser.add_argument("--keep-going", action="store_true", help="do not stop at the first step that fails")
    parser.add_argument("--list", action="store_true", help="print the names of the steps")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="steps at a time (2)")
    parser.add_argument(
        "--missing-libraries", action="store_true", help="print the Debian packages that Blender needs and are missing"
    )
    options = parser.parse_args(own)
    options.passed = passed
    return options


def _choose(options: argparse.Namespace) -> list[Step]:
    """Return the steps to run.

    Raises:
        SetupError: If this machine has no Python for them, or a name in ``--only`` is unknown.
    """
    found = {version for version in ("3.11", "3.13") if find_python([version])}
    newest = newest_bpy(found)
    if newest is None:
        raise SetupError("Python 3.11 or 3.13 (64-bit) is needed: install it, for example with 'pyenv install 3.13'")
    if options.gui:
        return gui_steps(newest)
    if not options.only:
        return steps(newest, options.all)
    known = {step.name: step for step in steps(newest, everything=True)}
    unknown = [name for name in options.only if name not in known]
    if unknown:
        raise SetupError(f"there is no step {unknown[0]}; known: {', '.join(known)}")
    return [known[name] for name in options.only]


class _Run:
    """One run: where its files are, and what came of each step."""

    def __init__(self, chosen: list[Step], options: argparse.Namespace, scratch: Path) -> None:
        self._steps = chosen
        self._options = options
        self._scratch = scratch
        self._outcomes: dict[str, Outcome] = {}
        self._notes: dict[str, str] = {}  # on what could not be done and need not be

    def go(self) -> int:
        """Run all steps, print the summary and the total, and return the exit status."""
        names = dict.fromkeys(name for step in self._steps for name in step.environments)
        jobs = []
        for step in self._steps:
            for name in step.environments:
                if names.pop(name, "taken") is None:
                    jobs.append(Job(f"set-up {name}", self._set_up(name)))
            jobs.append(Job(step.name, self._step(step), tuple(f"set-up {name}" for name in step.environments)))
        with Progress("Testing", quiet=True) as self._progress:
            schedule = Schedule(jobs, keep_going=self._options.keep_going, show=self._progress.detail)
            schedule.run(max(1, self._options.jobs))
        done = [job.name for job in jobs if job.name in schedule.results]
        left_out = [step.name for step in self._steps if step.name not in schedule.results]
        print(summary(done, left_out, self._outcomes, schedule.results, schedule.seconds, self._notes))
        print(total(list(self._outcomes.values()), left_out if self._options.keep_going else []), flush=True)
        return 0 if all(schedule.results.values()) and not left_out else 1

    def _set_up(self, name: str) -> Callable[[Callable[[str], None]], bool]:
        def work(show: Callable[[str], None]) -> bool:
            try:
                if name in WINDOWS:
                    ensure_window(name, show)
                else:
                    ensure(environments_root() / name, recipe(name), report=show, replace=True)
            except SetupError as error:
                if name in WINDOWS and WINDOWS[name].optional:
                    self._notes[f"set-up {name}"] = f"can't be had now: {error}"
                    return True
                self._outcomes[f"set-up {name}"] = Outcome(failed=1)
                self._progress.print(f"test: set-up of {name}: {error}", sys.stderr)
                return False
            return True

        return work

    def _step(self, step: Step) -> Callable[[Callable[[str], None]], bool]:
        def work(show: Callable[[str], None]) -> bool:
            show("")
            if step.window and not window_version(step.window):
                self._notes[step.name] = "left out, as there is no such Blender"
                return True
            outcome, output = self._pytest(step) if step.tests else self._commands(step)
            self._outcomes[step.name] = outcome
            self._progress.print(f"== {step.name} ==\n{output.rstrip()}\n", sys.stdout)
            return outcome.failed == 0

        return work

    def _commands(self, step: Step) -> tuple[Outcome, str]:
        output, good = [], True
        for command in step.commands:
            result = self._python(step, command)
            good = good and result.status == 0
            output.append(result.output)
        return Outcome(failed=0 if good else 1), "".join(output)

    def _pytest(self, step: Step) -> tuple[Outcome, str]:
        report = self._scratch / f"{step.name}.xml"
        command = ["-m", "pytest", "-p", "no:cacheprovider", f"--junitxml={report}", *self._options.passed, *step.tests]
        result = self._python(step, command)
        outcome = read_junit(report)
        allowed = {0, 1, _NO_TESTS} if self._options.passed else {0, 1}
        broken = (
            result.status not in allowed
            or (result.status == 1 and outcome.failed == 0)
            or (outcome.ran == 0 and result.status == 0)
        )
        if broken:
            outcome = outcome._replace(failed=outcome.failed + 1)
            why = "out of time" if result.status == TIMED_OUT else f"exit status {result.status}"
            return outcome, f"{result.output.rstrip()}\ntest: pytest did not end as it should: {why}"
        return outcome, result.output

    def _python(self, step: Step, command: Sequence[str]) -> Result:
        interpreter = str(python_of(environments_root() / step.environment))
        extra = {"COLUMNS": os.environ.get("COLUMNS", "120"), **variables(step, self._scratch / step.name)}
        return run([interpreter, "-P", *command], timeout=step.limit, cwd=ROOT, extra=extra)
