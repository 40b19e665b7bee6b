"""Index of a log: seeking to any time gives the same as reading from the start."""

from __future__ import annotations

import gzip
import pickle
import resource
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steerageway.moos.alog import EntryFormat, banner, read_entries
from steerageway.moos.errors import FormatError
from steerageway.web.viewer.analysis import helm_history
from steerageway.web.viewer.log_index import BLOCK, LogIndex
from steerageway.web.viewer.log_set import LogSet, Player, open_logs, read_all, read_logs
from steerageway.web.viewer.picture import Picture, shapes_in_order

START = 1_767_225_600.2


def write(path: Path, lines: list[str], start: float = START) -> Path:
    """Write a log."""
    path.write_text(banner(path.name, start, start) + "".join(lines))
    return path


def survey(path: Path, seconds: int, community: str = "abe", start: float = START) -> Path:
    """Write the log of a vessel that goes round, and marks where it was each second."""
    line = EntryFormat(0.0).line
    lines = [line("DB_TIME", START, -0.2, f"MOOSDB_{community}")]
    for tick in range(seconds * 4):
        time = tick / 4
        lines.append(line("NAV_X", time % 60, time, "uSim"))
        lines.append(line("NAV_Y", 2 * time, time, "uSim"))
        lines.append(line("IVPHELM_ITER", float(tick), time, "pHelmIvP"))
        lines.append(line("NOISE", f"{'x' * 40} {tick}", time, "pNoise"))
        if tick % 4 == 0:
            label = f"p{int(time) % 5}"
            text = f"x={int(time)},y=0,label={label}" + ",duration=3" * (tick % 8 == 0)
            lines.append(line("VIEW_POINT", text, time, "pHelmIvP"))
    return write(path, lines, start)


def naive(path: Path, time: float) -> Picture:
    """Return the picture at a time by reading all before it."""
    picture = Picture(["abe"], START)
    for entry in read_entries(path):
        if entry.time > time:
            break
        picture.take("abe", entry.name, entry.value, entry.time)
    picture.advance(time)
    return picture


