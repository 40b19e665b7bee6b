"""Heave, pitch and roll of ships in regular waves, in closed form: for ships without a mesh.

Source: Jensen, Mansour & Olsen (2004), Estimation of ship motions using closed-form expressions,
Ocean Engineering 31, 61-85. The hull is a box of the ship's length, breadth and draught; for ships,
not for boats with a length of few breadths.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, exp, pi, sin, sqrt

GRAVITY = 9.81
WATER = 1025.0
SMALL = 1e-9


@dataclass(frozen=True)
class Ship:
    """What the expressions need of a ship.

    Attributes:
        length, breadth, draught: [m].
        block: coefficient C_b.
        GM_T: transverse metacentric height [m].
        roll_period: natural [s].
        roll_damping: ratio.
    """

    length: float
    breadth: float
    draught: float
    block: float
    GM_T: float
    roll_period: float
    roll_damping: float


@dataclass(frozen=True)
class Response:
    """Complex amplitudes for an elevation a cos(w_e t) amidships: Re(X e^{i w_e t}).

    Attributes:
        heave: down [m]. pitch, roll: [rad].
        encounter: w_e [rad/s].
    """

    heave: complex
    pitch: complex
    roll: complex
    encounter: float


def response(ship: Ship, amplitude: float, period: float, beta: float, speed: float) -> Response:
    """Give the response to a regular wave.

    Args:
        ship: see there.
        amplitude: of the wave [m].
        period: of the wave [s].
        beta: its direction relative to the bow, 0 following, pi head [rad].
        speed: of the ship [m/s].
    """
    w = 2.0 * pi / period
    k = w * w / GRAVITY
    encounter = w - k * speed * cos(beta)
    alpha = encounter / w
    B, T, L = ship.breadth, ship.draught, ship.length
    sigma = max(abs(k * cos(beta)) * L / 2.0, SMALL)
    radiated = 2.0 * sin(0.5 * k * B * alpha**2) * exp(-k * T * alpha**2)
    f = sqrt((1.0 - k * T) ** 2 + (radiated**2 / (k * B * alpha**3)) ** 2)
    common = exp(-abs(k * cos(beta)) * T) * f
    F = common * sin(sigma) / sigma
    G = common * 6.0 / L / sigma * (sin(sigma) / sigma - cos(sigma))
    wn = sqrt(GRAVITY / (2.0 * T))
    zeta = radiated**2 / (B * alpha**3) * sqrt(1.0 / (8.0 * k**3 * T))
    transfer = wn**2 / (wn**2 - encounter**2 + 2j * zeta * wn * encounter)
    return Response(
        amplitude * F * transfer,
        -1j * amplitude * G * transfer,
        _roll(ship, amplitude, beta, encounter),
        encounter,
    )


def _roll(ship: Ship, amplitude: float, beta: float, encounter: float) -> complex:
    """Give roll: damping gives the moment by Haskind's relation."""
    w4 = 2.0 * pi / ship.roll_period
    C44 = WATER * GRAVITY * ship.block * ship.length * ship.breadth * ship.draught * ship.GM_T
    M44 = C44 / w4**2
    B44 = 2.0 * ship.roll_damping * w4 * M44
    moment = sin(beta) * sqrt(WATER * GRAVITY**2 / abs(encounter) * B44)
    return amplitude * moment / (C44 - encounter**2 * M44 + 1j * encounter * B44)
