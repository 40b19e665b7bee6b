"""Trim and linear models, against closed forms, published eigenvalues, scipy and python-control."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from math import atan2, exp, sqrt
from pathlib import Path
from typing import Any

import control
import numpy as np
import pytest
from scipy.io import loadmat
from scipy.optimize._numdiff import approx_derivative

from steerageway.control import linearise, run_trials, trim
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.folder import load

CLOSE = 1e-8
VESSELS = ("otter", "remus100", "rexrov", "container", "supply")
BLOWN = ("current_n", "current_e", "current_d", "wind_n", "wind_e")
DIVE, SHIPS = ("remus100", "rexrov"), ("container", "tanker")


def test_two_propellers_of_a_linear_hull_balance_its_drag_in_any_current() -> None:
    """The Otter's sheet: X_u u = 2 c2 n², whatever the water does as a whole."""
    otter, speed = load("otter"), 1.7
    revolutions = sqrt(77.55443234836703 * speed / (2 * 0.01108))
    for current in ((0.0, 0.0, 0.0), (0.4, -0.3, 0.0)):
        found = trim(otter, speed, current)
        assert list(found.named.values()) == pytest.approx([revolutions] * 2, rel=CLOSE)
        # heading north: over ground it makes its own way and the current's
        assert found.crab_angle == pytest.approx(atan2(current[1], speed + current[0]), abs=0.02)


@pytest.mark.slow
@pytest.mark.parametrize("name", VESSELS)
def test_a_trimmed_vessel_goes_straight_on(name: str) -> None:
    vessel = load(name)
    found = trim(vessel, 0.5, (0.1, 0.2, 0.0), (2.0, -1.0), heading=0.3)
    rates = vessel.derivative(found.x, found.command, found.surroundings)
    assert abs(rates[6:]).max() < CLOSE
    after = vessel.step(found.x, found.command, found.surroundings, 0.01)
    assert after[2:12] == pytest.approx(found.x[2:12], abs=1e-8)
    low, high = np.array([(c.low, c.high) for c in vessel.commands]).T
    assert np.all((low <= found.command) & (found.command <= high))


@pytest.mark.slow
def test_what_cannot_be_trimmed_says_what_is_left_and_which_actuator_is_at_its_limit() -> None:
    with pytest.raises(InvalidValue, match=r"no trim at 5 m/s .* in surge.*th_1, th_2 at the lim"):
        trim(load("otter"), 5.0)
    with pytest.raises(InvalidValue, match=r"no trim at 0.5 m/s .* none of cs_1 balances"):
        trim(load("sookshma"), 0.5)  # its files have no thruster
    with pytest.raises(InvalidValue, match="speed = nan: expected a number"):
        trim(load("otter"), float("nan"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (lambda: trim("otter", 1.0), r"trim: vessel = 'otter': expected .*load\('otter'\) returns"),
        (lambda: run_trials(3), r"run_trials: vessel = int: expected a vessel, as .*'otter'"),
        (lambda: linearise("otter", None), "linearise: vessel = 'otter': expected a vessel"),
        (lambda: trim(load("otter"), "1.5"), "trim: speed = '1.5': expected a number"),
    ],
)
def test_an_argument_of_another_kind_is_named(call: Callable[[], Any], expected: str) -> None:
    with pytest.raises(InvalidValue, match=expected):
        call()


@pytest.mark.slow
def test_norrbins_ship_is_its_closed_form_and_controls_own_step_its_exponential() -> None:
    zeefakkel = load("zeefakkel")
    model = linearise(zeefakkel, trim(zeefakkel, 4.0), states=("r",), inputs=("cs_1",))
    T, K = 33.0, 0.37  # at 4 m/s, with n_1 = 1
    assert float(model.A[0, 0]) == pytest.approx(-1.0 / T, rel=CLOSE)
    assert float(model.B[0, 0]) == pytest.approx(K / T, rel=CLOSE)
    assert (model.state_units, model.input_units) == (("rad/s",), ("rad",))
    times = np.linspace(0.0, 100.0, 51)
    answer = control.step_response(model.state_space(), times)
    closed = [K * (1.0 - exp(-t / T)) for t in times]
    assert answer.outputs == pytest.approx(np.array(closed), abs=CLOSE)
    assert model.gain(np.array([0.1]))[0, 0, 0] == pytest.approx(K / (1 + 0.1j * T), rel=CLOSE)


@pytest.mark.slow
def test_the_submarine_of_healey_has_its_published_eigenvalues() -> None:
    """Of the DSRV's derivatives in prime scaling, by Octave: see steerageway help vessels."""
    dsrv = load("dsrv")
    model = linearise(dsrv, trim(dsrv, 4.11), states=("theta", "w", "q"))
    found = model.poles
    assert found[:2] == pytest.approx([-0.341, -1.422 - 0.872j], abs=6e-4)


