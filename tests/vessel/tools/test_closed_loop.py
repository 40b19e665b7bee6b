"""Gains that ``tune`` prints for force controllers: poles in closed form, python-control's LQR."""

from __future__ import annotations

import re
from math import sqrt

import control
import numpy as np
import pytest

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.force_control import AxisGains, lqr, placed, placed_velocity, regulated
from steerageway.vessel.fossen.folder import load
from steerageway.vessel.tools.closed_loop import TICK, step_response
from steerageway.vessel.tools.tune_forces import tune_forces

OTTER_SURGE = (55.0 + 25.0 + 5.281521009576395, 77.55443234836703)  # m - X_ud and -X_u of its sheet


def test_poles_of_a_velocity_lie_where_the_bandwidth_says() -> None:
    m, d = OTTER_SURGE
    gains = placed_velocity(m, d, 0.5)
    assert np.roots([m, d + gains.kp, gains.ki]) == pytest.approx([-0.5, -0.5], abs=1e-6)
    fast = placed_velocity(m, 4.0 * m, 0.5)  # damped by itself faster than asked for
    assert fast.kp == 0.0
    assert sorted(np.roots([m, 4.0 * m, fast.ki])) == pytest.approx([-3.5, -0.5])


@pytest.mark.slow
def test_the_otter_answers_a_step_of_speed_as_its_closed_form_does() -> None:
    """A double pole: 90 % after 7.4 s, for 61.6 s when ki was a tenth of the bandwidth's kp."""
    m, d = OTTER_SURGE
    gains = placed_velocity(m, d, 0.5, limit=168.0)
    answer = step_response(load("otter"), 0, gains, 0.5)
    t = TICK * np.arange(1, len(answer.track) + 1)
    closed = answer.size * (1.0 - np.exp(-0.5 * t) * (1.0 + (0.5 - gains.kp / m) * t))
    assert answer.track == pytest.approx(closed, abs=0.03 * answer.size)  # it pitches, too
    assert answer.settling == pytest.approx(t[np.argmax(closed > 0.95 * answer.size)], abs=0.3)
    ninety = float(t[np.argmax(answer.track > 0.9 * answer.size)])
    assert ninety == pytest.approx(7.4, abs=0.2)


def test_a_regulator_of_least_cost_is_python_controls() -> None:
    rng = np.random.default_rng(1)
    A, B = rng.normal(size=(5, 5)), rng.normal(size=(5, 2))
    Q, R = np.diag(rng.uniform(0.1, 2.0, 5)), np.array([[2.0, 0.3], [0.3, 1.0]])
    K, _, poles = control.lqr(A, B, Q, R)
    assert lqr(A, B, Q, R) == pytest.approx(K, abs=1e-8)
    assert (lqr(*(M.tolist() for M in (A, B, Q, R))) == lqr(A, B, Q, R)).all()
    assert (poles.real < 0).all()
    with pytest.raises(InvalidValue, match="no feedback of least cost: a mode that does not decay"):
        lqr(np.array([[0.1, 0.0], [0.0, -1.0]]), np.array([[0.0], [1.0]]), np.eye(2), np.eye(1))
    position = regulated(80.0, 0.0, 0.5)
    assert isinstance(position, AxisGains)
    assert position.ki == pytest.approx(80.0 * 0.5**3)  # the weights' ratio, whatever the mass
    velocity = regulated(80.0, 0.0, 0.5, velocity=True)
    assert (velocity.kp, velocity.ki) == pytest.approx((80.0 * 0.5 * sqrt(3.0), 80.0 * 0.25))


@pytest.mark.slow
@pytest.mark.parametrize("method", ["poles", "lqr"])
def test_each_set_of_gains_that_is_printed_is_tried_on_the_vessel(method: str) -> None:
    block = list(tune_forces(load("otter"), "velocity", 0.5, method))
    surge, yaw = (line for line in block if "a step of" in line)
    assert "// a step of 1 m/s settles in" in surge
    assert "deg/s" in yaw


@pytest.mark.slow
@pytest.mark.parametrize("method", ["poles", "lqr"])
def test_the_settling_printed_with_a_poses_gains_is_that_of_the_linear_loop(method: str) -> None:
    """m x'' + (d + kd) x' + kp x + ki (integral of x), by python-control; it pitches, too."""
    m, d = OTTER_SURGE
    gains = (placed if method == "poles" else regulated)(m, d, 0.5, limit=168.0)
    assert isinstance(gains, AxisGains)
    closed = control.tf([gains.kp, gains.ki], [m, d + gains.kd, gains.kp, gains.ki])
    t = TICK * np.arange(600)
    y = control.step_response(closed, t).outputs
    settling = t[1 + np.flatnonzero(abs(y - 1.0) > 0.05)[-1]]
    surge, *_ = (line for line in tune_forces(load("otter"), "pose", 0.5, method) if "step" in line)
    said, beyond = map(float, re.findall(r"settles in (\S+) s, (\d+) % beyond", surge)[0])
    assert said == pytest.approx(settling, abs=0.5)
    assert beyond == pytest.approx(100.0 * (y.max() - 1.0), abs=1.0)
