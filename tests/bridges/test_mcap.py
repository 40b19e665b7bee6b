"""Whole runs as MCAP, bags of ROS 2, KML, GPX and for Rerun, read by others' readers, and back."""

from __future__ import annotations

import json
import os
import struct
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from math import cos, radians, sin
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree

import lz4.frame
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st
from mcap.reader import make_reader
from mcap.writer import Writer
from rerun.chunk import RrdReader
from rosbags.highlevel import AnyReader

from steerageway.apps.logs.alog.command import main
from steerageway.apps.logs.logger.app import Logger
from steerageway.apps.shared import log_files
from steerageway.bridges.mcap import file
from steerageway.bridges.ros.messages import STORE, message
from steerageway.bridges.scene import drawing
from steerageway.bus import ConfigError
from steerageway.moos.alog import EntryFormat, banner, data_hash, whole_lines
from steerageway.moos.alog import messages as replayed
from steerageway.moos.errors import FormatError
from steerageway.web.viewer.command import _sorted
from steerageway.web.viewer.log_set import open_logs
from tests.bridges.conftest import Drive, Ran, Sail

START = 1_767_225_600.5
HEADING = 60.0


def log_in(folder: Path, lines: list[str], *, marks: bool = False) -> Path:
    """Write a log of these lines."""
    path = folder / "otter" / "LOG" / "LOG.alog"
    path.parent.mkdir(parents=True)
    head = banner("./LOG/LOG.alog", START, START, marks=marks)
    path.write_bytes((head + "".join(lines)).encode("utf-8", "backslashreplace"))
    return path


def sample() -> list[str]:
    """Return lines of a vessel that has turned, with drawings, another vessel and a warning."""
    form = EntryFormat(0.0, precision=9)
    nav = {"NAV_X": 10.0, "NAV_Y": -20.0, "NAV_DEPTH": 2.0, "NAV_PITCH": 0.0, "NAV_ROLL": 0.0}
    nav |= {"NAV_HEADING": HEADING, "NAV_LAT": 59.9, "NAV_LONG": -10.7}
    posts: list[tuple[str, float | str]] = [
        ("DB_TIME", START),
        *nav.items(),
        ("VIEW_SEGLIST", "pts={0,0:10,20:30,40},label=survey"),
        ("VIEW_POLYGON", "pts={0,0:10,0:10,10},label=region"),
        ("VIEW_CIRCLE", "x=1,y=2,radius=3,label=ring"),
        ("VIEW_POINT", "x=5,y=6,label=goal,active=false"),
        ("NODE_REPORT", "NAME=ben,X=1,Y=2,HDG=0,SPD=1,LENGTH=8,TIME=1"),
        ("BHV_WARNING", "too near"),
    ]
    lines = [form.line(name, value, 1.25, "pTest") for name, value in posts]
    lines[0] = form.line("DB_TIME", START, 1.25, "MOOSDB_otter")
    return [*lines, form.line("NAV_X", 11.0, 1.5, "pTest")]


def messages(path: Path) -> Iterator[tuple[str, str, int, Any]]:
    """Yield topic, schema, time [ns] and message, by the reader of the format's authors."""
    with path.open("rb") as data:
        for schema, channel, one in make_reader(data).iter_messages():
            assert schema is not None
            assert (channel.message_encoding, schema.encoding) == ("json", "jsonschema")
            assert json.loads(schema.data)["title"] == schema.name
            yield channel.topic, schema.name, one.log_time, json.loads(one.data)


words = st.text(st.characters(min_codepoint=33, max_codepoint=0x2FF), min_size=1, max_size=12)
values = st.one_of(st.floats(allow_nan=False, allow_infinity=False, width=32), st.text(max_size=40))


@pytest.mark.slow
@settings(max_examples=50)
@given(
    st.lists(st.tuples(words, values, st.integers(-(10**7), 10**7), words, words), max_size=12),
    st.booleans(),
    st.integers(0, 12),
    st.sampled_from(
        ["", "  \n", "%% case\n", "0.5  A   b   c  \n", "1 X y 007\n", "2 X y:a@b z\n"]
    ),
)
def test_every_log_is_read_back_byte_for_byte(
    tmp_path_factory: pytest.TempPathFactory,
    posts: list[tuple[str, float | str, int, str, str]],
    aux: bool,
    precision: int,
    odd: str,
) -> None:
    folder = tmp_path_factory.mktemp("log")
    form = EntryFormat(0.0, precision=precision, aux=aux)
    lines = [form.line(n, v, t / 1000, s, a) for n, v, t, s, a in posts]
    log = log_in(folder, [*lines, odd, *lines[:1]])
    file.write([log], folder / "run.mcap")
    (copy,) = log_files.logs_at(folder / "run.mcap")
    assert copy.read_bytes() == log.read_bytes()
    assert copy.name == log.name


