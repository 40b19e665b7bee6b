"""``BHV_Timer``, ``BHV_TimeOut``, ``BHV_PeriodicSpeed``, ``BHV_TestFailure``: each parameter."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from alone import Alone, shows, untested_parameters

from steerageway.helm.behaviors import BehaviorError

Make = Callable[..., Alone]
PERIODIC = "BHV_PeriodicSpeed"
PERIODS = "period_busy = 10\nperiod_lazy = 20\nperiod_speed = 1.5\n"


@shows("BHV_Timer", "var_status_idle", "var_status_running", "status_suffix")
def test_timer_reports_how_long_it_ran_and_was_idle(alone: Make) -> None:
    one = alone("BHV_Timer", "condition = GO = true")
    for go, count in (("false", 9), ("true", 5)):
        for _ in range(count):
            one.step({"GO": go}, dt=1.0)
    assert one.objective is None
    assert one.posted["TIMER_IDLE"] == 8
    assert one.posted["TIMER_RUNNING"] == 4
    one = alone("BHV_Timer", "var_status_idle = I\nvar_status_running = R\nstatus_suffix = X")
    one.step()
    assert set(one.posted) == {"I_X", "R_X"}


@shows("BHV_TimeOut", "max_time")
def test_time_out_stops_the_vessel_after_its_time(alone: Make) -> None:
    one = alone("BHV_TimeOut", "max_time = 5\ncondition = GO = true")
    for go in ("true", "true", "false", "false", "true"):
        one.step({"GO": go}, dt=2.0)
    one.step(dt=2.0)
    with pytest.raises(BehaviorError, match="ran for the 5 s"):
        one.step(dt=2.0)
    with pytest.raises(ValueError, match="max_time"):
        alone("BHV_TimeOut")


@shows("BHV_TestFailure", "failure_type")
def test_failure_fails_as_configured(alone: Make) -> None:
    with pytest.raises(RuntimeError, match="crash"):
        alone("BHV_TestFailure", "failure_type = crash").step()
    for seconds in (20.0, 0.0):
        one = alone("BHV_TestFailure", f"failure_type = burn,{seconds:g}")
        one.step()
        assert one.world.busy_until == one.world.time + seconds
    for text in ("", "failure_type = burn", "failure_type = smoke"):
        with pytest.raises(ValueError, match=r"burn,SECONDS|at least 0"):
            alone("BHV_TestFailure", text)


def objectives(one: Alone, seconds: int) -> list[bool]:
    """Return for each second whether it has an objective."""
    found = []
    for _ in range(seconds):
        one.step(dt=1.0)
        found.append(one.objective is not None)
    return found


@shows(PERIODIC, "period_busy", "period_lazy")
def test_it_publishes_a_speed_objective_periodically(alone: Make) -> None:
    one = alone(PERIODIC, PERIODS)
    assert objectives(one, 65) == ([False] * 20 + [True] * 10) * 2 + [False] * 5
    assert one.posted["PS_BUSY_COUNT"] == 2
    assert one.posted["PS_PENDING_ACTIVE"] == 16
    assert one.posted["PS_PENDING_INACTIVE"] == 0
    one.steps(61, dt=0.25)
    assert one.posted["PS_PENDING_ACTIVE"] == 0.75
    for name in ("period_busy", "period_lazy"):
        with pytest.raises(ValueError, match=name):
            alone(PERIODIC, "\n".join(x for x in PERIODS.splitlines() if name not in x))


@shows(PERIODIC, "initially_busy")
def test_it_may_begin_busy(alone: Make) -> None:
    one = alone(PERIODIC, PERIODS + "initially_busy = true\ncondition = GO = true")
    one.step()
    assert one.posted["PERIODIC_SPEED"] == 0  # as MOOS-IvP's flags: 1 only while it is active
    one.step({"GO": "true"})
    assert one.posted["PERIODIC_SPEED"] == 1
    assert objectives(one, 11) == [True] * 9 + [False] * 2
    assert one.posted["PERIODIC_SPEED"] == 0


@shows(PERIODIC, "reset_upon_running")
@pytest.mark.parametrize(("reset", "busy"), [("true", 0), ("false", 10)])
def test_periods_may_continue_while_it_is_idle(reset: str, busy: int, alone: Make) -> None:
    one = alone(PERIODIC, f"{PERIODS}reset_upon_running = {reset}\ncondition = GO = true")
    one.step({"GO": "true"})
    one.step({"GO": "false"}, dt=1.0)
    one.step({"GO": "true"}, dt=18.0)
    assert sum(objectives(one, 15)) == busy


@pytest.mark.parametrize(
    ("text", "active", "inactive", "count"),
    [
        ("", 20, 0, 0),
        ("initially_busy = true", 0, 10, 0),
        ("reset_upon_running = false", 0, 4, 1),
        ("reset_upon_running = false\ninitially_busy = true", 14, 0, 1),
    ],
)
def test_pending_time_is_reported_while_it_is_idle(
    text: str, active: float, inactive: float, count: int, alone: Make
) -> None:
    one = alone(PERIODIC, f"{PERIODS}{text}\ncondition = GO = true")
    one.step()
    one.step(dt=26.0 if "initially" not in text else 16.0)
    posted = [
        one.posted[f"PS_{what}"] for what in ("PENDING_ACTIVE", "PENDING_INACTIVE", "BUSY_COUNT")
    ]
    assert posted == [active, inactive, count]


@shows(PERIODIC, "period_speed", "peakwidth", "basewidth", "summit_delta")
def test_other_speeds_have_less_utility(alone: Make) -> None:
    one = alone(PERIODIC, PERIODS + "initially_busy = true")
    one.step()
    assert one.decide()["speed"] == 1.5
    assert one.utility(speed=1.6) == 0
    text = "initially_busy = true\npeakwidth = 0.5\nbasewidth = 1\nsummit_delta = 40"
    one = alone(PERIODIC, PERIODS + text)
    one.step()
    assert [one.utility(speed=v) for v in (2, 2.5, 3)] == pytest.approx([60, 30, 0])
    one = alone(PERIODIC, PERIODS + "initially_busy = true\npeakwidth = 0.5")
    one.step()
    assert one.utility(speed=2) == pytest.approx(75)


@pytest.mark.parametrize("kind", ["BHV_Timer", "BHV_TimeOut", "BHV_TestFailure", PERIODIC])
def test_every_parameter_has_a_test(kind: str) -> None:
    assert untested_parameters(kind) == set()
