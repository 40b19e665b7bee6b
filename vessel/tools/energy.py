"""``steerageway vessel energy NAME --hz 2,20,200``: energy conservation of the free body.

All forces but those of inertia are removed, the vessel is set in motion, and its kinetic energy,
``nu' M nu / 2``, is compared after some seconds: a change is an error of the integration or of the
Coriolis matrix. The energy lost by damping in the same time is printed for comparison.

Source: the check of TurtleBoat's documentation; Fossen (2011), equation 6.34.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from math import inf
from pathlib import Path
from typing import Any

import numpy as np

from steerageway.vessel.errors import InvalidValue, NotFinite, OutsideEnvelope
from steerageway.vessel.fossen import coefficient
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.state import NU
from steerageway.vessel.kinematics import eul_to_rotm
from steerageway.vessel.tools.inertia import (
    coefficients,
    fields_of,
    inertia_of,
    is_coefficient_form,
    module_of,
    with_coefficients,
)
from steerageway.vessel.tools.linear import without
from steerageway.world import pictures
from steerageway.world.arrays import Floats

START = (0.5, 0.2, 0.0, 0.0, 0.0, 0.3)
"""Initial velocity, as in the tests with TurtleBoat [m/s, rad/s]."""
SECONDS = 15.0
PLANAR = (0, 1, 5)
LOOKS = 300  # maximum number of stored states of a run
SCHEMES = {"Runge-Kutta": "step", "Euler, the peers' order": "euler_step"}
NO_FREE_BODY = {
    "clarke": "linear: m U r acts in sway, and its counterpart in surge is left out",
    "container": "N_v holds the water's moment on a drifting hull, without which C does work",
    "dsrv": "linear at a speed it keeps: Z_q and M_q hold the Coriolis forces",
    "mariner": "X_rv, Y_r and N_r hold Coriolis forces and damping together",
    "norrbin": "no mass: T is a time constant of yaw",
    "tanker": "d11, d22 and d33 hold Coriolis forces and damping together",
}
APART = {"D", "G", "B", "K", "drag", "X_u", "X_uu"}  # names of parameters of forces
DERIVATIVE = re.compile(r"[XYZKMN]_[a-z0-9]+|C_D[yz]|C_d0|weight|buoyancy")  # of the NPS AUV
FORCES = (
    "push",
    "resistance_rows",
    "cross",
    "lift_area",
    "restoring",
    "wind_front",
    "wind_side",
)


def read_start(text: str) -> tuple[float, ...]:
    """Return a velocity (6,) from u,v,w,p,q,r or u,v,r [m/s, rad/s].

    Raises:
        InvalidValue: the text is neither, or all zero.
    """
    try:
        numbers = [float(word) for word in text.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) == len(PLANAR):
        numbers = [numbers[PLANAR.index(i)] if i in PLANAR else 0.0 for i in range(6)]
    if len(numbers) != len(START) or not np.isfinite(numbers).all() or not any(numbers):
        raise InvalidValue(f"--start {text}: expected u,v,w,p,q,r or u,v,r, not all of them 0")
    return tuple(numbers)


def read_rates(text: str) -> list[float]:
    """Return step rates [Hz] from text, separated by commas.

    Raises:
        InvalidValue: a rate is not above zero.
    """
    try:
        rates = [float(word) for word in text.split(",")]
    except ValueError:
        rates = [0.0]
    if not all(0 < hz < inf for hz in rates):
        raise InvalidValue(f"--hz {text}: expected numbers above zero, by commas, as 2,20,200")
    return rates


def energy(
    vessel: Dynamics, rates: Sequence[float], start: Sequence[float] = START
) -> Iterator[str]:
    """Yield the lines to print.

    Args:
        rates: of steps [Hz]. start: initial velocity (6,) [m/s, rad/s].

    Raises:
        InvalidValue: a published model whose inertia is not separate from the forces.
    """
    M = _mass_of_free(vessel)
    for hz in rates:
        for scheme in SCHEMES:
            times, T, states = course(free(vessel), M, scheme, hz, start)
            if times[-1] < SECONDS:
                yield f"{scheme} at {hz:g} Hz: runs away within {SECONDS:g} s"
                continue
            momenta = [momentum(M, state) for state in (states[0], states[-1])]
            drift = np.linalg.norm(momenta[1] - momenta[0]) / np.linalg.norm(momenta[0])
            yield (
                f"{scheme} at {hz:g} Hz for {SECONDS:g} s: energy {T[0]:.6g} J to {T[-1]:.6g} J, "
                f"{(T[-1] - T[0]) / T[0]:+.3g} of it; momentum off by {drift:.3g} of it"
            )
    times, T, _ = course(vessel, M, "Runge-Kutta", max(rates), start)
    if times[-1] < SECONDS:
        yield f"damped as it is, at {max(rates):g} Hz: runs away within {SECONDS:g} s"
    else:
        yield f"damped as it is, at {max(rates):g} Hz: {(T[-1] - T[0]) / T[0]:+.3g} of its energy"
    if not _turns_momentum(vessel):
        yield "its files leave out Coriolis terms, so that momentum is not kept"


def course(
    body: Dynamics, M: Floats, scheme: str, hz: float, start: Sequence[float]
) -> tuple[Floats, Floats, list[Floats]]:
    """Return times [s], kinetic energies [J] and states of a run, up to the end of its envelope."""
    x = np.concatenate((np.zeros(6), start, np.zeros(len(body.actuators))))
    calm, command = body.surroundings(), np.zeros(len(body.commands))
    step: Callable[..., Floats] = getattr(body, SCHEMES[scheme])
    total = round(SECONDS * hz)
    marks = np.unique(np.linspace(0, total, min(total, LOOKS) + 1).round().astype(int))
    states, times = [x], [0.0]
    for before, after in pairwise(marks.tolist()):
        try:
            states.append(step(states[-1], command, calm, 1 / hz, steps=after - before))
        except (NotFinite, OutsideEnvelope):
            break
        times.append(after / hz if after < total else SECONDS)
    return np.array(times), np.array([kinetic_energy(M, state) for state in states]), states


def draw(vessel: Dynamics, rates: Sequence[float], start: Sequence[float], path: Path) -> None:
    """Write a plot of the free body's energy over time, by explicit Euler at several rates.

    Raises:
        InvalidValue: as ``energy``.
    """
    M = _mass_of_free(vessel)
    figure, ((panel,),) = pictures.panels()
    runs = [(hz, "Euler, the peers' order") for hz in rates] + [(max(rates), "Runge-Kutta")]
    for hz, scheme in runs:
        times, T, _ = course(free(vessel), M, scheme, hz, start)
        label = f"{scheme.partition(',')[0]}, {hz:g} Hz"
        panel.plot(times, T / T[0], label=label, ls="--" if scheme.startswith("Runge") else "-")
    times, T, _ = course(vessel, M, "Runge-Kutta", max(rates), start)
    panel.plot(times, T / T[0], ":", label=f"damped as it is, {max(rates):g} Hz")
    share = "kinetic energy, of that at the start"
    pictures.labelled(panel, f"{vessel.name}: a free body", "time [s]", share)
    panel.legend(frameon=False)
    pictures.write(figure, path)


def _mass_of_free(vessel: Dynamics) -> Floats:
    free(vessel)  # raises for a model without a free body
    M = inertia_of(vessel)
    assert M is not None
    return M


def _turns_momentum(vessel: Dynamics) -> bool:
    if is_coefficient_form(vessel):
        return bool(coefficients(vessel).scalars["coriolis"] == 1.0)
    return "M_RB" in fields_of(vessel)


def free(vessel: Dynamics) -> Dynamics:
    """Return the vessel without any forces but inertia, and with quaternions, free to tumble.

    Raises:
        InvalidValue: a published model whose inertia is not separate from the forces.
    """
    given: Any = vessel.parameters
    if (model := module_of(vessel)) in NO_FREE_BODY:
        raise InvalidValue(
            f"{vessel.name}: a published model without a free body: {NO_FREE_BODY[model]}; "
            "expected one whose inertia is apart from its forces"
        )
    if not is_coefficient_form(vessel):
        none = {name: 0.0 * getattr(given, name) for name in given._fields if name in APART}
        if "scalars" in given._fields:
            none["scalars"] = given.scalars.copy()
            for name in none["scalars"].dtype.names:
                if name in APART or DERIVATIVE.fullmatch(name):
                    none["scalars"][name] = 0.0
        return replace(vessel, parameters=given._replace(**none), quaternions=True)
    bare = without(vessel, *FORCES)
    p = coefficients(bare)
    inert = p._replace(values=np.zeros_like(p.values), effectors=p.effectors[:0])
    if bare.floating is not None:  # remove the hydrostatics of the hull, too
        bare = replace(bare, model=coefficient.MODEL, floating=None, parameters=inert)
    return replace(with_coefficients(bare, inert), quaternions=True)


def kinetic_energy(M: Floats, x: Floats) -> float:
    """Return the kinetic energy of a state [J]."""
    nu = x[NU]
    return float(nu @ M @ nu / 2)


def momentum(M: Floats, x: Floats) -> Floats:
    """Return the linear momentum (3,) of a state in NED [kg m/s]."""
    p_n: Floats = eul_to_rotm(x[3:6]) @ (M @ x[NU])[:3]
    return p_n
