"""The heading loop: its law is the PID's, and its margins are where the closed loop oscillates."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from steerageway.control import Loop, heading_loop, linearise, trim
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.folder import load
from steerageway.vessel.pid import Gains, ScalarPid

TICK = 0.25


def loop(gains: Gains) -> Loop:
    ship = load("zeefakkel")
    states = ("r", "psi", "cs_1")
    model = linearise(ship, trim(ship, 4.0), states=states, inputs=("rudder",), outputs=("psi",))
    return heading_loop(model, gains, TICK)


def test_at_the_gain_margin_the_closed_loop_oscillates() -> None:
    found = loop(Gains(kp=2.0, kd=20.0))
    assert found.stable
    for share, inside in ((1.0 - 1e-5, True), (1.0 + 1e-5, False)):
        k = share * found.gain_margin
        assert loop(Gains(kp=2.0 * k, kd=20.0 * k)).stable is inside
    assert abs(found.gain(np.array([found.crossover]))[0]) == pytest.approx(1.0, abs=1e-6)
    assert found.delay_margin == pytest.approx(np.radians(found.phase_margin) / found.crossover)


def test_the_loops_law_is_that_of_the_pid_on_a_sine() -> None:
    """The PID itself, fed with a sine, against the loop gain over that of a proportional one."""
    gains, omega = Gains(kp=2.0, kd=20.0), 0.3
    law = loop(gains).gain(np.array([omega]))[0] / loop(Gains(kp=1.0)).gain(np.array([omega]))[0]
    pid = ScalarPid(gains, 1e9)
    times = TICK * np.arange(200)
    made = [pid.step(float(np.sin(omega * t)), float(t)) for t in times]
    expected = (law * np.exp(1j * omega * times)).imag
    assert np.array(made)[20:] == pytest.approx(expected[20:], abs=1e-8)


def test_plots_are_written_and_a_model_without_rudder_is_refused(tmp_path: Path) -> None:
    found = loop(Gains(kp=2.0, kd=20.0, ki=0.01))
    found.bode(tmp_path / "bode.png")
    found.nyquist(tmp_path / "nyquist.png")
    assert all(file.read_bytes().startswith(b"\x89PNG") for file in tmp_path.iterdir())
    ship = load("zeefakkel")
    with pytest.raises(InvalidValue, match="from cs_1 to r: expected the input rudder and the out"):
        heading_loop(linearise(ship, trim(ship, 4.0), states=("r",)), Gains(kp=1.0), TICK)
