"""Compiled rotors, conversions and fins against the plain ones, and their keys."""

import numpy as np
import pytest
import yaml

from steerageway.vessel.actuators import (
    Basic,
    Bessa,
    DeadZone,
    FirstOrder,
    Interpolated,
    QuadraticFin,
    Thruster,
    TwoLines,
    Yoerger,
    ZeroOrder,
)
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.craft import FossenModel
from steerageway.vessel.fossen.folder import load
from steerageway.vessel.tools.place import folder_of

MASS, AHEAD = 1862.87 + 779.79, 12
TABLE = [[-300.0, -31.4], [-20.0, 0.0], [20.0, 0.0], [300.0, 40.2]]


def rexrov(**first):
    """Load RexROV with changed keys of its first thruster."""
    folder = folder_of("rexrov")
    thrusters = yaml.safe_load((folder / "thrusters.yml").read_text())["thrusters"]
    thrusters[0] |= first
    return load(folder, overrides={"thrusters.thrusters": thrusters})


def rates(vessel, omega, command):
    x = vessel.initial.copy()
    x[2], x[AHEAD] = 20.0, omega
    return vessel.derivative(x, [command, *[0.0] * 7], vessel.surroundings())


def thrust(vessel, omega, command=0.0):
    """Return the thrust of the first thruster from its surge force."""
    force = vessel.parameters.matrices[1] @ (
        rates(vessel, omega, command)[6:12] - rates(vessel, 0.0, 0.0)[6:12]
    )
    return force[0]


