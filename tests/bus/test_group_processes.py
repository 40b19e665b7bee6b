"""One app's failure does not affect others, in its process or another."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from threading import Event

import pytest
from stage import (
    CallRecorder,
    Recorder,
    cast,
    everywhere,
    in_processes,
    instants,
    mission,
    play,
    recorded,
)

from steerageway.bus import App
from steerageway.bus.core.plan import Placement

pytestmark = pytest.mark.wall


class FailsAtExit(App):
    """Raises when it is to take leave."""

    publishes = ()

    def on_stop(self) -> None:
        raise RuntimeError("not yet")


class Sleeper(App):
    """Hangs at its third iteration."""

    publishes = ("NEVER",)

    def iterate(self) -> None:
        if self.iteration == 3:
            Event().wait()


class Stumbler(App):
    """Raises at its third iteration, in its first life only."""

    publishes = ("STEPS",)

    def iterate(self) -> None:
        self.post("STEPS", self.iteration)
        if self.iteration == 3 and not marked(self, "fell"):
            raise RuntimeError("fell")


class KilledOnce(App):
    """Is killed at its third iteration, in its first life only."""

    publishes = ("STEPS",)

    def iterate(self) -> None:
        self.post("STEPS", self.iteration)
        if self.iteration == 3 and not marked(self, "died"):
            os.kill(os.getpid(), signal.SIGKILL)


class NotRestartable(KilledOnce):
    """Cannot be made again after it was killed."""

    def configure(self) -> None:
        if (Path(self.config.text("notes")).parent / "died").exists():
            raise RuntimeError("not again")


class LateOnce(App):
    """Answers just when it has been given up, in its first life only."""

    publishes = ("STEPS",)

    def iterate(self) -> None:
        self.post("STEPS", self.iteration)
        if self.iteration == 3 and not marked(self, "dallied"):
            given_up = Event()
            signal.signal(signal.SIGUSR1, lambda number, frame: given_up.set())
            given_up.wait()


def marked(app: App, name: str) -> bool:
    """Leave a mark next to the app's notes; return whether it was there."""
    mark = Path(app.config.text("notes")).parent / name
    there = mark.exists()
    mark.touch()
    return there


@pytest.mark.parametrize("restarts", [0, 1])
@everywhere
def test_an_app_that_fails_at_its_shutdown_has_failed(
    tmp_path: Path, placement: Placement, restarts: int
) -> None:
    apps = [cast(FailsAtExit, "pGrudge", tmp_path), cast(Recorder, "pLog", tmp_path)]
    outcome = play(mission(*apps, restarts=restarts, seconds=2.05), placement)
    assert [failure.name for failure in outcome.failures] == ["pGrudge"]
    assert outcome.exit_reason == "app_failed"
    assert outcome.simulated_seconds == 2.05
    assert instants(tmp_path / "pLog", "on_stop") == [2_050_000_000]


@pytest.mark.process
def test_an_app_that_hangs_takes_no_other_with_it(tmp_path: Path) -> None:
    apps = [cast(Recorder, "pLog", tmp_path), cast(Sleeper, "pSleep", tmp_path)]
    apps.append(cast(CallRecorder, "pSee", tmp_path, hears="NEVER"))
    outcome = play(mission(*apps, grant_timeout=1.0), Placement.PROCESS)
    assert [failure.name for failure in outcome.failures] == ["pSleep"]


@pytest.mark.process
def test_an_app_that_raises_in_a_shared_process_restarts_alone(tmp_path: Path) -> None:
    apps = [cast(Recorder, "pLog", tmp_path), cast(Stumbler, "pFall", tmp_path)]
    apps.append(cast(CallRecorder, "pSee", tmp_path, hears="STEPS"))
    outcome = play(mission(*apps, restarts=1, grant_timeout=2.0, seconds=3.0), Placement.COMMUNITY)
    assert [failure.name for failure in outcome.failures] == ["pFall"]
    assert outcome.exit_reason == "for"
    assert len(instants(tmp_path / "pSee")) == 30
    steps = [m.value for m in recorded(tmp_path / "pLog") if m.name == "STEPS"]
    assert steps[:3] == [1.0, 2.0, 1.0]


@in_processes
def test_an_app_whose_process_dies_restarts_a_second_later(
    tmp_path: Path, placement: Placement
) -> None:
    apps = [cast(Recorder, "pLog", tmp_path, community="beta"), cast(KilledOnce, "pDie", tmp_path)]
    outcome = play(mission(*apps, restarts=1, seconds=3.0), placement)
    (failure,) = outcome.failures
    assert failure.name == "pDie"
    assert 0.1 <= failure.time <= 0.3
    assert outcome.exit_reason == "for"
    again = failure.time + 1.0
    assert outcome.values["alpha"]["STEPS"] == round((3.0 - again) * 10) + 1


@pytest.mark.process
def test_an_app_that_cannot_be_made_again_ends_the_run(tmp_path: Path) -> None:
    apps = [cast(Recorder, "pLog", tmp_path), cast(NotRestartable, "pDie", tmp_path)]
    outcome = play(mission(*apps, restarts=1, seconds=3.0), Placement.PROCESS)
    assert [failure.name for failure in outcome.failures] == ["pDie", "pDie"]
    assert outcome.exit_reason == "app_failed"


@pytest.mark.process
def test_an_answer_that_comes_too_late_is_ignored(tmp_path: Path) -> None:
    apps = [cast(Recorder, "pLog", tmp_path), cast(LateOnce, "pLate", tmp_path)]
    outcome = play(mission(*apps, restarts=1, seconds=3.0, grant_timeout=1.0), Placement.PROCESS)
    assert [failure.name for failure in outcome.failures] == ["pLate"]
    assert outcome.exit_reason == "for"
    steps = [m for m in recorded(tmp_path / "pLog") if m.name == "STEPS"]
    assert [m.value for m in steps[:5]] == [1.0, 2.0, 1.0, 2.0, 3.0]  # the late answer had a 3
    assert [m.time for m in steps[:2]] == [0.1, 0.2]
    assert steps[2].time >= 1.3
