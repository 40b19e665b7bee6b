"""Damping by specification answers as specified; friction and lift follow their lines."""

import numpy as np
import pytest
from scipy.linalg import expm

from steerageway.vessel.damping import Dmtrx, coeffLiftDrag, forceLiftDrag, friction, ittc57
from steerageway.vessel.errors import InvalidValue

MRB = np.diag([100.0, 100.0, 100.0, 5.0, 20.0, 21.0])
MA = np.diag([5.0, 90.0, 110.0, 1.0, 15.0, 12.0])
G = np.diag([0, 0, 7000.0, 900.0, 2700.0, 0])
TIMES, RATIOS = (20.0, 10.0, 5.0), (0.3, 0.4)


@pytest.mark.parametrize(("axis", "time"), [(0, 20.0), (1, 10.0), (5, 5.0)])
def test_a_velocity_falls_to_an_eth_in_its_time_constant(axis, time):
    D, M = Dmtrx(TIMES, RATIOS, MRB, MA, G), MRB + MA
    left = expm(-np.linalg.inv(M) @ D * time)[axis, axis]
    assert left == pytest.approx(np.exp(-1))


@pytest.mark.parametrize(("axis", "ratio"), [(2, 0.2), (3, 0.3), (4, 0.4)])
def test_swings_have_their_damping_ratio(axis, ratio):
    D, M = Dmtrx(TIMES, RATIOS, MRB, MA, G), MRB + MA
    m, d, g = (A[axis, axis] for A in (M, D, G))
    roots = np.roots([m, d, g])
    np.testing.assert_allclose(-roots.real / abs(roots), ratio)


def test_a_submerged_craft_heaves_as_it_sways_and_rights_by_its_weight():
    W, below = 1000.0, 0.02
    D = Dmtrx(TIMES, RATIOS, MRB, MA, [W, 0, 0, below, 0, 0, 0])
    assert D[2, 2] == pytest.approx(210 / 10)
    assert D[3, 3] == pytest.approx(2 * 0.3 * np.sqrt(W * below * 6.0))
    assert D[4, 4] == pytest.approx(2 * 0.4 * np.sqrt(W * below * 35.0))


@pytest.mark.parametrize(
    ("hydrostatics", "expected"),
    [
        ([1000, 0, 0, -0.02, 0, 0, 0], "none below zero"),
        (-G, "none below zero"),
        (np.zeros(6), r"shape \(6,\)"),
    ],
)
def test_a_craft_that_does_not_float_upright_is_refused(hydrostatics, expected):
    with pytest.raises(InvalidValue, match=expected):
        Dmtrx(TIMES, RATIOS, MRB, MA, hydrostatics)


def test_the_friction_line_has_its_published_values():
    # ITTC Recommended Procedures 7.5-02-02-01: 3.000e-3 at 1e7, 1.5e-3 at 1e9 (0.075 / 49).
    assert ittc57(1e7) == pytest.approx(3.0e-3)
    assert ittc57(1e9) == pytest.approx(0.075 / 49)
    with pytest.raises(InvalidValue, match="more than 100"):
        ittc57(100)


def test_friction_opposes_motion_either_way():
    ahead = friction(2.0, S=5.0, L=4.0, k=0.2)
    reynolds = 2.0 * 4.0 / 1.19e-6
    assert ahead == pytest.approx(-0.5 * 1025 * 5 * 1.2 * ittc57(reynolds) * 4)
    assert friction(-2.0, S=5.0, L=4.0, k=0.2) == -ahead
    assert friction(0.0, S=5.0, L=4.0) == 0
    assert -1e-6 < friction(1e-6, S=5.0, L=4.0) < 0


def test_a_hull_lifts_as_a_short_wing_and_pays_for_it():
    b, S, alpha = 0.19, 0.2128, 0.1
    AR = b**2 / S
    CL, CD = coeffLiftDrag(b, S, 0.1, alpha)
    assert pytest.approx(np.pi * AR * alpha / 2, rel=0.01) == CL  # slender-wing theory
    assert CD > 0.1
    tau = forceLiftDrag(b, S, 0.1, alpha, 2.0)
    flow = np.array([np.cos(alpha), 0, np.sin(alpha)])
    assert tau[:3] @ flow == pytest.approx(-0.5 * 1026 * 4 * S * CD)
    assert tau[2] < 0  # the bow up: lift is up
    np.testing.assert_array_equal(tau[[1, 3, 4, 5]], 0)
