"""Rotors, conversions and fins against the UUV Simulator's results in ``tests/reference/uuv``."""

import csv
import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from steerageway.vessel.actuators import (
    Basic,
    Bessa,
    DeadZone,
    FirstOrder,
    Interpolated,
    QuadraticFin,
    TwoLines,
    Yoerger,
    ZeroOrder,
)

UUV = Path(__file__).parents[2] / "reference" / "uuv"


def records(name):
    return json.loads((UUV / name).read_text())


def columns(name):
    with (UUV / name).open(newline="") as file:
        rows = list(csv.DictReader(file))
    return {
        key: [row[key] if key == "case" else float(row[key] or "nan") for row in rows]
        for key in rows[0]
    }


ROTORS = {case["file"]: case for case in records("rotor_cases.json")}
BESSA_KEYS = ("Jmsp", "Kv1", "Kv2", "Kt", "Rm")


def rotors(case):
    amplitude = case["amplitude"]
    first = amplitude["first_and_zero_rad_s"]
    return {
        "zero": (ZeroOrder(), first),
        "first": (FirstOrder(case["first"]["timeConstant"]), first),
        "yoerger": (Yoerger(**case["yoerger"]), amplitude["yoerger_command"]),
        "bessa": (Bessa(*(case["bessa"][key] for key in BESSA_KEYS)), amplitude["bessa_volt"]),
    }


def commands(case):
    """Return the times and the command's shape of the rows that are kept, and the rows."""
    rows = columns(case["file"])
    return np.array(rows["t"]), np.array(rows["s"]), rows


@pytest.mark.parametrize("file", [file for file in ROTORS if ROTORS[file]["rows_every"] == 1])
@pytest.mark.parametrize("kind", ["zero", "first", "yoerger", "bessa"])
def test_rotor_follows_the_documented_recurrence(file, kind):
    case = ROTORS[file]
    _, shape, rows = commands(case)
    rotor, amplitude = rotors(case)[kind]
    omega, found = 0.0, []
    for s in shape:
        omega = rotor.step(omega, amplitude * s, case["dt"])
        found.append(omega)
    scale = np.abs(rows[kind]).max()
    # the command's shape has ten digits, and so has what comes of it
    np.testing.assert_allclose(found, rows[kind], rtol=1e-9, atol=1e-9 * scale)


@pytest.mark.parametrize("file", [file for file in ROTORS if ROTORS[file]["rows_every"] == 1])
@pytest.mark.parametrize("kind", ["yoerger", "bessa"])
def test_rotor_solves_its_differential_equation(file, kind):
    case = ROTORS[file]
    _, shape, rows = commands(case)
    rotor, amplitude = rotors(case)[kind]
    omega, found = 0.0, []
    for s in shape:
        omega = rotor.after(omega, amplitude * s, case["dt"])
        found.append(omega)
    expected = rows[f"{kind}_ode"]
    np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-7 * np.abs(expected).max())


def sine(case, t, s):
    """Return the sine that a command's rows were taken of: its amplitude and circular frequency."""
    from scipy.optimize import curve_fit

    def shape(t, amplitude, w):
        return amplitude * np.sin(w * t)

    (amplitude, w), _ = curve_fit(shape, t, s, p0=(1.0, s[0] / t[0]), xtol=1e-15, ftol=1e-15)
    assert np.abs(shape(t, amplitude, w) - s).max() < 1e-9
    return lambda t: shape(t, amplitude, w)


@pytest.mark.parametrize("kind", ["first", "yoerger", "bessa"])
def test_rotor_of_which_every_second_row_is_kept(kind):
    case = ROTORS["rotor_sine_p2_dt001.csv"]
    t, s, rows = commands(case)
    shape = sine(case, t, s)
    rotor, amplitude = rotors(case)[kind]
    dt, omega, solved, found, after = case["dt"], 0.0, 0.0, [], []
    for k in range(1, round(t[-1] / dt) + 1):
        command = amplitude * shape(k * dt)
        omega, solved = rotor.step(omega, command, dt), rotor.after(solved, command, dt)
        if (k - 1) % case["rows_every"] == 0:
            found.append(omega)
            after.append(solved)
    scale = np.abs(rows[kind]).max()
    np.testing.assert_allclose(found, rows[kind], rtol=1e-8, atol=1e-8 * scale)
    if kind != "first":
        np.testing.assert_allclose(after, rows[f"{kind}_ode"], rtol=1e-7, atol=1e-7 * scale)


