# SPDX-License-Identifier: GPL-3.0-or-later
"""The examples in docstrings run; they name files as seen from the checkout."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

from urdf_rig import core

_ROOT = Path(__file__).parents[2]


def test_each_public_function_has_an_example_that_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(_ROOT)
    runner, finder = doctest.DocTestRunner(), doctest.DocTestFinder(recurse=False)
    for name in core.__all__:
        public = getattr(core, name)
        if isinstance(public, type):
            continue
        module = importlib.import_module(public.__module__)
        (example,) = finder.find(public, name, module=module)
        assert example.examples, f"{name} has no example"
        assert runner.run(example).failed == 0
