# SPDX-License-Identifier: GPL-3.0-or-later
"""Bags made by the writers of ``rosbags`` and ``mcap``, read back."""

from __future__ import annotations

import bz2
import re
import shutil
import sqlite3
import struct
import sys

import numpy as np
import pytest
from ros_bags import KINDS, BagWriter, write_motion_bag
from rosbags.highlevel import AnyReader

from urdf_rig.core.motion import BaseMotion, JointMotion, MotionError, motion_topics, read_motion, write_motion

SECOND = 1_000_000_000
EPOCH = 1_790_000_000 * SECOND


def motion_of(count=50, joints=7, *, rates=False, base=True):
    dice = np.random.default_rng(3)
    times = np.arange(count) / 100
    arrays = [dice.normal(size=(count, joints)) * 4 for _ in range(3)]
    pose = BaseMotion(times, dice.normal(size=(count, 3)), dice.normal(size=(count, 4)), "map", "pelvis")
    names = tuple(f"joint_{'x' * index}" for index in range(joints))  # lengths of every remainder, for the alignment
    return JointMotion(names, times, arrays[0], *(arrays[1:] if rates else (None, None)), pose if base else None)


def same(got, want):
    assert got.joints == want.joints
    assert np.abs(got.times - want.times).max() < 1e-9
    assert np.array_equal(got.positions, want.positions)
    assert (got.base is None) == (want.base is None)
    if want.base is not None:
        assert np.abs(got.base.times - want.base.times).max() < 1e-9
        assert np.abs(got.base.positions - want.base.positions).max() < 1e-12
        assert np.abs(got.base.quaternions - want.base.quaternions).max() < 1e-12
        assert (got.base.frame, got.base.link) == (want.base.frame, want.base.link)


