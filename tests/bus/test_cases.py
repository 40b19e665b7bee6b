"""Case resets: when they come early, and what time it is after them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from stage import (
    Recorder,
    Witness,
    cast,
    direct,
    everywhere,
    instants,
    mission,
    passed,
    play,
    reached,
    until,
)

from bus.plan import Placement
from bus.session import Session


@everywhere
def test_a_recorder_that_a_reset_finds_asleep_starts_in_the_new_case(
    tmp_path: Path, placement: Placement, monkeypatch: pytest.MonkeyPatch
) -> None:
    def script(session: Session) -> Iterator[None]:
        session.control("run_until", (0.2,))
        yield from reached(session, 0.2)
        session.control("reset", ())
        yield

    direct(monkeypatch, script)
    apps = [
        cast(Witness, "pSee", tmp_path, hears="NONE"),
        cast(Recorder, "pLog", tmp_path, start=0.5),
    ]
    play(mission(*apps, seconds=2.0), placement)
    assert instants(tmp_path / "pLog", "on_start") == [700_000_000]


@everywhere
def test_running_until_a_time_means_the_time_that_the_status_tells(
    tmp_path: Path, placement: Placement, monkeypatch: pytest.MonkeyPatch
) -> None:
    def script(session: Session) -> Iterator[None]:
        session.control("run_until", (0.2,))
        yield from reached(session, 0.2)
        session.control("reset", ())
        yield from until(lambda: session.status()["case"] == 1)
        session.control("run_until", (0.5,))
        yield from passed(0.3)
        (tmp_path / "held").write_text(str(session.status()["time"]))
        session.control("stop", ())
        session.control("resume", ())

    direct(monkeypatch, script)
    play(mission(cast(Witness, "pSee", tmp_path, hears="NONE"), seconds=2.0), placement)
    assert float((tmp_path / "held").read_text()) == 0.5


@everywhere
def test_every_reset_gets_a_case_of_its_own(
    tmp_path: Path, placement: Placement, monkeypatch: pytest.MonkeyPatch
) -> None:
    def script(session: Session) -> Iterator[None]:
        session.control("run_until", (0.2,))
        yield from reached(session, 0.2)
        (tmp_path / "promised").write_text(
            " ".join(str(session.control("reset", (seed,))) for seed in (7, 8))
        )
        yield from until(lambda: session.status()["case"] == 2)

    direct(monkeypatch, script)
    play(mission(cast(Witness, "pSee", tmp_path, hears="NONE"), seconds=1.0), placement)
    assert (tmp_path / "promised").read_text() == "1 2"
    assert len(instants(tmp_path / "pSee", "on_start")) >= 2
