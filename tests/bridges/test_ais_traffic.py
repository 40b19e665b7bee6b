"""``pAisTraffic``: recordings in published forms, gaps, errors, and a whole mission."""

from __future__ import annotations

import json
from collections.abc import Callable
from math import hypot
from pathlib import Path

import numpy as np
import pytest
from mcap.writer import Writer
from rosbags.rosbag2 import CompressionFormat, CompressionMode, StoragePlugin
from rosbags.rosbag2 import Writer as RosWriter
from rosbags.typesys import Stores, get_typestore

from steerageway.apps.shared import mcap_topics
from steerageway.bridges.ais_traffic import AisTraffic, bags, recording
from steerageway.bridges.ais_traffic.scenarios import main as make_scenarios
from steerageway.bridges.nmea.ais import Station, position, static
from steerageway.bus import ConfigError, run
from steerageway.geometry.encounter import closest_approach
from steerageway.geometry.geodesy import Datum
from steerageway.launcher.options import parse_options
from steerageway.launcher.plan import plan_launch
from steerageway.moos.alog import read_entries
from steerageway.moos.node_report import NodeRecord, parse
from steerageway.vessel.colregs.scenario import read_scenarios
from tests.bridges.conftest import Drive

MISSION = Path(__file__).parents[2] / "missions" / "harbour_traffic"
BEGIN = 1_767_268_800  # 2026-01-01T12:00:00
DATUM = Datum(59.9075, 10.72)
OLD = "MMSI,BaseDateTime,LAT,LON,SOG,COG,Heading,VesselName,Length,Width"
NEW = "mmsi,base_date_time,longitude,latitude,sog,cog,heading,vessel_name,length,width"


def old_row(
    second: int, x: float, y: float, sog: str = "1.9", cog: str = "90", heading: str = "511"
) -> str:
    lat, lon = DATUM.to_latlon(x, y)
    minute, second = divmod(second, 60)
    time = f"2026-01-01T12:{minute:02d}:{second:02d}"
    return f"1,{time},{lat:.9f},{lon:.9f},{sog},{cog},{heading},TUR,9,3"


def new_row(second: int, x: float, y: float) -> str:
    _, time, lat, lon, *rest = old_row(second, x, y).split(",")
    return ",".join(["1", time.replace("T", " "), lon, lat, *rest])


def tagged(second: int, x: float, y: float) -> str:
    lat, lon = DATUM.to_latlon(x, y)
    there = Station(1, "TUR", lat, lon, 1.0, 90.0, None, 9.0, 3.0)
    lines = [*static(there, "B", own=False), *position(there, 0.0, "B", own=False)]
    return "\n".join(f"\\s:rx,c:{BEGIN + second}*00\\{line.decode().strip()}" for line in lines)


def reports(driven: object, time: float) -> list[NodeRecord]:
    return [parse(str(value)) for _, value in driven.tick(time)]  # type: ignore[attr-defined]


@pytest.fixture
def recorded(drive: Drive, tmp_path: Path):  # type: ignore[no-untyped-def]
    """Return ``recorded(lines, block, name=...)``: the app with a recording of these lines."""

    def start(lines: list[str], block: str = "", name: str = "traffic.csv"):  # type: ignore[no-untyped-def]
        (tmp_path / name).write_text("\n".join(lines) + "\n")
        return drive(AisTraffic, f"file = {name}\n{block}")

    return start


@pytest.mark.parametrize(
    ("head", "row", "name", "accuracy"),
    [
        ([OLD], old_row, "traffic.csv", 1e-3),
        ([NEW], new_row, "TRAFFIC.CSV", 1e-3),
        ([], tagged, "traffic.nmea", 0.2),  # AIS rounds to 1/600000 degree
    ],
)
def test_a_vessel_moves_on_straight_lines_between_its_reports(  # type: ignore[no-untyped-def]
    recorded, head: list[str], row, name: str, accuracy: float
) -> None:
    driven = recorded([*head, row(0, 0, 0), row(20, 20, 0), row(40, 20, 40)], name=name)
    for time, x, y, speed, course in (
        (0.0, 0.0, 0.0, 1.0, 90.0),
        (5.0, 5.0, 0.0, 1.0, 90.0),
        (30.0, 20.0, 20.0, 2.0, 0.0),
    ):
        (here,) = reports(driven, time)
        assert (here.x, here.y) == pytest.approx((x, y), abs=max(accuracy, 0.006))
        assert here.speed == pytest.approx(speed, abs=0.03)
        assert (here.cog + 180) % 360 - 180 == pytest.approx((course + 180) % 360 - 180, abs=1.0)
        assert (here.name, here.properties["SHIPNAME"]) == ("AIS_000000001", "TUR")
        size = (here.length, here.beam)
        assert size in ((9.0, 3.0), (8.0, 4.0))  # AIS has whole metres from the antenna
        assert DATUM.to_local(here.lat, here.lon) == pytest.approx((x, y), abs=max(accuracy, 0.006))
    assert reports(driven, 41.0) == []


