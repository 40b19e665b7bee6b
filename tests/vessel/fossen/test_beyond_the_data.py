"""Where a vessel's data end: capsize, astern, low speed, a rudder's limit, wind on its side."""

from __future__ import annotations

from math import degrees
from pathlib import Path

import numpy as np
import pytest

from steerageway.vessel.errors import InvalidValue, OutsideEnvelope
from steerageway.vessel.fossen.folder import load
from steerageway.vessel.fossen.orders import orders_of
from steerageway.vessel.propulsion import thrust_and_torque
from steerageway.vessel.tools.trials import full_ahead, settled, zigzag_rudder

pytestmark = pytest.mark.slow
INPUTS = Path(__file__).parents[3] / "inputs"


@pytest.mark.parametrize("name", ["container", "navalvessel"])
def test_quaternions_are_refused_where_depth_and_pitch_are_constant(name: str) -> None:
    with pytest.raises(
        InvalidValue, match=r"use_quaternion: true: expected false: .*pitch constant"
    ):
        load(INPUTS / name, overrides={"initial_conditions.use_quaternion": True})


@pytest.mark.parametrize("scheme", ["step", "euler_step"])
def test_a_capsize_is_an_error_before_the_deck_is_under(scheme: str) -> None:
    ship = load(INPUTS / "container")
    x = ship.initial.copy()
    x[6] = 16.0
    with pytest.raises(OutsideEnvelope, match="capsized, heel") as raised:
        getattr(ship, scheme)(x, [0.1745, 16.755], ship.surroundings(), 0.02, 6000)
    assert 60.0 < abs(degrees(raised.value.last_good[3])) <= 90.0


@pytest.mark.parametrize("name", ["remus100", "torpedo"])
def test_full_astern_is_no_faster_than_full_ahead(name: str) -> None:
    vessel = load(INPUTS / name)
    orders, x = orders_of(vessel), vessel.initial.copy()
    x[2] = 20.0
    ahead, astern = (float(settled(vessel, orders.commands(thrust=t), x)[6]) for t in (100, -100))
    assert -ahead < astern < -0.9 * ahead


def test_a_propeller_astern_is_one_ahead_seen_from_the_other_side() -> None:
    def curve(J: float) -> tuple[float, float]:
        return 0.45 - 0.4 * J, 0.07 - 0.06 * J

    for V in (0.0, 0.7, 1.5):
        thrust, torque = thrust_and_torque(20.0, V, 0.14, curve)
        assert thrust_and_torque(-20.0, -V, 0.14, curve) == pytest.approx((-thrust, -torque))


@pytest.mark.parametrize(("state", "power"), [(7, 1), (12, 2)], ids=["damping", "rudder"])
@pytest.mark.parametrize("u", [8.5, 5.0, 0.0, -1.0])
def test_lift_on_the_mariner_is_in_proportion_to_u_v_and_u_delta(
    state: int, power: int, u: float
) -> None:
    """The speed counts once, as in any lift; astern neither acts."""
    ship, service = load(INPUTS / "mariner"), 7.7175

    def slope(u: float) -> float:
        x, rates = ship.initial.copy(), []
        for small in (-1e-4, 1e-4):
            x[6], x[state] = u, small
            rates.append(ship.derivative(x, [0.0], ship.surroundings())[7])
        return (rates[1] - rates[0]) / 2e-4

    expected = max(u, 0.0) ** power / service**power
    assert slope(u) / slope(service) == pytest.approx(expected, rel=1e-6, abs=1e-8)


def test_the_approach_of_an_unstable_tanker_is_straight_at_the_speed_of_its_thrust() -> None:
    """With v = r = 0 its equation of surge is quadratic in u: van Berlekom and Goddard (1972)."""
    tanker = load(INPUTS / "tanker")
    x = full_ahead(tanker, orders_of(tanker))
    L, n, z = 304.8, 80.0 / 60.0, 18.46 / (200.0 - 18.46)
    roots = np.roots(
        [
            -0.0377 - 0.0061 * z - 0.00695 * 0.78,
            -0.00063 * n * L * 0.78,
            3.54e-5 * (n * L) ** 2 * 0.78,
        ]
    )
    assert x[6] == pytest.approx(roots.max(), rel=1e-3)
    assert x[5] == x[7] == x[11] == 0.0


@pytest.mark.parametrize(("name", "rudder"), [("tanker", 10.0), ("mariner", 20.0), ("otter", None)])
def test_a_zig_zag_uses_no_more_than_the_rudder_has(name: str, rudder: float | None) -> None:
    found = zigzag_rudder(orders_of(load(INPUTS / name)), 20.0)
    assert found == (None if rudder is None else pytest.approx(rudder))


def test_a_beam_wind_heels_a_box_by_its_righting_moment() -> None:
    """Heel of K / (W GM): B²/12T + T/2 - KG is GM, and the wind acts at half the freeboard."""
    barge = load(INPUTS / "box_barge", overrides={"hydrodynamics.Y_v": -1e5})  # it stays in place
    x, around = barge.initial, barge.surroundings(wind=(0.0, 15.0))
    for _ in range(60):
        x = barge.step(x, [], around, 0.02, 50)
    GM, weight = 2.0**2 / 12 / 0.5 + 0.25 - 0.45, 4100.0 * 9.81
    side, height = 0.5 * 1.225 * 15.0**2 * 0.8 * 2.0, 0.25
    assert x[3] == pytest.approx(side * height / (weight * GM), rel=0.02)
