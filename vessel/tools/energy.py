"""``python -m vessel energy NAME --hz 200``: does the model keep a free body's energy?

All forces are taken away but those of inertia, the vessel is set in motion, and its kinetic
energy, ``nu' M nu / 2``, is looked at after some seconds: any change is the integration's error,
or the Coriolis matrix's.

Source: the check of TurtleBoat's documentation; Fossen (2011), equation 6.34.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from steerageway.vessel.errors import InvalidValue, OutsideEnvelope
from steerageway.vessel.fossen import coefficient
from steerageway.vessel.fossen import layout as at
from steerageway.vessel.fossen.dynamics import NU, Dynamics, Floats
from steerageway.vessel.kinematics import eul_to_rotm
from steerageway.vessel.tools.inertia import (
    coefficients,
    fields_of,
    inertia_of,
    is_coefficient_form,
    with_coefficients,
)
from steerageway.vessel.tools.linear import without

START = (0.3, 0.08, 0.0, 0.0, 0.0, 0.05)
SECONDS = 15.0
NO_FREE_BODY = {
    "Clarke": "linear: m U r acts in sway, and its counterpart in surge is left out",
    "Container": "N_v holds the water's moment on a drifting hull, without which C does work",
    "Dsrv": "linear at a speed it keeps: Z_q and M_q hold the Coriolis forces",
    "Mariner": "X_rv, Y_r and N_r hold Coriolis forces and damping together",
    "Norrbin": "no mass: T is a time constant of yaw",
    "Tanker": "d11, d22 and d33 hold Coriolis forces and damping together",
}
APART = {"D", "G", "B", "K", "drag", "X_u", "X_uu"}  # forces of models that name them so
DERIVATIVE = re.compile(r"[XYZKMN]_[a-z0-9]+|C_D[yz]|C_d0|weight|buoyancy")  # the NPS AUV's
FORCES = (
    at.PUSH,
    at.RESISTANCE_ROWS,
    at.CROSS,
    at.LIFT_AREA,
    at.RESTORING,
    at.WIND_FRONT,
    at.WIND_SIDE,
)


def energy(vessel: Dynamics, hz: float) -> Iterator[str]:
    """Give the lines to print.

    Raises:
        InvalidValue: a rate that is not positive, or a published model whose inertia is not apart.
    """
    if not hz > 0:
        raise InvalidValue(f"--hz {hz:g}: expected a number above zero")
    body, M = free(vessel), inertia_of(vessel)
    assert M is not None
    steps = round(SECONDS * hz)
    x = np.concatenate((np.zeros(6), START, np.zeros(len(vessel.actuators))))
    calm, command = body.surroundings(), np.zeros(len(vessel.commands))
    for scheme, step in (("Runge-Kutta", body.step), ("Euler, the peers' order", body.euler_step)):
        try:
            after = step(x, command, calm, 1 / hz, steps=steps)
        except OutsideEnvelope:
            yield f"{scheme} at {hz:g} Hz: runs away within {SECONDS:g} s"
            continue
        T0, T = (kinetic_energy(M, state) for state in (x, after))
        drift = np.linalg.norm(momentum(M, after) - momentum(M, x))
        size = np.linalg.norm(momentum(M, x))
        yield (
            f"{scheme} at {hz:g} Hz for {SECONDS:g} s: energy {T0:.6g} J to {T:.6g} J, "
            f"{(T - T0) / T0:+.3g} of it; momentum off by {drift / size:.3g} of it"
        )
    if not _turns_momentum(vessel):
        yield "its files leave out Coriolis terms, so that momentum is not kept"


def _turns_momentum(vessel: Dynamics) -> bool:
    if is_coefficient_form(vessel):
        return bool(coefficients(vessel).scalars[at.CORIOLIS] == 1.0)
    return "M_RB" in fields_of(vessel)


def free(vessel: Dynamics) -> Dynamics:
    """Give a vessel on which nothing acts but its inertia, free to tumble.

    Raises:
        InvalidValue: a published model whose inertia is not apart from the forces.
    """
    given: Any = vessel.parameters
    kind = type(given).__name__
    if kind in NO_FREE_BODY:
        raise InvalidValue(
            f"{vessel.name}: a published model without a free body: {NO_FREE_BODY[kind]}; "
            "expected one whose inertia is apart from its forces"
        )
    if not is_coefficient_form(vessel):
        forces = {name for name in given._fields if name in APART or DERIVATIVE.fullmatch(name)}
        none = {name: 0.0 * getattr(given, name) for name in forces - {"M_inv", "M_RB", "M_A"}}
        return replace(vessel, parameters=given._replace(**none), quaternions=True)
    bare = without(vessel, *FORCES)
    p = coefficients(bare)
    inert = p._replace(values=np.zeros_like(p.values), effectors=p.effectors[:0])
    if bare.floating is not None:  # the water, too, acts on one that floats by its hull
        bare = replace(bare, model=coefficient.MODEL, floating=None, parameters=inert)
    return replace(with_coefficients(bare, inert), quaternions=True)


def kinetic_energy(M: Floats, x: Floats) -> float:
    """Give that of a state [J]."""
    nu = x[NU]
    return float(nu @ M @ nu / 2)


def momentum(M: Floats, x: Floats) -> Floats:
    """Give the linear momentum (3,) of a state in NED [kg m/s]."""
    p_n: Floats = eul_to_rotm(x[3:6]) @ (M @ x[NU])[:3]
    return p_n
