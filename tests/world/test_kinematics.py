"""Wave kinematics against independent numbers; the fast evaluator against the exact one."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest
from references import WAVES, columns, data, rows, sea_of

from steerageway.world import kinematics as at
from steerageway.world import nodes
from steerageway.world.sea import Sea

MOTION = ("zeta_up", "u_n", "u_e", "u_d", "a_n", "a_e", "a_d", "p_dyn")
COLUMNS = [at.ZETA, *range(at.U_N, at.MOTION)]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["irregular_deep", "irregular_h18"])
@pytest.mark.parametrize("wheeler", [False, True])
def test_irregular_waves_move_the_water_as_they_should(name: str, wheeler: bool) -> None:
    reference = data(WAVES / f"{name}.json")
    table = rows(WAVES / f"{name}.csv")
    plain = sea_of(reference["components"], reference["depth"])
    sea = Sea(plain.rows, plain.water, wheeler)
    points, t = columns(table, "x", "y", "z_down"), columns(table, "t")[:, 0]
    names = [MOTION[0], *(f"wheeler_{key}" if wheeler else key for key in MOTION[1:])]
    expected = columns(table, *names)
    found = sea.motions(points, t)[:, COLUMNS]
    assert np.abs(found - expected).max(0) == pytest.approx(0, abs=1e-5)
    assert (np.abs(found - expected).max(0) <= 1e-8 * np.abs(expected).max(0)).all()


def test_regular_waves_move_the_water_as_they_should() -> None:
    for case in data(WAVES / "regular_cases.json"):
        parts = [[case["a"], case["w"], np.radians(case["beta_deg"]), case["eps"]]]
        sea = sea_of(parts, case["depth"])
        table = [row for row in rows(WAVES / "regular_points.csv") if row["case"] == case["case"]]
        points, t = columns(table, "x", "y", "z_down"), columns(table, "t")[:, 0]
        plain = Sea(sea.rows, sea.water, wheeler=False).motions(points, t)[:, COLUMNS]
        expected = columns(table, *MOTION)
        scale = np.abs(expected).max(0) + 1e-12
        assert (np.abs(plain - expected).max(0) <= 1e-8 * scale).all()
        stretched = sea.motions(points, t)
        names = ("wheeler_u_n", "wheeler_u_e", "wheeler_u_d", "wheeler_p_dyn")
        found = stretched[:, [at.U_N, at.U_E, at.U_D, at.PRESSURE]]
        assert np.abs(found - columns(table, *names)).max() < 1e-8 * np.abs(expected).max()
        assert sea.stokes_drift(0.0, 0.0) == pytest.approx(
            [
                case["stokes_drift_surface"] * np.cos(parts[0][2]),
                case["stokes_drift_surface"] * np.sin(parts[0][2]),
            ],
            abs=1e-8,
        )


def test_total_pressure_is_zero_at_the_surface_and_velocity_is_the_surfaces() -> None:
    reference = data(WAVES / "irregular_h18.json")
    sea = sea_of(reference["components"], reference["depth"])
    for t in np.linspace(0.0, 30.0, 31):
        zeta = float(sea.elevation(7.0, -3.0, t))
        there = sea.motions([[7.0, -3.0, -zeta]], t)[0]
        weight = 1025 * 9.81
        assert -weight * zeta + there[at.PRESSURE] == pytest.approx(0.0, abs=1e-8)


@pytest.mark.parametrize("depth", [None, 6.0])
def test_the_fast_evaluator_is_the_exact_one_at_its_points(depth: float | None) -> None:
    rng = np.random.default_rng(1)
    count, m = 50, 600
    parts = np.column_stack(
        (
            rng.uniform(0.01, 0.1, count),
            rng.uniform(0.4, 6.0, count),
            rng.uniform(-3.0, 3.0, count),
            rng.uniform(0.0, 6.0, count),
        )
    )
    sea = sea_of(parts, depth)
    points = np.vstack([rng.uniform(-8, 8, (2, m)), rng.uniform(-0.5, 2.0, (1, m))])
    place, t = np.array([1500.0, -2700.0]), 7261.25
    out, scratch = np.empty((2, m)), np.empty((count + 1, nodes.BLOCK))
    nodes.at_nodes(sea.rows, sea.water, t, place, points, scratch, nodes.WHEELER, out)
    there = points.T.copy()
    there[:, :2] += place
    exact = sea.motions(there, t)
    wet = points[2] + exact[:, at.ZETA] > 0
    assert np.abs(out[0] - exact[:, at.ZETA]).max() < 1e-10
    assert np.abs(out[1] - exact[:, at.PRESSURE])[wet].max() < 1e-6


def test_cosine_and_decay_are_good_to_the_last_places() -> None:
    for angle in np.linspace(-60.0, 60.0, 997):
        assert nodes.cosine.py_func(angle) == pytest.approx(np.cos(angle), abs=1e-14)  # type: ignore[attr-defined]
    for y in np.linspace(0.0, 31.0, 499):
        assert nodes.decay.py_func(y) == pytest.approx(np.exp(-y), rel=1e-11)  # type: ignore[attr-defined]


def test_deep_and_shallow_forms_meet() -> None:
    parts = [[0.5, 1.2, 0.3, 0.1]]
    deep, shallow = (
        Sea(sea.rows, sea.water, wheeler=False)
        for sea in (sea_of(parts, None), sea_of(parts, 400.0))
    )
    points = [[3.0, 4.0, 2.0], [0.0, 0.0, 0.5]]
    assert deep.motions(points, 5.0) == pytest.approx(shallow.motions(points, 5.0), rel=1e-9)
    assert deep.water[at.DEPTH] == inf
