"""Trim: the steady straight motion of a vessel, and the commands that keep it."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real
from typing import NamedTuple

import numpy as np
from scipy.optimize import least_squares  # type: ignore[import-untyped]

from steerageway.control.plant import check_vessel, lagging, slopes
from steerageway.vessel.errors import InvalidValue, VesselError
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.orders import orders_of
from steerageway.vessel.fossen.state import ACTUATORS, NU, PSI, U_, Z_, Channel
from steerageway.vessel.kinematics import eul_to_rotm
from steerageway.world.arrays import Floats

AXES = ("surge", "sway", "heave", "roll", "pitch", "yaw")
STEADY = 1e-9  # acceleration of a trimmed vessel [m/s², rad/s²]
TRIED = (50.0, 20.0, 90.0, -50.0, 5.0)  # thrusts from which the search starts [%]
HULL, SURGE = 6, 3  # unknowns besides the commands: depth, roll, pitch, surge, sway, heave
IDLE = 0.02  # fraction of its range from which an idle actuator starts: n|n| has no slope at 0
PULL = 1e-3  # weight of small commands and little drift, of several solutions
STEEPEST = 1.2  # roll and pitch of a trim, at most [rad]
SURE = 1e-3  # fraction of its range from a limit, within which a command is at the limit


class Trim(NamedTuple):
    """A steady straight motion.

    Attributes:
        x: (12 + n,) state, velocities over ground. command: (m,) in the units of the actuators.
        surroundings: in which it is steady, see ``Dynamics.surroundings``.
        commands: names, units and limits of the commands.
    """

    x: Floats
    command: Floats
    surroundings: Floats
    commands: tuple[Channel, ...]

    @property
    def named(self) -> dict[str, float]:
        """Return each command by its name."""
        names = (channel.name for channel in self.commands)
        return dict(zip(names, self.command.tolist(), strict=True))

    @property
    def crab_angle(self) -> float:
        """Return the angle from the heading to the course over ground [rad]."""
        north, east = (eul_to_rotm(self.x[3:6]) @ self.x[6:9])[:2]
        return float((np.arctan2(east, north) - self.x[PSI] + np.pi) % (2 * np.pi) - np.pi)


def trim(
    vessel: Dynamics,
    speed: float | None,
    current: Sequence[float] = (0.0, 0.0, 0.0),
    wind: Sequence[float] = (0.0, 0.0),
    *,
    heading: float = 0.0,
) -> Trim:
    """Return the steady motion straight ahead, and the commands that keep it.

    Sway, heave, roll, pitch and the depth of a floating hull are found with the commands, so that
    no acceleration is left. Of several solutions (more actuators than needed) it is one with small
    commands and little drift.

    Args:
        vessel: of any model.
        speed: ahead, through the water [m/s]; None: the one that the vessel keeps by itself, for a
            model that nothing drives.
        current: velocity of the water (north, east, down) [m/s].
        wind: velocity of the air (north, east), towards [m/s].
        heading: [rad].

    Raises:
        InvalidValue: no trim exists within the commands' limits; the message says which
            acceleration is left, and which commands are at their limits.
    """
    check_vessel(vessel, "trim")
    for name, value in (("speed", speed), ("heading", heading)):
        if value is not None and not (isinstance(value, Real) and np.isfinite(float(value))):
            raise InvalidValue(f"trim: {name} = {value!r}: expected a number")
    water = np.array([*current, 0.0, 0.0])[:3]
    around = vessel.surroundings(tuple(water.tolist()), tuple(wind))
    search = _Search(vessel, speed, heading, water, around)
    best: tuple[float, Floats] | None = None
    for thrust in TRIED:
        found = search.run(thrust)
        if found is not None and (best is None or found[0] < best[0]):
            best = found
        if best is not None and best[0] < STEADY:
            return search.trimmed(best[1])
    raise InvalidValue(search.failure(best))


class _Search:
    """The equations of a trim; unknowns are z, phi, theta, u, v, w and the commands."""

    def __init__(
        self, vessel: Dynamics, speed: float | None, heading: float, water: Floats, around: Floats
    ) -> None:
        self.vessel, self.speed, self.water, self.around = vessel, speed, water, around
        self.start = vessel.initial.copy()
        if vessel.floating is not None:
            self.start[2:5] = vessel.floating.rest
        self.start[PSI] = heading
        self.start[NU] = 0.0
        self.start[U_] = vessel.initial[U_] if speed is None else speed
        self.orders = orders_of(vessel)
        self.lags = lagging(vessel)
        self.low = np.array([c.low for c in vessel.commands])
        self.high = np.array([c.high for c in vessel.commands])
        finite = np.isfinite(self.high - self.low)
        self.reach = np.where(finite, np.maximum(self.high - self.low, 1e-9), 1.0)
        self.scale = np.append([1.0, 0.1, 0.1, 1.0, 0.5, 0.5], self.reach)
        self.held = np.zeros(HULL, bool)
        rise = abs(slopes(self.rates, self.first(TRIED[0])) * self.scale)
        # a planar ship has no heave, roll and pitch, and a submerged body trims at any depth
        self.held = ~(rise[:HULL, :HULL] > 0.0).any(axis=0)
        self.held[SURGE] = speed is not None
        greatest = rise.max(axis=1, initial=0.0)
        self.typical = np.where(greatest > 0.0, greatest, 1.0)

    def first(self, thrust: float) -> Floats:
        """Return the point from which the search starts, with a thrust [%]."""
        command = self.orders.commands(thrust=thrust)
        command = np.where(command == 0.0, IDLE * self.reach, command)
        return np.append([*self.start[2:5], self.start[U_], 0.0, 0.0], command)

    def state(self, unknown: Floats) -> tuple[Floats, Floats]:
        """Return the state and the commands of a point of the search."""
        x, command = self.start.copy(), unknown[HULL:]
        hull = np.append(x[2:5], [x[U_], 0.0, 0.0])
        hull = np.where(self.held, hull, unknown[:HULL])
        x[2:5] = hull[:3]
        x[6:9] = hull[3:] + eul_to_rotm(x[3:6]).T @ self.water
        x[ACTUATORS : ACTUATORS + command.size] = command
        return x, command

    def rates(self, unknown: Floats) -> Floats:
        """Return the accelerations (6,), and the rate of depth."""
        x, command = self.state(unknown)
        rates = self.vessel.derivative(x, command, self.around)
        return np.append(rates[NU], rates[Z_])

    def residuals(self, unknown: Floats) -> Floats:
        """Return the rates relative to what the unknowns typically change."""
        return self.rates(unknown) / self.typical

    def _pulled(self, unknown: Floats) -> Floats:
        """Return the residuals, and small ones of drift and of the commands."""
        return np.append(
            self.residuals(unknown), PULL * np.append(unknown[4:6], unknown[HULL:] / self.reach)
        )

    def run(self, thrust: float) -> tuple[float, Floats] | None:
        """Return the largest acceleration that is left and the point, from a thrust [%]."""
        low = np.append(np.full(HULL, -np.inf), self.low)
        high = np.append(np.full(HULL, np.inf), self.high)
        low[1:3], high[1:3] = -STEEPEST, STEEPEST
        room = np.append(np.zeros(HULL), 1e-9 * self.reach)
        point = self.first(thrust)
        try:
            for function, ends in ((self._pulled, 1e-10), (self.residuals, 1e-15)):
                point = np.minimum(np.maximum(point, low + room), high - room)
                found = least_squares(
                    function,
                    point,
                    bounds=(low, high),
                    x_scale=self.scale,
                    ftol=None,
                    xtol=ends,
                    gtol=ends,
                    max_nfev=200,
                )
                point = found.x
        except VesselError:
            return None
        return float(abs(self.rates(point)).max()), point

    def trimmed(self, unknown: Floats) -> Trim:
        x, command = self.state(unknown)
        after = self.vessel.step(x, command, self.around, 1e-9)  # actuators without a lag
        x[ACTUATORS:] = np.where(self.lags, x[ACTUATORS:], after[ACTUATORS:])
        return Trim(x, command, self.around, self.vessel.commands)

    def failure(self, best: tuple[float, Floats] | None) -> str:
        speed = "any speed" if self.speed is None else f"{self.speed:g} m/s"
        what = f"{self.vessel.name}: no trim at {speed} through the water"
        if best is None:
            return f"{what}: its model fails wherever the search looks"
        left = dict(zip(AXES, self.rates(best[1])[:6].tolist(), strict=True))
        unit = {axis: "m/s²" if i < 3 else "rad/s²" for i, axis in enumerate(AXES)}
        parts = [f"{a:.3g} {unit[axis]} in {axis}" for axis, a in left.items() if abs(a) > STEADY]
        text = f"{what}: accelerations are left: {', '.join(parts) or 'in depth'}"
        command, near = best[1][HULL:], SURE * self.reach
        at = (abs(command - self.low) <= near) | (abs(command - self.high) <= near)
        names = [c.name for c, limited in zip(self.vessel.commands, at, strict=True) if limited]
        if not self.vessel.commands:
            return f"{text}; it has no actuator"
        if names:
            return f"{text}, with {', '.join(names)} at the limit"
        return f"{text}, which none of {', '.join(c.name for c in self.vessel.commands)} balances"