def shown(picture: Picture) -> object:
    """Return all that is drawn."""
    return (
        [(one.look(), str(one.row(picture.time))) for one in picture.placed()],
        list(shapes_in_order(picture)),
    )


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a log of ten minutes, several blocks long."""
    path = survey(tmp_path_factory.mktemp("logs") / "abe.alog", 600)
    assert path.stat().st_size > 5 * BLOCK
    return path


@pytest.fixture(scope="module")
def logs(log: Path) -> LogSet:
    """Return its index."""
    return read_logs(log)


@pytest.mark.slow
@settings(max_examples=25)
@given(st.lists(st.integers(-5000, 620_000).map(lambda ms: ms / 1000), min_size=1, max_size=4))
def test_a_picture_by_seeking_equals_the_one_by_reading(log, logs, times):
    player = Player(logs)
    for time in times:
        player.seek(time)
        assert shown(player.picture) == shown(naive(log, time))


@pytest.mark.slow
def test_the_last_values_at_a_time_are_found(log, logs):
    for time in (0.0, 0.25, 100.1, 599.9):
        found = {value.name: value.value for value in logs.values(time, ["*"])}
        last = {entry.name: entry.value for entry in read_entries(log) if entry.time <= time}
        assert found == last


@pytest.mark.slow
def test_the_history_of_a_variable_is_all_its_messages(log, logs):
    history = [(e.time, e.value) for e in read_entries(log) if e.name == "NAV_X"]
    assert [(e.time, e.value) for e in logs.history("abe", "NAV_X", -1e9, 1e9)] == history
    part = [one for one in history if 100 <= one[0] <= 200]
    assert [(e.time, e.value) for e in logs.history("abe", "NAV_X", 100, 200)] == part
    assert list(logs.history("abe", "NOBODY", 0, 1)) == []


@pytest.mark.slow
def test_an_index_that_is_continued_is_the_one_of_the_whole_log(tmp_path, log):
    whole = log.read_bytes()
    growing = tmp_path / "abe.alog"
    growing.write_bytes(whole[:100_000])
    index = LogIndex(growing)
    index.read_on()
    growing.write_bytes(whole[:250_001])
    index.read_on()
    growing.write_bytes(whole)
    index.read_on()
    once = LogIndex(log)
    once.read_on()
    assert index.places == once.places
    assert index.columns == once.columns
    assert index.tracks.of["abe"].times == once.tracks.of["abe"].times
    assert (index.first, index.last, index.done) == (once.first, once.last, once.done)


def test_a_log_that_was_cut_off_opens(tmp_path, log):
    cut = tmp_path / "abe.alog"
    cut.write_bytes(log.read_bytes()[:123_456])
    logs = read_logs(cut)
    player = Player(logs)
    player.seek(logs.span[1])
    assert shown(player.picture) == shown(naive(cut, logs.span[1]))


@pytest.mark.slow
@pytest.mark.parametrize("cut", [0, 200])
def test_a_compressed_log_works_like_the_log(tmp_path, log, logs, cut):
    packed = gzip.compress(log.read_bytes())
    (tmp_path / "abe.alog.gz").write_bytes(packed[: len(packed) - cut])
    other = read_all(tmp_path, open_logs(tmp_path / "abe.alog.gz", tmp_path))
    assert other.communities == logs.communities
    assert (other.span == logs.span) == (cut == 0)
    one, two = Player(logs), Player(other)
    for time in (30.0, 5.0, other.span[1]):
        one.seek(time)
        two.seek(time)
        assert shown(two.picture) == shown(one.picture)


def test_a_full_disk_is_named(tmp_path, log):
    (tmp_path / "abe.alog.gz").write_bytes(gzip.compress(log.read_bytes()))
    (index,) = open_logs(tmp_path / "abe.alog.gz", tmp_path)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, hard))
    try:
        with pytest.raises(FormatError, match="expected room to unpack it"):
            index.read_on()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert index.read_on() > 1 << 16


def test_a_file_with_only_a_compressed_name_is_named(tmp_path):
    (tmp_path / "abe.alog.gz").write_bytes(b"%% LOGSTART 12\n")
    with pytest.raises(FormatError, match=r"abe\.alog\.gz: expected a log"):
        open_logs(tmp_path / "abe.alog.gz", tmp_path)


@pytest.mark.parametrize("text", ["", "%% nothing\n", "no log at all\n\n\x00\xff\n"])
def test_a_file_that_is_hardly_a_log_opens_empty(tmp_path, text):
    path = tmp_path / "odd.alog"
    path.write_text(text)
    logs = read_logs(path)
    assert logs.span == (0.0, 0.0)
    Player(logs).seek(10.0)
    assert list(logs.values(1.0, ["*"])) == []


def test_a_missing_log_is_named(tmp_path):
    with pytest.raises(FormatError, match=r"nowhere\.alog: expected a log"):
        open_logs(tmp_path / "nowhere.alog")
    with pytest.raises(FormatError, match="found none"):
        open_logs(tmp_path)


def test_the_logs_of_a_fleet_are_one_picture_in_one_time(tmp_path):
    survey(tmp_path / "abe.alog", 30)
    survey(tmp_path / "ben.alog", 30, "ben", START + 5)
    logs = read_logs(tmp_path)
    assert logs.communities == ["abe", "ben"]
    assert logs.span[0] == pytest.approx(-0.2)
    player = Player(logs)
    player.seek(10.0)
    abe, ben = player.picture.placed()
    assert (abe.y, ben.y) == (20.0, 10.0)


def test_a_case_begins_with_an_empty_picture(tmp_path):
    line = EntryFormat(0.0).line
    path = write(
        tmp_path / "abe.alog",
        [
            line("VIEW_POINT", "x=0,y=0,label=old", 1.0, "pHelmIvP"),
            line("NAV_X", 5.0, 1.0, "uSim"),
            line("NAV_Y", 5.0, 1.0, "uSim"),
            "%% CASE number=1,seed=0,time=2.00000\n",
            line("VIEW_POINT", "x=0,y=0,label=new", 3.0, "pHelmIvP"),
        ],
    )
    logs = read_logs(path)
    player = Player(logs)
    player.seek(1.5)
    assert [shape["label"] for shape in player.picture.shapes.values()] == ["old"]
    player.seek(3.0)
    assert [shape["label"] for shape in player.picture.shapes.values()] == ["new"]
    assert not player.picture.placed()


def test_a_log_with_summaries_only_shows_the_behaviors_over_time(tmp_path):
    line = EntryFormat(0.0).line
    lines = [line("IVPHELM_STATE", "DRIVE", 0.0, "pHelmIvP")]
    for tick in range(40):
        text = f"iter={tick},utc_time={tick}.00,ofnum=1"
        if tick in (0, 20):
            name = "survey" if tick == 0 else "return"
            text += f",active_bhvs={name}$1.00$100$9$0.01$0/0$1$n/a$n/a,idle_bhvs=none"
        lines.append(line("IVPHELM_SUMMARY", text, tick / 4, "pHelmIvP"))
    logs = read_logs(write(tmp_path / "abe.alog", lines))
    player = Player(logs)
    for time, active in ((2.0, ["survey"]), (8.0, ["return"]), (4.75, ["survey"])):
        player.seek(time)
        assert player.picture.helms["abe"].active == active
    history = helm_history(logs, "abe")
    assert (history["t"], history["active"]) == ([0.0, 5.0], [["survey"], ["return"]])


def test_an_index_travels_between_processes(logs):
    other = pickle.loads(pickle.dumps(logs))
    assert other.span == logs.span
    assert list(other.values(50.0, ["NAV_*"])) == list(logs.values(50.0, ["NAV_*"]))


def test_a_seek_reads_no_more_than_a_block_and_a_line_each(tmp_path, log, logs):
    """Seeking must not depend on how long a log is."""
    index = logs.indexes["abe"]
    for time in (1.0, 300.0, 599.0):
        assert len(index.picture_places(index.cut(time))) <= len(index.columns)
    assert len(index.columns) < 20


REPORT = "NAME={name},X={x:.2f},Y={y:.2f},SPD=2.5,HDG=90,DEP=0,TYPE=kayak,TIME={t:.2f},LENGTH=4"
OTHERWISE = "X={x:.2f},NAME={name},Y={y:.2f},SPD=2.5,HDG=90,DEP=0,TYPE=kayak,TIME={t:.2f},LENGTH=4"


def reports(path: Path, form: str, count: int) -> Path:
    """Write the log of a shore that hears of vessels by node reports."""
    line = EntryFormat(0.0).line
    lines = []
    for k in range(count):
        time = k / 50
        text = form.format(name=f"v{k % 20}", x=(k // 20) ** 1.1, y=k % 20 * 10.0, t=START + time)
        lines.append(line("NODE_REPORT", text, time, "uFldNodeComms"))
    return write(path, lines)


def test_node_reports_of_the_usual_form_are_indexed_as_those_of_any_other(tmp_path: Path) -> None:
    one, other = (
        LogIndex(reports(tmp_path / f"{k}.alog", form, 2000))
        for k, form in enumerate((REPORT, OTHERWISE))
    )
    for index in (one, other):
        index.read_on()
    assert one.columns == other.columns
    assert one.tracks.of.keys() == other.tracks.of.keys()
    for name, track in one.tracks.of.items():
        same = other.tracks.of[name]
        assert (track.times, track.x, track.y) == (same.times, same.x, same.y)
    assert len(one.tracks.of["v3"]) > 5


@pytest.mark.slow
def test_node_reports_are_indexed_at_the_rate_of_other_variables(tmp_path: Path) -> None:
    def seconds(path: Path) -> float:
        best = 1e9
        for _ in range(3):
            index, before = LogIndex(path), resource.getrusage(resource.RUSAGE_SELF).ru_utime
            index.read_on()
            best = min(best, resource.getrusage(resource.RUSAGE_SELF).ru_utime - before)
        return best / path.stat().st_size

    plain, heard = survey(tmp_path / "abe.alog", 1200), reports(tmp_path / "r.alog", REPORT, 20_000)
    assert seconds(heard) < 2 * seconds(plain)  # a byte; it was seven times as long
