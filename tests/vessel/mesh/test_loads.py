"""Wave pressure on meshes: closed forms, quadrature, decay; error of the fast evaluator."""

from __future__ import annotations

import numpy as np
import pytest
from numba import njit
from references import MESH, data, rows, sea_of

from steerageway.vessel.damping import ittc57
from steerageway.vessel.mesh import drag, hydrostatics, loads
from steerageway.vessel.mesh.cut import CORNERS
from steerageway.world import shapes
from steerageway.world.kinematics import PRESSURE
from steerageway.world.mesh import read
from steerageway.world.sea import Sea

pytestmark = pytest.mark.slow

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


LINEAR = rows(MESH / "fk_linear_box.csv")


def linear_case(row: dict[str, float]) -> tuple[Sea, np.ndarray, tuple[float, float]]:
    """Return a row's sea of 1 m, its complex force (6,), and the times of its two parts."""
    w = 2 * np.pi / row["period"]
    depth = None if np.isinf(row["depth"]) else row["depth"]
    sea = sea_of([[1.0, w, np.radians(row["beta_deg"]), 0.0]], depth)
    expected = np.array([complex(row[f"{n}_re"], row[f"{n}_im"]) for n in NAMES])
    return sea, expected, (0.0, -np.pi / (2 * w))


def test_airys_pressure_on_a_box_has_the_closed_forms_force_to_nine_digits() -> None:
    x, weights = np.polynomial.legendre.leggauss(24)
    for row in LINEAR:
        sea, expected, times = linear_case(row)
        half, T = np.array([row["L"], row["B"]]) / 2, row["T"]
        points, pushes = [], []
        u, v = (grid.ravel() for grid in np.meshgrid(x, x))
        share = np.outer(weights, weights).ravel()
        depth = 0.5 * T * (1 + v)
        for side in (1.0, -1.0):  # normals point out of the body
            points.append(np.column_stack((np.full_like(u, side * half[0]), half[1] * u, depth)))
            pushes.append(np.outer(-share * half[1] * T / 2, [side, 0, 0]))
            points.append(np.column_stack((half[0] * u, np.full_like(u, side * half[1]), depth)))
            pushes.append(np.outer(-share * half[0] * T / 2, [0, side, 0]))
        points.append(np.column_stack((half[0] * u, half[1] * v, np.full_like(u, T))))
        pushes.append(np.outer(-share * half[0] * half[1], [0, 0, 1.0]))
        where, push = np.concatenate(points), np.concatenate(pushes)
        airy = Sea(sea.rows, sea.water, wheeler=False)
        parts = []
        for t in times:
            force = airy.motions(where, t)[:, PRESSURE, None] * push
            parts.append(np.concatenate((force.sum(0), np.cross(where, force).sum(0))))
        found = parts[0] + 1j * parts[1]
        assert np.abs(found - expected).max() < 1e-9 * np.abs(expected).max()


def test_the_linear_model_converges_on_the_closed_forms_froude_krylov_force() -> None:
    """With 16 edges to the length within 1e-5; the rest falls with their fourth power."""
    for row in LINEAR:
        sea, expected, times = linear_case(row)
        small = Sea(sea.rows * np.array([1e-3, *[1.0] * 7]), sea.water)
        errors = []
        for parts in (8, 16):
            mesh = shapes.box(row["L"], row["B"], 2 * row["T"], row["L"] / parts)
            calm = Sea(sea.rows[:0], sea.water)
            still = loads.pressed(mesh, calm, np.zeros(6), 0.0, "linear", exact=True).wrench
            found = [
                (loads.pressed(mesh, small, np.zeros(6), t, "linear", exact=True).wrench - still)
                / 1e-3
                for t in times
            ]
            errors.append(np.abs(found[0] + 1j * found[1] - expected).max())
        scale = np.abs(expected).max()
        assert errors[1] < 1e-5 * scale
        assert errors[1] < errors[0] / 15 + 1e-6 * scale


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


@pytest.mark.parametrize("model", loads.MODELS)
def test_the_fast_evaluators_difference_keeps_to_its_bound(model: str) -> None:
    rng = np.random.default_rng(5)
    shares = []
    for _ in range(40):
        edge, period = rng.uniform(0.15, 0.6), rng.uniform(1.5, 6.0)
        mesh = shapes.box(4.0, 2.0, 1.0, edge)
        length = 9.81 * period**2 / (2 * np.pi)
        a, beta, eps = rng.uniform([0.0, -3.0, 0.0], [0.05 * length, 3.0, 6.0])
        sea = sea_of([[a, 2 * np.pi / period, beta, eps], [0.5 * a, 3.0, 1.0, 2.0]], None)
        eta = rng.uniform(-0.3, 0.3, 6)
        exact, fast = (loads.pressed(mesh, sea, eta, 0.7, model, exact=e) for e in (True, False))
        difference = np.linalg.norm(exact.wrench[:3] - fast.wrench[:3])
        shares.append(difference / loads.bound(mesh, sea))
    assert max(shares) < 1.0


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
def test_a_box_decays_as_in_the_reference(case: dict[str, float]) -> None:
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
    reference = data(MESH / "kerner_drag.json")
    k = reference["coefficients"]
    mesh = read(MESH / "sphere.stl")
    nodes = np.ascontiguousarray(mesh.vertices.T)
    deep = np.full(len(mesh.vertices), 10.0)
    for case in (case for case in reference["cases"] if case["shape"] == "sphere"):
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
    @njit
    def friction(speed: float) -> float:
        return drag.friction(speed, 1.0)

    assert friction(1e7 * drag.VISCOSITY) == pytest.approx(0.003)
    assert friction(0.0) == friction(1e3 * drag.VISCOSITY) == ittc57(1e3)