ROTORS = [
    ({"type": "first_order", "time_constant": 0.2}, FirstOrder(0.2)),
    ({"type": "yoerger", "alpha": 0.05, "beta": 25.0}, Yoerger(0.05, 25.0)),
    (
        {"type": "bessa", "inertia": 0.02, "kv1": 0.02, "kv2": 0.001, "kt": 0.3, "resistance": 0.5},
        Bessa(0.02, 0.02, 0.001, 0.3, 0.5),
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize(("given", "plain"), ROTORS)
def test_rotor_has_the_rate_of_the_plain_one(given, plain):
    vessel = rexrov(rotor=given, gain=0.5, n_max=200, n_min=-100)
    for omega, command in [(0.0, 50.0), (80.0, -20.0), (-40.0, 500.0), (30.0, -500.0)]:
        found = rates(vessel, omega, command)[AHEAD]
        expected = 0.5 * min(max(command, -100.0), 200.0)
        assert found == pytest.approx(plain.rate(omega, expected), rel=1e-12)


@pytest.mark.slow
def test_rotor_follows_its_solution_in_the_vessels_own_steps():
    for given, plain in ROTORS:
        vessel = rexrov(rotor=given)
        x = vessel.initial.copy()
        x[2] = 20.0
        end = vessel.step(x, [24.0, *[0.0] * 7], vessel.surroundings(), 0.01, 30)
        assert end[AHEAD] == pytest.approx(plain.after(0.0, 24.0, 0.3), rel=1e-5)


@pytest.mark.slow
def test_rotor_of_order_zero_is_at_its_command():
    vessel = rexrov(rotor={"type": "zero_order"}, gain=2.0, n_max=200)
    end = vessel.step(vessel.initial, [300.0, *[0.0] * 7], vessel.surroundings(), 0.02)
    assert end[AHEAD] == 400.0
    assert ZeroOrder().step(0.0, 400.0, 0.02) == 400.0


CONVERSIONS = [
    ({"type": "basic", "rotor_constant": 0.0049}, Basic(0.0049)),
    (
        {"type": "bessa", "left": 0.001, "right": 0.002, "delta_left": -50, "delta_right": 25},
        DeadZone(0.001, 0.002, -50.0, 25.0),
    ),
    ({"type": "linear_interp", "table": TABLE}, Interpolated(*zip(*TABLE, strict=True))),
]


@pytest.mark.slow
@pytest.mark.parametrize(("given", "plain"), CONVERSIONS)
def test_thrust_is_that_of_the_plain_chain(given, plain):
    chain = Thruster(
        plain, propeller_efficiency=0.9, thrust_efficiency=0.8, thrust_clamp=(-20.0, 25.0)
    )
    vessel = rexrov(
        thruster_orientation=[0.0, 0.0, 0.0],
        conversion=given,
        propeller_efficiency=0.9,
        thrust_efficiency=0.8,
        thrust_min=-20,
        thrust_max=25,
    )
    for omega in (-400.0, -60.0, -6.0, 3.0, 5.2, 30.0, 250.0, 400.0):
        assert thrust(vessel, omega) == pytest.approx(chain.thrust(omega), abs=1e-9)


FINS = [
    (
        {
            "type": "two_lines",
            "area": 0.12,
            "density": 1025,
            "a0": 0.06,
            "alpha_stall": 0.35,
            "cla": 2.6,
            "cla_stall": -2.4,
            "cda": 0.15,
            "cda_stall": 0.9,
        },
        TwoLines(0.12, 0.06, 0.35, 2.6, -2.4, 0.15, 0.9, 1025.0),
    ),
    (
        {
            "type": "two_lines",
            "area": 0.05,
            "alpha_stall": 0.26,
            "cla": 4.0,
            "cla_stall": -1.2,
            "cda": 0.3,
            "cda_stall": 1.1,
            "as_coded": True,
        },
        TwoLines(0.05, 0.0, 0.26, 4.0, -1.2, 0.3, 1.1, 1028.0, as_coded=True),
    ),
    (
        {"type": "quadratic", "lift_constant": 35.0, "drag_constant": 18.0},
        QuadraticFin(35.0, 18.0),
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize(("law", "plain"), FINS)
def test_fin_has_the_force_of_the_plain_one_in_the_flow_it_meets(law, plain):
    fin = {
        "control_surface_id": 1,
        "control_surface_location": [-1.0, 0.2, 0.1],
        "control_surface_orientation": [0.0, 0.0, 0.0],
        "control_surface_lift_drag": law,
    }
    with_fin = load(folder_of("rexrov"), overrides={"control_surfaces.control_surfaces": [fin]})
    bare = load(folder_of("rexrov"))
    M = bare.parameters.matrices[1]
    rng = np.random.default_rng(2)
    for _ in range(20):
        nu, delta = rng.uniform(-1.5, 1.5, 6), rng.uniform(-0.5, 0.5)
        x, y = with_fin.initial.copy(), bare.initial.copy()
        x[2] = y[2] = 20.0
        x[6:12] = y[6:12] = nu
        command = [delta, *[0.0] * 8]
        found = M @ (
            with_fin.derivative(x, command, with_fin.surroundings())[6:12]
            - bare.derivative(y, command[1:], bare.surroundings())[6:12]
        )
        r = np.array([-1.0, 0.2, 0.1])
        v = nu[:3] + np.cross(nu[3:], r)
        c, s = np.cos(delta), np.sin(delta)
        F_x, F_y = plain.force(c * v[0] + s * v[1], c * v[1] - s * v[0])
        F = np.array([c * F_x - s * F_y, s * F_x + c * F_y, 0.0])
        expected = [*F, *np.cross(r, F)]
        np.testing.assert_allclose(found, expected, rtol=1e-8, atol=1e-7)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"rotor": {"type": "first_order", "time_constant": -0.05}}, "a number above 0"),
        ({"rotor": {"type": "first_order"}}, "time_constant is missing"),
        ({"rotor": {"type": "third_order"}}, "one of zero_order, first_order, yoerger, bessa"),
        ({"rotor": {"type": "yoerger", "alpha": -1, "beta": 1}}, "a number above 0"),
        (
            {
                "rotor": {
                    "type": "bessa",
                    "inertia": 1,
                    "kv1": 0,
                    "kv2": 0,
                    "kt": 1,
                    "resistance": 1,
                }
            },
            "drag: kv1 or kv2 above zero",
        ),
        ({"T_prop": 0.1}, "no such key with rotor"),
        ({"n_min": 3000}, "a number at most 2540"),
        ({"thrust_min": 10, "thrust_max": -10}, "less than thrust_max, -10"),
        ({"thrust_efficiency": 1.5}, "a number from 0 to 1"),
        ({"conversion": {"type": "bessa", "left": 1, "right": 1, "delta_left": 5}}, "at most 0"),
        ({"conversion": {"type": "linear_interp", "table": [[1, 2], [1, 3]]}}, "ascending"),
        ({"conversion": {"type": "basic", "rotor_constant": 0}}, "a number above 0"),
        ({"conversion": {"type": "basic", "rotor_constant": 1, "speed": 2}}, "unknown key"),
    ],
)
def test_invalid_files_are_reported_with_place_and_expected_form(changes, expected):
    with pytest.raises(InvalidValue) as refused:
        rexrov(**changes)
    assert expected in str(refused.value)
    assert "thrusters.1." in str(refused.value)


@pytest.mark.slow
def test_rotor_too_fast_for_the_steps_is_refused():
    vessel = rexrov(rotor={"type": "first_order", "time_constant": 0.001})
    with pytest.raises(InvalidValue, match=r"mostly in th_0: too fast for steps of 0\.02 s"):
        FossenModel(vessel)
