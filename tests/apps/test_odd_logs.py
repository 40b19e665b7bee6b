"""Exports of logs whose times and places are none: a sentence, and no file that others refuse."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from steerageway.apps.logs.alog.command import main

FORMS = ("kml", "gpx", "mcap", "rosbag2", "rerun")
PLACE = "{t}  NAV_LAT  p  43.8\n{t}  NAV_LONG  p  {lon}\n{t}  NAV_X  p  {lon}\n"


def log_of(folder: Path, start: str, *times: str, lon: str = "-70.3") -> Path:
    log = folder / "a.alog"
    body = "".join(PLACE.format(t=time, lon=lon) for time in times)
    log.write_text(f"%% LOGSTART   {start}\n{body}")
    return log


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("start", "time", "expected"),
    [
        ("1" + "0" * 300, "1.0", "LOGSTART"),
        ("-1000000000000", "1.0", "LOGSTART"),  # the year -29719
        ("99999999999999", "1.0", "LOGSTART"),  # the year 3170843
        ("1700000000", "1" + "0" * 300, "a.alog:2"),
        ("0", "9300000000", "a.alog:2"),  # 2**63 ns are 9.22e9 s
    ],
)
def test_a_time_that_no_form_has_is_a_sentence(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    form: str,
    start: str,
    time: str,
    expected: str,
) -> None:
    out = tmp_path / "out"
    log = log_of(tmp_path, start, time)
    assert main([form, str(log), "-o", str(out)]) == 2
    told = capsys.readouterr().err
    assert expected in told
    assert len(told.splitlines()) == 1
    assert not out.exists()


def test_a_bag_of_times_after_ros_2_has_ended_is_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its seconds have 32 bits with sign: 2**31 is in 2038."""
    out = tmp_path / "out"
    assert main(["rosbag2", str(log_of(tmp_path, str(2**31), "1.0")), "-o", str(out)]) == 2
    assert "in 32 bits" in capsys.readouterr().err
    assert not out.exists()


@pytest.mark.parametrize("form", ["kml", "gpx"])
@pytest.mark.parametrize("lon", ["7032000", "180.5", "-1" + "0" * 300])
def test_a_place_that_the_earth_has_not_is_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str, lon: str
) -> None:
    """GPX's schema: -180 <= lon < 180, and KML's: from -180 to 180."""
    out = tmp_path / "out"
    log = log_of(tmp_path, "1700000000", "1.0", "2.0", lon=lon)
    assert main([form, str(log), "-o", str(out)]) == 2
    assert "there is no track in it" in capsys.readouterr().err
    with log.open("a") as file:
        file.write(PLACE.format(t="3.0", lon="-70.3"))
    assert main([form, str(log), "-o", str(out)]) == 0
    assert len(re.findall("<gx:coord>|<trkpt ", out.read_text())) == 1
