"""The end of a run: its instant and reason, and the last mail of apps."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from pathlib import Path
from typing import Any

import pytest
from stage import (
    CallRecorder,
    Note,
    Recorder,
    cast,
    direct,
    everywhere,
    instants,
    mission,
    play,
    reached,
    read_notes,
    recorded,
)

from steerageway.bus import Value
from steerageway.bus.core.message import NANO
from steerageway.bus.core.plan import Condition, Input, Phase, Placement, RunPlan
from steerageway.bus.lockstep.session import Session

MS = NANO // 1000


class Counter(CallRecorder):
    """Posts its iteration in a variable named after it."""

    def configure(self) -> None:
        super().configure()
        self.publishes = (self.name.upper(), "BYE")

    def iterate(self) -> None:
        super().iterate()
        self.post(self.name.upper(), self.iteration)

    def on_stop(self) -> None:
        self.post("BYE", self.name)
        self.note("on_stop")


def at_least(name: str, limit: float, community: str = "") -> Condition:
    """Hold when a variable is at least so large."""

    def holds(see: Callable[[str], Value | None]) -> bool:
        value = see(name)
        return isinstance(value, float) and value >= limit

    return Condition(f"{name} >= {limit:g}", (name,), holds, community)


def last(folder: Path, name: str) -> Note:
    return read_notes(folder / name)[-1]


@everywhere
def test_the_end_instant_is_run_by_all_and_nothing_after_it(
    placement: Placement, tmp_path: Path
) -> None:
    """The run ends by the third count, at 1.5 s; the other apps stop there, too."""
    apps = [
        cast(Counter, "fast", tmp_path, tick="20"),
        cast(Counter, "slow", tmp_path, tick="2"),
        cast(CallRecorder, "idle", tmp_path, tick="4"),
        cast(Recorder, "log", tmp_path, tick="0.7"),
    ]
    outcome = play(mission(*apps, seconds=9.0, until=(at_least("SLOW", 3),)), placement)
    assert (outcome.exit_reason, outcome.condition) == ("until", "SLOW >= 3")
    assert outcome.simulated_seconds == 1.5
    assert instants(tmp_path / "fast")[-1] == 1500 * MS
    assert instants(tmp_path / "idle")[-1] == 1500 * MS
    assert {last(tmp_path, name).time for name in ("fast", "slow", "idle", "log")} == {1.5}
    counts = [m.value for m in recorded(tmp_path / "log") if m.name == "FAST"]
    assert counts == [float(k) for k in range(1, 31)]


@everywhere
def test_all_apps_exit_with_the_remaining_mail_and_recorders_last(
    placement: Placement, tmp_path: Path
) -> None:
    apps = [
        cast(Recorder, "log", tmp_path, tick="1"),
        cast(Counter, "one", tmp_path, tick="2", hears="TWO BYE"),
        cast(Counter, "two", tmp_path, tick="2", hears="ONE"),
    ]
    play(mission(*apps, seconds=2.0), placement)
    for name, other in (("one", "TWO"), ("two", "ONE")):
        mail, stop = read_notes(tmp_path / name)[-2:]
        assert (mail.call, mail.heard) == ("on_mail", [(other, 4.0)])
        assert (stop.call, stop.time) == ("on_stop", 2.0)
    values = [m.value for m in recorded(tmp_path / "log") if m.name == "BYE"]
    assert values == ["one", "two"]
    assert last(tmp_path, "log").call == "on_stop"


@everywhere
def test_a_run_for_a_time_includes_its_last_instant(placement: Placement, tmp_path: Path) -> None:
    outcome = play(mission(cast(Counter, "one", tmp_path, tick="4"), seconds=1.5), placement)
    assert outcome.exit_reason == "for"
    assert outcome.simulated_seconds == 1.5
    assert instants(tmp_path / "one")[-1] == 1500 * MS


@everywhere
def test_a_condition_that_holds_in_the_last_instant_is_met(
    placement: Placement, tmp_path: Path
) -> None:
    one = cast(Counter, "one", tmp_path, tick="4")
    outcome = play(mission(one, seconds=1.5, until=(at_least("ONE", 6),)), placement)
    assert (outcome.exit_reason, outcome.simulated_seconds) == ("until", 1.5)
    also = cast(Counter, "also", tmp_path, tick="4")
    post = Input(1500 * MS, Phase.AFTER, "alpha", "GO", 1.0)
    outcome = play(
        mission(also, seconds=1.5, until=(at_least("GO", 1),), inputs=(post,)), placement
    )
    assert (outcome.exit_reason, outcome.simulated_seconds) == ("until", 1.5)


@everywhere
def test_a_post_from_outside_ends_the_run_between_the_ticks(
    placement: Placement, tmp_path: Path
) -> None:
    apps = [cast(Counter, "one", tmp_path, tick="4"), cast(Recorder, "log", tmp_path)]
    posts = tuple(Input(at * MS, 0, "alpha", "GO", float(at)) for at in (700, 1100, 1300))
    outcome = play(mission(*apps, until=(at_least("GO", 1000),), inputs=posts), placement)
    assert (outcome.exit_reason, outcome.simulated_seconds) == ("until", 1.1)
    assert instants(tmp_path / "one")[-1] == 1000 * MS
    assert last(tmp_path, "one").time == 1.1
    assert [m.value for m in recorded(tmp_path / "log") if m.name == "GO"] == [700.0, 1100.0]
    assert outcome.values["alpha"]["GO"] == 1100.0


@everywhere
@pytest.mark.parametrize(("name", "time"), [("DB_UPTIME", 4.0), ("DB_VARSUMMARY", 2.0)])
def test_a_report_of_the_database_ends_the_run_at_its_instant(
    placement: Placement, name: str, time: float, tmp_path: Path
) -> None:
    def holds(see: Callable[[str], Any]) -> bool:
        value = see(name)
        return value is not None and ("ONE" in value if name != "DB_UPTIME" else value > 2)

    apps = [cast(Counter, "one", tmp_path, tick="0.7"), cast(Counter, "two", tmp_path, tick="20")]
    outcome = play(mission(*apps, seconds=9.0, until=(Condition(name, (name,), holds),)), placement)
    assert (outcome.exit_reason, outcome.simulated_seconds) == ("until", time)
    assert instants(tmp_path / "two")[-1] == round(time * NANO)


@everywhere
def test_the_condition_is_evaluated_when_the_instant_is_complete(
    placement: Placement, tmp_path: Path
) -> None:
    """A value that is taken back within its instant ends nothing."""
    apps = [cast(Counter, "one", tmp_path, tick="4")]
    post = (
        Input(1000 * MS, Phase.INPUT, "alpha", "GO", 1.0),
        Input(1000 * MS, Phase.AFTER, "alpha", "GO", 0.0),
    )
    outcome = play(mission(*apps, until=(at_least("GO", 1),), inputs=post), placement)
    assert (outcome.exit_reason, outcome.simulated_seconds) == ("for", 2.0)


@everywhere
def test_all_conditions_must_have_held_though_not_at_once(
    placement: Placement, tmp_path: Path
) -> None:
    """The first holds at 0.5 s only; it is latched."""
    one = cast(Counter, "one", tmp_path, tick="4")
    first = Condition("ONE is 2", ("ONE",), lambda see: see("ONE") == 2.0)
    plan = mission(one, seconds=3.0, until=(first, at_least("ONE", 6)))
    outcome = play(plan, placement)
    assert (outcome.exit_reason, outcome.simulated_seconds) == ("until", 1.5)
    assert outcome.condition == "ONE is 2 and ONE >= 6"


@everywhere
@pytest.mark.parametrize(
    ("community", "time"), [("", 0.5), ("alpha", 1.0), ("beta", 0.5), ("*", 1.0)]
)
def test_a_condition_means_any_a_named_or_every_community(
    placement: Placement, community: str, time: float, tmp_path: Path
) -> None:
    class ExitPoster(Counter):
        def iterate(self) -> None:
            self.post("BYE", str(self.iteration))

    apps = [
        cast(ExitPoster, "slow", tmp_path, tick="2", community="alpha"),
        cast(ExitPoster, "fast", tmp_path, tick="4", community="beta"),
    ]
    done = Condition("BYE = 2", ("BYE",), lambda see: see("BYE") == "2", community)
    outcome = play(mission(*apps, seconds=9.0, until=(done,)), placement)
    assert (outcome.exit_reason, outcome.simulated_seconds) == ("until", time)


@everywhere
def test_a_failure_condition_takes_precedence_over_an_end_condition(
    placement: Placement, tmp_path: Path
) -> None:
    one = cast(Counter, "one", tmp_path, tick="4")
    plan = mission(one, until=(at_least("ONE", 4),), fail_if=(at_least("ONE", 4),))
    outcome = play(plan, placement)
    assert (outcome.exit_reason, outcome.condition) == ("fail_if", "ONE >= 4")
    assert outcome.simulated_seconds == 1.0


@everywhere
def test_an_app_that_never_started_is_not_shut_down(placement: Placement, tmp_path: Path) -> None:
    apps = [cast(Counter, "one", tmp_path), cast(Counter, "late", tmp_path, start=5.0)]
    outcome = play(mission(*apps, seconds=1.0), placement)
    assert not (tmp_path / "late").exists()
    assert outcome.failures == []
    assert [app.grants for app in outcome.apps] == [12, 0]


@everywhere
@pytest.mark.parametrize(("seconds", "reason"), [(5.0, "for"), (None, "finished")])
def test_a_mission_without_apps_is_its_database_alone(
    placement: Placement, seconds: float | None, reason: str
) -> None:
    stop_at = None if seconds is None else round(seconds * NANO)
    outcome = play(RunPlan(("alpha",), (), inf, stop_at=stop_at), placement)
    assert outcome.exit_reason == reason
    assert outcome.simulated_seconds == (seconds or 0.0)
    if seconds:
        assert outcome.values["alpha"]["DB_UPTIME"] == 4.0


@everywhere
def test_an_observer_may_stop_a_run(
    placement: Placement, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def script(session: Session) -> Any:
        yield from reached(session, 0.5)
        session.control("stop", ())

    direct(monkeypatch, script)
    apps = [cast(Counter, "one", tmp_path), cast(Recorder, "log", tmp_path)]
    outcome = play(mission(*apps, seconds=1000.0, warp=20.0), placement)
    assert outcome.exit_reason == "stopped"
    assert 0.5 <= outcome.simulated_seconds < 100.0
    assert last(tmp_path, "one").call == last(tmp_path, "log").call == "on_stop"
    assert last(tmp_path, "one").time == outcome.simulated_seconds
    assert instants(tmp_path / "one")[-1] == round(outcome.simulated_seconds * NANO)


@pytest.mark.slow
@everywhere
@pytest.mark.parametrize("warp", [20.0, inf])
def test_the_wall_limit_stops_a_run(placement: Placement, warp: float, tmp_path: Path) -> None:
    plan = mission(cast(Counter, "one", tmp_path), seconds=1e6, warp=warp, wall_limit=0.2)
    outcome = play(plan, placement)
    assert outcome.exit_reason == "wall_limit"
    assert outcome.wall_seconds >= 0.2
    assert last(tmp_path, "one").call == "on_stop"
