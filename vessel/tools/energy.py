"""``python -m vessel energy NAME --hz 200``: does the model keep a free body's energy?

All forces are taken away but those of inertia, the vessel is set in motion, and her kinetic
energy, ``nu' M nu / 2``, is looked at after some seconds: any change is the integration's error,
or the Coriolis matrix's.

Source: the check of TurtleBoat's documentation; Fossen (2011), equation 6.34.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from vessel.errors import InvalidValue
from vessel.fossen import layout as at
from vessel.fossen.dynamics import NU, Dynamics, Floats
from vessel.kinematics import eul_to_rotm
from vessel.tools.linear import (
    coefficients,
    fields_of,
    inertia_of,
    is_coefficient_form,
    without,
)

START = (0.3, 0.08, 0.0, 0.0, 0.0, 0.05)
SECONDS = 15.0
PUBLISHED = {"D", "G", "B", "K", "drag", "X_u", "X_uu"}  # forces of models that name them so
FORCES = (at.PUSH, at.CROSS, at.LIFT_AREA, at.RESTORING, at.WIND_FRONT, at.WIND_SIDE)


def energy(vessel: Dynamics, hz: float) -> Iterator[str]:
    """Give the lines to print.

    Raises:
        InvalidValue: a rate that is not positive, or a published model whose inertia is not apart.
    """
    if not hz > 0:
        raise InvalidValue(f"--hz {hz:g}: expected a number above zero")
    M, body = inertia_of(vessel), free(vessel)
    assert M is not None
    steps = round(SECONDS * hz)
    x = np.concatenate((np.zeros(6), START, np.zeros(len(vessel.actuators))))
    calm, command = body.surroundings(), np.zeros(len(vessel.commands))
    for scheme, step in (("Runge-Kutta", body.step), ("Euler, the peers' order", body.euler_step)):
        after = step(x, command, calm, 1 / hz, steps=steps)
        T0, T = (kinetic_energy(M, state) for state in (x, after))
        drift = np.linalg.norm(momentum(M, after) - momentum(M, x))
        size = np.linalg.norm(momentum(M, x))
        yield (
            f"{scheme} at {hz:g} Hz for {SECONDS:g} s: energy {T0:.6g} J to {T:.6g} J, "
            f"{(T - T0) / T0:+.3g} of it; momentum off by {drift / size:.3g} of it"
        )
    if not _turns_momentum(vessel):
        yield "her files leave out Coriolis terms, so that momentum is not kept"


def _turns_momentum(vessel: Dynamics) -> bool:
    if is_coefficient_form(vessel):
        return bool(coefficients(vessel).scalars[at.CORIOLIS] == 1.0)
    return "M_RB" in fields_of(vessel)


def free(vessel: Dynamics) -> Dynamics:
    """Give a vessel on which nothing acts but her inertia, free to tumble.

    Raises:
        InvalidValue: a published model whose inertia is not apart from the forces.
    """
    if inertia_of(vessel) is not None and not is_coefficient_form(vessel):
        given: Any = vessel.parameters
        none = {name: 0.0 * getattr(given, name) for name in PUBLISHED & {*given._fields}}
        return replace(vessel, parameters=given._replace(**none), quaternions=True)
    bare = without(vessel, *FORCES)
    p = coefficients(bare)
    inert = p._replace(values=np.zeros_like(p.values), effectors=p.effectors[:0])
    return replace(bare, parameters=inert, quaternions=True)


def kinetic_energy(M: Floats, x: Floats) -> float:
    """Give that of a state [J]."""
    nu = x[NU]
    return float(nu @ M @ nu / 2)


def momentum(M: Floats, x: Floats) -> Floats:
    """Give the linear momentum (3,) of a state in NED [kg m/s]."""
    p_n: Floats = eul_to_rotm(x[3:6]) @ (M @ x[NU])[:3]
    return p_n