def test_in_a_gap_and_outside_its_reports_a_vessel_is_not_told_of(recorded) -> None:  # type: ignore[no-untyped-def]
    lines = [OLD, old_row(10, 0, 0), old_row(20, 20, 0), old_row(70, 40, 0), old_row(80, 60, 0)]
    driven = recorded(lines, "gap = 30\nstart = 2026-01-01T12:00:00\nreport_interval = 1")
    seen = [bool(reports(driven, float(second))) for second in range(0, 100, 5)]
    assert [5 * place for place, is_there in enumerate(seen) if is_there] == [
        10,
        15,
        20,
        70,
        75,
        80,
    ]
    assert "1 gaps of more than 30 s" in list(driven.app.report())


def test_wrong_positions_and_courses_are_said_and_not_followed(recorded) -> None:  # type: ignore[no-untyped-def]
    lines = [
        OLD,
        old_row(0, 0, 0),
        old_row(10, 5000, 0),
        old_row(20, 20, 0, cog="270"),
        old_row(20, 21, 0),
        old_row(30, 30, 0),
        "1,yesterday,59,10,,,,,,",
        "1,2026-01-01T12:00:00,95,10,,,,,,",
        "1,2026-01-01T12:00:00",
        "-1,2026-01-01T12:00:00,59,10,,,,,,",
        "1,2026-01-01T12:00:00,5_9,10,,,,,,",
    ]
    driven = recorded(lines)
    (here,) = reports(driven, 10.0)
    assert (here.x, here.cog) == pytest.approx((10.0, 90.0), abs=0.1)
    said = list(driven.app.report())
    assert "1 positions that would need more than 50 m/s" in said
    assert "1 reports of the same time as another" in said
    assert "1 courses that the next position contradicts, and replaces" in said
    assert driven.app.config_warnings == [
        "traffic.csv: 5 rows with unreadable numbers or dates left out"
    ]


def test_a_recording_of_another_place_is_moved_to_the_datum(
    recorded, drive: Drive, tmp_path: Path
) -> None:  # type: ignore[no-untyped-def]
    boston = Datum(42.35, -70.95)
    lat, lon = boston.to_latlon(100.0, -50.0)
    row = f"1,2020-06-30T23:59:59,{lat:.9f},{lon:.9f},0,0,30,,,"
    with pytest.raises(ConfigError, match="no position report in range"):
        recorded([OLD, row])
    driven = recorded([OLD, row], "origin = 42.35,-70.95")
    (here,) = reports(driven, 0.0)
    assert (here.x, here.y, here.heading) == pytest.approx((100.0, -50.0, 30.0), abs=0.01)
    assert DATUM.to_local(here.lat, here.lon) == pytest.approx((100.0, -50.0), abs=0.01)


@pytest.mark.parametrize(
    ("lines", "block", "expected"),
    [
        (["a,b", "1,2"], "", "expected columns MMSI, BaseDateTime, LAT, LON in its first line"),
        ([""], "", "expected columns"),
        ([OLD], "", "no position report in range"),
        ([OLD, old_row(0, 0, 0)], "max_range = 0", "expected a number above 0"),
        ([OLD, old_row(0, 0, 0)], "origin = 95,0", "latitude"),
        ([OLD, old_row(0, 0, 0)], "start = noon", "expected a number, or a UTC"),
    ],
)
def test_a_wrong_recording_or_line_is_an_error(
    recorded, lines: list[str], block: str, expected: str
) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ConfigError) as error:
        recorded(lines, block)
    assert expected in str(error.value)


def of_foxglove(path: Path, fixes: list[tuple[int, float, float]]) -> None:
    """Write fixes as a JSON channel, by the library of MCAP's authors."""
    with path.open("wb") as file:
        writer = Writer(file)
        writer.start()
        schema = writer.register_schema("foxglove.LocationFix", "jsonschema", b"{}")
        channel = writer.register_channel("/tur/fix", "json", schema)
        for at, lat, lon in fixes:
            data = json.dumps({"latitude": lat, "longitude": lon}).encode()
            writer.add_message(channel, at, data, at)
        writer.finish()


