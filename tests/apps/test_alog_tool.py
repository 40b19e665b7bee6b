"""The log tools: their output, differences, pictures and exit codes."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import combinations
from math import cos, dist, nan, radians, sin
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
from scipy.stats import circmean, circstd

from steerageway.apps.logs.alog import plot
from steerageway.apps.logs.alog.command import main
from steerageway.apps.logs.alog.curves import read_curves
from steerageway.apps.logs.alog.errors import ToolError
from steerageway.apps.logs.alog.plot import draw, draw_curves, time_ticks
from steerageway.apps.logs.alog.tracks import read_track
from steerageway.apps.shared.log_compare import first_difference
from steerageway.bus import Client
from steerageway.moos.alog import EntryFormat, banner, binary_reference, messages, read_entries
from steerageway.moos.errors import FormatError

ROOT = Path(__file__).parents[2]
PNG = b"\x89PNG\r\n\x1a\n"


class LogWriter:
    """Writes small logs, one message a call."""

    def __init__(self, path: Path, *, marks: bool = False) -> None:
        self.path = path
        self._form = EntryFormat(0.0, aux=True, marks=marks)
        self._lines = [banner("./x/x.alog", 10.0, 9.5, marks=marks)]

    def add(self, time: float, name: str, value: float | str, source: str = "pApp") -> LogWriter:
        self._lines.append(self._form.line(name, value, time, source))
        return self

    def save(self) -> Path:
        self.path.write_text("".join(self._lines))
        return self.path


@pytest.fixture
def log(tmp_path: Path) -> LogWriter:
    return LogWriter(tmp_path / "a.alog")


@pytest.fixture
def trip(log: LogWriter) -> Path:
    """A track of twenty seconds on a quarter of a circle of 10 m, with waypoints."""
    log.add(0.0, "DB_UPTIME", 0.0, "MOOSDB_alpha")
    log.add(0.0, "VIEW_SEGLIST", "pts={10,0:0,10},label=survey", "pHelmIvP")
    log.add(0.0, "VIEW_SEGLIST", "pts={0,0:9,0:0,9},active=false,label=survey", "pHelmIvP")
    log.add(0.0, "VIEW_POINT", "x=0,y=10,label=alpha's nextpt", "pHelmIvP")
    log.add(0.0, "VIEW_POINT", "x=5,y=5,label=home", "pHelmIvP")
    log.add(0.0, "VIEW_POINT", "x=1,y=1,active=false,label=home", "pHelmIvP")
    log.add(0.0, "VIEW_POINT", "x=3,y=3,label=alpha's trackpt", "pHelmIvP")
    for step in range(81):
        time, angle = step / 4, radians(step * 90 / 80)
        log.add(time, "NAV_Y", 10 * sin(angle)).add(time, "NAV_X", 10 * cos(angle))
    return log.add(20.0, "NAV_HEADING", 270.0).save()


def run(*arguments: object) -> int:
    return main([str(argument) for argument in arguments])


def test_grep_returns_a_log(
    log: LogWriter, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    log.add(0.5, "NAV_X", 1.0).add(0.5, "MODE", "DRIVE").add(1.0, "NAV_Y", 2.0).add(2.0, "XX", 3.0)
    assert run("grep", log.save(), "NAV_*", "MOD?") == 0
    (tmp_path / "less.alog").write_text(capsys.readouterr().out)
    assert (tmp_path / "less.alog").read_text().startswith("%" * 59 + "\n%% LOG FILE:")
    assert [entry[1:3] for entry in read_entries(tmp_path / "less.alog")] == [
        ("NAV_X", 1.0),
        ("MODE", "DRIVE"),
        ("NAV_Y", 2.0),
    ]


def test_grep_by_source_leaves_other_apps_out(
    log: LogWriter, capsys: pytest.CaptureFixture[str]
) -> None:
    log.add(0.5, "V", 1.0, "pOne").add(0.5, "V", 2.0, "pTwo").add(0.5, "V", 3.0, "uThree")
    assert run("grep", log.save(), "V", "--source", "p*") == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines() if line[0] != "%"]
    assert [line[2:] for line in lines] == [["pOne", "1.00000"], ["pTwo", "2.00000"]]
    log.add(0.5, "W", 4.0, "uThree")
    assert run("grep", log.save(), "--source", "uThree") == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines() if line[0] != "%"]
    assert [line[1] for line in lines] == ["V", "W"]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (["NAV_SPED"], "NAV_SPED: not in the log; the nearest is NAV_SPEED\n"),
        (["W*"], "W*: not in the log; there are MODE, NAV_SPEED\n"),
        (["MODE", "--source=pB*"], "MODE: not posted by pB*; by pOne, pTwo\n"),
        (["M*", "--source=pB*"], "M*: not posted by pB*; by pOne, pTwo\n"),
    ],
)
def test_grep_without_a_match_lists_the_variables_of_the_log(
    log: LogWriter, capsys: pytest.CaptureFixture[str], message: list[str], expected: str
) -> None:
    log.add(0.5, "NAV_SPEED", 1.0).add(0.5, "MODE", "A", "pOne").add(1.0, "MODE", "B", "pTwo")
    assert run("grep", log.save(), *message) == 1
    assert capsys.readouterr().err == expected


def test_grep_reads_type_marks_and_bytes_of_no_encoding(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    path = tmp_path / "old.alog"
    lines = b"%% DATATYPE MARKING ON\n1.5 V pA S:30\xb0\n"
    path.write_bytes(lines)
    assert run("grep", path, "V") == 0
    assert capfdbinary.readouterr().out == lines
    path.write_bytes(lines + b"2.5 V pA 30\n")
    assert run("grep", path, "V") == 2
    assert b"old.alog:3: 2.5 V pA 30: expected a value that starts with D: or S:" in (
        capfdbinary.readouterr().err
    )


def test_grep_with_some_matches_reports_the_variables_without_any(
    log: LogWriter, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("grep", log.add(0.5, "NAV_X", 1.0).save(), "NAV_X", "NAV_XX") == 0
    assert capsys.readouterr().err == "NAV_XX: not in the log; the nearest is NAV_X\n"


def test_csv_holds_the_latest_values_at_each_time(
    log: LogWriter, capsys: pytest.CaptureFixture[str]
) -> None:
    log.add(0.5, "NAV_X", 1.0).add(1.0, "NAV_X", 2.0).add(1.0, "MODE", "A, B").add(1.5, "W", 1.0)
    log.add(2.0, "NAV_Y", 4.0)
    assert run("csv", log.save(), "MODE", "NAV_*") == 0
    assert capsys.readouterr().out == (
        'time,MODE,NAV_X,NAV_Y\n0.5,,1.0,\n1.0,"A, B",2.0,\n2.0,"A, B",2.0,4.0\n'
    )


def test_a_field_of_a_text_is_a_separate_column_or_curve(
    log: LogWriter, capsys: pytest.CaptureFixture[str]
) -> None:
    log.add(0.5, "USM_STATE", "time=0.5,u=1e-3,mode=ahead").add(1.0, "NAV_X", 2.0)
    path = log.add(1.5, "USM_STATE", "time=1.5,u=0.25,mode=astern").save()
    assert run("csv", path, "USM_STATE.u", "NAV_X", "USM_STATE.m*") == 0
    assert capsys.readouterr().out == (
        "time,USM_STATE.u,NAV_X,USM_STATE.mode\n0.5,0.001,,ahead\n"
        "1.0,0.001,2.0,ahead\n1.5,0.25,2.0,astern\n"
    )
    (curve,) = read_curves(path, ["USM_STATE.u"])
    assert (curve.times, curve.values) == ((0.5, 1.5), (0.001, 0.25))
    assert run("csv", path, "USM_STATE.uu") == 2
    assert "USM_STATE.uu: not in the log; the nearest is USM_STATE.u" in capsys.readouterr().err


def test_csv_names_the_nearest_variable(log: LogWriter, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("csv", log.add(0.5, "NAV_SPEED", 1.0).save(), "NAV_SPED") == 2
    assert capsys.readouterr().err == "NAV_SPED: not in the log; the nearest is NAV_SPEED\n"


def test_equal_runs_have_no_difference(log: LogWriter, tmp_path: Path) -> None:
    one = log.add(0.5, "V", 1.0).save()
    other = tmp_path / "b.alog"
    other.write_text("%% another banner\n" + one.read_text().partition(f"{'%' * 59}\n")[2][-70:])
    assert first_difference(one, other) is None
    assert run("diff", one, other) == 0


def test_diff_names_instant_app_variable_and_both_values(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    logs = [LogWriter(tmp_path / name).add(0.5, "V", 1.0) for name in ("a.alog", "b.alog")]
    for number, writer in enumerate(logs):
        writer.add(1.25, "NAV_X", 12.0 + number, "uSim").add(2.0, "V", number)
    assert run("diff", *(writer.save() for writer in logs)) == 1
    assert capsys.readouterr().out.splitlines() == [
        "first difference at 1.25000 s: NAV_X by uSim",
        f"  {tmp_path}/a.alog:7: 1.25000 NAV_X uSim 12.0",
        f"  {tmp_path}/b.alog:7: 1.25000 NAV_X uSim 13.0",
    ]


def test_missing_message_is_the_difference_not_the_one_after_it(tmp_path: Path) -> None:
    whole = LogWriter(tmp_path / "a.alog").add(1.0, "V", 1.0).add(2.0, "W", 1.0).save()
    less = LogWriter(tmp_path / "b.alog").add(2.0, "W", 1.0).save()
    difference = first_difference(less, whole)
    assert difference is not None
    assert difference.first[:2] == (1.0, "V")


def test_diff_reports_which_log_ends_early(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    long = LogWriter(tmp_path / "a.alog").add(1.0, "V", 1.0).add(2.0, "W", "x y").save()
    short = LogWriter(tmp_path / "b.alog").add(1.0, "V", 1.0).save()
    assert run("diff", long, short) == 1
    assert capsys.readouterr().out.splitlines()[1:] == [
        f"  {long}:7: 2.00000 W pApp x y",
        f"  {short}: ends before",
    ]


def fleet(folder: Path, **values: float) -> Path:
    """Return a run's folder with a log for each of some communities."""
    for name, value in values.items():
        place = folder / name / "LOG"
        place.mkdir(parents=True)
        LogWriter(place / "LOG.alog").add(0.5, "V", 1.0).add(value, "NAV_X", 2.0).save()
    return folder