@pytest.mark.parametrize(
    ("kind", "compression"),
    [("mcap", ""), ("mcap", "storage"), ("db3", ""), ("db3", "message"), ("bag", ""), ("bag", "bz2"), ("bag", "lz4")],
)
def test_joint_states_and_odometry_are_read_back(tmp_path, kind, compression):
    motion = motion_of()
    file = write_motion_bag(tmp_path, kind, motion, compression)
    read = read_motion(file)
    same(read.motion, motion)
    assert [str(item) for item in read.diagnostics] == []
    assert [(topic.name, topic.type, topic.count) for topic in motion_topics(file)] == [
        ("/joint_states", "sensor_msgs/JointState", 50),
        ("/odom", "nav_msgs/Odometry", 50),
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_clock_time_is_counted_from_the_first_joint_state(tmp_path, kind):
    motion = motion_of()
    read = read_motion(write_motion_bag(tmp_path, kind, motion, start=EPOCH))
    same(read.motion, motion)
    assert "counted from the first sample" in str(read.diagnostics[0])


@pytest.mark.parametrize("kind", KINDS)
def test_without_stamps_the_time_of_recording_counts_and_order_is_that_of_time(tmp_path, kind):
    with BagWriter(tmp_path, kind) as bag:
        for time in (3, 1, 2):
            bag.joint_state("/joint_states", time * SECOND, ["a"], [time], stamp=0)
    motion = read_motion(bag.file).motion
    assert motion.times.tolist() == [1.0, 2.0, 3.0] and motion.positions[:, 0].tolist() == [1.0, 2.0, 3.0]


@pytest.mark.parametrize("kind", KINDS)
def test_joints_of_several_publishers_are_one_motion(tmp_path, kind):
    with BagWriter(tmp_path, kind) as bag:
        for time in range(0, 5):
            bag.joint_state("/joint_states", time * SECOND, ["arm", "wrist"], [time, 10 * time], [1, 10])
            bag.joint_state("/joint_states", time * SECOND + SECOND // 2, ["finger"], [time + 0.5], [1])
        bag.joint_state("/joint_states", 2 * SECOND, ["arm"], [])
    read = read_motion(bag.file)
    motion = read.motion
    assert motion.joints == ("arm", "wrist", "finger")
    assert motion.times == pytest.approx(np.arange(10) / 2)
    inside = motion.at(np.arange(1, 9) / 2)
    assert inside.positions == pytest.approx(np.outer(np.arange(1, 9) / 2, [1, 10, 1]))
    assert inside.velocities == pytest.approx(np.tile([1, 10, 1], (8, 1)))
    assert "1 messages have not one position for each joint" in str(read.diagnostics[0])


@pytest.mark.parametrize("kind", KINDS)
def test_a_trajectory_starts_at_its_stamp_and_a_later_one_replaces_it(tmp_path, kind):
    with BagWriter(tmp_path, kind) as bag:
        offsets = [SECOND, 2 * SECOND, 3 * SECOND]
        bag.trajectory("/plan", 0, ["a", "b"], offsets, [[1, 2], [3, 4], [5, 6]], stamp=10 * SECOND)
        bag.trajectory("/plan", 12 * SECOND + 1, ["a", "b"], offsets[:1], [[7, 8]])
    motion = read_motion(bag.file).motion
    assert motion.times == pytest.approx([11.0, 12.0, 13.000000001], abs=1e-12)
    assert motion.positions.tolist() == [[1, 2], [3, 4], [7, 8]]


@pytest.mark.parametrize("kind", KINDS)
def test_a_topic_is_chosen_by_name_and_the_others_are_said(tmp_path, kind):
    with BagWriter(tmp_path, kind) as bag:
        for time in range(3):
            bag.joint_state("/left/joint_states", time * SECOND, ["a"], [time])
            bag.joint_state("/right/joint_states", time * SECOND, ["b"], [-time])
            bag.pose_stamped("/goal_pose", time * SECOND, "map", (time, 0, 0), (1, 0, 0, 0))
        bag.joint_state("/right/joint_states", 3 * SECOND, ["b"], [-3])
    read = read_motion(bag.file)
    assert read.motion.joints == ("b",) and read.motion.base is None  # it has more messages; a pose may be a goal
    assert "/right/joint_states is read" in str(read.diagnostics[0]) and "/left/joint_states" in str(
        read.diagnostics[0]
    )
    chosen = read_motion(bag.file, topic="/left/joint_states", base_topic="/goal_pose")
    assert chosen.motion.joints == ("a",) and chosen.diagnostics == ()
    assert chosen.motion.base.positions[:, 0].tolist() == [0.0, 1.0, 2.0]
    with pytest.raises(MotionError, match=r"no topic '/x' with joint values.*/left/joint_states.*/right/joint_states"):
        read_motion(bag.file, topic="/x")
    with pytest.raises(MotionError, match=r"no topic '/odom' with poses.*/goal_pose"):
        read_motion(bag.file, base_topic="/odom")
    alone = read_motion(bag.file, topic="-", base_topic="/goal_pose").motion
    assert alone.joints == () and alone.base.times.tolist() == [0.0, 1.0, 2.0]


HALF = (np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5))  # a quarter turn about z


@pytest.mark.parametrize("kind", KINDS)
def test_transforms_are_put_together_from_the_base_up(tmp_path, kind):
    """The body is 1 m in front of odom's x axis, which map sees turned by a quarter and 5 m up."""
    with BagWriter(tmp_path, kind) as bag:
        bag.transforms("/tf_static", 0, [("map", "odom", (0, 0, 5), HALF), ("arm", "tool", (9, 9, 9), (1, 0, 0, 0))])
        for time in range(4):
            edges = [("odom", "body", (time, 0, 0), (1, 0, 0, 0)), ("body", "arm", (0, 0, time), (1, 0, 0, 0))]
            bag.transforms("/tf", time * SECOND, edges)
            bag.joint_state("/joint_states", time * SECOND, ["a"], [time])
    base = read_motion(bag.file, base_link="body").motion.base
    assert (base.frame, base.link) == ("map", "body")
    assert base.positions == pytest.approx(np.array([[0, time, 5] for time in range(4)]))
    assert base.quaternions == pytest.approx(np.tile(HALF, (4, 1)))
    assert read_motion(bag.file, base_link="map").motion.base is None
    with pytest.raises(MotionError, match=r"no transform to the base 'map'.*'odom', 'tool'|'body'"):
        read_motion(bag.file, base_topic="/tf", base_link="map")


@pytest.mark.parametrize("kind", KINDS)
def test_messages_about_other_frames_between_are_told_apart(tmp_path, kind):
    """Messages of the same length about other frames, in another order, or about more of them."""
    turn = (1, 0, 0, 0)
    with BagWriter(tmp_path, kind) as bag:
        for time in range(40):
            edges = [("map", "body", (time, 0, 0), turn), ("body", "armx", (0, time, 0), turn)]
            extra = [[], [("map", "bodx", (-1, 0, 0), turn)], [("body", "tool", (-2, 0, 0), turn)]][time % 3]
            bag.transforms("/tf", time * SECOND, [*extra, *(edges if time % 4 else edges[::-1])])
            if time % 5 == 0:
                bag.transforms("/tf", time * SECOND + 1, [("map", "bodz", (9, 0, 0), turn)])
    base = read_motion(bag.file, base_link="body").motion.base
    assert base.times.tolist() == list(range(40)) and base.positions[:, 0].tolist() == list(range(40))
    arm = read_motion(bag.file, base_link="armx").motion.base
    assert arm.positions[:, 1].tolist() == list(range(40)) == arm.positions[:, 0].tolist()


def test_frames_in_a_circle_are_refused(tmp_path):
    with BagWriter(tmp_path, "mcap") as bag:
        for time in range(2):
            bag.transforms("/tf", time, [("a", "b", (0, 0, 0), HALF), ("b", "a", (0, 0, 0), HALF)])
    with pytest.raises(MotionError, match="circle"):
        read_motion(bag.file, base_topic="/tf", base_link="a")


def test_what_we_write_is_what_ros_reads(tmp_path):
    """Read by ``rosbags``, with the message definitions that stand in the file."""
    motion = motion_of(rates=True)
    path = tmp_path / "m.mcap"
    write_motion(path, motion)
    with AnyReader([path]) as reader:
        rows = {item.topic: [] for item in reader.connections}
        for connection, time, data in reader.messages():
            rows[connection.topic].append((time, reader.deserialize(data, connection.msgtype)))
    assert set(rows) == {"/joint_states", "/tf", "/joint_trajectory"}
    assert [time for time, _ in rows["/joint_states"]] == [round(time * SECOND) for time in motion.times]
    for index, (time, message) in enumerate(rows["/joint_states"]):
        assert message.header.stamp.sec * SECOND + message.header.stamp.nanosec == time
        assert tuple(message.name) == motion.joints and len(message.effort) == 0
        assert np.array_equal(message.position, motion.positions[index])
        assert np.array_equal(message.velocity, motion.velocities[index])
    for index, (_, message) in enumerate(rows["/tf"]):
        (item,) = message.transforms
        assert (item.header.frame_id, item.child_frame_id) == ("map", "pelvis")
        turn = item.transform.rotation
        assert [turn.w, turn.x, turn.y, turn.z] == motion.base.quaternions[index].tolist()
        place = item.transform.translation
        assert [place.x, place.y, place.z] == motion.base.positions[index].tolist()
    ((_, plan),) = rows["/joint_trajectory"]
    assert np.array_equal([point.accelerations for point in plan.points], motion.accelerations)
    assert plan.points[7].time_from_start.nanosec == 70_000_000
    again = read_motion(path, topic="/joint_trajectory", base_link="pelvis").motion
    assert np.array_equal(again.accelerations, motion.accelerations)
    same(again, motion)


def test_the_metadata_files_and_a_single_file_are_the_same_bag(tmp_path):
    motion = motion_of()
    folder = write_motion_bag(tmp_path, "db3", motion, "message")
    for path in (folder, folder / "metadata.yaml", next(folder.glob("*.db3"))):
        same(read_motion(path).motion, motion)


def test_a_bag_in_two_files_is_read_as_one(tmp_path):
    motion = motion_of()
    folder = write_motion_bag(tmp_path, "mcap", motion.at(motion.times[:25]))
    (tmp_path / "later").mkdir()
    other = write_motion_bag(tmp_path / "later", "mcap", motion.at(motion.times[25:]))
    shutil.copy(next(other.glob("*.mcap")), folder / "second.mcap")
    text = (folder / "metadata.yaml").read_text()
    (name,) = re.findall(r"relative_file_paths:\n\s+- (\S+)", text)
    (folder / "metadata.yaml").write_text(text.replace(f"- {name}", f"- {name}\n  - second.mcap", 1))
    same(read_motion(folder).motion, motion)


@pytest.mark.parametrize("name", ["../secret.mcap", "/etc/passwd", "missing.mcap"])
def test_a_bag_names_files_of_its_own_folder_only(tmp_path, name):
    folder = write_motion_bag(tmp_path, "mcap", motion_of(5))
    shutil.move(next(folder.glob("*.mcap")), tmp_path / "secret.mcap")
    metadata = folder / "metadata.yaml"
    text = re.sub(r"(relative_file_paths:\n\s+- )\S+", rf"\g<1>{name}", metadata.read_text())
    metadata.write_text(text)
    with pytest.raises(MotionError, match="not a file in the bag's folder"):
        read_motion(folder)


@pytest.mark.parametrize(("kind", "index"), [("mcap", True), ("mcap", False), ("bag", False)])
def test_a_bag_whose_end_is_missing_is_read_as_far_as_it_goes(tmp_path, kind, index):
    motion = motion_of(2000)
    file = write_motion_bag(tmp_path, kind, motion)
    file = next(file.glob("*.mcap")) if kind == "mcap" else file
    data = file.read_bytes()
    if kind == "bag":  # as a recorder leaves it that was killed: no index yet
        place = data.index(b"index_pos=") + len(b"index_pos=")
        data = data[:place] + bytes(8) + data[place + 8 :]
    file.write_bytes(data[: len(data) * 2 // 3] if not index else data[:-9])
    read = read_motion(file)
    count = len(read.motion.times)
    assert 100 < count <= 2000 and (count == 2000) == index
    assert np.array_equal(read.motion.positions, motion.positions[:count])
    assert any("ends too early" in str(item) for item in read.diagnostics)


@pytest.mark.parametrize("kind", KINDS)
def test_damage_is_an_error_of_ours_or_does_no_harm(tmp_path, kind):
    file = write_motion_bag(tmp_path, kind, motion_of(40))
    file = file if kind == "bag" else next(path for path in file.iterdir() if path.suffix in (".mcap", ".db3"))
    data = file.read_bytes()
    dice = np.random.default_rng(1)
    refused = 0
    for _ in range(150):
        changed = bytearray(data)
        for place in dice.integers(0, len(data), dice.integers(1, 30)):
            changed[place] = dice.integers(0, 256)
        file.write_bytes(changed[: dice.integers(1, len(data))] if dice.random() < 0.3 else changed)
        try:
            read_motion(file)
        except MotionError as error:
            assert str(file.name) in str(error)
            refused += 1
    assert refused > 10


@pytest.mark.parametrize("suffix", [".mcap", ".db3", ".bag"])
@pytest.mark.parametrize("data", [b"", b"x", b"#ROSBAG V1.2\n", b"\x00" * 5000])
def test_what_is_no_bag(tmp_path, suffix, data):
    path = tmp_path / f"x{suffix}"
    path.write_bytes(data)
    with pytest.raises(MotionError, match=path.name):
        read_motion(path)
    with pytest.raises(MotionError, match="missing"):
        read_motion(tmp_path / f"missing{suffix}")
    with pytest.raises(MotionError, match="metadata"):
        read_motion(tmp_path)


def test_a_view_in_place_of_a_table_is_not_asked(tmp_path):
    path = tmp_path / "x.db3"
    with sqlite3.connect(path) as base:
        base.execute("CREATE TABLE messages (id, topic_id, timestamp, data)")
        base.execute(
            "CREATE VIEW topics AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) "
            "SELECT x AS id, 'a' AS name, 'b' AS type, 'cdr' AS serialization_format FROM n"
        )
    base.close()
    with pytest.raises(MotionError, match="lacks the tables"):
        read_motion(path)


def test_a_bag_without_motions_says_what_would_be_one(tmp_path):
    with BagWriter(tmp_path, "mcap") as bag:
        bag.pose_stamped("/goal_pose", 0, "map", (0, 0, 0), (1, 0, 0, 0))
    with pytest.raises(MotionError, match=r"sensor_msgs/JointState.*there are '/goal_pose"):
        read_motion(bag.file)


@pytest.mark.parametrize(
    ("kind", "compression", "module", "words"),
    [("bag", "lz4", "lz4.frame", "pip install lz4"), ("db3", "message", "backports.zstd", "pip install zstandard")],
)
def test_a_library_that_is_not_there_is_named(tmp_path, monkeypatch, kind, compression, module, words):
    file = write_motion_bag(tmp_path, kind, motion_of(5), compression)
    for name in (module, "zstandard", "compression.zstd"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(MotionError, match=words):
        read_motion(file)


def test_without_the_library_mcap_the_remedy_is_said(tmp_path, monkeypatch):
    motion = motion_of(5)
    write_motion(tmp_path / "m.mcap", motion)
    for name in ("mcap.reader", "mcap.writer"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(MotionError, match="pip install mcap"):
        read_motion(tmp_path / "m.mcap")
    with pytest.raises(MotionError, match="pip install mcap"):
        write_motion(tmp_path / "n.mcap", motion)
    assert not (tmp_path / "n.mcap").exists()


@pytest.mark.parametrize("kind", ["lz4", "zstd"])
def test_a_part_that_would_be_too_large_is_refused(kind):
    """A megabyte or less that becomes a quarter of a gigabyte."""
    import lz4.frame
    from backports import zstd

    from urdf_rig.core.motion.bags.compression import MAX_PART, decompressed

    bomb = {"lz4": lz4.frame, "zstd": zstd}[kind].compress(bytes(MAX_PART + 1))
    assert len(bomb) < 2_000_000
    with pytest.raises(MotionError, match="larger than 256 MiB"):
        decompressed(bomb, kind, "x.bag")
    whole = {"lz4": lz4.frame, "zstd": zstd}[kind].compress(bytes(1000))
    assert decompressed(whole, kind, "x.bag") == bytes(1000)
    with pytest.raises(MotionError, match="damaged"):
        decompressed(b"no" + whole[2:], kind, "x.bag")


def test_parts_out_of_proportion_to_the_file_are_refused(tmp_path, monkeypatch):
    """The same chunk that says a megabyte of nothing, a thousand times, and records of no length without end."""
    from mcap.data_stream import RecordBuilder
    from mcap.records import Chunk
    from mcap.writer import MCAP0_MAGIC

    import urdf_rig.core.motion.bags.compression as module

    def bag(content, count):
        builder = RecordBuilder()
        builder.write(MCAP0_MAGIC)
        for _ in range(count):
            data = bz2.compress(content)
            Chunk("bz2", data, 0, 0, 0, len(content)).write(builder)
        path = tmp_path / "x.mcap"
        path.write_bytes(builder.end())
        return path

    monkeypatch.setattr(module, "_ALLOWED", 1 << 20)
    huge = struct.pack("<BQ", 99, (1 << 20) - 9) + bytes((1 << 20) - 9)
    with pytest.raises(MotionError, match="out of proportion"):
        read_motion(bag(huge, 1000))
    monkeypatch.setattr(module, "_MAX_RECORDS", 1000)
    with pytest.raises(MotionError, match="more than 1000 records"):
        read_motion(bag(bytes(9 * 1001), 1))


@pytest.mark.parametrize("values", [[np.nan], [np.inf]])
def test_positions_that_are_no_numbers(tmp_path, values):
    with BagWriter(tmp_path, "mcap") as bag:
        bag.joint_state("/joint_states", 0, ["a"], [0.0])
        bag.joint_state("/joint_states", SECOND, ["a"], values)
    with pytest.raises(MotionError, match="'a' is no finite number in sample 1"):
        read_motion(bag.file)


def test_only_bags_have_topics(tmp_path):
    path = tmp_path / "m.csv"
    write_motion(path, motion_of(5))
    with pytest.raises(MotionError, match="only bags have topics"):
        read_motion(path, topic="/joint_states")
    with pytest.raises(MotionError, match="unknown kind of file"):
        write_motion(tmp_path / "m.bag", motion_of(5))