def of_ros(
    path: Path,
    fixes: list[tuple[int, float, float]],
    storage: StoragePlugin = StoragePlugin.SQLITE3,
    mode: CompressionMode = CompressionMode.NONE,
) -> None:
    """Write fixes as a bag, by rosbags; one without a position is among them."""
    store = get_typestore(Stores.ROS2_HUMBLE)
    kinds = store.types
    bag = RosWriter(path, version=9, storage_plugin=storage)
    if mode != CompressionMode.NONE:
        bag.set_compression(mode, CompressionFormat.ZSTD)
    with bag:
        channel = bag.add_connection("/tur/gps", "sensor_msgs/msg/NavSatFix", typestore=store)
        for at, lat, lon in fixes:
            time = kinds["builtin_interfaces/msg/Time"](sec=at // 10**9, nanosec=at % 10**9)
            head = kinds["std_msgs/msg/Header"](stamp=time, frame_id="gps")
            for status, place in ((0, (lat, lon)), (-1, (0.0, 0.0))):
                one = kinds["sensor_msgs/msg/NavSatFix"](
                    head,
                    kinds["sensor_msgs/msg/NavSatStatus"](status=status, service=1),
                    *place,
                    0.0,
                    np.zeros(9),
                    0,
                )
                bag.write(channel, at, store.serialize_cdr(one, "sensor_msgs/msg/NavSatFix"))


@pytest.mark.parametrize(("name", "record"), [("sea.mcap", of_foxglove), ("sea_bag", of_ros)])
def test_positions_that_other_programs_recorded_are_met_as_a_contact(
    drive: Drive,
    tmp_path: Path,
    name: str,
    record: Callable[[Path, list[tuple[int, float, float]]], None],
) -> None:
    """Recorded: 100 m east in 50 s, which is 2 m/s on a course of 90 degrees."""
    fixes = [(s, *DATUM.to_latlon(2.0 * s, 30.0)) for s in range(0, 51, 10)]
    record(tmp_path / name, [((BEGIN + s) * 10**9, lat, lon) for s, lat, lon in fixes])
    driven = drive(AisTraffic, f"file = {name}")
    (there,) = reports(driven, 25.0)
    assert there.properties["SHIPNAME"] == "tur"
    assert (there.x, there.y) == pytest.approx((50.0, 30.0), abs=0.01)
    assert (there.speed, there.heading) == pytest.approx((2.0, 90.0), abs=0.01)
    assert reports(driven, 51.0) == []
    own = dict(drive(AisTraffic, f"file = {name}\nown = TUR").tick(25.0))
    place = DATUM.to_latlon(50.0, 30.0)
    known = {"X": 50.0, "Y": 30.0, "LAT": place[0], "LONG": place[1], "HEADING": 90.0}
    known |= {"HEADING_OVER_GROUND": 90.0, "SPEED": 2.0, "SPEED_OVER_GROUND": 2.0}
    assert own == {
        f"NAV_{k}": pytest.approx(v, abs=1e-7 if k[0] == "L" else 0.01) for k, v in known.items()
    }


def test_an_own_ship_that_is_not_recorded_is_an_error_that_names_those_that_are(recorded) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ConfigError, match=r"own = TURR.*which has TUR; the nearest is TUR"):
        recorded([OLD, old_row(0, 0.0, 0.0)], "own = TURR")


@pytest.mark.parametrize("mode", [CompressionMode.FILE, CompressionMode.MESSAGE])
@pytest.mark.parametrize("storage", StoragePlugin)
def test_packed_bags_are_read_within_a_limit(
    tmp_path: Path, mode: CompressionMode, storage: StoragePlugin, monkeypatch: pytest.MonkeyPatch
) -> None:
    fixes = [(BEGIN * 10**9, 59.5, 10.5), ((BEGIN + 1) * 10**9, 59.6, 10.6)]
    of_ros(tmp_path / "bag", fixes, storage, mode)
    read = [(at * 10**9, one.lat, one.lon) for at, one in bags.reports_of(tmp_path / "bag")]
    assert read == fixes
    monkeypatch.setattr(bags, "LARGEST_FILE", 1000)
    monkeypatch.setattr(bags, "LARGEST_MESSAGE", 10)
    monkeypatch.setattr(mcap_topics, "LARGEST_CHUNK", 10)
    with pytest.raises(bags.NotABag):
        list(bags.reports_of(tmp_path / "bag"))


