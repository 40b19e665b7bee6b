"""Allocation step by step: limits, rates, arcs and unachieved forces; refused layouts."""

import sys
from dataclasses import replace
from math import inf, pi, radians

import numpy as np
import pytest

from steerageway.vessel.control_allocation import (
    Allocator,
    Layout,
    Options,
    Slot,
    qp,
    read_axes,
)
from steerageway.vessel.control_allocation.allocator import SINGULAR
from steerageway.vessel.errors import InvalidValue

METHODS = ("pseudoinverse", "weighted", "qp")
PLACES = ((1.6, 1.03), (1.6, -1.03), (-2.3, 1.03), (-2.3, -1.03))


def wrench(x, y, direction):
    c, s = np.cos(direction), np.sin(direction)
    return np.array([c, s, 0.0, 0.0, 0.0, x * s - y * c])


def fixed(name, x, y, direction=0.0, **more):
    return Slot(name, wrench(x, y, direction), **{"low": -250.0, "high": 250.0, **more})


def azimuth(name, x, y, **more):
    given = {"low": 0.0, "high": 250.0, **more}
    return Slot(name, wrench(x, y, 0.0), across=wrench(x, y, pi / 2), azimuth=f"az_{name}", **given)


def four(**more):
    return Layout(tuple(azimuth(f"t{i}", x, y, **more) for i, (x, y) in enumerate(PLACES)))


def mixed():
    return Layout(
        (
            azimuth("aft", -2.3, 0.5, low=-150.0, angle_rate=1.0, rate=400.0),
            fixed("main", -2.3, -0.5, rate=500.0),
            fixed("bow", 2.0, 0.0, pi / 2, low=-80.0, high=100.0, cost=3.0),
        )
    )


LAYOUTS = {
    "free azimuths": four(angles=(-4 * pi, 4 * pi)),
    "slow azimuths": four(angle_rate=radians(40.0), rate=300.0),
    "reversible within 45 degrees": four(
        low=-200.0, angles=(-pi / 4, pi / 4), angle_rate=radians(60.0), rate=900.0
    ),
    "forbidden sectors": four(
        forbidden=((radians(80.0), radians(100.0)), (radians(170.0), radians(230.0))),
        angle_rate=radians(60.0),
    ),
    "azimuth, main and tunnel": mixed(),
}


def check(layout, before, after, dt):
    for slot, was, now in zip(layout.slots, before, after, strict=True):
        (thrust_0, angle_0), (thrust, angle) = was, now
        assert slot.low - 1e-9 <= thrust <= slot.high + 1e-9
        assert abs(thrust - thrust_0) <= slot.rate * dt + 1e-9
        if slot.across is not None:
            assert slot.angles[0] - 1e-12 <= angle <= slot.angles[1] + 1e-12
            assert abs(angle - angle_0) <= slot.angle_rate * dt + 1e-9
            if thrust != 0.0:
                assert any(a - 1e-9 <= angle <= b + 1e-9 for a, b in slot.arcs)


def never_beyond(layout, method, orders, dt=0.1):
    """Check random orders: some wander, some jump, some are far too large."""
    allocator, rng = Allocator(layout, Options(method)), np.random.default_rng(4)
    before = [(0.0, angle) for angle in allocator._angles]
    tau = np.zeros(len(layout.axes))
    scale = np.array([300.0, 200.0, 500.0])
    for k in range(orders):
        jump = rng.random() < 0.05
        size = scale * rng.choice([0.3, 1.0, 10.0])
        tau = rng.normal(0.0, size) if jump else 0.98 * tau + rng.normal(0.0, 0.1 * scale)
        if k % 500 < 20:
            tau = np.zeros(3)
        found = allocator.step(tau, dt)
        after = list(zip(found.thrusts, found.angles, strict=True))
        check(layout, before, after, dt)
        assert np.abs(found.made + found.unmet - tau).max() <= 1e-9 * (1 + np.abs(tau).max())
        before = after


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", LAYOUTS)
def test_limits_rates_and_arcs_are_kept(name, method):
    never_beyond(LAYOUTS[name], method, 60)


@pytest.mark.slow
@pytest.mark.parametrize("name", LAYOUTS)
def test_limits_rates_and_arcs_are_kept_in_ten_thousand_orders(name):
    """Each layout has 2000, which makes 10 000."""
    never_beyond(LAYOUTS[name], "qp", 2_000)


@pytest.mark.slow
@pytest.mark.parametrize("name", LAYOUTS)
def test_achievable_forces_are_achieved(name):
    allocator = Allocator(LAYOUTS[name], Options("qp", regularisation=1e-8))
    # what an order can ask for, held until all have turned to it
    for tau in ([60.0, 0.0, 0.0], [40.0, 10.0, 20.0], [-40.0, -10.0, 30.0]):
        for _ in range(80):
            found = allocator.step(tau, 0.1)
        assert np.abs(found.unmet).max() < 0.05


def test_beyond_the_limits_the_pseudoinverse_keeps_the_direction():
    layout = Layout(tuple(fixed(f"t{i}", *at, i) for i, at in enumerate(PLACES)))
    tau = np.array([4000.0, 900.0, 1500.0])
    found = Allocator(layout, Options("pseudoinverse")).step(tau, 0.1)
    assert found.made / np.linalg.norm(found.made) == pytest.approx(tau / np.linalg.norm(tau))
    assert np.abs(found.thrusts).max() == pytest.approx(250.0)
    best = Allocator(layout, Options("qp")).step(tau, 0.1)
    assert np.linalg.norm(best.unmet) < np.linalg.norm(found.unmet)