def test_the_viewer_and_a_replay_read_what_the_log_says(tmp_path: Path) -> None:
    log, output = log_in(tmp_path, sample()), tmp_path / "run.mcap"
    file.write([log], output)
    assert _sorted([str(output)]) == ([], [output])
    (index,) = open_logs(output)
    assert index.path.read_bytes() == log.read_bytes()
    (copy,) = log_files.logs_at(output)
    assert list(replayed(copy, ["NAV_*"])) == list(replayed(log, ["NAV_*"])) != []


def test_a_vessel_is_where_foxglove_expects_it(tmp_path: Path) -> None:
    file.write([log_in(tmp_path, sample())], tmp_path / "run.mcap")
    found = {schema: one for topic, schema, *_, one in messages(tmp_path / "run.mcap")}
    at = {topic: time for topic, _, time, _ in messages(tmp_path / "run.mcap")}
    pose = next(one["pose"] for *_, one in messages(tmp_path / "run.mcap") if "pose" in one)
    # North-east-down to east-north-up: z is minus the depth, yaw is 90 degrees minus the heading.
    assert pose["position"] == {"x": 10.0, "y": -20.0, "z": -2.0}
    half = radians(90.0 - HEADING) / 2
    expected = {"x": 0.0, "y": 0.0, "z": sin(half), "w": cos(half)}
    assert pose["orientation"] == pytest.approx(expected)
    assert found["foxglove.FrameTransform"]["child_frame_id"] == "otter"
    fix = found["foxglove.LocationFix"]
    assert (fix["latitude"], fix["longitude"], fix["altitude"]) == (59.9, -10.7, -2.0)
    assert at["/otter/BHV_WARNING"] == 1_767_225_601_750_000_000
    log = found["foxglove.Log"]
    assert (log["level"], log["message"], log["name"]) == (3, "too near", "BHV_WARNING")


def test_a_layout_shows_topics_of_the_file_only_each_panel_once(tmp_path: Path) -> None:
    output, log = tmp_path / "run.mcap", log_in(tmp_path, sample())
    command = ("mcap", str(log), "-o", str(output), "--layout", str(tmp_path / "run.json"))
    assert main(command) == 0
    layout = json.loads((tmp_path / "run.json").read_text())
    panels = layout["configById"]

    def placed(node: dict[str, Any] | str) -> list[str]:
        if isinstance(node, str):
            return [node]
        assert set(node) == {"direction", "first", "second", "splitPercentage"}
        return [*placed(node["first"]), *placed(node["second"])]

    assert sorted(placed(layout["layout"])) == sorted(panels)
    assert {name.partition("!")[0] for name in panels} >= {"3D", "map", "Plot"}
    topics = {topic for topic, *_ in messages(output)}
    shown = {*panels["3D!world"]["topics"]}
    shown |= {
        p["value"].rpartition(".")[0] for one in panels.values() for p in one.get("paths", ())
    }
    assert shown <= topics
    assert "/otter/NAV_HEADING" in shown
    assert main((*command, "--schema", "ros2")) == 2
    assert main((*command[:-1], str(tmp_path / "none" / "run.json"))) == 2


@pytest.mark.parametrize(
    "text", ["x=nan,y=0,radius=3", "x=1,y=1e999,radius=3", "x=1,y=2,radius=inf"]
)
def test_a_circle_at_no_place_is_not_drawn(text: str) -> None:
    assert drawing("VIEW_CIRCLE", text, 0)["entities"] == []
    assert drawing("VIEW_CIRCLE", "x=1,y=2,radius=3", 0)["entities"]


def test_drawings_and_vessels_are_entities_of_the_scene(tmp_path: Path) -> None:
    file.write([log_in(tmp_path, sample())], tmp_path / "run.mcap")
    scene = [m for t, _, _, m in messages(tmp_path / "run.mcap") if t == "/otter/scene"]
    entities = {one["id"]: one for update in scene for one in update["entities"]}
    assert set(entities) == {
        *("VIEW_SEGLIST survey", "VIEW_POLYGON region", "VIEW_CIRCLE ring", "contact ben")
    }
    (line,) = entities["VIEW_SEGLIST survey"]["lines"]
    assert [(p["x"], p["y"]) for p in line["points"]] == [(0, 0), (10, 20), (30, 40)]
    (ring,) = entities["VIEW_CIRCLE ring"]["lines"]
    assert ring["type"] == 1
    radii = {(p["x"] - 1) ** 2 + (p["y"] - 2) ** 2 for p in ring["points"]}
    assert min(radii) == pytest.approx(9.0)
    assert max(radii) == pytest.approx(9.0)
    assert entities["contact ben"]["texts"][0]["text"] == "ben"
    assert [one["id"] for update in scene for one in update["deletions"]] == ["VIEW_POINT goal"]


