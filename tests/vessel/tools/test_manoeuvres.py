"""Trials as data: figures that equal the tools', and closed forms where there are some."""

from __future__ import annotations

import json
import subprocess
import sys
from math import exp, pi, radians, sqrt
from pathlib import Path
from typing import Any

import pytest
from scipy.optimize import brentq

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.folder import load
from steerageway.vessel.fossen.orders import orders_of
from steerageway.vessel.tools.manoeuvres import NAMES, POINTS, Trials, lines_of, unit_of
from steerageway.vessel.tools.trials import full_ahead, turning_circle, zigzag
from steerageway.vessel.tools.tune import as_data, tune

INPUTS = Path(__file__).parents[3] / "inputs"


def results(vessel: str, *names: str) -> dict[str, dict[str, Any]]:
    events = list(Trials(load(INPUTS / vessel)).events(names))
    return {event["trial"]: event for event in events if event["event"] == "result"}


@pytest.mark.slow
def test_trials_are_those_of_show_and_the_same_every_time() -> None:
    names = ("acceleration", "turning_circle", "zigzag_20", "rudder_step")
    result = results("otter", *names)
    assert result == results("otter", *names)
    otter = load(INPUTS / "otter")
    orders = orders_of(otter)
    cruise = full_ahead(otter, orders)
    circle = turning_circle(otter, orders, cruise)
    assert circle is not None
    assert result["turning_circle"]["figures"]["tactical_diameter"] == circle.tactical_diameter
    assert result["acceleration"]["figures"]["top_speed"] == cruise[6]
    overshoots = zigzag(otter, orders, cruise, 20.0)
    assert tuple(result["zigzag_20"]["figures"].values()) == overshoots


@pytest.mark.slow
def test_initial_turning_is_the_way_to_ten_degrees_of_nomotos_ship() -> None:
    """At a constant speed U, with a rudder of first order: psi(t) in closed form, the way U t.

    Norrbin's n_3 r³ is 2e-4 of K delta at the rates of this turn.
    """
    U, K, T, lag, delta = 4.0, 0.37, 33.0, 1.0, radians(10.0)

    def psi(t: float) -> float:
        late = (T**2 * (1 - exp(-t / T)) - lag**2 * (1 - exp(-t / lag))) / (T - lag)
        return K * delta * (t - late)

    way = U * brentq(lambda t: psi(t) - radians(10.0), 1.0, 60.0)
    figures = results("zeefakkel", "zigzag_10")["zigzag_10"]["figures"]
    assert figures["initial_turning"] == pytest.approx(way, rel=2e-3)


def test_a_track_has_columns_of_one_length_and_ends_where_the_trial_ends() -> None:
    result = results("otter", "stop")["stop"]
    columns = result["series"]
    assert {"t", "x", "psi", "u", "th_1"} <= set(columns)
    assert len({len(column) for column in columns.values()}) == 1
    assert len(columns["t"]) <= POINTS + 1
    assert columns["t"][-1] == result["figures"]["time"]
    assert columns["u"][-1] <= 0.1 * columns["u"][0]


@pytest.mark.slow
def test_roll_decays_with_the_period_of_a_spring_and_a_mass() -> None:
    barge = load(INPUTS / "box_barge")
    figures = results("box_barge", "roll_decay")["roll_decay"]["figures"]
    assert barge.floating is not None
    assert barge.floating.stability is not None
    # 4 x 2 x 1 m, half in the water: C = m g GM, and B = 2 zeta sqrt((I + A) C) of zeta 0.06
    assert figures["damping_ratio"] == pytest.approx(0.06, rel=0.2)
    inertia = 4100.0 * 0.7**2
    stiffness = 4100.0 * 9.81 * barge.floating.stability.GM_T
    assert figures["period"] > 2 * pi * sqrt(inertia / stiffness)


