# SPDX-License-Identifier: GPL-3.0-or-later
"""Ten minutes of forty joints at 100 Hz into Blender and out of it, in every format. Needs Blender's Python module.

Processor time, so that what else the machine does disturbs little. Beside them the loops that an add-on would write
without bulk access, on a small part and scaled up, and the reader of ``rosbags``.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from _environments import ROOT

from .tables import table

if TYPE_CHECKING:
    import bpy

    from urdf_rig.core.motion import JointMotion

_JOINTS, _RATE, _SECONDS = 40, 100, 600
_PART = 60
"""The loops do one in so many samples."""
_WRITTEN = (".csv", ".json", ".yaml", ".mcap")
_HEADS = ("", "MB", "read s", "into Blender s", "out of Blender s", "peak MB")


def run(options: argparse.Namespace) -> None:
    """Print the tables."""
    try:
        import bpy
    except ImportError:
        raise SystemExit("bench: this Python has no Blender: leave --here out, or 'pip install bpy'") from None
    from urdf_rig.cli.session import blender_session

    with blender_session() as context, tempfile.TemporaryDirectory() as folder:
        rig = _rig(context, Path(folder))
        motion = _motion()
        tables = _formats(context, rig, motion, Path(folder)), _loops(context, rig, motion), _readers(Path(folder))
    print(*tables, sep="\n", flush=True)
    if not bpy.app.binary_path:
        os._exit(0)  # the modules of some versions crash when Python ends


def _rig(context: bpy.types.Context, folder: Path) -> bpy.types.Object:
    from urdf_rig.addon.importer import ImportOptions, import_robot

    parts = ['<link name="l0"/>']
    for index in range(1, _JOINTS + 1):
        parts.append(
            f'<link name="l{index}"/><joint name="joint_{index}" type="revolute"><parent link="l{index - 1}"/>'
            f'<child link="l{index}"/><origin xyz="0 0 0.1"/><axis xyz="{index % 2} {1 - index % 2} 0"/>'
            '<limit lower="-3" upper="3" effort="1" velocity="9"/></joint>'
        )
    path = folder / "chain.urdf"
    path.write_text(f'<robot name="chain">{"".join(parts)}</robot>', encoding="utf-8")
    return import_robot(context, path, ImportOptions()).rig


def _motion() -> JointMotion:
    from urdf_rig.core.motion import BaseMotion, JointMotion

    times = np.arange(_RATE * _SECONDS) / _RATE
    phases = np.linspace(0.0, 3.0, _JOINTS)
    turn = np.column_stack([np.cos(times), 0 * times, 0 * times, np.sin(times)])
    base = BaseMotion(times, np.column_stack([times, 0 * times, 0 * times]) / 100, turn, "world", "l0")
    names = tuple(f"joint_{index}" for index in range(1, _JOINTS + 1))
    return JointMotion(names, times, 2.0 * np.sin(times[:, None] + phases), base=base)


def _formats(context: bpy.types.Context, rig: bpy.types.Object, motion: JointMotion, folder: Path) -> str:
    from urdf_rig.addon.motion.playback import frames_a_second, play_motion
    from urdf_rig.addon.motion.sampling import recorded_motion
    from urdf_rig.core.motion import MotionError, read_motion, write_motion

    end = 1.0 + motion.times[-1] * frames_a_second(context.scene)
    rows = []
    for name, path in _files(motion, folder):
        _forget(rig)
        _reset_peak()
        try:
            reading, recording = _timed(lambda path=path: read_motion(path, base_link="l0"))
            found = recording.motion
            read = f"{reading:.2f}"
        except MotionError as error:
            reading, found, read = 0.0, motion, "refused"
            print(f"  {name}: {error.message}", file=sys.stderr)
        keying, _ = _timed(lambda found=found: play_motion(context, rig, found))
        into = f"{reading + keying:.2f}" if read != "refused" else "-"
        out = "-"
        if name in _WRITTEN:
            took, _ = _timed(
                lambda name=name: write_motion(
                    folder / f"out{name}", recorded_motion(context, rig, start=1.0, end=end, rate=_RATE)
                )
            )
            out = f"{took:.2f}"
        rows.append((name, f"{_size(path) / 1e6:.0f}", read, into, out, _peak()))
    count = len(motion.times) * _JOINTS
    return table(f"{count:,} joint values and {len(motion.times):,} poses of the base", _HEADS, rows)


def _files(motion: JointMotion, folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield files of the motion, made now: by this project, or of bags that it only reads, by ``rosbags``."""
    from urdf_rig.core.motion import write_motion

    for suffix in _WRITTEN:
        write_motion(folder / f"given{suffix}", motion)
        yield suffix, folder / f"given{suffix}"
    if importlib.util.find_spec("rosbags") is None:
        print("  .db3 and .bag: not here; 'pip install rosbags'", file=sys.stderr)
        return
    sys.path.append(str(ROOT / "tests/writers"))
    from ros_bags import write_motion_bag

    for kind in ("db3", "bag"):
        yield f".{kind}", write_motion_bag(folder, kind, motion)


