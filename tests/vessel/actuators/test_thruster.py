"""Thruster model from command to thrust, and its invalid parameters."""

from math import exp

import numpy as np
import pytest

from steerageway.vessel.actuators import (
    Basic,
    Bessa,
    DeadZone,
    FirstOrder,
    Interpolated,
    Thruster,
    TwoLines,
    Yoerger,
    ZeroOrder,
    time_constant,
)
from steerageway.vessel.errors import InvalidValue


def test_first_order_is_exact_for_any_step():
    rotor = FirstOrder(0.5)
    assert rotor.step(0.0, 1.0, 0.5) == pytest.approx(1 - exp(-1))
    omega = 0.0
    for _ in range(100):
        omega = rotor.step(omega, 1.0, 0.05)
    assert omega == pytest.approx(rotor.step(0.0, 1.0, 5.0), rel=1e-12)


def test_commands_of_yoerger_and_bessa_are_no_speeds():
    assert Yoerger(0.05, 25.0).after(0.0, 120.0, 20.0) == pytest.approx((25 * 120 / 0.05) ** 0.5)
    bessa = Bessa(0.02, 0.02, 0.001, 0.3, 0.5)
    end = bessa.after(0.0, 24.0, 20.0)
    assert 0.02 * end + 0.001 * end**2 == pytest.approx(24.0 * 0.3 / 0.5)


def test_chain_acts_in_the_documented_order():
    thruster = Thruster(
        Basic(0.0049),
        clamp=(-100.0, 100.0),
        gain=0.5,
        propeller_efficiency=0.8,
        thrust_efficiency=0.5,
        thrust_clamp=(-3.0, 3.5),
    )
    omega, thrust = thruster.step(0.0, 500.0, 0.1)
    assert omega == 50.0  # clamped, then times gain; the efficiency leaves the rotor as it is
    assert thrust == 3.5
    _, weaker = thruster.step(0.0, 60.0, 0.1)
    assert weaker == pytest.approx(0.5 * 0.0049 * (0.8 * 30.0) ** 2)
    assert thruster.step(0.0, -500.0, 0.1)[1] == -3.0


def test_one_that_is_off_runs_down():
    thruster = Thruster(Basic(0.0049), FirstOrder(0.2))
    omega, _ = thruster.step(0.0, 50.0, 10.0)
    lower, thrust = thruster.step(omega, 50.0, 0.2, on=False)
    assert lower == pytest.approx(omega * exp(-1))
    assert thrust == pytest.approx(0.0049 * lower**2)


def test_two_zeros_clamp_nothing():
    assert Thruster(Basic(1.0)).step(0.0, 1e4, 0.1) == (1e4, 1e8)


def test_dead_zone_gives_nothing_within():
    zone = DeadZone(0.001, 0.002, -50.0, 25.0)
    assert zone.thrust([-50.0, 0.0, 5.0, 50.0]).tolist() == pytest.approx([-2.45, 0, 0, 4.95])


@pytest.mark.parametrize("gain", [0.1, 0.5, 4.0])
def test_a_lag_by_the_thesis_gain_solves_its_differential_equation(gain):
    """dT/dt = K (1 - T) from T = 0, by Euler steps a thousand times shorter than 1/K."""
    thrust, dt = 0.0, 1e-3 / gain
    for _ in range(2000):
        thrust += gain * (1.0 - thrust) * dt
    assert FirstOrder(time_constant(gain)).step(0.0, 1.0, 2.0 / gain) == pytest.approx(
        thrust, abs=5e-4
    )
    assert time_constant(0.5) == 2.0


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (lambda: FirstOrder(0.0), "time_constant = 0"),
        (lambda: FirstOrder(-0.1), "time_constant = -0.1"),
        (lambda: Yoerger(-0.05, 25.0), "alpha = -0.05"),
        (lambda: Bessa(0.02, 0.0, 0.0, 0.3, 0.5), "kv1 = 0, kv2 = 0"),
        (lambda: Basic(0.0), "rotor_constant 0"),
        (lambda: DeadZone(0.1, 0.1, 5.0, 25.0), "dead zone 5 to 25"),
        (lambda: Interpolated([0.0, 0.0], [1.0, 2.0]), "ascending"),
        (lambda: Thruster(Basic(1.0), clamp=(5.0, -5.0)), "the lesser one first"),
        (lambda: Thruster(Basic(1.0), gain=1.0, thrust_efficiency=1.2), "thrust_efficiency 1.2"),
        (lambda: TwoLines(0.0, 0.0, 0.3, 4.0, -1.0, 0.3, 1.0), "area 0"),
        (lambda: time_constant(0.0), "gain 0"),
        (lambda: time_constant(5e-324), "gain 4.94066e-324"),
    ],
)
def test_impossible_parameters_are_refused(make, expected):
    with pytest.raises(InvalidValue, match="expected") as refused:
        make()
    assert expected in str(refused.value)


def test_rotor_that_follows_at_once_has_no_finite_rate():
    rotor = ZeroOrder()
    assert rotor.rate(0.0, 1.0) == np.inf
    assert rotor.rate(0.0, -1.0) == -np.inf
    assert rotor.rate(1.0, 1.0) == 0.0
    assert rotor.after(0.0, 3.0, 1.0) == 3.0


def test_fin_works_the_same_astern_as_ahead():
    fin = TwoLines(0.05, 0.0, 0.26, 4.0, -1.2, 0.3, 1.1)
    angle = np.linspace(-1.5, 1.5, 31)
    v_x, v_y = np.cos(angle), np.sin(angle)
    ahead, astern = np.array(fin.force(v_x, v_y)), np.array(fin.force(-v_x, -v_y))
    np.testing.assert_allclose(astern, -ahead, atol=1e-9)
    assert (np.einsum("ij,ij->j", ahead, (v_x, v_y)) <= 0).all()  # it never drives