def test_a_device_and_a_line_without_end_are_no_recording(
    drive: Drive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ConfigError, match=r"/dev/zero: expected a file, or a bag's folder"):
        drive(AisTraffic, "file = /dev/zero")
    monkeypatch.setattr(recording, "LONGEST_LINE", 1000)
    for name, head in (("sea.csv", OLD), ("sea.nmea", "")):
        (tmp_path / name).write_text(f"{head}\n" + "1" * 100_000)
        with pytest.raises(ConfigError, match="no position report in range"):
            drive(AisTraffic, f"file = {name}")


def test_a_damaged_bag_is_an_error(drive: Drive, tmp_path: Path) -> None:
    (tmp_path / "sea.mcap").write_bytes(b"no such thing" * 100)
    with pytest.raises(ConfigError, match=r"expected a bag of ROS 2 or an MCAP file"):
        drive(AisTraffic, "file = sea.mcap")


def test_a_missing_file_is_an_error_that_names_it(drive: Drive) -> None:
    with pytest.raises(ConfigError, match=r"nothing\.csv: No such file"):
        drive(AisTraffic, "file = nothing.csv")
    with pytest.raises(ConfigError, match="expected a line file = RECORDING"):
        drive(AisTraffic, "")


@pytest.mark.slow
def test_an_otter_crosses_a_harbour_clear_of_the_recorded_traffic(tmp_path: Path) -> None:
    words = [str(MISSION), "--until", "MISSION = complete", "--for", "900", "--placement", "one"]
    words += ["--warp", "max", "--log", str(tmp_path)]
    outcome = run(plan_launch(parse_options(words)).plan, lambda progress: None)
    assert (outcome.exit_reason, outcome.failures, outcome.refused) == ("until", [], 0)
    (log,) = tmp_path.rglob("*.alog")
    own: dict[str, float] = {}
    closest: dict[str, float] = {}
    for entry in read_entries(log):
        if entry.name in ("NAV_X", "NAV_Y"):
            own[entry.name] = float(entry.value)
        elif entry.name == "NODE_REPORT" and len(own) == 2:
            other = parse(str(entry.value))
            gap = hypot(other.x - own["NAV_X"], other.y - own["NAV_Y"])
            name = other.properties["SHIPNAME"]
            closest[name] = min(closest.get(name, 1e9), gap)
    assert len(closest) == 6
    assert min(closest.values()) > 20.0  # min_util_cpa_dist of the behavior
    assert sorted(closest.values())[1] < 150.0  # it meets some of them


def test_an_encounter_of_a_recording_becomes_a_scenario_that_repeats_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recording = tmp_path / "met.csv"

    def row(mmsi: int, second: int, x: float, y: float) -> str:
        return old_row(second, x, y).replace("1,", f"{mmsi},", 1)

    # 3 goes east at 5 m/s, 7 north at 6 m/s; both are at 3000, 0 after 600 s; 9 is moored
    lines = [OLD]
    for second in range(0, 1201, 20):
        lines += [row(3, second, 5.0 * second, 0.0), row(7, second, 3000.0, 6.0 * (second - 600))]
        lines += [row(9, second, 2500.0, 500.0)]
    recording.write_text("\n".join(lines) + "\n")
    assert make_scenarios([str(recording), "--near", "500"]) == 0
    file = tmp_path / "met.yml"
    file.write_text(capsys.readouterr().out)
    (found,) = read_scenarios(file)
    # rule 15: 3 has 7 on its starboard side, and gives way
    assert found.name == "ais_3_7"
    assert found.start[2:] == pytest.approx((90.0, 5.0), abs=0.06)
    (other,) = found.targets
    assert other.start[2:] == pytest.approx((0.0, 6.0), abs=0.06)
    ahead = closest_approach(found.start, other.start)
    assert (ahead.range, ahead.time) == (pytest.approx(0.0, abs=5.0), pytest.approx(600.0, abs=1.0))
    assert found.way == pytest.approx(6000.0, abs=10.0)
    assert other.route[-1][1] - other.start.y == pytest.approx(7200.0, abs=10.0)
    with pytest.raises(SystemExit, match="2"):
        make_scenarios([str(recording.with_suffix(".csv")), "--near", "400", "--before", "10"])
    recording.write_text("\n".join([OLD, *(line for line in lines if line[0] == "9")]) + "\n")
    with pytest.raises(SystemExit, match="2"):
        make_scenarios([str(recording)])
    assert "expected two vessels under way that come within 1000 m" in capsys.readouterr().err
