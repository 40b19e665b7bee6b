"""The optimisation problems of control allocation, against recorded solvers and another method."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import nnls

from steerageway.vessel.control_allocation import Allocator, Layout, Options, Slot, qp

pytest.importorskip("daqp")

UUV = Path(__file__).parents[2] / "reference" / "uuv"
CASES = json.loads((UUV / "allocation_qp.json").read_text())
FIXED = [case for case in CASES if case["kind"] == "rexrov_8_fixed"]
AZIMUTHS = [case for case in CASES if case["kind"] == "wamv_4_azimuth_16gon"]
TAM = np.array(json.loads((UUV / "rexrov_cases.json").read_text())["model"]["TAM_frd"])


def lawson_hanson(problem):
    """Solve a problem as least distance programming by non-negative least squares.

    Source: C. L. Lawson, R. J. Hanson (1974), Solving Least Squares Problems, chapter 23.
    """
    n = len(problem.low)
    root = np.concatenate((np.sqrt(problem.Q)[:, None] * problem.B, np.diag(np.sqrt(problem.R))))
    aim = np.concatenate((np.sqrt(problem.Q) * problem.tau, np.zeros(n)))
    orthogonal, R = np.linalg.qr(root)
    c = orthogonal.T @ aim
    A = np.concatenate((problem.A.reshape(-1, n), np.eye(n), -np.eye(n)))
    b = np.concatenate((problem.b, problem.high, -problem.low))
    G = -np.linalg.solve(R.T, A.T).T  # u = R^-1 (z + c), G z >= h
    h = -(b - A @ np.linalg.solve(R, c))
    scale = max(np.abs(h).max(), 1.0)
    E = np.concatenate((G.T, h[None, :] / scale))
    last = np.zeros(n + 1)
    last[n] = 1.0
    weights, _ = nnls(E, last, maxiter=100 * n)
    residual = E @ weights - last
    z = -residual[:n] / residual[n] * scale
    return np.linalg.solve(R, z + c)


def fixed(case):
    before, step = np.array(case["u_previous"]), case["rate_step"]
    low = np.maximum(-case["u_max"], before - step)
    high = np.minimum(case["u_max"], before + step)
    costs = case["regularisation"] * np.array(case["weights"])
    tau, slack = np.array(case["tau"]), np.array(case["slack_weights"])
    return qp.Problem(TAM, tau, slack, costs, low, high)


def azimuths(case):
    most, places = case["T_max"], case["positions_xy"]
    B = np.array([column for x, y in places for column in ((1, 0, -y), (0, 1, x))], float).T
    n = B.shape[1]
    rows, bounds = [], []
    for k in range(len(places)):
        pair, bound = qp.polygon(most, case["polygon_sides"])
        wide = np.zeros((len(pair), n))
        wide[:, 2 * k : 2 * k + 2] = pair
        rows.append(wide)
        bounds.append(bound)
    return qp.Problem(
        B,
        np.array(case["tau"]),
        np.array(case["slack_weights"]),
        np.full(n, case["regularisation"]),
        np.full(n, -most),
        np.full(n, most),
        np.concatenate(rows),
        np.concatenate(bounds),
    )


@pytest.mark.parametrize("case", FIXED)
def test_fixed_thrusters_as_recorded(case):
    problem = fixed(case)
    u = qp.solve(problem)
    np.testing.assert_allclose(u, case["u_qp"], atol=1e-5 * case["u_max"])
    np.testing.assert_allclose(problem.B @ u, case["tau_qp"], atol=1e-5 * case["u_max"])
    assert problem.cost(u) == pytest.approx(case["objective"], rel=1e-6)


@pytest.mark.parametrize("case", FIXED)
def test_weighted_pseudoinverse_as_recorded(case):
    slots = [
        Slot(f"th_{i}", column, -1e6, 1e6, cost=cost)
        for i, (column, cost) in enumerate(zip(TAM.T, case["weights"], strict=True))
    ]
    by_inverse = Allocator(Layout(tuple(slots), tuple(range(6))), Options("weighted"))
    u = by_inverse.step(case["tau"], 1.0).thrusts
    np.testing.assert_allclose(u, case["u_weighted_pseudoinverse"], atol=1e-6)


@pytest.mark.parametrize("case", AZIMUTHS)
def test_azimuths_as_recorded(case):
    problem = azimuths(case)
    u = qp.solve(problem)
    np.testing.assert_allclose(u, case["u_qp_xy"], atol=1e-5 * case["T_max"])
    np.testing.assert_allclose(problem.B @ u, case["tau_qp"], atol=1e-5 * case["T_max"])
    pairs = u.reshape(-1, 2)
    np.testing.assert_allclose(np.hypot(*pairs.T), case["T_qp"], atol=1e-5 * case["T_max"])
    wrenches = np.zeros((6, n := problem.B.shape[1]))
    wrenches[[0, 1, 5]] = problem.B
    slots = [
        Slot(f"th_{k}", wrenches[:, k], 0.0, 1e6, wrenches[:, k + 1], f"az_{k}")
        for k in range(0, n, 2)
    ]
    found = Allocator(Layout(tuple(slots)), Options("pseudoinverse")).step(case["tau"], 1.0)
    least = found.thrusts[:, None] * np.stack((np.cos(found.angles), np.sin(found.angles)), axis=1)
    np.testing.assert_allclose(least.ravel(), case["u_pseudoinverse_xy"], atol=1e-6)


@pytest.mark.parametrize("seed", range(5))
def test_optimal_by_another_method(seed):
    rng = np.random.default_rng(seed)
    for _ in range(40):
        case = dict(FIXED[0])
        case |= {
            "tau": rng.normal(0.0, 1500.0, 6),
            "u_previous": rng.uniform(-300.0, 300.0, 8),
            "rate_step": rng.choice([80.0, 500.0]),
        }
        for problem in (
            fixed(case),
            azimuths(AZIMUTHS[0] | {"tau": rng.normal(0.0, 500.0, 3)}),
        ):
            u, other = qp.solve(problem), lawson_hanson(problem)
            np.testing.assert_allclose(u, other, atol=1e-6 * np.abs(problem.high).max())
            assert problem.cost(u) <= problem.cost(other) * (1.0 + 1e-9) + 1e-9


def test_polygon_lies_within_its_circle_and_touches_it():
    rows, bounds = qp.polygon(250.0)
    angles = np.arange(16) * 2 * np.pi / 16
    corners = 250.0 * np.array((np.cos(angles), np.sin(angles)))
    assert np.abs((rows @ corners - bounds[:, None]).max(axis=0)).max() < 1e-9


def test_wedge_holds_the_directions_between_its_edges():
    rows = qp.wedge(np.radians(170.0), np.radians(200.0))
    for degrees, inside in (
        (170.5, True),
        (199.5, True),
        (165.0, False),
        (205.0, False),
        (0, False),
    ):
        direction = np.array((np.cos(np.radians(degrees)), np.sin(np.radians(degrees))))
        assert bool((rows @ direction <= 0.0).all()) == inside


def test_limits_without_a_solution_are_an_error():
    problem = fixed(FIXED[0])
    nothing = qp.Problem(
        problem.B,
        problem.tau,
        problem.Q,
        problem.R,
        problem.low,
        problem.high,
        np.eye(8)[:1],
        np.array([-1e4]),
    )
    with pytest.raises(qp.NoSolution, match="no allocation within the limits"):
        qp.solve(nothing)
