"""Independent implementation of the torpedo's four fins, compared far from the recorded runs.

Each fin stands 0.1 m off the axis at the tail, at an angle from starboard over the keel; it meets
the flow in its own plane, u and what of v and w crosses it, and pushes by rho/2 A C_L delta U²
across itself (Fossen's Python Vehicle Simulator, fins of torpedo.py).
"""

from __future__ import annotations

from math import cos, pi, sin

import numpy as np
import pytest

from steerageway.vessel.fossen.folder import load
from steerageway.vessel.tools.inertia import mass_of
from steerageway.vessel.tools.place import SHIPPED
from steerageway.world.arrays import Floats

pytestmark = pytest.mark.slow  # they compile
RHO, AREA, TAIL, ARM = 1026.0, 0.00665, -0.8, 0.1
FINS = ((3 * pi / 2, 0.5), (pi / 2, 0.5), (pi, 0.7), (0.0, 0.7))  # top, bottom, two planes: C_L


def pushed(nu_r: Floats, delta: Floats) -> Floats:
    """Return the force (6,) of all fins."""
    tau = np.zeros(6)
    u, v, w = nu_r[:3]
    for (angle, C_L), turned in zip(FINS, delta, strict=True):
        across = v * sin(angle), w * cos(angle)
        lift = 0.5 * RHO * AREA * C_L * turned * (u**2 + across[0] ** 2 + across[1] ** 2)
        F = np.array([0, sin(angle) * lift, -cos(angle) * lift])
        place = np.array([TAIL, ARM * cos(angle), ARM * sin(angle)])
        tau += np.concatenate((F, np.cross(place, F)))
    return tau


@pytest.mark.parametrize("seed", range(20))
def test_the_torpedos_fins_are_pythons_anywhere(seed: int) -> None:
    vessel = load(SHIPPED / "torpedo", peer_compat="pvs")
    rng = np.random.default_rng(seed)
    heading, delta = rng.uniform(-9, 9), rng.uniform(-0.26, 0.26, 4)
    nu = rng.uniform(-1, 1, 6) * [3, 3, 3, 0, 0, 0]
    north, east = rng.uniform(-4, 4, 2)
    c, s = np.cos(heading), np.sin(heading)
    flow = np.array([c * north + s * east, c * east - s * north, 0, 0, 0, 0])
    around, still = vessel.surroundings((north, east, 0.0)), np.zeros(5)
    x = np.concatenate(([0, 0, 0, rng.uniform(-1, 1), rng.uniform(-1, 1), heading], nu, still))
    turned = x.copy()
    turned[12:16] = delta
    change = vessel.derivative(turned, still, around) - vessel.derivative(x, still, around)
    force = mass_of(vessel).M @ change[6:12]
    np.testing.assert_allclose(force, pushed(nu - flow, delta), rtol=1e-9, atol=1e-9)
