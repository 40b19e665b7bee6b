"""The PID's loops: their law is the PID's, and at their margins the closed loops oscillate."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import control
import numpy as np
import pytest
from scipy.signal import cont2discrete

from steerageway.control import (
    LinearModel,
    Loop,
    depth_loop,
    heading_loop,
    linearise,
    pitch_loop,
    speed_loop,
    trim,
)
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.folder import load
from steerageway.vessel.pid import Gains, PidEngine, PidParameters, ScalarPid
from steerageway.world.arrays import Floats

TICK = 0.25
CLOSE = 1e-8


def loop(gains: Gains) -> Loop:
    ship = load("zeefakkel")
    states = ("r", "psi", "cs_1")
    model = linearise(ship, trim(ship, 4.0), states=states, inputs=("rudder",), outputs=("psi",))
    return heading_loop(model, gains, TICK)


@pytest.mark.slow
def test_at_the_gain_margin_the_closed_loop_oscillates() -> None:
    found = loop(Gains(kp=2.0, kd=20.0))
    assert found.stable
    for share, inside in ((1.0 - 1e-5, True), (1.0 + 1e-5, False)):
        k = share * found.gain_margin
        assert loop(Gains(kp=2.0 * k, kd=20.0 * k)).stable is inside
    assert abs(found.gain(np.array([found.crossover]))[0]) == pytest.approx(1.0, abs=1e-6)
    assert found.delay_margin == pytest.approx(np.radians(found.phase_margin) / found.crossover)


@pytest.mark.slow
def test_the_loops_law_is_that_of_the_pid_on_a_sine() -> None:
    """The PID itself, fed with a sine, against the loop gain over that of a proportional one."""
    gains, omega = Gains(kp=2.0, kd=20.0), 0.3
    law = loop(gains).gain(np.array([omega]))[0] / loop(Gains(kp=1.0)).gain(np.array([omega]))[0]
    pid = ScalarPid(gains, 1e9)
    times = TICK * np.arange(200)
    made = [pid.step(float(np.sin(omega * t)), float(t)) for t in times]
    expected = (law * np.exp(1j * omega * times)).imag
    assert np.array(made)[20:] == pytest.approx(expected[20:], abs=1e-8)


@pytest.mark.slow
def test_plots_are_written_and_a_model_without_rudder_is_refused(tmp_path: Path) -> None:
    found = loop(Gains(kp=2.0, kd=20.0, ki=0.01))
    found.bode(tmp_path / "bode.png")
    found.nyquist(tmp_path / "nyquist.png")
    assert all(file.read_bytes().startswith(b"\x89PNG") for file in tmp_path.iterdir())
    ship = load("zeefakkel")
    with pytest.raises(InvalidValue, match="from cs_1 to r: expected the input rudder and the out"):
        heading_loop(linearise(ship, trim(ship, 4.0), states=("r",)), Gains(kp=1.0), TICK)


ZEROS = 12  # ticks before a step, after which the derivative's memory is filled
WIDE = 1e9


def engine_of(**gains: Gains) -> PidEngine:
    """Return the app's controller, without limits, at a thrust of 10 %."""
    far = {"max_rudder": WIDE, "max_pitch": WIDE, "max_elevator": WIDE}
    engine = PidEngine(PidParameters(speed_factor=10.0, simulation=True, **gains, **far))
    engine.take_control()
    return engine


def stepped(model: LinearModel, order: Callable[[Floats, float, float], float]) -> Floats:
    """Return the outputs (n, p) of a model sampled by scipy, under a law of outputs, step, time."""
    A, B, C, *_ = cont2discrete((model.A, model.B, model.C, model.D), TICK)
    x, rows = np.zeros((len(A), 1)), []
    for k in range(ZEROS + 150):
        y = (C @ x).ravel()
        rows.append(y)
        x = A @ x + B * order(y, float(k >= ZEROS), TICK * k)
    return np.array(rows)[ZEROS:]


@pytest.mark.slow
def test_steps_of_the_loops_are_those_of_the_controller_itself_on_the_sampled_vessel() -> None:
    """The PID of the app, with the vessel by scipy's sampling, against python-control's steps."""
    remus = load("remus100", overrides={"initial_conditions.start_location": [0, 0, 5]})
    at = trim(remus, 1.5)
    diving = linearise(
        remus, at, states=("z", "theta", "w", "q"), inputs=("elevator",), outputs=("theta", "z")
    )
    pitch, depth = Gains(kp=0.8, kd=0.5), Gains(kp=0.1, kd=0.02, ki=0.001, integral_limit=WIDE)
    engine = engine_of(pitch=pitch, z_to_pitch=depth)

    def dive(y: Floats, step: float, time: float) -> float:
        for told in (engine.desired_speed, engine.speed):
            told.tell(1.0, time)
        for told in (engine.desired_heading, engine.heading):
            told.tell(0.0, time)
        for told, value in (
            (engine.desired_depth, step),
            (engine.depth, y[1]),
            (engine.pitch, y[0]),
        ):
            told.tell(float(value), time)
        return engine.step(time).elevator

    found = depth_loop(diving, depth, pitch, TICK)
    assert found.step(150) == pytest.approx(stepped(diving, dive)[:, 1], abs=CLOSE)

    gains = Gains(kp=4.0, kd=2.0)
    going = linearise(remus, at, states=("u",), inputs=("thrust",), outputs=("u",))
    pid, thrust = ScalarPid(gains, WIDE), [0.0]

    def drive(y: Floats, step: float, time: float) -> float:
        thrust.append(thrust[-1] + pid.step(step - float(y[0]), time))
        return thrust[-1]

    faster = speed_loop(going, gains, TICK)
    assert faster.step(150) == pytest.approx(stepped(going, drive)[:, 0], abs=CLOSE)
    a, b = float(going.A[0, 0]), float(going.B[0, 0])
    z = np.exp(1j * TICK)  # at 1 rad/s, in closed form
    law = gains.kp + gains.kd * (1.0 - z**-9) / (9.0 * TICK)
    expected = law * z / (z - 1.0) * b / a * (np.exp(a * TICK) - 1.0) / (z - np.exp(a * TICK))
    assert faster.gain(np.array([1.0]))[0] == pytest.approx(expected, rel=CLOSE)
    inner = pitch_loop(diving, pitch, TICK)
    for one in (found, faster, inner):
        assert one.stable
        at_crossover = control.evalfr(one.transfer, np.exp(1j * one.crossover * TICK))
        assert abs(complex(at_crossover)) == pytest.approx(1.0, abs=CLOSE)
        k = one.gain_margin
        assert not Loop(one.transfer * (1.001 * k), TICK, k, 0.0, 0.0, 0.0).stable
        assert Loop(one.transfer * (0.999 * k), TICK, k, 0.0, 0.0, 0.0).stable
