# SPDX-License-Identifier: GPL-3.0-or-later
"""Play a scenario in the window of the Blender that runs this.

    blender --enable-event-simulate --python play.py -- SCENARIO FOLDER INPUTS.json

``result.json`` in the folder says how it went; then Blender is quit as by its menu.
"""

import importlib
import json
import sys
import traceback
from pathlib import Path

import bpy

sys.path.insert(0, str(Path(__file__).parent))
from hand import Hand

_FIRST = 0.5


def _quit(window):
    with bpy.context.temp_override(window=window):
        bpy.ops.wm.quit_blender()


def main():
    name, folder, inputs = sys.argv[sys.argv.index("--") + 1 :]
    hand = Hand(Path(folder))
    scenario = importlib.import_module(f"scenarios.{name}").scenario
    steps = scenario(hand, **{key: Path(value) for key, value in json.loads(Path(inputs).read_text()).items()})
    result = {"version": bpy.app.version_string, "problem": ""}

    def turn():
        try:
            return next(steps)
        except StopIteration as end:
            result["figures"] = end.value
        except Exception:  # noqa: BLE001 - whatever it is, the test tells it
            result["problem"] = traceback.format_exc()
        (hand.folder / "result.json").write_text(json.dumps(result, indent=1))
        _quit(hand.window)
        return None

    bpy.app.timers.register(turn, first_interval=_FIRST)


main()