@pytest.mark.slow
def test_a_bag_is_read_by_rosbags_with_the_types_of_ros(tmp_path: Path) -> None:
    log = log_in(tmp_path, sample())
    assert main(["rosbag2", str(log), "-o", str(tmp_path / "bag")]) == 0
    with AnyReader([tmp_path / "bag"]) as bag:
        kinds = {one.topic: one.msgtype for one in bag.connections}
        read = {
            one.topic: (time, bag.deserialize(raw, one.msgtype), bytes(raw))
            for one, time, raw in bag.messages()
        }
    assert kinds["/tf"] == "tf2_msgs/msg/TFMessage"
    assert kinds["/otter/scene"] == "visualization_msgs/msg/MarkerArray"
    time, clock, _ = read["/clock"]
    assert time == 1_767_225_601_750_000_000 or clock.clock.nanosec == 0
    _, odometry, _ = read["/otter/pose"]
    place = odometry.pose.pose.position
    assert (place.x, place.y, place.z) in ((10.0, -20.0, -2.0), (11.0, -20.0, -2.0))
    assert odometry.child_frame_id == "otter"
    _, _, raw = read["/otter/NAV_DEPTH"]
    assert raw == b"\x00\x01\x00\x00" + struct.pack("<d", 2.0)
    _, _, raw = read["/otter/BHV_WARNING"]
    assert raw == b"\x00\x01\x00\x00" + struct.pack("<I", 9) + b"too near\x00"
    _, report, _ = read["/otter/log"]
    assert (report.level, report.name) == (30, "BHV_WARNING")


@pytest.mark.slow
def test_reruns_own_reader_finds_poses_drawings_series_and_texts(tmp_path: Path) -> None:
    point = EntryFormat(0.0).line("VIEW_POINT", "x=5,y=6,label=mark", 2.0, "pTest")
    log, output = log_in(tmp_path, [*sample(), point]), tmp_path / "run.rrd"
    assert main(["rerun", str(log), "-o", str(output)]) == 0
    reader = RrdReader(output)
    (about,) = reader.recordings()
    assert about.recording_id == data_hash(whole_lines(log))
    found: dict[tuple[str, str], list[tuple[Any, Any]]] = {}
    for chunk in reader.stream():
        for row in chunk.to_record_batch().to_pylist():
            at = row.pop("time", None)
            for component, values in row.items():
                if isinstance(values, list):
                    key = chunk.entity_path.replace("\\", ""), component.partition(":")[2]
                    found.setdefault(key, []).append((at and at.value, values[0]))
    at = 1_767_225_601_750_000_000
    assert found["/otter/NAV_X", "scalars"] == [(at, 10.0), (at + 250_000_000, 11.0)]
    # North-east-down to east-north-up, and the heading to a turn about the vertical.
    half = radians(90.0 - HEADING) / 2
    place, turn = (found["/map/frames/otter", part][0] for part in ("translation", "quaternion"))
    assert place == (at, [10.0, -20.0, -2.0])
    assert turn == (at, pytest.approx([0.0, 0.0, sin(half), cos(half)]))
    north = pytest.approx([0.0, 0.0, sin(radians(45.0)), cos(radians(45.0))])
    assert found["/map/scene/otter/contact ben", "quaternion"] == [(at, north)]
    for vessel in ("/map/frames/otter", "/map/scene/otter/contact ben"):
        ((always, ahead),) = found[vessel, "vectors"]
        assert (always, ahead[0] > 0.0, ahead[1:]) == (None, True, [0.0, 0.0])
    (line,) = found["/map/scene/otter/VIEW_SEGLIST survey", "strips"]
    assert line == (at, [[0.0, 0.0, 0.0], [10.0, 20.0, 0.0], [30.0, 40.0, 0.0]])
    ((_, corners),) = found["/map/scene/otter/VIEW_POLYGON region", "strips"]
    assert (corners[0], len(corners)) == (corners[-1], 4)  # it is closed
    drawn = found["/map/scene/otter/VIEW_POINT mark", "positions"]
    assert drawn == [(at + 750_000_000, [5.0, 6.0, 0.0])]
    assert found["/map/scene/otter/VIEW_POINT goal", "is_recursive"] == [(at, True)]
    assert found["/otter/BHV_WARNING", "text"] == [(at, "too near")]
    assert found["/otter/log", "level"] == [(at, "WARN")]


