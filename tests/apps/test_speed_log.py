"""The speed log in a current that differs from place to place and changes with time."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from steerageway import Mission
from steerageway.vessel.kinematics import eul_to_rotm

pytestmark = pytest.mark.slow
FIRST = {(0, -20): (0.1, 0.0), (0, 40): (0.4, 0.2), (60, -20): (0.25, -0.1), (60, 40): (0.05, 0.3)}
LAST = {(0, -20): (0.3, 0.1), (0, 40): (0.0, 0.4), (60, -20): (0.45, -0.3), (60, 40): (0.15, 0.1)}
LEVER = np.array([1.2, 0.3, 0.2])
MISSION = """
LatOrigin = 59.9
LongOrigin = 10.7
ProcessConfig = ANTLER
{
  Run = MOOSDB @ NewConsole = false
  Run = uSimMarineV22 @ NewConsole = false
  Run = uSensors @ NewConsole = false
}
ProcessConfig = uSimMarineV22
{
  AppTick = TICK
  model = fossen
  vessel = otter
  start_pos = x=10, y=-5, heading=30, speed=1
  actuator_cmd = th_1=600,th_2=500
  current_field = field.csv
  DRIFT
}
ProcessConfig = uSensors
{
  AppTick = 10
  sensor = sensor_type=speed_log, publish_rate=5, sensor_location=1.2:0.3:0.2
}
"""


def flow(east: float, north: float, t: float) -> np.ndarray:
    """Return the field (north, east, 0): linear in each coordinate between its corners."""
    a, b, c = east / 60, (north + 20) / 60, t / 60
    share = {(0, -20): (1 - a) * (1 - b), (0, 40): (1 - a) * b}
    share |= {(60, -20): a * (1 - b), (60, 40): a * b}
    both = sum(share[at] * ((1 - c) * np.array(FIRST[at]) + c * np.array(LAST[at])) for at in share)
    return np.array([both[1], both[0], 0.0])


def sailed(folder: Path, tick: int, drift: str) -> tuple[dict[float, list[float]], list]:
    """Return the states of a run by time, and (time, speed) of its log."""
    rows = [
        f"{x},{y},{t},{east},{north}"
        for t, corners in ((0, FIRST), (60, LAST))
        for (x, y), (east, north) in corners.items()
    ]
    (folder / "field.csv").write_text("\n".join(("x,y,t,east,north", *rows)))
    mission = folder / "log.moos"
    mission.write_text(MISSION.replace("TICK", str(tick)).replace("DRIFT", drift))
    with Mission(mission, for_=12) as run:
        run.register("USM_STATE", "SPEED_LOG_SPEED")
        while run.step():
            pass
        received = run.fetch()
    states = {}
    for one in received:
        if one.name == "USM_STATE":
            numbers = [float(part.partition("=")[2]) for part in one.value.split(",")]
            states[round(numbers[0], 6)] = numbers[1:]
    return states, [(one.time, one.value) for one in received if one.name == "SPEED_LOG_SPEED"]


def along(state: list[float], water: np.ndarray) -> float:
    """Return the speed of the log through water (3,) in NED, along its x axis."""
    to_body = eul_to_rotm(np.array(state[3:6])).T
    over_ground = np.array(state[6:9]) + np.cross(state[9:12], LEVER)
    return float((over_ground - to_body @ water)[0])


@pytest.mark.parametrize("tick", [2, 10])
@pytest.mark.parametrize("drift", ["", "drift_x = 0.25\n  drift_y = -0.125"])
def test_a_speed_log_reads_the_current_where_and_when_it_is(tmp_path, tick, drift) -> None:
    """Its speed less that over ground is the analytic field's, at its place and instant."""
    states, readings = sailed(tmp_path, tick, drift)
    everywhere = np.array([-0.125, 0.25, 0.0]) if drift else np.zeros(3)
    compared = 0
    for time, speed in readings:
        state = states.get(round(time, 6))
        if state is None or time < 2.0 / tick:
            continue
        place = np.array(state[:3]) + eul_to_rotm(np.array(state[3:6])) @ LEVER
        water = flow(place[1], place[0], time) + everywhere
        assert speed == pytest.approx(along(state, water), abs=1e-8)
        compared += 1
    assert compared > 40


def test_without_the_current_field_it_measures_the_drift_only(tmp_path) -> None:
    states, readings = sailed(tmp_path, 4, "current_field_active = false\n  drift_x = 0.2")
    for time, speed in readings:
        state = states.get(round(time, 6))
        if state is not None and time > 1.0:
            expected = along(state, np.array([0.0, 0.2, 0.0]))
            assert speed == pytest.approx(expected, abs=1e-8)
