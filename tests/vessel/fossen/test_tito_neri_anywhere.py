"""Independent implementation of the Tito Neri, compared far from the recorded runs.

Backwards, sideways, spinning at 9 rad/s, azimuths and revolutions beyond their stops, a current
faster than it is. M nu_r' + C(nu_r) nu_r + D nu_r = tau with TurtleBoat's figures (Haseltalab and
Negenborn, 2019), in still water and in a current that stays as it is in NED.
"""

from __future__ import annotations

from math import pi, radians

import numpy as np
import pytest

from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.folder import load
from steerageway.vessel.tools.place import SHIPPED
from steerageway.world.arrays import Floats

pytestmark = pytest.mark.slow  # they compile
M = np.diag([18.1, 18.1, 16.9, 1.0, 1.0, 2.31])  # hull and water [kg, kg m²]
D = np.diag([2.6416, 21.9034, 0, 0, 0, 0.105])
D[1, 5] = D[5, 1] = -1.0952
MOST = np.array([120 * pi, 120 * pi, 1.0, radians(135), radians(135)])  # 60 turns a second; full
RATE = np.array([240 * pi, 240 * pi, 2.0, 0.7 * pi, 0.7 * pi])  # a second


@pytest.fixture(scope="module")
def tito() -> Dynamics:
    return load(SHIPPED / "tito_neri")


def pushed(act: Floats) -> Floats:
    """Return the force (6,) of two azimuth thrusters and the bow thruster."""
    tau = np.zeros(6)
    for n, alpha, y in zip(act[:2] / (2 * pi), act[3:], (-0.08, 0.08), strict=True):
        F = 1.925e-5 * n**3 + 1.061e-2 * n
        along, across = F * np.cos(alpha), F * np.sin(alpha)
        tau += [along, across, 0, 0, 0, -0.42 * across - y * along]
    tau += 3.575 * act[2] * np.array([0, 1, 0, 0, 0, 0.28])
    return tau


@pytest.mark.parametrize("seed", range(20))
def test_the_tito_neri_satisfies_its_equation_everywhere(tito: Dynamics, seed: int) -> None:
    rng = np.random.default_rng(seed)
    heading, act = rng.uniform(-9, 9), rng.uniform(-1, 1, 5) * MOST
    u, v, r = rng.uniform(-1, 1, 3) * [4, 4, 9]
    north, east = rng.uniform(-6, 6, 2)
    c, s = np.cos(heading), np.sin(heading)
    flow = np.array([c * north + s * east, c * east - s * north, 0, 0, 0, 0])
    nu_r = np.array([u, v, 0, 0, 0, r]) - flow
    a = M[:2, :2] @ nu_r[:2]  # the momentum, which turns with it
    C_nu = np.array([-a[1] * r, a[0] * r, 0, 0, 0, nu_r[0] * a[1] - nu_r[1] * a[0]])
    expected = np.array([r * flow[1], -r * flow[0], 0, 0, 0, 0])
    expected += np.linalg.solve(M, pushed(act) - C_nu - D @ nu_r)
    x = np.array([0, 0, 0, 0, 0, heading, u, v, 0, 0, 0, r, *act])
    ours = tito.derivative(x, act, tito.surroundings((north, east, 0.0)))[6:12]
    np.testing.assert_allclose(ours, expected, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("seed", range(10))
def test_actuators_move_at_their_rates_and_stay_within_their_stops(
    tito: Dynamics, seed: int
) -> None:
    rng, dt = np.random.default_rng(seed), 0.02
    act, cmd = rng.uniform(-1, 1, 5) * MOST, rng.uniform(-2, 2, 5) * MOST
    x = np.concatenate((np.zeros(12), act))
    for _ in range(200):
        x = tito.step(x, cmd, tito.surroundings(), dt)
        act = np.clip(act + np.clip(cmd - act, -RATE * dt, RATE * dt), -MOST, MOST)
        np.testing.assert_allclose(x[12:], act, rtol=1e-12, atol=1e-12)