def _loops(context: bpy.types.Context, rig: bpy.types.Object, motion: JointMotion) -> str:
    """Return a table of what Blender's own calls would take, key by key and frame by frame."""
    from urdf_rig.addon.motion.playback import frames_a_second
    from urdf_rig.addon.rig import joint_bones

    scene, fps = context.scene, frames_a_second(context.scene)
    bones = joint_bones(rig)
    count = len(motion.times) // _PART

    def insert() -> None:
        rig.animation_data_clear()
        for time_, row in zip(motion.times[:count], motion.positions[:count], strict=True):
            for joint, value in zip(bones, row, strict=True):
                joint.bone.rotation_euler[1] = value
                joint.bone.keyframe_insert("rotation_euler", index=1, frame=1.0 + time_ * fps)

    def play() -> None:
        for time_ in motion.times[:count]:
            frame = 1.0 + time_ * fps
            scene.frame_set(int(frame), subframe=frame % 1.0)
            [joint.value for joint in bones]

    rows = []
    for name, call in (("keyframe_insert, a key at a time", insert), ("frame_set, a frame at a time", play)):
        took, _ = _timed(call)
        rows.append((name, f"{took:.2f}", f"{took * _PART:.0f}"))
    return table(f"Loops over {count:,} of {len(motion.times):,} samples", ("", "s", f"× {_PART}, at least, s"), rows)


def _readers(folder: Path) -> str:
    """Return a table of what the library ``rosbags`` takes to read and decode the joint states of the same bags."""
    if importlib.util.find_spec("rosbags") is None:
        return "rosbags: not here; 'pip install rosbags'\n"
    from rosbags.highlevel import AnyReader
    from rosbags.typesys import Stores, get_typestore

    from urdf_rig.core.motion import read_motion

    rows = []
    for path in (folder / "given.mcap", folder / "recording", folder / "recording.bag"):
        ours, _ = _timed(lambda path=path: read_motion(path, base_topic="-"))

        def read(path: Path = path) -> int:
            with AnyReader([path], default_typestore=get_typestore(Stores.ROS2_HUMBLE)) as reader:
                wanted = [item for item in reader.connections if item.topic == "/joint_states"]
                found = [
                    reader.deserialize(data, item.msgtype).position
                    for item, _, data in reader.messages(connections=wanted)
                ]
            return len(found)

        theirs, _ = _timed(read)
        kind = path.suffix or ".db3"
        rows.append((kind, f"{ours:.2f}", f"{theirs:.2f}", f"{theirs / ours:.1f}"))
    return table("Joint states of a bag read and decoded", ("", "urdf_rig s", "rosbags s", "× ours"), rows)


def _forget(rig: bpy.types.Object) -> None:
    """Remove all actions, or their keys would be counted with the next ones."""
    import bpy

    rig.animation_data_clear()
    for action in list(bpy.data.actions):
        bpy.data.actions.remove(action)


def _timed(call: Callable[[], object]) -> tuple[float, object]:
    started = time.process_time()
    result = call()
    return time.process_time() - started, result


def _size(path: Path) -> int:
    return sum(item.stat().st_size for item in path.rglob("*")) if path.is_dir() else path.stat().st_size


def _reset_peak() -> None:
    with contextlib.suppress(OSError):  # Linux alone can
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


def _peak() -> str:
    """Return the most memory that the process has had since it was asked last [MB]."""
    try:
        lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
        return f"{int(next(line for line in lines if line.startswith('VmHWM')).split()[1]) / 1024:.0f}"
    except (OSError, StopIteration):
        return "?"