def test_types_have_the_hashes_of_ros() -> None:
    # Of a ROS 2 machine: ros2 topic info --verbose of a topic of this type.
    known = "RIHS01_df668c740482bbd48fb39d76a70dfd4bd59db1288021743503259e948f6b1a18"
    assert STORE.hash_rihs01("std_msgs/msg/String") == known
    with pytest.raises(ValueError, match="no member speed"):
        message("geometry_msgs/msg/Twist", {"speed": 1.0})


def test_a_file_with_messages_of_ros_has_their_definitions(tmp_path: Path) -> None:
    log = log_in(tmp_path, sample())
    output = tmp_path / "ros.mcap"
    assert main(["mcap", str(log), "--schema", "ros2", "-o", str(output)]) == 0
    with output.open("rb") as data:
        summary = make_reader(data).get_summary()
    assert summary is not None
    encodings = {channel.message_encoding for channel in summary.channels.values()}
    schemas = {(one.name, one.encoding) for one in summary.schemas.values()}
    assert encodings == {"cdr"}
    assert ("nav_msgs/msg/Odometry", "ros2msg") in schemas


def test_tracks_are_read_by_readers_of_xml(tmp_path: Path) -> None:
    log = log_in(tmp_path, sample())
    for form in ("kml", "gpx"):
        assert main([form, str(log), "-o", str(tmp_path / form)]) == 0
    point = ElementTree.parse(tmp_path / "gpx").find(".//{*}trkpt")
    assert point is not None
    assert (point.get("lat"), point.get("lon")) == ("59.90000000", "-10.70000000")
    assert point.findtext("{*}time") == "2026-01-01T00:00:01.750Z"
    kml = ElementTree.parse(tmp_path / "kml")
    assert kml.findtext(".//{*}coord") == "-10.70000000 59.90000000 -2.00"
    assert kml.findtext(".//{*}when") == "2026-01-01T00:00:01.750Z"


@pytest.mark.slow
def test_a_damaged_file_is_an_error_that_names_it(tmp_path: Path) -> None:
    file.write([log_in(tmp_path, sample())], tmp_path / "run.mcap")
    whole, random = (tmp_path / "run.mcap").read_bytes(), Random(5)
    other = tmp_path / "other.mcap"
    for number in range(120):
        damaged = bytearray(whole[: random.randrange(len(whole))] if number % 2 else whole)
        for _ in range(random.randrange(1, 8) if damaged else 0):
            damaged[random.randrange(len(damaged))] = random.randrange(256)
        other.write_bytes(damaged)
        with suppress(FormatError):
            log_files.logs_at(other)  # what was not damaged may be read
    other.write_bytes(whole[:1000])
    with pytest.raises(FormatError, match=r"other\.mcap"):
        log_files.logs_at(other)
    with pytest.raises(SystemExit, match="2"):
        main(["hash", str(other)])


def test_a_community_is_selected_as_in_a_folder(tmp_path: Path) -> None:
    for name in ("abe", "ben"):
        form = EntryFormat(0.0)
        log = tmp_path / name / f"{name}.alog"
        log.parent.mkdir()
        log.write_text(
            banner(log.name, START, START)
            + form.line("DB_TIME", START, 0.5, f"MOOSDB_{name}")
            + form.line("NAV_X", 3.0, 0.6, "pTest")
        )
    run = tmp_path / "run.mcap"
    file.write([tmp_path / name / f"{name}.alog" for name in ("abe", "ben")], run)
    log = log_files.log_at(run / "ben")
    assert log.read_bytes() == (tmp_path / "ben" / "ben.alog").read_bytes()
    with pytest.raises(
        FormatError, match=r"expected one log, as .*/run\.mcap/abe/.*\.alog; found "
    ):
        log_files.log_at(run)
    for wrong in ("bean", ".."):
        with pytest.raises(FormatError, match=r"run\.mcap/NAME, NAME one of abe, ben"):
            log_files.log_at(run / wrong)