def test_runs_of_several_communities_differ_where_the_first_of_them_does(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one = fleet(tmp_path / "one", abe=3.0, ben=1.0, cal=2.0)
    two = fleet(tmp_path / "two", abe=4.0, ben=1.0, cal=2.5)
    assert run("diff", one, one) == 0
    assert capsys.readouterr().out == "no difference\n"
    assert run("diff", one, two) == 1
    output = capsys.readouterr().out
    assert "first difference at 2.00000 s" in output
    assert f"{two}/cal/LOG/LOG.alog:7:" in output
    assert run("hash", one) == 0
    assert [line.split("/")[-3] for line in capsys.readouterr().out.splitlines()] == [
        *("abe", "ben", "cal")
    ]
    assert run("diff", one, fleet(tmp_path / "three", abe=3.0, ben=1.0)) == 2
    assert "found logs of abe, ben, cal and of abe, ben" in capsys.readouterr().err


def test_diff_reads_type_marks(tmp_path: Path) -> None:
    one = LogWriter(tmp_path / "a.alog", marks=True).add(1.0, "V", "1").save()
    other = LogWriter(tmp_path / "b.alog", marks=True).add(1.0, "V", 1.0).save()
    difference = first_difference(one, other)
    assert difference is not None
    assert [side.entry and side.entry.value for side in difference] == ["1", 1.0]


def test_diff_shows_comments_of_sources_and_undecodable_bytes(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("a.alog", "b.alog")]
    files[0].write_bytes(b"1.5 V pA:leg_1 30\xb0\n")
    files[1].write_bytes(b"1.5 V pA:leg_2 30\xb0\n")
    assert str(first_difference(*files)).splitlines()[1:] == [
        rf"  {tmp_path}/a.alog:1: 1.50000 V pA:leg_1 30\xb0",
        rf"  {tmp_path}/b.alog:1: 1.50000 V pA:leg_2 30\xb0",
    ]


@pytest.mark.parametrize(
    ("mine", "yours"), [("pA@ben  D:1", "pA@cal  D:1"), ("pA S:1.0", "pA D:1.0")]
)
def test_diff_shows_raw_lines_where_their_messages_look_the_same(
    tmp_path: Path, mine: str, yours: str
) -> None:
    files = [tmp_path / name for name in ("a.alog", "b.alog")]
    for file, line in zip(files, (mine, yours), strict=True):
        file.write_text(f"%% DATATYPE MARKING ON\n1.5 V {line}\n")
    assert str(first_difference(*files)).splitlines()[1:] == [
        f"  {tmp_path}/a.alog:2: 1.5 V {mine}",
        f"  {tmp_path}/b.alog:2: 1.5 V {yours}",
    ]


def test_hash_is_of_the_messages_and_named_by_file(
    log: LogWriter, capsys: pytest.CaptureFixture[str]
) -> None:
    path = log.add(0.5, "V", 1.0).save()
    line = "0.50000         V                    pApp            1.00000      \n"
    assert run("hash", path) == 0
    assert capsys.readouterr().out == f"{hashlib.sha256(line.encode()).hexdigest()}  {path}\n"


def test_track_has_positions_length_and_targets(trip: Path) -> None:
    track = read_track(trip)
    assert track.name == "alpha"
    assert track.duration == 20.0
    assert track.length == pytest.approx(10 * radians(90), rel=1e-3)
    assert track.points[0] == (10.0, 0.0)
    assert track.heading == 270.0
    assert track.routes == {"survey": ((10.0, 0.0), (0.0, 10.0))}
    assert track.waypoints == ((0.0, 10.0), (5.0, 5.0))


def test_a_track_is_named_by_its_file_where_the_log_has_no_name(tmp_path: Path) -> None:
    log = LogWriter(tmp_path / "otter.first.alog").add(5.0, "NAV_X", 1.0).add(5.0, "NAV_Y", 2.0)
    track = read_track(log.add(7.5, "NAV_X", 4.0).add(7.5, "NAV_Y", 6.0).save())
    assert (track.name, track.duration, track.length) == ("otter", 2.5, 5.0)
    assert (track.heading, track.routes, track.waypoints) == (None, {}, ())


def test_areas_are_those_that_were_shown_last_even_if_they_were_erased_since(
    log: LogWriter,
) -> None:
    log.add(0.0, "NAV_X", 1.0).add(0.0, "NAV_Y", 2.0)
    log.add(1.0, "VIEW_POLYGON", "pts={0,0:9,0:9,9:0,9},label=ob_1,edge_color=white")
    log.add(2.0, "VIEW_POLYGON", "pts={5,5:9,5:9,9},label=ob_1")
    log.add(2.0, "VIEW_POLYGON", "format=radial,x=0,y=0,radius=10,pts=4,snap=1,label=ring")
    log.add(3.0, "VIEW_POLYGON", "pts={0,0:9,0:0,9},active=false,label=ob_1")
    areas = read_track(log.save()).areas
    assert list(areas) == ["ob_1", "ring"]
    assert areas["ob_1"] == ((5.0, 5.0), (9.0, 5.0), (9.0, 9.0))
    assert {(abs(x), abs(y)) for x, y in areas["ring"]} == {(7.0, 7.0)}


def test_shapes_that_cannot_be_drawn_are_skipped(log: LogWriter) -> None:
    log.add(0.0, "NAV_X", 1.0).add(0.0, "NAV_Y", 2.0)
    for text in ("x=far,y=1", "x=1,y=far", "label=home"):
        log.add(0.0, "VIEW_POINT", text)
    log.add(0.0, "VIEW_SEGLIST", "pts={1,2:far,4}").add(0.0, "VIEW_SEGLIST", "none")
    log.add(0.0, "VIEW_SEGLIST", "pts={1,2:3,4},label=abe_avdcol_ben_bearing")
    log.add(0.0, "VIEW_POLYGON", "pts={1,2:3,4}").add(0.0, "VIEW_POLYGON", "none")
    track = read_track(log.save())
    assert (track.routes, track.waypoints, track.areas) == ({}, (), {})


@pytest.mark.parametrize(
    ("duration", "step", "count"), [(0.0, 0, 0), (20.0, 2, 10), (95.0, 10, 9), (446.0, 60, 7)]
)
def test_time_ticks_are_round_numbers_and_at_most_ten(
    duration: float, step: float, count: int
) -> None:
    assert time_ticks([5.0, 5.0 + duration]) == [5.0 + step * n for n in range(1, count + 1)]


@pytest.mark.slow
def test_plot_writes_a_picture_of_all_tracks(
    trip: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("matplotlib")
    output = tmp_path / "out.png"
    assert run("plot", trip, trip, "-o", output) == 0
    assert capsys.readouterr().out == f"{output}\n"
    assert output.read_bytes().startswith(PNG)


@pytest.mark.slow
def test_plot_draws_every_track_in_a_runs_folder(
    trip: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("matplotlib")
    for name in ("abe", "ben", "shoreside"):
        (tmp_path / "run" / name).mkdir(parents=True)
        lines = trip.read_text().splitlines()
        kept = [line for line in lines if name != "shoreside" or "NAV_" not in line]
        (tmp_path / "run" / name / f"{name}.alog").write_text("\n".join(kept) + "\n")
    assert run("plot", tmp_path / "run", "-o", tmp_path / "out.svg") == 0
    assert capsys.readouterr().err == ""
    text = (tmp_path / "out.svg").read_text()
    assert text.count(": 20 s, 16 m") == 2
    assert run("plot", tmp_path / "run" / "shoreside", "-o", tmp_path / "out.svg") == 2


@pytest.mark.slow
def test_tracks_of_several_runs_are_named_by_the_differences_of_their_files(
    trip: Path, tmp_path: Path
) -> None:
    pytest.importorskip("matplotlib")
    for name in ("one", "two"):
        (tmp_path / name / "LOG").mkdir(parents=True)
        (tmp_path / name / "LOG" / "a.alog").write_text(trip.read_text())
    assert run("plot", tmp_path / "one", tmp_path / "two", "-o", tmp_path / "out.svg") == 0
    text = (tmp_path / "out.svg").read_text()
    assert "<!-- one: 20 s, 16 m" in text
    assert "<!-- two: 20 s, 16 m" in text


@pytest.mark.slow
def test_a_long_name_in_the_legend_stays_within_the_picture(trip: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    track = read_track(trip)
    draw([track.renamed(f"{name} {'x' * 45}") for name in "abc"], tmp_path / "out.svg")
    text = (tmp_path / "out.svg").read_text()
    places = re.findall(r"<!-- [abc] x+: 20 s, 16 m -->\s*<g[^>]*translate\(([\d.]+) ", text)
    assert [float(place) < 100.0 for place in places] == [True] * 3


@pytest.mark.slow
def test_picture_names_tracks_waypoints_and_axes(trip: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    draw([read_track(trip), read_track(trip).renamed("beta")], tmp_path / "out.svg")
    text = (tmp_path / "out.svg").read_text()
    for label in ("alpha: 20 s, 16 m", "beta: 20 s, 16 m", "waypoints", "x, east", "y, north"):
        assert f"<!-- {label}" in text


@pytest.fixture
def pictures(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Keep each matplotlib figure that is drawn."""
    pytest.importorskip("matplotlib")
    write, kept = plot.pictures.write, []

    def keep(figure: Any, path: Path, dots: int) -> None:
        kept.append(figure)
        write(figure, path, dots)

    monkeypatch.setattr(plot.pictures, "write", keep)
    return kept


@pytest.mark.slow
@pytest.mark.parametrize(
    ("separator", "words"),
    [
        (",", "--over-time NAV_HEADING NAV_X --map NAV_HEADING=yaw time=stamp"),
        (";", "--map NAV_HEADING=yaw --over-time NAV_HEADING --map time=stamp --over-time NAV_X"),
    ],
)
def test_a_table_recorded_elsewhere_is_drawn_beside_a_run_in_its_units(
    separator: str,
    words: str,
    trip: Path,
    tmp_path: Path,
    pictures: list[Any],
    capsys: pytest.CaptureFixture[str],
) -> None:
    table = tmp_path / "sea.csv"
    rows = "stamp [ms],yaw [rad],NAV_X [ft]\n0,1.5707963267948966,10\n500,,20\n"
    table.write_text(rows.replace(",", separator))
    plot = ("plot", trip, "-o", tmp_path / "x.png", "--with", table)
    assert run(*plot, *words.split()) == 0
    lines = [{line.get_label(): line for line in axes.lines} for axes in pictures[0].axes]
    assert lines[0]["sea: NAV_HEADING"].get_ydata()[0] == pytest.approx(90.0)
    assert lines[1]["sea: NAV_X"].get_ydata()[:2] == pytest.approx([3.048, 6.096])
    assert lines[1]["sea: NAV_X"].get_xdata()[:2] == pytest.approx([0.0, 0.5])
    said = capsys.readouterr()
    assert "yaw is NAV_HEADING [rad], drawn in deg" in said.err
    assert "stamp is the time" in said.err
    table.write_text("t,NAV_X [m],NAV_Y [m]\n0,1,2\n1,3,4\n")
    assert run(*plot) == 0
    assert [3.0] in [list(line.get_xdata()) for line in pictures[1].axes[0].lines]


def test_recorded_latitudes_and_longitudes_are_positions_by_the_missions_origin(
    trip: Path, tmp_path: Path, pictures: list[Any], capsys: pytest.CaptureFixture[str]
) -> None:
    table, plot = tmp_path / "sea.csv", ("plot", trip, "-o", tmp_path / "x.png", "--with")
    table.write_text("t,lat [deg],lon\n0,60.0001,10.0002\n1,60.0002,10.0\n")
    names = ("--map", "NAV_LAT=lat", "NAV_LONG=lon")
    assert run(*plot, table, *names) == 2
    assert "(._moos) beside the log, with LatOrigin" in capsys.readouterr().err
    (trip.parent / "alpha._moos").write_text("LatOrigin = 90\nLongOrigin = 10\n")
    assert run(*plot, table, *names) == 2
    assert "latitude 90: expected a number between -90 and 90" in capsys.readouterr().err
    (trip.parent / "alpha._moos").write_text("LatOrigin = 60\nLongOrigin = 10\n")
    capsys.readouterr()
    assert run(*plot, table, *names) == 0
    assert capsys.readouterr().err.splitlines()[1:] == [f"{table}: lat, lon give NAV_X, NAV_Y"]
    assert run(*plot, table) == 2
    hint = "--map NAV_X=COLUMN, or --map NAV_LAT=lat NAV_LONG=lon\n"
    assert capsys.readouterr().err.endswith(hint)
    # radii of curvature of WGS 84 at 60 degrees, of the prime vertical and the meridian
    square = 0.00669437999014 * 0.75
    across = 6378137.0 / (1 - square) ** 0.5
    along = across * (1 - 0.00669437999014) / (1 - square)
    x, y = across * radians(0.0002) * 0.5, along * radians(0.0001)
    (axes,) = pictures[0].axes
    (sea,) = (line for line in axes.lines if str(line.get_label()).startswith("sea"))
    assert sea.get_xdata() == pytest.approx([x, 0.0], abs=1e-3)
    assert sea.get_ydata() == pytest.approx([y, 2 * y], abs=1e-3)
    assert run(*plot, table, "--map", "NAV_LAT=lat") == 2
    said = capsys.readouterr().err
    assert "its columns are t, lat, lon: expected NAV_LONG, too, or --map NAV_LONG=COLUMN" in said
    table.write_text("t,NAV_LAT,NAV_LONG\n0,601,10\n")
    assert run(*plot, table) == 2
    assert ":2: NAV_LAT, NAV_LONG = 601, 10: expected degrees" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        (
            "t,yaw,u\n0,1,2",
            (),
            ":1: its columns are t, yaw, u: expected NAV_HEADING among them, or",
        ),
        ("t,yaw,u\n0,1,2", (), "or --map NAV_HEADING=COLUMN"),
        ("t,yaw\n0,1", ("--map", "NAV_HEADING=psi"), "its columns are t, yaw"),
        ("x,NAV_HEADING\n0,1", (), "expected time [s], or --map time=COLUMN"),
        ("t,NAV_HEADING [m]\n0,1", (), "NAV_HEADING [m]: expected rad or deg"),
        ("t,NAV_HEADING\n0,east", (), ":2: NAV_HEADING = east: expected a finite number"),
        ("t;NAV_HEADING\n0;1,5,5", (), ":2: NAV_HEADING = 1,5,5: expected a finite number"),
        (
            "t NAV_HEADING\n0;1",
            (),
            ":2: 0;1: expected as many cells as its head has, 1, with commas, semi",
        ),
        ("t,NAV_HEADING\n2026-05-01,1\n3,1", (), ":3: t = 3: expected a time stamp as 2026-05-01T"),
        ("t,NAV_HEADING\n,1", (), ":2: t: expected a time in each row"),
        ("t,NAV_HEADING,t\n0,1,2", (), ":1: expected a name of its own for each column"),
        (
            "t,NAV_HEADING\n0,1,2",
            (),
            ":2: 0,1,2: expected as many cells as its head has, 2, with commas",
        ),
    ],
)
def test_a_table_that_does_not_fit_is_refused_with_what_would(
    trip: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    text: str,
    options: tuple[str, ...],
    message: str,
) -> None:
    table = tmp_path / "sea.csv"
    table.write_text(text)
    assert run("plot", trip, "--with", table, "--over-time", "NAV_HEADING", *options) == 2
    assert message in capsys.readouterr().err


@pytest.mark.slow
def test_a_plot_tells_how_far_a_recorded_table_is_from_the_run(
    trip: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The run's own circle, recorded 5 s late, 3 m further north and 4 m further east."""
    pytest.importorskip("matplotlib")
    angles = [radians(90 * k / 20) for k in range(21)]
    rows = [f"{k - 5},{10 * cos(a) + 4},{10 * sin(a) + 3}" for k, a in enumerate(angles)]
    (tmp_path / "sea.csv").write_text("t,NAV_X [m],NAV_Y\n" + "\n".join(rows))
    plot = ("plot", trip, "-o", tmp_path / "x.png", "--with", tmp_path / "sea.csv", "--shift", 5)
    assert run(*plot) == 0
    said = capsys.readouterr()
    assert "position [m]: differs by 5 (RMS), 5 at most, in 21 of 21 rows" in said.out
    assert "NAV_Y is NAV_Y [m, which its head may say: NAV_Y [m]]" in said.err
    assert run(*plot, "--over-time", "NAV_Y") == 0
    assert "NAV_Y: differs by 3 (RMS), 3 at most, in 21 of 21 rows" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "head", "times", "question"),
    [
        ("NAV_SPEED", "speed", 1.944, "; it is 1.944 times the run's: is it in kn?"),
        ("NAV_SPEED", "speed [kn]", 1.0, "; it is 0.5144 times the run's: is it in m/s?"),
        ("NAV_SPEED", "speed [m/s]", 3.6, "is it in km/h?"),
        ("NAV_HEADING", "yaw", radians(1.0), "; it is 0.01745 times the run's: is it in rad?"),
        ("NAV_SPEED", "speed", 1.5, None),
        ("NAV_SPEED", "speed [kn]", 1.944, None),
    ],
)
def test_a_plot_asks_for_the_unit_that_a_recorded_column_seems_to_have(
    name: str,
    head: str,
    times: float,
    question: str | None,
    log: LogWriter,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    pytest.importorskip("matplotlib")
    for k in range(1, 9):
        log.add(k, name, 40.0 * k)
    rows = [f"{k},{times * 40.0 * k}" for k in range(1, 9)]
    (tmp_path / "sea.csv").write_text(f"t,{head}\n" + "\n".join(rows))
    plot = ("plot", log.save(), "-o", tmp_path / "x.png", "--with", tmp_path / "sea.csv")
    assert run(*plot, "--over-time", name, "--map", f"{name}={head.split()[0]}") == 0
    said = capsys.readouterr().out
    assert f"{name}: differs by" in said
    assert (question or "rows\n") in said
    assert ("is it in" in said) is (question is not None)


def texts(axes: Any) -> list[tuple[str, tuple[float, float]]]:
    """Return the labels next to points, with their points."""
    return [(text.get_text(), text.xy) for text in axes.texts]


def marked(axes: Any, color: str, marker: object) -> list[tuple[float, float]]:
    """Return the points with one kind of marker, from lines of a single style."""
    lines = [line for line in axes.lines if line.get_color() == color]
    chosen = [line.get_xydata() for line in lines if line.get_marker() == marker]
    return [tuple(map(float, points[0])) for points in chosen if len(points) == 1]


@pytest.mark.slow
def test_a_metre_north_is_as_long_in_the_picture_as_a_metre_east(
    log: LogWriter, tmp_path: Path, pictures: list[Any]
) -> None:
    log.add(0.0, "NAV_X", 0.0).add(0.0, "NAV_Y", 0.0).add(9.0, "NAV_X", 900.0)
    draw([read_track(log.add(9.0, "NAV_Y", 30.0).save())], tmp_path / "out.png")
    (axes,) = pictures[0].axes
    (x, y), (east, _), (_, north) = axes.transData.transform([(0, 0), (500, 0), (0, 500)])
    assert north - y == pytest.approx(east - x)
    assert axes.get_xlim()[0] < 0.0 < 900.0 < axes.get_xlim()[1]


@pytest.mark.slow
def test_the_first_track_alone_is_marked_with_times_since_its_beginning(
    log: LogWriter, tmp_path: Path, pictures: list[Any]
) -> None:
    for step in range(5):
        log.add(100.0 + step, "NAV_X", 10.0 * step).add(100.0 + step, "NAV_Y", 0.0)
    track = read_track(log.save())
    draw([track, track.renamed("beta")], tmp_path / "out.png")
    expected = [(f"{n} s", (10.0 * n, 0.0)) for n in (1, 2, 3, 4)]
    found = texts(pictures[0].axes[0])
    assert [text for text in found if text[0].endswith(" s")] == expected


@pytest.mark.slow
def test_a_track_begins_at_a_ring_and_ends_at_an_arrowhead_along_its_heading(
    trip: Path, tmp_path: Path, pictures: list[Any]
) -> None:
    track = read_track(trip)
    draw([track], tmp_path / "out.png")
    (axes,) = pictures[0].axes
    (ring,) = [line for line in axes.lines if line.get_markersize() == 9]
    assert (tuple(ring.get_xydata()[0]), ring.get_marker()) == (track.points[0], "o")
    assert ring.get_markerfacecolor() == "white"
    (end,) = marked(axes, ring.get_color(), (3, 0, -270.0))  # turned anticlockwise, as it counts
    assert end == track.points[-1]


@pytest.mark.slow
def test_an_area_that_several_logs_hold_is_drawn_once(
    log: LogWriter, tmp_path: Path, pictures: list[Any]
) -> None:
    log.add(0.0, "NAV_X", 0.0).add(0.0, "NAV_Y", 0.0).add(9.0, "NAV_X", 9.0).add(9.0, "NAV_Y", 3.0)
    track = read_track(log.add(0.0, "VIEW_POLYGON", "pts={0,0:90,0:90,90},label=ob_1").save())
    draw([track, track.renamed("beta")], tmp_path / "out.png")
    (axes,) = pictures[0].axes
    (area,) = axes.patches
    assert list(map(tuple, area.get_xy()))[:3] == [(0.0, 0.0), (90.0, 0.0), (90.0, 90.0)]


@pytest.mark.slow
def test_waypoints_of_a_route_have_numbers_and_others_are_marked(
    trip: Path, tmp_path: Path, pictures: list[Any]
) -> None:
    track = read_track(trip)  # its route leads to (10, 0) and (0, 10), its points are home and that
    draw([track, track.renamed("beta")], tmp_path / "out.png")
    (axes,) = pictures[0].axes
    assert texts(axes)[:2] == [("1", (10.0, 0.0)), ("2", (0.0, 10.0))]
    (route,) = [line for line in axes.lines if line.get_label() == "waypoints"]
    assert marked(axes, route.get_color(), "D") == [(5.0, 5.0)]


@pytest.mark.slow
def test_panels_share_their_time_and_hold_a_value_until_the_next(
    trip: Path, tmp_path: Path, pictures: list[Any]
) -> None:
    curves = read_curves(trip, ["NAV_X", "NAV_HEADING"])
    draw_curves([[curve] for curve in curves], tmp_path / "out.png")
    above, below = pictures[0].axes
    assert above.get_xlim() == below.get_xlim()
    assert above.lines[0].get_drawstyle() == "steps-post"


@pytest.mark.slow
def test_the_last_value_holds_to_the_end_of_the_log(
    trip: Path, tmp_path: Path, pictures: list[Any]
) -> None:
    draw_curves([read_curves(trip, ["DB_UPTIME"])], tmp_path / "out.png")  # posted once, at 0 s
    (line,) = pictures[0].axes[0].lines
    assert list(line.get_xdata()) == [0.0, 20.0]
    assert list(line.get_ydata()) == [0.0, 0.0]


def test_curves_are_the_posted_numbers_and_break_where_an_angle_passes_north(
    log: LogWriter,
) -> None:
    log.add(0.0, "NAV_HEADING", 350.0).add(1.0, "NAV_HEADING", 0.0).add(1.0, "GO", "true")
    log.add(2.0, "NAV_HEADING", 150.0).add(2.0, "RUDDER", -90.0).add(3.0, "RUDDER", 100.0)
    heading, go, rudder = read_curves(log.save(), ["NAV_HEADING", "GO", "RUDDER"], "one: ")
    assert (heading.name, heading.times) == ("one: NAV_HEADING", (0.0, 1.0, 1.0, 2.0))
    assert heading.values == pytest.approx((350.0, nan, 0.0, 150.0), nan_ok=True)
    assert (go.times, go.values) == ((1.0,), (1.0,))
    assert rudder.values == (-90.0, 100.0)


@pytest.mark.slow
def test_logs_that_have_a_variable_are_drawn(
    trip: Path, log: LogWriter, tmp_path: Path, pictures: list[Any]
) -> None:
    shore = LogWriter(tmp_path / "shore.alog").add(0.0, "PINGS", 1.0).save()
    out = tmp_path / "out.png"
    assert run("plot", trip, shore, "-o", out, "--over-time", "NAV_X,PINGS") == 0
    labels = [line.get_label() for line in pictures[0].axes[0].lines]
    assert labels == ["a.alog: NAV_X", "shore.alog: PINGS"]
    assert run("plot", trip, shore, "-o", out, "--over-time", "NAV_X,NAV_W") == 2


def test_logs_of_a_fleet_are_named_by_their_vessels_alone(
    tmp_path: Path, pictures: list[Any]
) -> None:
    for name in ("abe", "ben"):
        folder = tmp_path / "run" / name / f"LOG_{name}"
        folder.mkdir(parents=True)
        LogWriter(folder / f"LOG_{name}.alog").add(0.0, "NAV_X", 1.0).save()
    assert run("plot", tmp_path / "run", "-o", tmp_path / "x.png", "--over-time", "NAV_X") == 0
    labels = [line.get_label() for line in pictures[0].axes[0].lines]
    assert labels == ["abe: NAV_X", "ben: NAV_X"]


@pytest.mark.slow
def test_plot_draws_variables_over_time_a_panel_for_each_group(
    trip: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("matplotlib")
    other = tmp_path / "b.alog"
    other.write_text(trip.read_text())
    output = tmp_path / "out.svg"
    assert run("plot", trip, other, "-o", output, "--over-time", "NAV_X,NAV_Y", "NAV_HEADING") == 0
    text = output.read_text()
    assert text.count('id="axes_') == 2
    for name in ("NAV_X", "NAV_Y", "NAV_HEADING"):
        assert text.count(f"<!-- a.alog: {name} ") == text.count(f"<!-- b.alog: {name} ") == 1
    assert "<!-- time [s] " in text
    assert run("plot", trip, "--over-time", "NAV_HEADNG") == 2
    assert "NAV_HEADNG: not in the log; the nearest is NAV_HEADING" in capsys.readouterr().err
    assert run("plot", trip, "--over-time", "VIEW_POINT") == 2
    assert "VIEW_POINT is never a number" in capsys.readouterr().err


def test_plot_without_matplotlib_names_the_package_to_install(
    trip: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    assert run("plot", trip) == 2
    assert "pip install 'steerageway[plot]'" in capsys.readouterr().err


def test_plot_of_a_log_without_positions_is_an_error(
    log: LogWriter, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("plot", log.add(0.0, "V", 1.0).save()) == 2
    assert "a.alog: expected NAV_X and NAV_Y" in capsys.readouterr().err


def test_plot_into_an_unknown_format_is_an_error(
    trip: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("matplotlib")
    assert run("plot", trip, "-o", tmp_path / "out.xyz") == 2
    assert "out.xyz: expected a picture's file" in capsys.readouterr().err


def replayed(path: Path, *names: str) -> list[tuple[str, object]]:
    return [(entry.name, value) for entry, value in messages(path, names)]


def test_replay_omits_posts_of_the_database(log: LogWriter) -> None:
    log.add(0.5, "DB_TIME", 1.0, "MOOSDB_alpha").add(0.5, "V", 1.0).add(0.25, "W", "text")
    assert replayed(log.save(), "*") == [("V", 1.0), ("W", "text")]
    assert replayed(log.path, "W*", "X") == [("W", "text")]


def test_replay_finds_binary_values_next_to_the_log(log: LogWriter) -> None:
    (log.path.parent / "x.blog").write_bytes(b"head \x00\n\xff tail")
    path = log.add(1.0, "PICTURE", binary_reference("x.blog", 5, 3)).save()
    assert replayed(path, "*") == [("PICTURE", b"\x00\n\xff")]
    (log.path.parent / "x.blog").unlink()
    with pytest.raises(FormatError, match=r"x\.blog: expected binary values: No such file"):
        replayed(path, "*")


MISSION = """\
Community = alpha
ProcessConfig = ANTLER
{
  Run = pLogger
}
ProcessConfig = pLogger
{
  AppTick = 8
  WildCardLogging = true
  LogAuxSrc = true
}
"""


@pytest.fixture
def bus(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """Run a mission of a logger alone, at warp 10, until DONE; gives its address and process."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    (tmp_path / "m.moos").write_text(MISSION)
    command = [
        sys.executable,
        "launch.py",
        str(tmp_path / "m.moos"),
        "--log",
        str(tmp_path / "run"),
    ]
    options = ["--warp", "10", "--port", "auto", "--until", "DONE = true", "--wall-limit", "60"]
    with subprocess.Popen([*command, *options], cwd=ROOT, stderr=subprocess.DEVNULL) as launcher:
        about = tmp_path / "run" / "run.json"
        while not (about.exists() and about.read_text()) and launcher.poll() is None:
            sleep(0.02)
        yield json.loads(about.read_text())["address"], launcher
        launcher.terminate()


@pytest.mark.process
def test_replay_posts_onto_a_running_bus_in_the_logs_rhythm(
    log: LogWriter, bus: tuple[str, subprocess.Popen[bytes]], tmp_path: Path
) -> None:
    log.add(7.0, "V", 1.0).add(9.0, "V", 2.0).add(8.0, "W", "early stamp").add(11.0, "DONE", "true")
    address, launcher = bus
    began = monotonic()
    assert run("replay", log.save(), "--to", address, "--warp", "10") == 0
    assert monotonic() - began >= 0.4  # four seconds of log
    assert launcher.wait(60) == 0
    (recorded,) = (tmp_path / "run").glob("*/*.alog")
    found = [entry for entry in read_entries(recorded) if entry.source == "uAlogReplay"]
    assert [entry[1:3] for entry in found] == [
        ("V", 1.0), ("V", 2.0), ("W", "early stamp"), ("DONE", "true")
    ]  # fmt: skip
    assert {entry.aux for entry in found} == {"pApp"}
    since = [entry.time - found[0].time for entry in found]
    assert since == sorted(since)


@pytest.mark.process
def test_a_replay_whose_last_post_ends_the_run_is_finished(
    log: LogWriter,
    bus: tuple[str, subprocess.Popen[bytes]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ask = Client.control

    def ask_late(client: Client, verb: str) -> Any:
        while not client.ended:
            client.fetch(0.02)
        return ask(client, verb)

    monkeypatch.setattr(Client, "control", ask_late)
    assert run("replay", log.add(0.0, "DONE", "true").save(), "--to", bus[0]) == 0


@pytest.mark.process
def test_replay_reports_refused_posts(
    log: LogWriter,
    bus: tuple[str, subprocess.Popen[bytes]],
    capsys: pytest.CaptureFixture[str],
) -> None:
    log.add(0.0, "V", 1.0).add(0.0, "V", "a text").add(0.0, "W", 1.0)
    assert run("replay", log.save(), "--warp", "max") == 1  # into the run that goes on
    assert "V" in capsys.readouterr().err


@pytest.mark.process
def test_replay_needs_each_variable_that_is_named(
    log: LogWriter, capsys: pytest.CaptureFixture[str]
) -> None:
    log.add(1.0, "NAV_X", 1.0)
    assert run("replay", log.save(), "NAV_X", "NAVX", "--to", "ipc:///nowhere/at/all") == 2
    assert "NAVX: not in the log; the nearest is NAV_X" in capsys.readouterr().err


def test_replay_without_a_running_mission_reports_it(
    log: LogWriter,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    log.add(1.0, "NAV_X", 1.0)
    assert run("replay", log.save()) == 2
    assert "no running mission found" in capsys.readouterr().err


def test_a_tool_can_be_interrupted_silently(
    log: LogWriter, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("steerageway.apps.logs.alog.command.write_csv", interrupted)
    assert run("csv", log.save(), "V") == 130
    assert capsys.readouterr() == ("", "")


@pytest.mark.slow
def test_replay_without_a_running_mission_exits_with_code_2(
    log: LogWriter, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("replay", log.save(), "--to", "ipc:///nowhere/at/all") == 2
    assert "no broker answered" in capsys.readouterr().err


def test_a_folder_selects_its_only_log(
    trip: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "run" / "LOG_ALPHA"
    folder.mkdir(parents=True)
    (folder / "LOG_ALPHA.alog").write_bytes(trip.read_bytes())
    assert run("hash", trip, tmp_path / "run") == 0
    first_line, second_line = capsys.readouterr().out.splitlines()
    assert first_line.split()[0] == second_line.split()[0]
    (folder / "second.alog").write_bytes(trip.read_bytes())
    with pytest.raises(SystemExit) as ended:
        run("grep", tmp_path / "run")
    assert ended.value.code == 2
    assert "found LOG_ALPHA/LOG_ALPHA.alog, LOG_ALPHA/second.alog" in capsys.readouterr().err


def test_a_file_that_is_no_log_has_no_hash(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "notes.txt").write_text("buy bread\n")
    assert run("hash", tmp_path / "notes.txt") == 2
    assert "notes.txt:1: " in capsys.readouterr().err


@pytest.mark.parametrize("tool", ["grep", "csv", "plot", "diff", "hash"])
def test_missing_log_is_exit_2_without_a_traceback(
    tool: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    more = {"grep": ("V",), "csv": ("V",), "diff": (str(tmp_path / "none.alog"),)}.get(tool, ())
    assert run(tool, tmp_path / "none.alog", *more) == 2
    expected = f"{tmp_path}/none.alog: expected a log: No such file or directory\n"
    assert capsys.readouterr().err == expected


def test_invalid_option_is_exit_2(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        run("sing")
    assert caught.value.code == 2
    assert "usage: python -m apps.alog" in capsys.readouterr().err


@pytest.mark.process
def test_closing_the_output_early_is_no_error(log: LogWriter) -> None:
    for step in range(3000):
        log.add(step, "V", "x" * 60)
    command = [sys.executable, "-m", "apps.alog", "grep", str(log.save()), "V"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as tool:
        assert tool.stdout is not None
        assert tool.stderr is not None
        tool.stdout.readline()
        tool.stdout.close()
        assert tool.stderr.read() == b""
    assert tool.returncode == 0


def test_clip_returns_a_log_of_a_time_range(
    trip: Path, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    whole = list(read_entries(trip))
    assert run("clip", trip, "5", "9") == 0
    part = tmp_path / "part.alog"
    part.write_bytes(capsysbinary.readouterr().out)
    assert list(read_entries(part)) == [entry for entry in whole if 5 <= entry.time <= 9]
    assert part.read_text().splitlines()[:5] == trip.read_text().splitlines()[:5]
    assert run("clip", trip, "18") == 0
    assert b"20.00000" in capsysbinary.readouterr().out
    assert run("clip", trip, "800", "900") == 1
    assert b"nothing was posted" in capsysbinary.readouterr().err
    assert run("clip", trip, "9", "5") == 2


def test_clip_keeps_the_domain_of_the_whole_log(
    log: LogWriter, capsys: pytest.CaptureFixture[str]
) -> None:
    """As alogclip does: without a domain no reader can draw objective functions."""
    log.add(0.5, "IVPHELM_DOMAIN", "course,0,359,360").add(0.5, "NAV_X", 1.0).add(7.0, "NAV_X", 2.0)
    path = log.add(90.0, "IVPHELM_DOMAIN", "speed,0,4,41").save()
    assert run("clip", path, "5", "9") == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines() if line[0] != "%"]
    assert [(line[0], line[1]) for line in lines] == [
        ("0.50000", "IVPHELM_DOMAIN"),
        ("7.00000", "NAV_X"),
        ("90.00000", "IVPHELM_DOMAIN"),
    ]
    assert run("clip", path, "5", "6") == 1


@pytest.mark.parametrize("count", [0, 3, 10_000])
def test_head_gives_the_first_messages(
    count: int, trip: Path, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert run("head", trip, "-n", str(count)) == 0
    part = tmp_path / "part.alog"
    part.write_bytes(capsysbinary.readouterr().out)
    assert list(read_entries(part)) == list(read_entries(trip))[:count]


def test_scan_counts_the_posts_of_each_variable(
    log: LogWriter, capsys: pytest.CaptureFixture[str]
) -> None:
    log.add(1.0, "B", 1.0, "pTwo").add(2.5, "A", "x").add(4.0, "B", 3.0, "pOne")
    assert run("scan", log.save()) == 0
    _, *rows, total = capsys.readouterr().out.splitlines()
    assert [row.split() for row in rows] == [
        ["A", "1", "2.50", "2.50", "pApp"],
        ["B", "2", "1.00", "4.00", "pTwo,", "pOne"],
    ]
    assert total == "3 posts of 2 variables by 3 apps, until 4.00 s"


def test_avg_gives_mean_deviation_and_extremes(
    log: LogWriter, capsys: pytest.CaptureFixture[str]
) -> None:
    for time, value in enumerate((1.0, 2.0, 6.0)):
        log.add(time, "SPEED", value).add(time, "STATE", f"u={2 * value},mode=go")
    log.add(9.0, "NOTE", "text")
    assert run("avg", log.save(), "SPEED", "STATE.u", "NO*", "SP*") == 0
    _, *rows = capsys.readouterr().out.splitlines()
    figures = {row.split()[0]: [float(word) for word in row.split()[1:]] for row in rows}
    assert figures["SPEED"] == pytest.approx([3, 3, 7**0.5, 1, 6, 6], rel=1e-4)
    assert figures["STATE.u"] == pytest.approx([3, 6, 28**0.5, 2, 12, 12], rel=1e-4)
    assert set(figures) == {"SPEED", "STATE.u"}
    for name, why in (("NOTE", "NOTE: never a number"), ("SPED", "nearest")):
        assert run("avg", log.path, name) == 2
        assert why in capsys.readouterr().err


def test_avg_and_curves_know_angles(log: LogWriter, capsys: pytest.CaptureFixture[str]) -> None:
    for time, heading in enumerate((350.0, 20.0, 355.0, 359.0)):
        yaw = -radians(heading if heading < 180 else heading - 360)
        log.add(time, "NAV_HEADING", heading).add(time, "NAV_YAW", -yaw - 3.0)
        log.add(time, "NODE_REPORT", f"NAME=abe,HDG={heading}")
    assert run("avg", log.save(), "NAV_HEADING", "NODE_REPORT.HDG") == 0
    for row in capsys.readouterr().out.splitlines()[1:]:
        mean, deviation, least, greatest, last = map(float, row.split()[2:])
        assert mean == pytest.approx(circmean([350, 20, 355, 359], high=360), abs=1e-2)
        assert deviation == pytest.approx(circstd([350, 20, 355, 359], high=360), abs=1e-3)
        assert (least, greatest, last) == (20, 359, 359)
    log.add(5.0, "NAV_YAW", 3.1).add(6.0, "NAV_YAW", -3.1)
    (yaw_curve,) = read_curves(log.save(), ["NAV_YAW"])
    assert yaw_curve.values[-3:] == pytest.approx((3.1, nan, -3.1), nan_ok=True)


def test_helm_shows_changes_and_every_warning(
    log: LogWriter, capsys: pytest.CaptureFixture[str]
) -> None:
    log.add(1.0, "IVPHELM_STATE", "PARK", "pHelmIvP").add(2.0, "IVPHELM_STATE", "PARK", "pHelmIvP")
    log.add(3.0, "IVPHELM_STATE", "DRIVE", "pHelmIvP")
    log.add(3.0, "IVPHELM_SUMMARY", "iter=1,modes=MODE@ACTIVE:SURVEYING,x=2", "pHelmIvP")
    log.add(3.0, "IVPHELM_BHV_ACTIVE", "survey", "pHelmIvP")
    log.add(4.0, "IVPHELM_STATE", "STANDBY", "pOther")
    for time in (5.0, 6.0):
        log.add(time, "BHV_WARNING", "survey: slow", "pHelmIvP")
        log.add(time, "IVPHELM_BHV_ACTIVE", "", "pHelmIvP")
    assert run("helm", log.save()) == 0
    assert [line.split() for line in capsys.readouterr().out.splitlines()] == [
        ["1.00", "state", "PARK"],
        ["3.00", "state", "DRIVE"],
        ["3.00", "mode", "MODE@ACTIVE:SURVEYING"],
        ["3.00", "active", "survey"],
        ["4.00", "state", "STANDBY", "(pOther)"],
        ["5.00", "warning", "survey:", "slow"],
        ["5.00", "active", "(none)"],
        ["6.00", "warning", "survey:", "slow"],
    ]
    assert run("helm", log.path, "--only", "mode", "error") == 0
    assert len(capsys.readouterr().out.splitlines()) == 1
    assert run("helm", log.path, "--only", "error") == 1
    assert "nothing of error" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("field", "here"), [("aloghelm", "helm"), ("alogclip", "clip"), ("alogview", "plot")]
)
def test_moos_ivp_names_run_the_tools(
    field: str, here: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        run(field, "a.alog")
    assert caught.value.code == 2
    assert f"{field} of MOOS-IvP: the tool here is {here}" in capsys.readouterr().err


def test_a_track_or_curve_may_be_that_of_some_time_alone(trip: Path) -> None:
    part = read_track(trip, 5.0, 10.0)
    assert (part.times[0], part.times[-1]) == (5.0, 10.0)
    whole = read_track(trip)
    assert part.points == tuple(
        point for time, point in zip(whole.times, whole.points, strict=True) if 5 <= time <= 10
    )
    assert part.areas == whole.areas
    (curve,) = read_curves(trip, ["NAV_X"])
    cut = curve.within(4.2, 10.0)
    assert (cut.times[0], cut.times[-1], cut.until) == (4.2, 10.0, 10.0)
    assert cut.values[0] == curve.values[curve.times.index(4.0)]
    with pytest.raises(ToolError, match="not posted from 90 to 99 s"):
        curve.within(90.0, 99.0)
    with pytest.raises(ToolError, match="no track in it from 90 to 99 s"):
        read_track(trip, 90.0, 99.0)


def test_ten_colours_are_distinct_and_further_lines_have_dashes() -> None:
    looks = [plot.look_of(number) for number in range(30)]
    assert len({(look["color"], str(look["linestyle"])) for look in looks}) == 30
    colors = [lab(look["color"]) for look in looks[:10]]
    assert min(dist(a, b) for a, b in combinations(colors, 2)) > 20  # just seen: 2.3
    assert max(lightness for lightness, _, _ in colors) < 75  # on white


def lab(color: str) -> tuple[float, float, float]:
    """Return a colour's CIE 1976 L*, a*, b* under D65."""
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    xyz = (
        (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505,
        0.2126 * r + 0.7152 * g + 0.0722 * b,
        (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089,
    )
    fx, fy, fz = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in xyz)
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


@pytest.mark.slow
def test_several_tracks_have_their_names_at_their_ends(
    trip: Path, tmp_path: Path, pictures: list[Any]
) -> None:
    track = read_track(trip)
    draw([track], tmp_path / "one.png")
    draw([track, track.renamed("ben")], tmp_path / "two.png")
    one, two = (texts(picture.axes[0]) for picture in pictures)
    assert not any(text in ("alpha", "ben") for text, _ in one)
    assert [(text, place) for text, place in two if text in ("alpha", "ben")] == [
        ("alpha", track.points[-1]),
        ("ben", track.points[-1]),
    ]


@pytest.mark.slow
def test_plot_draws_the_time_it_is_given(trip: Path, tmp_path: Path, pictures: list[Any]) -> None:
    window = ("--from", "5", "--to", "10")
    assert run("plot", trip, *window, "-o", tmp_path / "out.png") == 0
    assert run("plot", trip, *window, "--over-time", "NAV_X", "-o", tmp_path / "x.png") == 0
    assert any("alpha: 5 s" in line.get_label() for line in pictures[0].axes[0].lines)
    assert pictures[1].axes[0].lines[0].get_xdata()[-1] == 10.0


def test_plot_refuses_an_end_before_the_start(
    log: LogWriter, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    window = ("--from", "10", "--to", "5")
    assert run("plot", log.save(), *window, "-o", tmp_path / "out.png") == 2
    assert "expected an end after 10 s, found 5" in capsys.readouterr().err