@pytest.mark.slow
def test_a_stop_reaches_as_far_as_its_drag_says_and_less_ahead_if_it_turns() -> None:
    """The Otter's sheet: m u' = X_u u, so 0.9 m u / X_u until a tenth of u is left.

    One propeller astern alone pulls the bow round: its track is longer than what it makes ahead.
    """
    still = {"initial_conditions.start_orientation": [0.0, 0.0, 1.0]}
    (found,) = (
        event["figures"]
        for event in Trials(load(INPUTS / "otter", overrides=still)).events(("stop",))
        if event["event"] == "result"
    )
    m, drag = 85.281521009576395, 77.55443234836703
    assert found["track_reach"] == pytest.approx(0.9 * m * found["from_speed"] / drag, rel=0.1)
    assert found["head_reach"] == pytest.approx(found["track_reach"], rel=1e-6)
    lame = load(INPUTS / "otter", overrides={"thrusters.thrusters.2.astern": [0.0, 1e-3, 0.0]})
    (turned,) = (
        event["figures"]
        for event in Trials(lame).events(("crash_stop",))
        if event["event"] == "result"
    )
    assert turned["head_reach"] < 0.999 * turned["track_reach"]


@pytest.mark.slow
def test_impossible_manoeuvres_are_reported_and_the_others_continue() -> None:
    result = results("box_barge", "stop", "zigzag_10")
    assert result["stop"]["without"] == "no propulsion ahead"
    assert result["zigzag_10"]["without"] == "no steering"
    assert result["stop"]["series"] == {}


def test_an_unknown_trial_is_refused() -> None:
    with pytest.raises(InvalidValue, match="jump: no such trial; expected acceleration, stop"):
        list(Trials(load(INPUTS / "otter")).events(["jump"]))


@pytest.mark.slow
def test_progress_comes_before_each_result() -> None:
    events = list(Trials(load(INPUTS / "box_barge")).events(NAMES[:3]))
    kinds = [event["event"] for event in events]
    assert kinds == ["progress", "result"] * 3 + ["end"]
    assert [event["share"] for event in events[::2][:3]] == pytest.approx([0, 1 / 3, 2 / 3])


@pytest.mark.slow
def test_the_command_gives_lines_of_json_and_takes_a_missions_files() -> None:
    command = [sys.executable, "-m", "steerageway.vessel", "trials", str(INPUTS / "wamv")]
    options = [
        "--json",
        "--only",
        "stop",
        "--vessel-file",
        f"thrusters={INPUTS / 'wamv' / 'azimuths.yml'}",
    ]
    done = subprocess.run([*command, *options], capture_output=True, text=True, check=True)
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert [event["event"] for event in events] == ["progress", "result", "end"]
    assert any(name.startswith("az_") for name in events[1]["series"])


@pytest.mark.parametrize(
    ("trial", "figure", "unit"),
    [
        ("stop", "track_reach", "m"),
        ("turning_circle", "rate", "°/s"),
        ("spiral", "rate_at_-20_percent", "°/s"),
        ("reverse_spiral", "rudder_at_10_percent", "%"),
        ("surge_force", "speed", "m/s"),
        ("yaw_force", "speed", "rad/s"),
        ("roll_decay", "damping_ratio", ""),
    ],
)
def test_figures_have_units(trial: str, figure: str, unit: str) -> None:
    assert unit_of(trial, figure) == unit
    (line,) = lines_of({"event": "result", "trial": trial, "figures": {figure: 2.5}})
    assert line == f"{trial}: {figure} 2.5 {unit}".rstrip()


@pytest.mark.slow
def test_gains_are_data_too() -> None:
    block = list(tune(load(INPUTS / "otter")))
    data = as_data(block)
    for name, value in data["parameters"].items():
        written = value if isinstance(value, str) else f"{value:g}"
        assert any(line.split("=")[0].strip() == name and written in line for line in block)
    assert {"AppTick", "yaw_pid_kp", "yaw_pid_kd"} <= set(data["parameters"])
