"""Resistance of a vessel over speed ahead, and its hull speed.

The resistance is that of the model's equations, from its damping and resistance parameters, which
do not include the hump of wave-making resistance unless its files do. A displacement hull meets the
hump near V/sqrt(L) = 1.34, with V in knots and L in feet, where its waves are as long as the hull.

Source: Gillmer and Johnson (1982), Introduction to Naval Architecture, equation 11-15.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import sqrt
from pathlib import Path

import numpy as np

from steerageway.vessel.errors import InvalidValue, NotFinite, OutsideEnvelope
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.orders import orders_of
from steerageway.vessel.fossen.state import NU
from steerageway.vessel.tools.inertia import inertia_of
from steerageway.vessel.tools.linear import state_at
from steerageway.vessel.tools.trials import full_ahead
from steerageway.world import pictures
from steerageway.world.arrays import Floats

SPEED_LENGTH = 1.34  # hull speed over the root of the length [knots/sqrt(feet)]
FOOT, KNOT = 0.3048, 1852.0 / 3600.0
SHARES = (0.25, 0.5, 0.75, 1.0)  # printed fractions of the top speed


def hull_speed(length: float) -> float:
    """Return the speed [m/s] at which the bow wave is as long as the hull [m]."""
    return SPEED_LENGTH * sqrt(length / FOOT) * KNOT


def top_speed(vessel: Dynamics) -> float:
    """Return the speed at full thrust [m/s]; 0 if the model does not settle."""
    try:
        return float(full_ahead(vessel, orders_of(vessel))[6])
    except (NotFinite, OutsideEnvelope):
        return 0.0


def resistance(vessel: Dynamics, speeds: Sequence[float]) -> Floats | None:
    """Return the resistance (n,) [N] at speeds ahead [m/s], with thrusters off.

    None for a model without inertia, which has no forces.
    """
    M = inertia_of(vessel)
    if M is None:
        return None
    calm, orders = vessel.surroundings(), np.zeros(len(vessel.commands))
    forces = []
    for speed in speeds:
        rates = vessel.derivative(state_at(vessel, speed), orders, calm)[NU]
        forces.append(-float((M @ rates)[0]))
    return np.array(forces)


def resistance_lines(vessel: Dynamics, top: float, length: float | None) -> Iterator[str]:
    """Yield the lines to print.

    Args:
        vessel: to analyse.
        top: its top speed [m/s].
        length: of the hull [m]; None: unknown, or a submerged hull.
    """
    speeds = [share * top for share in SHARES]
    forces = resistance(vessel, speeds)
    if forces is not None and (forces < 0.0).any():
        yield "resistance ahead: not apart from the propulsion in its equations"
    elif forces is not None and top > 0.0:
        text = ", ".join(f"{f:.4g} N at {u:.3g}" for u, f in zip(speeds, forces, strict=True))
        yield f"resistance ahead: {text} m/s"
    if length is None:
        return
    limit = hull_speed(length)
    yield f"hull speed, {SPEED_LENGTH:g} sqrt(L) in knots and feet: {limit:.3g} m/s"
    if top > limit:
        yield (
            f"warning: its top speed of {top:.3g} m/s is {top / limit:.2g} times its hull speed: a "
            "displacement hull would climb its own bow wave there; right of one that planes or is "
            "slender, else resistance is missing at speed (X_uuu, or a resistance table)"
        )


def draw_resistance(vessel: Dynamics, path: Path) -> None:
    """Write a plot of the resistance up to the top speed.

    Raises:
        InvalidValue: a model without inertia, or without a top speed.
    """
    top = top_speed(vessel)
    speeds = np.linspace(0.0, top, 200)
    forces = resistance(vessel, speeds.tolist())
    if forces is None or top <= 0.0 or (forces < 0.0).any():
        needed = "inertia, a top speed, and resistance apart from its propulsion"
        raise InvalidValue(f"{vessel.name}: expected a vessel with {needed}")
    figure, ((panel,),) = pictures.panels()
    panel.plot(speeds, forces, color=pictures.BLUE, lw=2.0)
    pictures.labelled(panel, vessel.name, "speed ahead [m/s]", "resistance [N]")
    pictures.write(figure, path)
