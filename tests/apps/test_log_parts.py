"""Logs in parts: the same log, read as one; and the time stamps of a long run."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Decimal
from itertools import chain
from pathlib import Path

import pytest

from steerageway.apps.logs.alog.command import main as alog
from steerageway.launcher import LaunchError, Mission
from steerageway.moos.alog import data_hash, read_entries, whole_lines
from steerageway.web.viewer.log_index import LogIndex


def logged(folder: Path, *lines: str) -> Path:
    """Sail half a minute of alpha with lines for the logger; return the log."""
    config = ["pLogger.FileTimeStamp=false", *(f"pLogger.{line}" for line in lines)]
    with Mission("alpha", log=folder, config=config, set={"DEPLOY": "true"}) as mission:
        mission.run_until("NAV_X > 9999", limit=30)
    (log,) = folder.rglob("*.alog*")
    return log


def data(path: Path) -> list[bytes]:
    """Return the lines of one file that are no comments."""
    return [line for line in path.read_bytes().splitlines(keepends=True) if line[:2] != b"%%"]


@pytest.mark.slow
def test_a_log_in_parts_has_the_lines_of_one_file_and_is_read_as_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = logged(tmp_path / "whole")
    parted = logged(tmp_path / "parted", "LogSize=10 kB")
    files = [parted, *sorted(parted.parent.glob("*.part*"))]
    assert len(files) > 3
    assert {path.stat().st_size <= 10_000 for path in files} == {True}
    assert all(path.read_bytes().startswith(b"%%%%") for path in files)
    assert list(chain.from_iterable(map(data, files))) == data(whole)
    assert list(whole_lines(parted)) == list(whole_lines(whole))
    packed = logged(tmp_path / "packed", "LogSize=10 kB", "CompressAlogs=true")
    assert list(packed.parent.glob("*.part*.gz"))
    assert len({data_hash(whole_lines(log)) for log in (whole, parted, packed)}) == 1
    assert alog(["diff", str(whole), str(packed)]) == 0
    indices = [LogIndex(log, tmp_path) for log in (whole, parted)]
    for index in indices:
        index.read_on()
    counts = [{name: len(at) for name, at in index.places.items()} for index in indices]
    assert counts[0] == counts[1]
    assert indices[0].last == indices[1].last


def test_a_log_goes_on_in_another_part_every_so_many_seconds(tmp_path: Path) -> None:
    log = logged(tmp_path / "run", "LogSize = 0.125 min")
    files = [log, *sorted(log.parent.glob("*.part*"))]
    begun = [float(data(path)[0].split()[0]) for path in files]
    assert [time // 7.5 for time in begun[1:]] == [1, 2, 3]
    assert next(read_entries(files[2])).time == begun[2], "a part can be read alone"


@pytest.mark.parametrize("text", ["20", "0 MB", "-1 h", "5 miles", "MB", "1e999 MB"])
def test_a_size_without_a_unit_is_refused(text: str) -> None:
    with pytest.raises(LaunchError, match=r"LogSize = .*expected a number above 0 with a unit: kb"):
        Mission("alpha", config=[f"pLogger.LogSize={text}"])


@pytest.mark.slow
def test_after_a_day_of_ticks_the_last_has_the_exact_time() -> None:
    with Mission("alpha", only=["uSimMarineV22"], config=["uSimMarineV22.AppTick=0.07"]) as day:
        day.register("NAV_X")
        day.run_until("NAV_X > 9999", limit=86_400)
        instants = [message.instant for message in day.fetch()]
    period = Decimal(10**11) / 7  # ns
    start = instants[0] - round(period)
    exact = [
        start + int((n * period).to_integral_value(ROUND_HALF_EVEN))
        for n in range(1, len(instants) + 1)
    ]
    assert len(instants) == 6047
    assert instants == exact