def test_a_fixed_thruster_keeps_its_angle_and_may_push_back():
    """Two abreast, 1 m off the middle: X = a + b and N = a - b have one solution."""
    pair = (fixed("port", -2.0, -1.0), fixed("starboard", -2.0, 1.0))
    layout = Layout(pair, read_axes("surge, yaw"))
    found = Allocator(layout, Options("qp")).step([-120.0, 40.0], 0.1)
    assert found.thrusts == pytest.approx([-40.0, -80.0], abs=0.01)


def test_costs_shift_the_work():
    free = Allocator(four(), Options("weighted")).step([200.0, 0.0, 0.0], 0.1).thrusts
    slots = list(four().slots)
    slots[0] = replace(slots[0], cost=10.0)
    dear = Allocator(Layout(tuple(slots)), Options("weighted")).step([200.0, 0.0, 0.0], 0.1)
    assert free == pytest.approx([50.0] * 4)
    assert dear.thrusts[0] < 30.0


def test_smoothing_slows_changes():
    layout = Layout(tuple(fixed(f"t{i}", *at, i) for i, at in enumerate(PLACES)))
    options = {"slack": (1.0,) * 6, "regularisation": 1e-6}
    quick = Allocator(layout, Options("qp", **options)).step([200.0, 0.0, 0.0], 0.1)
    slow = Allocator(layout, Options("qp", smoothing=5.0, **options)).step([200.0, 0.0, 0.0], 0.1)
    assert np.linalg.norm(slow.thrusts) < 0.8 * np.linalg.norm(quick.thrusts)


def test_idle_azimuths_turn_away_from_a_singular_layout():
    layout = four(angle_rate=1.0)
    for avoid in (True, False):
        allocator = Allocator(layout, Options("qp", avoid_singular=avoid))
        assert allocator._measure(allocator._angles) < 1e-6  # all ahead: no sway
        for _ in range(60):
            found = allocator.step([0.0, 0.0, 0.0], 0.1)
        assert np.abs(found.thrusts).max() == 0.0
        assert (allocator._measure(found.angles) >= SINGULAR) == avoid


def test_same_orders_have_the_same_answers_whatever_came_before():
    layout = LAYOUTS["slow azimuths"]
    orders = np.random.default_rng(1).normal(0.0, 300.0, (30, 3))

    def run():
        allocator = Allocator(layout, Options("qp"))
        return np.array([allocator.step(tau, 0.1).thrusts for tau in orders])

    first = run()
    Allocator(layout, Options("qp")).step([1e4, 0.0, 0.0], 0.1)
    assert (run() == first).all()


def test_without_daqp_the_weighted_pseudoinverse_is_used(monkeypatch):
    monkeypatch.setattr(qp, "HAS_QP", False)
    monkeypatch.setitem(sys.modules, "daqp", None)
    allocator = Allocator(four(), Options("qp"))
    assert allocator.method == "weighted"
    assert allocator.step([200.0, 0.0, 0.0], 0.1).made == pytest.approx([200.0, 0.0, 0.0])


def test_layout_names_the_axes_it_cannot_reach():
    ahead = tuple(fixed(f"t{i}", -2.0, y) for i, y in enumerate((1.0, -1.0)))
    with pytest.raises(InvalidValue, match="they cannot reach sway independently") as refused:
        Layout(ahead, read_axes("surge, sway, yaw"))
    assert "expected axes among surge, yaw" in str(refused.value)
    tunnel = fixed("bow", 2.0, 0.0, pi / 2)
    with pytest.raises(InvalidValue, match="cannot reach sway, yaw"):
        Layout((tunnel,), read_axes("sway, yaw"))  # one goes with the other
    with pytest.raises(InvalidValue, match="cannot reach heave"):
        Layout((*ahead, tunnel), read_axes("surge, heave"))


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (lambda: fixed("t", 0, 0, low=10.0), "limits 10 to 250 N"),
        (lambda: fixed("t", 0, 0, low=5.0, high=-5.0), "limits 5 to -5 N"),
        (lambda: fixed("t", 0, 0, high=inf), "finite ones"),
        (lambda: fixed("t", 0, 0, azimuth="az_1"), "a fixed slot has no angle"),
        (lambda: azimuth("t", 0, 0, angles=(-inf, inf)), "expected limits, the lesser first"),
        (lambda: azimuth("t", 0, 0, angles=(1.0, -1.0)), "expected limits, the lesser first"),
        (lambda: azimuth("t", 0, 0, forbidden=((1.0, 0.5),)), "the lesser angle first"),
        (lambda: azimuth("t", 0, 0, forbidden=((-4.0, 4.0),)), "an angle that is left"),
        (lambda: azimuth("t", 0, 0, rate=0.0), "numbers above zero"),
        (lambda: Layout(()), "no thrusters"),
        (lambda: read_axes("surge, surge"), "named twice"),
        (lambda: read_axes("surge, swai"), "sway"),
        (lambda: Options("best"), "one of pseudoinverse, weighted, qp"),
        (lambda: Options(slack=(1.0,)), "six numbers"),
        (lambda: Options(regularisation=0.0), "above zero"),
        (lambda: Options(sides=3), "4 or more"),
        (lambda: Allocator(four()).step([1.0], 0.1), "3 finite numbers"),
        (lambda: Allocator(four()).step([1.0, inf, 0.0], 0.1), "3 finite numbers"),
    ],
)
def test_impossible_parameters_are_refused(make, expected):
    with pytest.raises(InvalidValue) as refused:
        make()
    assert expected in str(refused.value)