def test_names_that_are_no_utf_8_are_written_and_read_back(tmp_path: Path) -> None:
    folder = Path(os.fsdecode(bytes(tmp_path) + b"/caf\xe9"))
    folder.mkdir()
    log = folder / os.fsdecode(b"caf\xe9.alog")
    log.write_bytes(b"%% LOGSTART 1\n0.5 CAF\xc9 pTest 1.0 \n0.6 NAV_X pTest 2.0 \n")
    for tool in ("mcap", "rosbag2"):
        assert main([tool, str(log), "-o", str(tmp_path / f"out.{tool}")]) == 0
    (copy,) = log_files.logs_at(tmp_path / "out.mcap")
    assert copy.read_bytes() == log.read_bytes()


@pytest.mark.parametrize(("community", "name"), [("..", "x.alog"), ("a", "..alog"), ("a", "..")])
def test_no_log_is_written_outside_its_folder(tmp_path: Path, community: str, name: str) -> None:
    with (tmp_path / "run.mcap").open("wb") as raw:
        writer = Writer(raw)
        writer.start()
        about = {"community": community, "file": name, "comments": '[[1, "%% LOGSTART 1"]]'}
        writer.add_metadata("log", about)
        writer.finish()
    before = set(Path(tempfile.gettempdir()).glob("*"))
    with suppress(FormatError):
        log_files.logs_at(tmp_path / "run.mcap")
    fresh = set(Path(tempfile.gettempdir()).glob("*")) - before
    assert not [path for path in fresh if path.name in ("x", "x.alog", "a", "alog")]


@pytest.mark.parametrize("claimed", [100, 1 << 40])
@pytest.mark.parametrize("compression", ["zstd", "lz4"])
def test_a_chunk_is_unpacked_to_no_more_than_it_says_or_the_limit(
    tmp_path: Path, compression: str, claimed: int
) -> None:
    pack = {"zstd": zstandard.compress, "lz4": lz4.frame.compress}[compression]
    packed = pack(bytes(1 << 24))
    chunk = struct.pack("<QQQI", 0, 0, claimed, 0) + struct.pack("<I", len(compression))
    chunk += compression.encode() + struct.pack("<Q", len(packed)) + packed
    with (tmp_path / "run.mcap").open("wb") as raw:
        writer = Writer(raw)
        writer.start()
        writer.add_metadata("log", {"community": "a", "file": "a.alog", "comments": "[]"})
        raw.write(b"\x06" + struct.pack("<Q", len(chunk)) + chunk)
        writer.finish()
    with pytest.raises(FormatError, match=rf"run\.mcap.*a chunk of .*{claimed} bytes"):
        log_files.logs_at(tmp_path / "run.mcap")


@pytest.mark.parametrize("tool", ["mcap", "rosbag2", "rerun", "kml", "gpx"])
def test_a_place_that_cannot_be_written_is_an_error(
    tmp_path: Path, tool: str, capsys: pytest.CaptureFixture[str]
) -> None:
    log = log_in(tmp_path, sample())
    assert main([tool, str(log), "-o", str(tmp_path / "nowhere" / "x" / "y")]) in (0, 2)
    (tmp_path / "file").touch()
    assert main([tool, str(log), "-o", str(tmp_path / "file" / "x")]) == 2
    assert capsys.readouterr().err.endswith(f"{tmp_path}/file/x: Not a directory\n")
    (tmp_path / "taken").mkdir()
    assert main([tool, str(log), "-o", str(tmp_path / "taken")]) == 2


def test_without_the_extra_the_tool_says_what_to_install(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    drive: Drive,
) -> None:
    log = log_in(tmp_path, sample())
    monkeypatch.setattr(log_files, "find_spec", lambda name: None)
    assert main(["mcap", str(log), "-o", str(tmp_path / "x")]) == 2
    assert "needs mcap: pip install 'steerageway[mcap]'" in capsys.readouterr().err
    monkeypatch.setattr("steerageway.apps.logs.logger.app.find_spec", lambda name: None)
    with pytest.raises(ConfigError, match="needs mcap"):
        drive(Logger, "McapLog = true")


@pytest.mark.process
def test_the_logger_writes_the_same_file_along_with_its_log(sail: Sail, tmp_path: Path) -> None:
    block = "platform_type = kayak"
    plain: Ran = sail("pNodeReporter", block, "--warp", "max")
    both: Ran = sail("pNodeReporter", block, "--warp", "max", "--config", "pLogger.McapLog=true")
    assert plain.digest == both.digest
    (log,) = both.folder.rglob("*.alog")
    (along,) = both.folder.rglob("*.mcap")
    afterwards = tmp_path / "after.mcap"
    assert main(["mcap", str(log), "-o", str(afterwards)]) == 0
    assert list(messages(along)) == list(messages(afterwards))
    assert main(["diff", str(along), str(plain.folder)]) == 0
    assert along.stat().st_size < log.stat().st_size / 2
