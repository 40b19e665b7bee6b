"""Second implementation of the naval vessel: data as a table of products, and one solution.

No term is spelt as in the model: every derivative is a row of powers, the mass matrix is built from
the rigid body and the accelerations, and the centripetal forces from a cross product. Numbers are
the published ones: Blanke and Christensen (1993), Perez (2005), appendix B.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from steerageway.vessel.fossen.folder import load
from steerageway.vessel.kinematics import eul_to_rotm

pytestmark = pytest.mark.slow
INPUTS = Path(__file__).parents[3] / "inputs"
AXES = {"X": 0, "Y": 1, "K": 2, "N": 3}
SYMBOLS = ("u", "v", "p", "r", "phi")
RHO, GRAVITY, VOLUME, GM = 1014.0, 9.81, 357.0, 1.1
MASS = RHO * VOLUME
CENTRE = np.array([-3.38, 0.0, -(3.36 - 2.3)])
DERIVATIVES = """
X  u|u| -1960        X  vr 0.33*m
Y  |u|v -11800       Y  ur 131000      Y  v|v| -3700     Y  v|r| -794000   Y  |v|r -182000
Y  phi|u||v| 10800   Y  phi|u||r| 251000                 Y  phiuu -74
K  |u|v 9260         K  ur -102000     K  v|v| 29300     K  v|r| 621000    K  |v|r 142000
K  phi|u||v| -8400   K  phi|u||r| -196000                K  phiuu -1180
K  |u|p -15500       K  p|p| -416000   K  p -500000      K  phiphiphi -0.325*mg
N  |u|v -92000       N  |u|r -4710000  N  r|r| -202000000                  N  |v|r -15600000
N  phi|u||phi| -214000  N  phiu|r| -4980000                 N  phiu|u| -8000
"""
ACCELERATIONS = {
    "X": {"u": -17400.0},
    "Y": {"v": -393000.0, "p": -296000.0, "r": -1.4e6},
    "K": {"v": 296000.0, "p": -774000.0, "r": 0.0},
    "N": {"v": 538000.0, "p": 0.0, "r": -38.7e6},
}


def read_products() -> list[tuple[int, list[tuple[int, bool]], float]]:
    """Return (axis, [(symbol, absolute), ...], coefficient) of the table above."""
    words = DERIVATIVES.split()
    units = {"": 1.0, "m": MASS, "mg": MASS * GRAVITY}
    rows = []
    for axis, product, number in zip(words[::3], words[1::3], words[2::3], strict=True):
        value, _, unit = number.partition("*")
        rows.append((AXES[axis], factors_of(product), float(value) * units[unit]))
    return rows


def factors_of(product: str) -> list[tuple[int, bool]]:
    """Split ``phi|u||v|`` into symbols; inside | | they are absolute."""
    found = []
    for k, piece in enumerate(product.split("|")):
        while piece:
            symbol = next(s for s in sorted(SYMBOLS, key=len, reverse=True) if piece.startswith(s))
            found.append((SYMBOLS.index(symbol), k % 2 == 1))
            piece = piece[len(symbol) :]
    return found


PRODUCTS = read_products()


def mass_matrix() -> np.ndarray:
    """Return M (4, 4) of surge, sway, roll and yaw: rigid body minus acceleration derivatives."""
    x_G, _, z_G = CENTRE
    rigid = np.diag([MASS, MASS, 2.3763e6, 47.934e6])
    rigid[1, 2] = rigid[2, 1] = -MASS * z_G
    rigid[1, 3] = rigid[3, 1] = MASS * x_G
    added = np.array(
        [[ACCELERATIONS[axis].get(symbol, 0.0) for symbol in ("u", "v", "p", "r")] for axis in AXES]
    )
    return rigid - added


def rates(x: np.ndarray, tau: np.ndarray, current: np.ndarray) -> np.ndarray:
    """Return d/dt of the 12 states: eta in NED, nu over ground."""
    R = eul_to_rotm(x[3:6])
    water = R.T @ current
    u, v, _ = x[6:9] - water
    p, r, phi = x[9], x[11], x[3]
    symbols = np.array([u, v, p, r, phi])
    forces = np.array(tau, float)
    for axis, factors, coefficient in PRODUCTS:
        sizes = [abs(symbols[k]) if absolute else symbols[k] for k, absolute in factors]
        forces[axis] += coefficient * np.prod(sizes)
    forces[2] -= RHO * GRAVITY * VOLUME * GM * phi
    turning, moving = np.array([p, 0.0, r]), np.array([u, v, 0.0])
    centripetal = np.cross(turning, moving) + np.cross(turning, np.cross(turning, CENTRE))
    x_G, _, z_G = CENTRE
    forces[0] -= MASS * centripetal[0]
    forces[1] -= MASS * u * r
    forces[2] += MASS * z_G * u * r
    forces[3] -= MASS * x_G * u * r
    accelerations = np.linalg.solve(mass_matrix(), forces)
    out = np.zeros(12)
    out[:3] = R @ x[6:9]
    out[2] = 0.0
    out[3], out[5] = p, r * np.cos(phi)
    out[[6, 7, 9, 11]] = accelerations
    # with a constant pitch of zero the frame turns by p and, about the vertical, by r cos(phi)
    whirl = -np.cross(np.array([p, 0.0, 0.0]) + R.T @ [0.0, 0.0, r * np.cos(phi)], water)
    out[6:9] += whirl
    return out


@pytest.mark.parametrize("flow", ["still water", "a current"])
def test_a_second_writing_of_its_equations_agrees_to_twelve_digits(flow):
    ship, rng = load(INPUTS / "navalvessel"), np.random.default_rng(20)
    for _ in range(500):
        x = np.zeros(ship.initial.size)
        spread = np.array([100, 100, 0, 0.6, 0, np.pi, 12, 3, 0, 0.3, 0, 0.1])
        x[:12] = rng.uniform(-1, 1, 12) * spread
        tau = rng.uniform(-1, 1, 4) * [2e5, 2e5, 2e6, 9e6]
        x[12:] = tau
        current = np.zeros(3)
        if flow == "a current":
            current[:2] = rng.uniform(-2, 2, 2)
        computed = ship.derivative(x, tau, ship.surroundings(current=current))[:12]
        own = rates(x, tau, current)
        scale = np.array([12, 12, 1, 0.3, 1, 0.1, 1, 1, 1, 0.1, 1, 0.01])
        np.testing.assert_allclose(computed / scale, own / scale, rtol=1e-12, atol=1e-12)


def test_the_table_holds_every_derivative_once():
    assert len(PRODUCTS) == 2 + 8 + 12 + 7
    assert len({(axis, tuple(sorted(factors))) for axis, factors, _ in PRODUCTS}) == len(PRODUCTS)
