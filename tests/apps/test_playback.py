"""``uPlayback``: a log is posted at its own times."""

from __future__ import annotations

import pytest

from steerageway.apps.logs.playback import Playback
from steerageway.bus import ConfigError
from tests.apps.parameters import Shown

LOG = """%% LOG FILE: x.alog
%% LOGSTART 1000
0.5    NAV_X     uSim          1.5
1.0    DB_TIME   MOOSDB_abe    1
1.0    MODE      pHelmIvP      DRIVE
2.0    NAV_X     uSim          2.5
2.25   DESIRED   pPID          7
"""
shows = Shown()


@pytest.fixture
def play(drive, tmp_path):
    (tmp_path / "x.alog").write_text(LOG)

    def start(block="", until=4):
        one = drive(Playback, f"file = x.alog\n{block}", folder=tmp_path)
        posted = []
        for tick in range(1, until * 4 + 1):
            one.tick(tick / 4)
            posted += [
                (tick / 4, p.name, p.value) for p in one.posts if p.name != "PLAYBACK_DB_TIME"
            ]
        return posted

    return start


ALL = [(0.5, "NAV_X", 1.5), (1, "MODE", "DRIVE"), (2, "NAV_X", 2.5), (2.25, "DESIRED", 7)]


@shows("file", "play", "ignore_source", "start_time")
@pytest.mark.parametrize(
    ("block", "posted"),
    [
        ("", ALL),
        ("play = NAV_*, MODE", ALL[:3]),
        ("ignore_source = uSim", [ALL[1], ALL[3]]),
        ("start_time = 1", [(t - 1 or 0.25, *rest) for t, *rest in ALL[1:]]),
    ],
)
def test_messages_are_posted_at_their_times(play, block, posted):
    assert play(block) == posted


def test_sources_are_kept_and_the_played_time_is_posted(drive, tmp_path):
    (tmp_path / "x.alog").write_text(LOG)
    one = drive(Playback, "file = x.alog", folder=tmp_path)
    assert one.tick(3.0)["PLAYBACK_DB_TIME"] == 3.0
    assert [post.aux for post in one.posts] == ["uSim", "pHelmIvP", "uSim", "pPID", ""]
    assert "PLAYBACK_DB_TIME" not in one.tick(4.0)


def test_without_a_log_there_is_a_warning_and_with_a_wrong_one_an_error(drive, tmp_path):
    assert "file is not set" in str(list(drive(Playback).app.config_warnings))
    with pytest.raises(ConfigError, match="expected a log"):
        drive(Playback, "file = none.alog", folder=tmp_path)


def test_every_parameter_has_a_test():
    assert {one.name for one in Playback.parameters} == shows.names
