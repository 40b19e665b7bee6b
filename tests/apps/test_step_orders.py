"""Orders of the older simulators act over the time for which they were given, at any rates."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steerageway.apps.vessels.usim_marine.app import USimMarine
from steerageway.bus import run
from steerageway.launcher.options import parse_options
from steerageway.launcher.plan import plan_launch
from steerageway.moos.alog import read_entries
from steerageway.peers.older.older_usim_marine import USimMarineLegacy
from steerageway.vessel.step_orders import StepOrder

MISSION = """
Community  = diver
LatOrigin  = 50
LongOrigin = 1

ProcessConfig = ANTLER
{{
  MSBetweenLaunches = {gap}
  Run = MOOSDB
  Run = {simulator}
  Run = {controller}
  Run = pLogger
}}

ProcessConfig = {simulator}
{{
  AppTick = {simulated}
  prefix  = NAV
  thrust_map     = 0:0, 20:1, 40:2, 60:3, 80:4, 100:5
  turn_rate      = 40
  max_depth_rate = 5
  {model}
}}

ProcessConfig = {controller}
{{
  AppTick       = {controlled}
  depth_control = true
  speed_factor  = 20
  maxrudder   = 100
  maxthrust   = 100
  maxpitch    = 15
  maxelevator = 13
  tardy_helm_threshold = 1000
  tardy_nav_threshold  = 10
  yaw_pid_kp = 1.2
  yaw_pid_kd = 0
  yaw_pid_ki = 0.3
  yaw_pid_integral_limit = 0.07
  speed_pid_kp = 1
  speed_pid_kd = 0
  speed_pid_ki = 0
  speed_pid_integral_limit = 0.07
  pitch_pid_kp = 1.5
  pitch_pid_kd = 1
  pitch_pid_ki = 0
  pitch_pid_integral_limit = 0
  z_to_pitch_pid_kp = 0.12
  z_to_pitch_pid_kd = 0
  z_to_pitch_pid_ki = 0.004
  z_to_pitch_pid_integral_limit = 0.05
}}

ProcessConfig = pLogger
{{
  AsyncLog = true
  Log = NAV_DEPTH @ 0
}}
"""
"""The pair of simulator and controller of MOOS-IvP's missions s9_alpha to s14_alpha."""

PAIRS = {
    "older": ("uSimMarine", "pMarinePID", ""),
    "released": ("uSimMarineV22", "pMarinePIDV22", "model = released"),
    "documented": ("uSimMarineV22", "pMarinePIDV22", ""),
}


def depths_of(folder: Path, pair: str, simulated: int, controlled: int, gap: int) -> list[float]:
    """Return the depths [m] from 150 to 300 s of a dive to 20 m."""
    simulator, controller, model = PAIRS[pair]
    file = folder / "dive.moos"
    file.write_text(
        MISSION.format(
            simulator=simulator,
            controller=controller,
            model=model,
            simulated=simulated,
            controlled=controlled,
            gap=gap,
        )
    )
    options = [str(file), "--placement", "one", "--warp", "max", "--for", "220"]
    options += ["--set", "MOOS_MANUAL_OVERRIDE=false", "--log", str(folder / "log")]
    for desired in ("HEADING=90", "SPEED=1.3", "DEPTH=20"):
        options += ["--set", f"@5:DESIRED_{desired}"]
    run(plan_launch(parse_options(options)).plan, lambda progress: None)
    (log,) = folder.rglob("*.alog")
    return [float(one.value) for one in read_entries(log) if one.time > 150]


@pytest.mark.slow
@pytest.mark.parametrize("pair", list(PAIRS))
@pytest.mark.parametrize(
    ("simulated", "controlled", "gap"),
    [
        *((1, 40, 200), (2, 20, 203), (5, 20, 200)),
        *((20, 20, 200), (40, 20, 150), (4, 4, 200), (20, 5, 200)),
    ],
)
def test_a_depth_is_kept_at_any_rates(
    tmp_path: Path, pair: str, simulated: int, controlled: int, gap: int
) -> None:
    """MOOS-IvP's own programs keep 20 m within decimetres, with clocks of their own."""
    depths = depths_of(tmp_path, pair, simulated, controlled, gap)
    assert depths
    assert max(abs(depth - 20.0) for depth in depths) < 4.0
    assert sum(depths) / len(depths) == pytest.approx(20.0, abs=1.5)


@pytest.mark.slow
@given(
    orders=st.integers(2, 5).flatmap(
        lambda n: st.lists(
            st.lists(st.floats(-100, 100), min_size=n, max_size=n), min_size=2, max_size=8
        )
    ),
    phase=st.floats(0.0, 0.9),
)
def test_steps_take_each_order_for_the_time_until_the_next_one(
    orders: list[list[float]], phase: float
) -> None:
    """Regular orders one second apart, two or more a step: the sum of means is that of orders.

    The first one acts from the start, ``phase`` seconds too early, and the last one that much less.
    """
    order, total, size = StepOrder(), 0.0, len(orders[0])
    for k, row in enumerate(orders):
        start = float(k * size)
        for i, value in enumerate(row):
            order.give(value, start + i + phase, start)
        mean = order.over(start, start + size)
        assert mean is not None
        total += mean * size
    flat = [value for row in orders for value in row]
    assert total == pytest.approx(sum(flat) + phase * (flat[0] - flat[-1]), abs=1e-9)


@pytest.mark.parametrize("kind", [USimMarineLegacy, USimMarine])
def test_alternating_rudders_turn_a_vessel_by_their_mean(
    drive: Callable[..., Any], kind: type[USimMarine]
) -> None:
    """Four orders a step: 40, 40, 40, -60 % with a mean of 15 %, against 15 % all the time."""
    model = "" if kind is USimMarineLegacy else "model = released\n"
    headings = []
    for rudders in ((40.0, 40.0, 40.0, -60.0), (15.0,) * 4):
        driven = drive(kind, f"{model}prefix = NAV\nturn_spd_loss = 0\nstart_pos = speed=2")
        for k in range(1, 41):
            mail = [
                driven.message("DESIRED_RUDDER", rudder, k - 1 + i / 4)
                for i, rudder in enumerate(rudders)
            ]
            driven.take(float(k), [driven.message("DESIRED_THRUST", 50.0, k - 1.0), *mail])
        headings.append(driven.app.scene.craft.motion.heading)
    assert headings[0] == pytest.approx(headings[1], abs=1e-6)
    assert headings[0] > 30.0


def test_single_elevators_act_on_whole_steps_and_are_not_random() -> None:
    """Orders further apart than those of a controller: as in the released program, step by step."""
    order = StepOrder(lambda: 0.5)
    for k in range(20):
        order.give(float(k), 2.0 * k + 0.1, 2.0 * k)
        assert order.over(2.0 * k, 2.0 * k + 0.25) == float(k)
        assert order.over(2.0 * k + 0.25, 2.0 * k + 2.0) is None
