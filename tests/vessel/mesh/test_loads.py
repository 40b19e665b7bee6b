"""Pressure of waves on meshes: closed forms, quadrature, decay; the fast evaluator's difference."""

from __future__ import annotations

import numpy as np
import pytest
from references import MESH, data, rows, sea_of

from steerageway.vessel.mesh import drag, hydrostatics, loads, shapes
from steerageway.vessel.mesh.cut import CORNERS
from steerageway.vessel.mesh.hull import read
from steerageway.world.sea import Sea

CASES = {case["case"]: case for case in data(MESH / "fk_nonlinear_cases.json")}
NAMES = ("X", "Y", "Z", "K", "M", "N")


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("model", ["depth", "wheeler"])
def test_the_nonlinear_force_on_a_box_is_that_of_quadrature(name: str, model: str) -> None:
    case = CASES[name]
    mesh = shapes.box(case["L"], case["B"], case["height"], 0.1)
    mesh = mesh.moved(np.array([0.0, 0.0, case["box_centre_below_origin"]]))
    sea = sea_of(case["components_a_w_beta_eps"], case["depth"])
    eta = [*case["position_ned"], *np.radians(case["euler_deg"])]
    table = [row for row in rows(MESH / "fk_nonlinear_box.csv") if row["case"] == name]
    for row in (row for row in table if row["model"] == model):
        expected = np.array([row[key] for key in NAMES])
        largest = np.abs(expected).max()
        exact = loads.pressed(mesh, sea, eta, row["t"], model, exact=True)
        fast = loads.pressed(mesh, sea, eta, row["t"], model)
        assert np.abs(exact.wrench - expected).max() < 1e-7 * largest
        assert np.abs(fast.wrench - expected).max() < 2e-4 * largest


def test_the_linear_model_has_the_closed_forms_froude_krylov_force() -> None:
    for row in rows(MESH / "fk_linear_box.csv")[::3]:
        mesh = shapes.box(row["L"], row["B"], 2 * row["T"], row["L"] / 32)
        depth = None if np.isinf(row["depth"]) else row["depth"]
        w = 2 * np.pi / row["period"]
        sea = sea_of([[1e-3, w, np.radians(row["beta_deg"]), 0.0]], depth)
        calm = Sea(sea.rows[:0], sea.water)
        still = loads.pressed(mesh, calm, np.zeros(6), 0.0, "linear", exact=True).wrench
        parts = [
            loads.pressed(mesh, sea, np.zeros(6), t, "linear", exact=True).wrench - still
            for t in (0.0, -np.pi / (2 * w))
        ]
        expected = np.array([[row[f"{n}_{part}"] for n in NAMES] for part in ("re", "im")])
        found = np.array([parts[0], parts[1]]) / 1e-3
        scale = np.hypot(*expected)
        assert np.abs(found - expected).max() < 2e-3 * scale.max()


def test_the_fast_evaluators_difference_falls_with_the_square_of_the_edges() -> None:
    case = CASES["nl3"]
    sea = sea_of(case["components_a_w_beta_eps"], case["depth"])
    eta = [*case["position_ned"], *np.radians(case["euler_deg"])]
    differences = []
    for edge in (0.25, 0.125):
        mesh = shapes.box(4.0, 2.0, 1.0, edge)
        exact, fast = (loads.pressed(mesh, sea, eta, 1.3, exact=e).wrench for e in (True, False))
        differences.append(np.abs(exact - fast).max() / np.abs(exact).max())
    assert differences[0] < 1e-3
    assert differences[0] / differences[1] == pytest.approx(4.0, rel=0.2)


def test_both_evaluators_are_exact_in_still_water() -> None:
    mesh = shapes.sphere(0.5, 2)
    calm = sea_of([[0.0, 1.0, 0.0, 0.0]], None)
    eta = [3.0, -2.0, 0.1, 0.4, -0.2, 2.0]
    expected = hydrostatics.static_wrench(mesh, 0.1, 0.4, -0.2, 1025 * 9.81)
    for exact in (True, False):
        found = loads.pressed(mesh, calm, eta, 5.0, exact=exact)
        assert found.wrench == pytest.approx(expected, abs=1e-9 * np.abs(expected).max())
        assert found.volume == pytest.approx(hydrostatics.afloat(mesh, 0.1, 0.4, -0.2).volume)


@pytest.mark.parametrize("case", data(MESH / "decay_cases.json"), ids=lambda case: case["case"])
def test_a_box_decays_as_the_field_has_it(case: dict[str, float]) -> None:
    rho, g, m = 1025.0, 9.80665, case["mass"]
    mesh = shapes.box(case["L"], case["B"], case["H"])
    mesh = mesh.moved(np.array([0.0, 0.0, case["zGk"] - case["H"] / 2]))
    inertia = case["I44"] + case.get("A44", 0.0)

    def rate(state: np.ndarray) -> np.ndarray:
        z, phi, w, p = state
        water = hydrostatics.afloat(mesh, float(z), float(phi))
        K = -rho * g * water.volume * water.centre_ned[1]
        drag_z = case.get("B33", 0.0) * w + case.get("B33q", 0.0) * abs(w) * w
        drag_k = case.get("B44", 0.0) * p + case.get("B44q", 0.0) * abs(p) * p
        lift = m * g - rho * g * water.volume - drag_z
        return np.array([w, p, lift / (m + case.get("A33", 0.0)), (K - drag_k) / inertia])

    state = np.array(case["initial_z_phi_w_p"])
    state[0] += 0.0
    dt, table = 0.005, [row for row in rows(MESH / "decay_box.csv") if row["case"] == case["case"]]
    state = np.array([table[0][key] for key in ("z_cg", "phi", "w", "p")])
    for row in table[1:31]:
        for _ in range(20):
            k1 = rate(state)
            k2 = rate(state + dt / 2 * k1)
            k3 = rate(state + dt / 2 * k2)
            k4 = rate(state + dt * k3)
            state = state + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        expected = [row[key] for key in ("z_cg", "phi", "w", "p")]
        assert state == pytest.approx(expected, abs=1e-6)


def test_kerners_drag_of_a_sphere_is_the_integral() -> None:
    told = data(MESH / "kerner_drag.json")
    k = told["coefficients"]
    mesh = read(MESH / "sphere.stl")
    nodes = np.ascontiguousarray(mesh.vertices.T)
    deep = np.full(len(mesh.vertices), 10.0)
    for case in (case for case in told["cases"] if case["shape"] == "sphere"):
        given = np.array(
            [1 + case["k"], k["P1"], k["P2"], k["S1"], k["S2"], k["vref"], k["fp"], k["fs"], 1.0]
        )
        velocity, out = np.array([case["U"], 0.0, 0.0]), np.empty(6)
        corners = np.empty(CORNERS)
        drag.dragged(
            *(nodes, deep, mesh.triangles, velocity, np.zeros(3), 0.0, 1025.0, given, corners, out)
        )
        parts = ("mesh1280_friction_X", "mesh1280_pressure_X", "mesh1280_suction_X")
        assert out[0] == pytest.approx(sum(case[key] for key in parts), rel=1e-6)
        assert np.abs(out[1:]).max() < 1e-6 * abs(out[0])


def test_friction_is_the_lines_and_has_no_pole() -> None:
    assert drag.friction_line.py_func(1e7) == pytest.approx(0.003)  # type: ignore[attr-defined]
    assert drag.friction_line.py_func(0.0) == drag.friction_line.py_func(1e3)  # type: ignore[attr-defined]
