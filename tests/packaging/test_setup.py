# SPDX-License-Identifier: GPL-3.0-or-later
"""The scripts set themselves up: whole or not at all, whatever this machine has."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

_VERSION = f"{sys.version_info.major}.{sys.version_info.minor}"


@pytest.fixture
def scripts(root: Path, monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """The modules of the scripts folder."""
    monkeypatch.syspath_prepend(str(root / "scripts"))
    import _bootstrap
    import _environments
    import _process
    import _pythons
    import _report
    import _schedule
    import _steps
    import _test_run
    import _windows

    own = [_bootstrap, _environments, _process, _pythons, _report, _schedule, _steps, _test_run, _windows]
    modules: list[ModuleType] = own
    return SimpleNamespace(**{module.__name__[1:]: module for module in modules})


def _program(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)
    return path


def _forward_to_this_python(path: Path) -> Path:
    return _program(path, f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')


def test_an_environment_is_made_once_and_again_after_an_interruption(scripts: SimpleNamespace, tmp_path: Path):
    folder, words = tmp_path / "an env", []
    recipe = scripts.environments.Recipe((_VERSION,), ())
    python = scripts.environments.ensure(folder, recipe, report=words.append, replace=False)
    assert (
        subprocess.run([python, "-c", "import urdf_rig, sys; print(sys.prefix)"], check=True, timeout=60).returncode
        == 0
    )
    stamp = folder / "urdf_rig_environment.json"
    made = stamp.stat().st_mtime_ns

    scripts.environments.ensure(folder, recipe, report=words.append, replace=False)
    assert stamp.stat().st_mtime_ns == made

    stamp.unlink()
    (folder / "half").touch()
    assert not scripts.environments.is_ready(folder, recipe)
    scripts.environments.ensure(folder, recipe, report=words.append, replace=False)
    assert not (folder / "half").exists()
    assert scripts.environments.is_ready(folder, recipe)
    assert not scripts.environments.is_ready(folder, recipe._replace(requirements=("something==1",)))


def test_a_folder_of_the_users_own_is_left_alone(scripts: SimpleNamespace, tmp_path: Path):
    (tmp_path / "precious").touch()
    recipe = scripts.environments.Recipe((_VERSION,), ())
    with pytest.raises(scripts.environments.SetupError, match="not from this project"):
        scripts.environments.ensure(tmp_path, recipe, report=print, replace=False)
    assert (tmp_path / "precious").exists()


def test_the_second_of_two_waits(scripts: SimpleNamespace, tmp_path: Path):
    lock, order, entered = tmp_path / "lock", [], threading.Event()

    def second() -> None:
        entered.wait(10)
        with scripts.environments.hold_place(lock, lambda _: order.append("waits") if "waits" not in order else None):
            order.append("second")

    thread = threading.Thread(target=second)
    thread.start()
    with scripts.environments.hold_place(lock, print):
        entered.set()
        while "waits" not in order:
            pass
        order.append("first")
    thread.join(10)
    assert order == ["waits", "first", "second"]


def test_pyenvs_pythons_are_found_newest_first(
    scripts: SimpleNamespace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    for patch in ("2", "10", "9"):
        _program(tmp_path / f"versions/3.7.{patch}/bin/python3.7", "#!/bin/sh\nexit 1\n")
    candidates = [name for name in scripts.pythons._candidates("3.7") if name.startswith(str(tmp_path))]
    assert [Path(name).parts[-3] for name in candidates] == ["3.7.10", "3.7.9", "3.7.2"]


def test_a_python_that_does_not_start_or_is_another_version_is_passed_over(
    scripts: SimpleNamespace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    broken = _program(tmp_path / "a/python9.9", "#!/bin/sh\necho no such version >&2; exit 127\n")
    other = _forward_to_this_python(tmp_path / "b/python9.9")
    monkeypatch.setenv("PATH", os.pathsep.join([str(broken.parent), str(other.parent)]))
    assert scripts.pythons.probe(str(broken)) is None
    assert scripts.pythons.probe(str(other)).version == _VERSION
    assert scripts.pythons.find_python(["9.9"]) is None
    assert scripts.pythons.find_python(["9.9", _VERSION]).version == _VERSION


@pytest.mark.parametrize(
    ("answer", "version"), [("Blender 4.1.1", None), ("Blender 4.2.0", "4.2.0"), ("Blender 10.0.1 LTS", "10.0.1")]
)
def test_only_a_blender_that_is_new_enough_counts(
    scripts: SimpleNamespace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: str, version: str | None
):
    program = _program(tmp_path / "blender", f"#!/bin/sh\necho 'Warning: no sound'\necho '{answer}'\n")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("URDF_RIG_BLENDER", raising=False)
    assert scripts.bootstrap.find_blender() == (version and (str(program), version))


def test_convert_runs_in_the_installed_blender_and_passes_its_status_on(root: Path, tmp_path: Path):
    program = _program(
        tmp_path / "blender",
        '#!/bin/sh\nif [ "$1" = --version ]; then echo "Blender 4.2.0"; exit; fi\necho "$@"\nexit 3\n',
    )
    result = subprocess.run(
        [sys.executable, str(root / "scripts/convert.py"), "a robot.urdf", "out.blend", "--verify", "5"],
        env={**os.environ, "URDF_RIG_BLENDER": str(program)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert result.returncode == 3
    assert "using Blender 4.2.0 at " in result.stderr
    assert result.stdout.startswith("--background --factory-startup ")
    assert result.stdout.endswith("convert.py -- a robot.urdf out.blend --verify 5\n")


def test_the_shipped_libraries_serve_where_none_are_installed(root: Path):
    code = (
        "import importlib.util, sys\n"
        f"sys.path.insert(0, {str(root / 'scripts')!r})\n"
        "import _bootstrap\n"
        "assert not any(importlib.util.find_spec(name) for name in ('urdf_rig', 'collada', 'dateutil', 'ruamel'))\n"
        "package = _bootstrap.load_package()\n"
        "import urdf_rig, dateutil.parser, ruamel.yaml\n"
        "assert package is urdf_rig\n"
        "print(importlib.util.find_spec('collada').origin)\n"
    )
    result = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert result.stderr == ""
    unpacked = Path(result.stdout.strip()).parents[1]
    assert unpacked.name.startswith("urdf-rig-wheels-")
    assert not unpacked.exists()


def test_a_machine_without_anything_is_told_what_to_install(root: Path, tmp_path: Path):
    code = (
        "import runpy, sys\n"
        f"sys.path.insert(0, {str(root / 'scripts')!r})\n"
        "import _pythons, _environments, _bootstrap\n"
        "_pythons._candidates = lambda version: iter(())\n"
        f"_bootstrap.VENV = _environments.Path({str(tmp_path / 'none')!r})\n"
        "sys.argv = ['convert.py', 'a.urdf', 'b.blend']\n"
        f"runpy.run_path({str(root / 'scripts/convert.py')!r}, run_name='__main__')\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "URDF_RIG_BLENDER": "none"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert result.returncode == 1
    assert result.stderr.count("\n") == 1
    assert "install Blender 4.2 or newer" in result.stderr and "Python 3.11 or 3.13" in result.stderr


def test_a_missing_system_library_is_named(scripts: SimpleNamespace, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "platform", "linux")
    table = {"system_libraries": {"libnone-such.so.0": "libnone-such0", "libc.so.6": "libc6"}}
    monkeypatch.setattr(scripts.environments, "table", lambda: table)
    assert "libnone-such0" in scripts.environments.missing_libraries()


def test_a_child_that_takes_too_long_is_killed_with_its_children(scripts: SimpleNamespace):
    child = "import time; time.sleep(60)"
    code = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {child!r}]); {child}"
    result = scripts.process.run([sys.executable, "-c", code], timeout=1.0)
    assert result.status == scripts.process.TIMED_OUT
    assert "killed after 1 s" in result.output


def test_jobs_wait_for_what_they_need_and_failures_stop_the_rest(scripts: SimpleNamespace):
    job = scripts.schedule.Job
    for keep_going, expected in ((False, {"a", "b"}), (True, {"a", "b", "d"})):
        done: list[str] = []

        def work(name: str, good: bool, done: list[str] = done):  # a default, so that each round has its own list
            return lambda show: (done.append(name), good)[1]

        jobs = [
            job("a", work("a", True)),
            job("b", work("b", False), ("a",)),
            job("c", work("c", True), ("b",)),
            job("d", work("d", True), ("a",)),
        ]
        schedule = scripts.schedule.Schedule(jobs, keep_going=keep_going, show=lambda text: None)
        schedule.run(1)
        assert set(done) == expected == set(schedule.results)
        assert schedule.results["a"] and not schedule.results["b"]


def test_the_closing_line_adds_up(scripts: SimpleNamespace, tmp_path: Path):
    path = tmp_path / "report.xml"
    path.write_text(
        '<testsuites><testsuite tests="10" failures="2" errors="1" skipped="3"/></testsuites>', encoding="utf-8"
    )
    outcome = scripts.report.read_junit(path)
    assert outcome == (4, 3, 3)
    assert scripts.report.total([outcome, scripts.report.Outcome(failed=1)], []) == "4 passed, 4 failed, 3 skipped"
    assert scripts.report.total([scripts.report.Outcome(5)], []) == "5 passed, 0 failed"
    assert scripts.report.read_junit(tmp_path / "missing.xml") == (0, 0, 0)


def test_every_step_has_its_environments_in_the_table(scripts: SimpleNamespace):
    known = scripts.environments.table()["environments"]
    everything = scripts.steps.steps("bpy-5.3", everything=True)
    assert {name for step in everything for name in step.environments} <= {*known, *scripts.windows.WINDOWS}
    assert {step.name for step in scripts.steps.steps("bpy-5.3", everything=False)} <= {
        step.name for step in everything
    }
    assert {step.environment for step in everything if step.blender} == {
        name for name in known if name.startswith("bpy-")
    }


def test_the_windows_tests_are_part_of_everything_and_alone(scripts: SimpleNamespace):
    alone = scripts.steps.gui_steps("bpy-5.3")
    assert [step.window for step in alone] == list(scripts.windows.WINDOWS)
    everything = scripts.steps.steps("bpy-5.3", everything=True)
    assert [step for step in everything if step.window] == alone
    assert not [step for step in scripts.steps.steps("bpy-5.3", everything=False) if step.window]


def test_a_window_says_what_its_set_up_needs(scripts: SimpleNamespace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("URDF_RIG_ENVS", str(tmp_path))
    for name, status, said in (("apt-get", 0, "no unshare"), ("unshare", 1, "with its own mounts")):
        _program(tmp_path / "bin" / name, f"#!/bin/sh\nexit {status}\n")
        _program(tmp_path / "bin" / "dpkg-deb", "#!/bin/sh\n")
        monkeypatch.setenv("PATH", str(tmp_path / "bin"))
        with pytest.raises(scripts.environments.SetupError, match=said):
            scripts.windows.ensure_window("window-trixie", print)


@pytest.mark.parametrize(("name", "status"), [("gui-trixie", 1), ("gui-sid", 0)])
def test_only_a_suite_in_motion_may_be_missing(
    name: str,
    status: int,
    scripts: SimpleNamespace,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
):
    def fail(name: str, report: object) -> None:
        raise scripts.environments.SetupError("Debian has no Blender today")

    monkeypatch.setenv("URDF_RIG_ENVS", str(tmp_path))
    monkeypatch.setattr(scripts.test_run, "ensure_window", fail)
    monkeypatch.setattr(scripts.test_run, "ensure", lambda *_, **__: None)
    assert scripts.test_run.main(["--only", name]) == status
    output = capfd.readouterr()
    assert "Debian has no Blender today" in output.err + output.out
    assert "0 passed, 0 failed" in output.out if status == 0 else "not run" in output.out
