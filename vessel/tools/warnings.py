"""Plausibility warnings for a valid vessel: damping, added mass, creep, envelope, grounding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf, isfinite, pi

import numpy as np

from steerageway.vessel.errors import InvalidValue, NotFinite, OutsideEnvelope
from steerageway.vessel.fossen import layout as at
from steerageway.vessel.fossen.commands import ActuatorMap
from steerageway.vessel.fossen.craft import FossenModel
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.orders import orders_of
from steerageway.vessel.fossen.state import NU, PHI, Z_
from steerageway.vessel.rigid_body import DEGREES_OF_FREEDOM
from steerageway.vessel.tools.inertia import coefficients, is_coefficient_form, mass_of
from steerageway.vessel.tools.linear import damping, pull_back, state_at, without
from steerageway.vessel.tools.trials import DT, drives, full_ahead, settled, without_propulsion
from steerageway.world.arrays import Floats

TRIED = 0.5  # velocity at which damping is checked [m/s, rad/s]
FAST = 2.0  # also in surge [m/s]: quadratic terms may be hidden by linear ones when slow
FORCES, SPEEDS = "XYZKMN", "uvwpqr"
TOGETHER = 0.1  # fraction of a coupled motion from which a degree of freedom is reported
OF_SPEED = ("speed", "drift angle", "heel")  # limits of an envelope checked at full thrust
ORDERED = {
    "at full thrust and full rudder": {"thrust": 100.0, "rudder": 100.0},
    "at full thrust astern": {"thrust": -100.0},
}
LITTLE = 1e-9  # force that is taken as zero [N, N m]
PUSH = (0.05, 0.05, 0.01)  # initial velocity in surge, sway [m/s] and yaw [rad/s]
COASTING = 60.0  # duration of a run without thrust [s]
AS_RADIANS = (0.08, 1.6)  # range of an angle limit that was probably entered in radians


def remarks(vessel: Dynamics) -> Iterator[str]:
    """Yield warnings of valid values that are implausible, or with which a helm has no effect."""
    orders = orders_of(vessel)
    if is_coefficient_form(vessel):
        yield from _dubious_terms(vessel)
        yield from _creeping(vessel)
    yield from _limits_in_radians(vessel)
    yield from _aground(vessel)
    if not drives(vessel, orders):
        slows = vessel.derivative(vessel.initial, orders.commands(), vessel.surroundings())[6] < 0
        end = ", and it loses its initial speed" if slows else ""
        yield f"{without_propulsion(vessel, orders)}{end}"
    elif warning := _fast_actuator(vessel) or _at_full_thrust(vessel, orders):
        yield warning


def _dubious_terms(vessel: Dynamics) -> Iterator[str]:
    free = np.flatnonzero(np.diag(coefficients(vessel).matrices[at.M_INV])).tolist()
    light = [i for i in free if mass_of(vessel).M_A[i, i] == 0.0]
    if absurd := at.heavy(coefficients(vessel)):
        yield (
            f"added mass in {_named(absurd)} is more than {at.HEAVY:g} times its mass: units, or "
            "another vessel's file?"
        )
    if light:
        yield f"no added mass in {_named(light)}"
    loose = [i for i in free if not _damped(vessel, i)]
    if loose:
        yield f"no damping in {_named(loose)}"
    driven, grown = (
        [i for i in free if _driven_directions(vessel, i) == count] for count in (1, 2)
    )
    if driven:
        yield (
            f"in one direction, damping accelerates it in {_named(driven)}: X_uu is of u², which "
            "has one sign; did you mean X_u_au, of u|u|?"
        )
    if grown:
        yield (
            f"damping accelerates it in {_named(grown)}, both ways: a force against a motion has a "
            "negative coefficient, as X_u: -5"
        )
    if not grown and (several := _undamped_combination(vessel, free)):
        rows = [f"{FORCES[i]}_{SPEEDS[k]}" for i in several for k in several if i != k]
        yield (
            f"at rest, damping accelerates combined motions in {_named(several)}: "
            f"{', '.join(rows)} are too large relative to the coefficients of each"
        )
    pulls = zip((2, 3, 4), pull_back(vessel), strict=True)
    falls = [i for i, k in pulls if i in free and k < -LITTLE]
    if falls:
        yield (
            f"no righting moment in {_named(falls)}: CG lies above CB, and without "
            "restoring in hydrodynamics.yml it is taken as submerged"
        )


def _creeping(vessel: Dynamics) -> Iterator[str]:
    """Yield a warning if a small motion grows without thrust, by a short run."""
    if coefficients(vessel).scalars["push"] != 0.0:  # its files have it keep its speed
        return
    x = vessel.initial.copy()
    x[NU] = 0.0
    x[NU][[0, 1, 5]] = PUSH
    before = float(np.hypot(*PUSH[:2]))
    command, calm = np.zeros(len(vessel.commands)), vessel.surroundings()
    try:
        after = vessel.step(x, command, calm, DT, round(COASTING / DT))
    except (NotFinite, OutsideEnvelope) as error:
        yield f"without thrust, from a push of {before:.2g} m/s, its model fails: {error.what}"
        return
    speed = float(np.hypot(*after[NU][:2]))
    if speed > before:
        yield (
            f"without thrust it accelerates from {before:.2g} to {speed:.2g} m/s in {COASTING:g} s"
        )


def _limits_in_radians(vessel: Dynamics) -> Iterator[str]:
    """Yield a warning for each control surface or azimuth whose limit looks like radians."""
    least, most = AS_RADIANS
    for command in vessel.commands:
        limit = float(np.degrees(command.high))
        if command.name.startswith(("cs_", "az_")) and least < limit < most:
            key = "delta_max" if command.name.startswith("cs_") else "angle_max"
            yield f"{command.name} turns by {limit:.3g} degrees at most: {key} is in degrees"


def _named(axes: Sequence[int]) -> str:
    return ", ".join(DEGREES_OF_FREEDOM[i] for i in axes)


def _damped(vessel: Dynamics, axis: int) -> bool:
    """Return whether a motion in one degree of freedom is damped, at rest or at 1 m/s ahead."""
    return min(_force(vessel, axis, TRIED, speed) for speed in (0.0, 1.0)) < -LITTLE


def _driven_directions(vessel: Dynamics, axis: int) -> int:
    """Return in how many of both directions damping drives a motion from rest."""
    motions = (TRIED, FAST) if axis == 0 else (TRIED,)
    return sum(
        any(sign * _force(vessel, axis, sign * motion) > LITTLE for motion in motions)
        for sign in (1.0, -1.0)
    )


def _undamped_combination(vessel: Dynamics, free: Sequence[int]) -> list[int]:
    """Return the degrees of freedom of a small motion from rest that gains energy; [] if none.

    D is scaled by its diagonal. A motion nu gains energy if nu' D nu is negative, so if the
    symmetric part of D has a negative eigenvalue.
    """
    D = damping(vessel, 0.0)
    damped = [i for i in free if D[i, i] > LITTLE]
    if not damped:
        return []
    scale = np.sqrt(np.diag(D)[damped])
    symmetric = 0.5 * (D + D.T)[np.ix_(damped, damped)] / np.outer(scale, scale)
    gains, motions = np.linalg.eigh(symmetric)
    if gains[0] > -TOGETHER:
        return []
    return [i for i, share in zip(damped, motions[:, 0], strict=True) if abs(share) > TOGETHER]


def _force(vessel: Dynamics, axis: int, motion: float, speed: float = 0.0) -> float:
    """Return the force along one degree of freedom caused by a motion in it [N, N m]."""
    hull = without(vessel, "coriolis")
    M, command, calm = mass_of(vessel).M, np.zeros(len(vessel.commands)), vessel.surroundings()
    still, moved = state_at(vessel, speed), state_at(vessel, speed)
    moved[6 + axis] += motion
    rise = hull.derivative(moved, command, calm) - hull.derivative(still, command, calm)
    return float((M @ rise[NU])[axis])


def _fast_actuator(vessel: Dynamics) -> str:
    """Return the error of an actuator that is too fast for the usual time step, or ""."""
    try:
        FossenModel(vessel, DT)
    except InvalidValue as error:
        return str(error)
    return ""


def _at_full_thrust(vessel: Dynamics, orders: ActuatorMap) -> str:
    """Return a warning if full thrust leads to no steady speed within the envelope, or ""."""
    try:
        ahead = full_ahead(vessel, orders)
    except (NotFinite, OutsideEnvelope) as error:
        return f"at full thrust, rudder amidships, its model fails: {error.what}"
    if beyond := _beyond(vessel, ahead):
        return f"at full thrust, rudder amidships, it leaves its envelope: {beyond}"
    limits = vessel.envelope
    if not (isfinite(limits.speed[1]) or min(limits.drift_angle, limits.angle_of_attack) < pi):
        return ""
    for named, order in ORDERED.items():
        if order.get("rudder") and not orders.rudder.any():
            continue
        try:
            beyond = _beyond(vessel, settled(vessel, orders.commands(**order), ahead))
        except (NotFinite, OutsideEnvelope) as error:
            return f"{named}, its model fails: {error.what}"
        if beyond:
            return f"{named}, it leaves its envelope: {beyond}"
    return ""


def _beyond(vessel: Dynamics, x: Floats) -> str:
    """Return which limits of ``OF_SPEED`` a state exceeds, as text; "" if none."""
    u, v, w = x[NU][:3].tolist()
    left = dict(vessel.envelope.left(float(x[Z_]), float(x[PHI]), (u, v, w), inf))
    return "; ".join(left[limit] for limit in OF_SPEED if limit in left)


def _aground(vessel: Dynamics) -> Iterator[str]:
    """Yield a warning if the vessel starts aground, or nearly, in the water depth of its files."""
    envelope, depth, z = vessel.envelope, vessel.water_depth, float(vessel.initial[2])
    if envelope.aground(z, depth):
        yield f"aground at the start: water_depth {depth:g} m, draught {envelope.draught:g} m"
    else:
        left = dict(envelope.left(z, 0.0, (0.0, 0.0, 0.0), depth))
        yield from (f"at the start, {left[limit]}" for limit in ("depth",) if limit in left)
