# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line's pictures with matplotlib, which this environment has, beside those of the core."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from urdf_rig.cli.main import main

ROOT = Path(__file__).resolve().parents[3]
_ROBOT = str(ROOT / "examples" / "arm6" / "arm6.urdf")


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    """A second of motion with one joint far too fast."""
    path = tmp_path / "motion.csv"
    rows = [f"{step / 50:.2f},{np.sin(step / 5):.5f},{0.01 * step:.5f}" for step in range(51)]
    path.write_text("\n".join(["time,joint_1,joint_2", *rows]) + "\n")
    return path


def test_both_ways_draw_the_same_picture(recording: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pictures = {}
    for name in ("matplotlib", "own"):
        if name == "own":
            monkeypatch.setattr("urdf_rig.cli.plotting.importlib.util.find_spec", lambda _: None)
        path = tmp_path / f"{name}.png"
        assert main(["check-motion", _ROBOT, str(recording), "--plot", str(path)]) in (0, 3)
        pictures[name] = np.asarray(Image.open(path).convert("RGB"), dtype=float)
    ours, theirs = pictures["own"], pictures["matplotlib"]
    assert ours.shape == theirs.shape
    assert not np.array_equal(ours, theirs)
    blocks = [
        np.add.reduceat(np.add.reduceat(each, range(0, each.shape[0], 24)), range(0, each.shape[1], 24), axis=1)
        for each in (ours, theirs)
    ]
    alike = np.corrcoef(blocks[0].ravel(), blocks[1].ravel())[0, 1]
    assert alike > 0.9  # blurred, so that the letters' shapes do not count


def test_pdf_needs_matplotlib(recording: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    path = tmp_path / "motion.pdf"
    assert main(["check-motion", _ROBOT, str(recording), "--plot", str(path)]) in (0, 3)
    assert path.read_bytes().startswith(b"%PDF")
    monkeypatch.setattr("urdf_rig.cli.plotting.importlib.util.find_spec", lambda _: None)
    assert main(["check-motion", _ROBOT, str(recording), "--plot", str(path)]) == 2
    assert ".png, .svg" in capsys.readouterr().err
