"""Closed-form heave, pitch and roll of ships in regular waves, for ships without a mesh.

Source: Jensen, Mansour & Olsen (2004), Estimation of ship motions using closed-form expressions,
Ocean Engineering 31, 61-85. The hull is a box of the ship's length, breadth and draught; valid for
ships, not for boats of small length-to-breadth ratio.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import pi

import numpy as np
from numpy.typing import ArrayLike, NDArray

from steerageway.world.arrays import Floats
from steerageway.world.constants import DENSITY, GRAVITY

Complex = NDArray[np.complex128]
SMALL = 1e-9
SLOWEST = 1e-3  # minimum of alpha, and of w_e over the natural frequency of roll


@dataclass(frozen=True)
class Ship:
    """Ship data of the expressions.

    Attributes:
        length, breadth, draught: [m].
        block: block coefficient C_b.
        GM_T: transverse metacentric height [m].
        roll_period: natural period of roll [s].
        roll_damping: damping ratio of roll.
    """

    length: float
    breadth: float
    draught: float
    block: float
    GM_T: float
    roll_period: float
    roll_damping: float


@dataclass(frozen=True, eq=False)
class Response:
    """Complex amplitudes for an elevation a cos(w_e t) amidships: Re(X e^{i w_e t}).

    Attributes:
        heave: up [m]. pitch: [rad], bow up in following seas. roll: [rad], sign of its moment.
        encounter: frequency of encounter w_e [rad/s].
    """

    heave: Complex
    pitch: Complex
    roll: Complex
    encounter: Floats


def response(
    ship: Ship, amplitude: ArrayLike, period: ArrayLike, beta: ArrayLike, speed: float
) -> Response:
    """Return the response to regular waves; arguments are numbers or arrays of one shape.

    Args:
        ship: ship data.
        amplitude: wave amplitude [m].
        period: wave period [s].
        beta: wave direction relative to the bow, 0 following, pi head [rad].
        speed: speed of the ship [m/s].
    """
    a, angle = np.asarray(amplitude, np.float64), np.asarray(beta, np.float64)
    w = 2.0 * pi / np.asarray(period, np.float64)
    k = w * w / GRAVITY
    encounter = w - k * speed * np.cos(angle)
    alpha = encounter / w
    alpha = np.where(np.abs(alpha) < SLOWEST, SLOWEST, alpha)
    B, T, L = ship.breadth, ship.draught, ship.length
    sigma = np.maximum(np.abs(k * np.cos(angle)) * L / 2.0, SMALL)
    radiated = 2.0 * np.sin(0.5 * k * B * alpha**2) * np.exp(-k * T * alpha**2)
    f = np.sqrt((1.0 - k * T) ** 2 + (radiated**2 / (k * B * alpha**3)) ** 2)
    common = np.exp(-np.abs(k * np.cos(angle)) * T) * f
    F = common * np.sin(sigma) / sigma
    G = common * 6.0 / L / sigma * (np.sin(sigma) / sigma - np.cos(sigma))
    wn = np.sqrt(GRAVITY / (2.0 * T))
    zeta = radiated**2 / (B * alpha**3) * np.sqrt(1.0 / (8.0 * k**3 * T))
    transfer = wn**2 / (wn**2 - encounter**2 + 2j * zeta * wn * encounter)
    return Response(
        a * F * transfer, -1j * a * G * transfer, _roll(ship, a, angle, encounter), encounter
    )


def _roll(ship: Ship, amplitude: Floats, beta: Floats, encounter: Floats) -> Complex:
    """Return roll: the damping gives the moment by Haskind's relation."""
    w4 = 2.0 * pi / ship.roll_period
    C44 = DENSITY * GRAVITY * ship.block * ship.length * ship.breadth * ship.draught * ship.GM_T
    M44 = C44 / w4**2
    B44 = 2.0 * ship.roll_damping * w4 * M44
    slow = np.maximum(np.abs(encounter), SLOWEST * w4)
    moment = np.sin(beta) * np.sqrt(DENSITY * GRAVITY**2 / slow * B44)
    rolled: Complex = amplitude * moment / (C44 - encounter**2 * M44 + 1j * encounter * B44)
    return rolled


def motions(ship: Ship, w: Floats, beta: Floats, speed: float) -> tuple[Complex, Floats]:
    """Return the motions (n, 6) in BODY for waves of 1 m, and the frequencies of encounter (n,).

    Heave, roll and pitch; phases are those of a ship in long waves, which follows the
    surface and its slope. A wave overtaken by the ship is treated as coming from the other side.

    Args:
        ship: ship data.
        w: (n,) wave frequencies [rad/s].
        beta: (n,) directions waves go to, clockwise from the bow [rad].
        speed: speed of the ship, ahead [m/s].
    """
    met = response(ship, np.ones_like(w), 2.0 * pi / w, beta, speed)
    overtaken = met.encounter < 0.0  # there the damping of the expressions has the opposite sign
    X = np.zeros((len(w), 6), np.complex128)
    X[:, 2] = -np.where(overtaken, np.conj(met.heave), met.heave)
    X[:, 3] = 1j * met.roll
    pitch = np.where(overtaken, -np.conj(met.pitch), met.pitch)
    X[:, 4] = np.sign(np.cos(beta)) * pitch
    return X, met.encounter