@pytest.mark.parametrize(
    "name",  # what takes long the first time is compiling the others
    [pytest.param(n, marks=() if n == "otter" else pytest.mark.slow) for n in VESSELS],
)
def test_jacobians_are_those_of_scipys_finite_differences(name: str) -> None:
    """Of the states, and of commands, current and wind."""
    vessel = load(name, overrides={"initial_conditions.start_location": [0, 0, 5 * (name in DIVE)]})
    speed = 4.0 if name in SHIPS else 0.5
    at = trim(vessel, speed, (0.1, 0.2, 0.0), (2.0, -1.0), heading=0.3)
    moving = np.array([0.0, 0.25, 0.12, 0.02, 0.03, 0.05])  # off the kinks of v|v|
    at = at._replace(x=at.x + np.concatenate((np.zeros(6), moving, np.zeros(at.x.size - 12))))
    model = linearise(vessel, at, inputs=(*(c.name for c in vessel.commands), *BLOWN))
    rows = [vessel.state_names.index(state) for state in model.states]

    def rates(part: np.ndarray) -> np.ndarray:
        x = at.x.copy()
        x[rows] = part
        return vessel.derivative(x, at.command, at.surroundings)[rows]

    steps = 1e-6 * np.maximum(1.0, abs(at.x[rows]))
    found = approx_derivative(rates, at.x[rows], method="3-point", abs_step=steps)
    scale = max(1.0, float(abs(found).max()))
    assert model.A / scale == pytest.approx(found / scale, abs=CLOSE)

    def driven(given: np.ndarray) -> np.ndarray:
        around = at.surroundings.copy()
        around[:5] = given[-5:]
        return vessel.derivative(at.x, given[:-5], around)[rows]

    given = np.concatenate((at.command, at.surroundings[:5]))
    steps = 1e-6 * np.maximum(1.0, abs(given))
    found = approx_derivative(driven, given, method="3-point", abs_step=steps)
    scale = max(1.0, float(abs(found).max()))
    assert model.B / scale == pytest.approx(found / scale, abs=CLOSE)


def test_an_actuator_that_is_left_out_follows_at_once_and_an_order_moves_all_it_is_for() -> None:
    otter = load("otter")
    at = trim(otter, 1.5)
    whole = linearise(otter, at, inputs=("rudder", "thrust"))
    hull = linearise(otter, at, states=whole.states[:-2], inputs=("rudder", "thrust"))
    omega = np.array([0.0]) + 1e-3  # slow against the propellers' 0.1 s
    outputs = [whole.states.index(name) for name in ("u", "r")]
    fast = hull.gain(omega)[:, outputs] / whole.gain(omega)[:, outputs]
    thrust_of_speed, rudder_of_rate = fast[0, 0, 1], fast[0, 1, 0]
    assert abs(thrust_of_speed - 1) < 2e-4
    assert abs(rudder_of_rate - 1) < 2e-4
    assert whole.input_units == ("%", "%")


@pytest.mark.slow
def test_a_mat_file_has_matrices_names_and_units(tmp_path: Path) -> None:
    mariner = load("mariner")
    model = linearise(mariner, trim(mariner, None), states=("v", "r"), inputs=("cs_1", "current_e"))
    model.save_mat(tmp_path / "mariner.mat")
    found = loadmat(tmp_path / "mariner.mat", simplify_cells=True)
    assert found["A"] == pytest.approx(model.A)
    assert found["D"].shape == (2, 2)
    assert list(found["inputs"]) == ["cs_1", "current_e"]
    assert list(found["state_units"]) == ["m/s", "rad/s"]
    with pytest.raises(InvalidValue, match="vv: no such state; did you mean v"):
        linearise(mariner, trim(mariner, None), states=("vv",))
    with pytest.raises(InvalidValue, match="expected a file to write"):
        model.save_mat(tmp_path)


@pytest.mark.slow
def test_the_bench_is_loaded_by_nothing_else() -> None:
    """An alpha run needs none of these libraries; the bench itself only scipy, at first."""
    program = (
        "import sys, steerageway.launcher.command, steerageway.vessel.__main__\n"
        "print(sorted({'control', 'scipy', 'pandas'} & set(sys.modules)))\n"
        "import steerageway.control\n"
        "print(sorted({'control', 'matplotlib', 'pandas'} & set(sys.modules)))"
    )
    command = [sys.executable, "-c", program]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    assert result.stdout == "[]\n[]\n"
