"""Underwater vehicle at the surface: buoyancy and thrust decrease as it emerges."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.folder import load
from steerageway.world.arrays import Floats

pytestmark = pytest.mark.slow
INPUTS = Path(__file__).parents[3] / "inputs"
REMUS_UP = [0.0, -0.2, 150.0]  # rudder, stern plane [rad], propeller [rad/s]


@cache
def remus() -> Dynamics:
    return load(INPUTS / "remus100")


def track(v: Dynamics, depth: float, command: list[float], seconds: int = 60) -> Floats:
    """Return the states of each second, from rest at a depth."""
    x = v.initial.copy()
    x[2] = depth
    rows = []
    for _ in range(seconds):
        x = v.step(x, command, v.surroundings(), 0.02, 50)
        rows.append(x)
    return np.array(rows)


def test_under_full_thrust_and_planes_up_it_does_not_fly():
    rows = track(remus(), 3.0, REMUS_UP)
    assert rows[:, 2].min() > -0.2
    assert rows[30:, 2].max() < 1.0
    assert rows[-1, 6] > 1.5


def test_the_reference_fly():
    overrides = {"hydrodynamics.meets_surface": False}
    flying = load(INPUTS / "remus100", overrides=overrides)
    assert track(flying, 3.0, REMUS_UP)[-1, 2] < -5.0


def test_lifted_out_it_falls_back_and_stays_in_the_water():
    rows = track(remus(), -1.0, [0.0, 0.0, 0.0], 200)
    assert rows[0, 8] > 1.0  # falls
    assert (rows[5:, 2] > 0.0).all()


def test_the_surface_has_no_effect_at_depth():
    flying = load(INPUTS / "remus100", overrides={"hydrodynamics.meets_surface": False})
    assert np.array_equal(track(remus(), 5.0, REMUS_UP, 3), track(flying, 5.0, REMUS_UP, 3))


def test_in_the_air_a_propeller_pushes_nothing():
    x = remus().initial.copy()
    x[14] = 150.0
    pushes = []
    for depth in (1.0, 0.0, -0.5):
        x[2] = depth
        turning = remus().derivative(x, x[12:], remus().surroundings())[6]
        still = x.copy()
        still[14] = 0.0
        pushes.append(turning - remus().derivative(still, still[12:], remus().surroundings())[6])
    assert pushes[0] > pushes[1] > 0.0
    assert pushes[1] == pytest.approx(0.5 * pushes[0], rel=1e-6)
    assert pushes[2] == pytest.approx(0.0, abs=1e-12)


def test_a_floating_hull_has_restoring_and_no_surface_to_meet():
    with pytest.raises(InvalidValue, match="meets_surface: true: expected false"):
        load(INPUTS / "otter", overrides={"hydrodynamics.meets_surface": True})


@cache
def nps(peer: str = "") -> Dynamics:
    return load(INPUTS / "npsauv", peer_compat=peer)


NPS_UP = [0.0, -0.3, 0.2, 0.2, 100.0]  # rudder, stern plane, bow planes [rad], shaft [rad/s]


def test_the_nps_auv_does_not_fly_under_full_thrust_and_planes_up():
    rows = track(nps(), 5.0, NPS_UP, 200)
    assert rows[:, 2].min() > -0.53
    assert track(nps("mss"), 5.0, NPS_UP, 200)[-1, 2] < -10.0


def test_the_nps_auv_lifted_out_falls_back_with_its_weight():
    x = nps().initial.copy()
    x[2] = -5.0
    x[6:12] = 0.0
    fall = nps().derivative(x, np.zeros(5), nps().surroundings())
    heavy = nps().parameters.scalars["weight"]
    assert fall[8] > 0.2 * 9.81  # with the added mass that it keeps
    assert heavy == pytest.approx(53400.0)
    assert (track(nps(), -1.0, [0.0] * 5, 300)[20:, 2] > 0.0).all()


def test_the_nps_auvs_propeller_pushes_nothing_in_the_air():
    pushes = []
    for depth in (10.0, -0.6):
        x = nps().initial.copy()
        x[2], x[6:12], x[12:] = depth, 0.0, 0.0
        still = nps().derivative(x, x[12:], nps().surroundings())[6]
        x[16] = 100.0
        pushes.append(nps().derivative(x, x[12:], nps().surroundings())[6] - still)
    assert pushes[0] > 0.0
    assert pushes[1] == pytest.approx(0.0, abs=1e-12)


def test_a_model_without_a_surface_reports_it():
    dsrv = load(INPUTS / "dsrv")
    assert [limit for limit, _ in dsrv.envelope.left(-1.0, 0.0, (4.1, 0.0, 0.0), np.inf)] == [
        "surface"
    ]