@pytest.mark.parametrize("file", ["rotor_sine_p1.csv", "rotor_step_p2.csv"])
def test_no_rotor_steps_by_the_time_since_the_first_call(file):
    case = ROTORS[file]
    t, shape, _ = commands(case)
    wrong = case["peer_as_coded_growing_dt"]
    for kind in ("yoerger", "bessa"):
        rotor, amplitude = rotors(case)[kind]
        omega, found = 0.0, {}
        for at, s in zip(t, shape, strict=True):
            omega = rotor.step(omega, amplitude * s, case["dt"])
            found[round(at, 9)] = omega
        for at, peer in zip(wrong["t"], wrong[kind], strict=True):
            if peer:
                assert found[at] != pytest.approx(peer, rel=1e-3)


def conversions():
    for case in records("conversion_cases.json"):
        if case["type"] == "Basic":
            yield case["case"], Basic(case["rotorConstant"])
        elif case["type"] == "Bessa":
            keys = ("rotorConstantL", "rotorConstantR", "deltaL", "deltaR")
            yield case["case"], DeadZone(*(case[key] for key in keys))
        else:
            yield case["case"], Interpolated(case["inputValues"], case["outputValues"])


@pytest.mark.parametrize(("name", "conversion"), list(conversions()))
def test_thrust_of_a_speed(name, conversion):
    rows = columns("conversion.csv")
    mine = [i for i, case in enumerate(rows["case"]) if case == name]
    omega, expected = (np.array(rows[key])[mine] for key in ("omega", "thrust"))
    scale = np.abs(expected).max()
    np.testing.assert_allclose(conversion.thrust(omega), expected, atol=1e-11 * scale, rtol=1e-11)


def fins():
    for case in records("fin_cases.json"):
        if case["type"] == "Quadratic":
            yield case["case"], QuadraticFin(case["lift_constant"], case["drag_constant"]), ""
            continue
        keys = ("area", "a0", "alpha_stall", "cla", "cla_stall", "cda", "cda_stall")
        values = [*(case[key] for key in keys), case["fluid_density"]]
        yield case["case"], TwoLines(*values), ""
        yield case["case"], TwoLines(*values, as_coded=True), "_peer_as_coded"


@pytest.mark.parametrize(("name", "fin", "suffix"), list(fins()))
def test_force_of_a_fin(name, fin, suffix):
    rows = columns("fin.csv")
    mine = [i for i, case in enumerate(rows["case"]) if case == name]
    v_x, v_y, F_x, F_y = (
        np.array(rows[key])[mine] for key in ("vx", "vy", f"Fx{suffix}", f"Fy{suffix}")
    )
    found = np.array(fin.force(v_x, v_y))
    scale = np.hypot(F_x, F_y).max()
    np.testing.assert_allclose(found, (F_x, F_y), atol=1e-8 * scale, rtol=1e-8)


@pytest.mark.parametrize("name", ["two_lines_a", "two_lines_camber"])
def test_coefficients_of_a_fin(name):
    rows = columns("fin.csv")
    fin = next(fin for case, fin, suffix in fins() if case == name and not suffix)
    mine = [i for i, case in enumerate(rows["case"]) if case == name]
    alpha, cl, cd = (np.array(rows[key])[mine] for key in ("alpha_rad", "cl", "cd"))
    np.testing.assert_allclose(fin.coefficients(alpha), (cl, cd), atol=1e-8)
    ascending = np.sort(alpha)
    assert all(b - a < 0.2 for a, b in pairwise(ascending))  # the cases leave no gap
