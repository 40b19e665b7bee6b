"""Gains found on linear plants settle them, and plants that cannot be held have none."""

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.signal import cont2discrete

from steerageway.vessel.pid import Gains, ScalarPid
from steerageway.vessel.tools.design import (
    NoGains,
    OutOfReach,
    Plant,
    best_turn,
    integrating,
    response_time,
    turns,
)

TICK = 0.1


def nomoto(K, T):
    """Return a ship's heading by its rudder, r' = (K delta - r) / T, sampled by SciPy."""
    A, B = np.array([[0, 1], [0, -1 / T]]), np.array([[0], [K / T]])
    Ad, Bd, *_ = cont2discrete((A, B, np.eye(2), np.zeros((2, 1))), TICK)
    return Plant(Ad, Bd[:, 0], TICK)


def followed_by_the_pid(plant, kp, kd, size, bound, ticks):
    """Return the heading under the real controller's loop."""
    pid, x, track = ScalarPid(Gains(kp=kp, kd=kd), bound), np.zeros(plant.b.size), []
    for k in range(ticks):
        x = plant.A @ x - plant.b * pid.step(x[0] - size, k * TICK)
        track.append(x[0])
    return np.array(track)


def test_a_run_of_the_design_is_a_run_of_the_pid():
    plant = nomoto(0.3, 4.0)
    designed = turns(plant, np.array([[2.0], [5.0]]), 30.0, 100.0, 400)[:, 0]
    np.testing.assert_allclose(
        designed, followed_by_the_pid(plant, 2.0, 5.0, 30.0, 100.0, 400), atol=1e-9
    )


@pytest.mark.slow
@pytest.mark.parametrize(("K", "T"), [(0.05, 20.0), (0.3, 4.0), (0.2, -6.0)])
def test_gains_settle_a_ship_also_with_other_responses(K, T):
    plant = nomoto(K * np.sign(T), T)
    time = response_time(plant, 30.0, 100.0)
    kp, kd = best_turn([plant], 30.0, 100.0, 100 / 30, time).gains
    for gain, overshoot in ((1.0, 0.05), (1.5, 0.5), (2 / 3, 0.5)):
        ticks = int(40 * time / TICK)
        track = followed_by_the_pid(plant._replace(b=gain * plant.b), kp, kd, 30.0, 100.0, ticks)
        assert track.max() <= 30 * (1 + overshoot) + 1e-9
        assert track[-ticks // 4 :] == pytest.approx(30.0, rel=0.05)


@pytest.mark.slow
def test_an_integral_holds_a_plant_that_drifts_back():
    decay = float(expm(np.array([[-TICK / 2.0]]))[0, 0])
    plant = integrating(Plant(np.array([[decay]]), np.array([0.02 * (1 - decay)]), TICK))
    gains = best_turn([plant], 0.2, 100.0, 1.0, 4.0).gains
    track = turns(plant, np.array([gains]).T, 0.2, 100.0, 500)
    assert track[-1] == pytest.approx(0.2, rel=1e-3)


def test_an_instability_faster_than_the_controller_has_no_gains():
    plant = Plant(np.array([[3.0, 0.1], [0.0, 3.0]]), np.array([0.0, 0.1]), TICK)
    with pytest.raises(NoGains, match="of 520 sets of gains none settles"):
        best_turn([plant], 1.0, 100.0, 1.0, 1.0)


def test_an_end_never_reached_has_no_time():
    with pytest.raises(OutOfReach) as caught:  # x = 0.5 x + 0.1 stays below 0.2
        response_time(Plant(np.array([[0.5]]), np.array([0.1]), TICK), 1.0, 1.0)
    assert caught.value.reached == pytest.approx(0.2)
