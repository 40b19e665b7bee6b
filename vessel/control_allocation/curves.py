"""Layout and thrust curves of a vessel's thrusters, measured on its model at rest.

Each thruster is commanded through its range in still water. The wrench it adds gives its direction
and its thrust by command, and by inversion the command for a thrust. So every type of thruster in
a vessel's files is covered.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf, isfinite, pi, sqrt
from typing import Any

import numpy as np

from steerageway.vessel.control_allocation.layout import Arc, Layout, Slot
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen import layout as at
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.state import ACTUATORS
from steerageway.vessel.kinematics import Array

POINTS = 257  # of a thrust curve
DEEP = 50.0  # depth at which thrusters are not affected by the surface [m]
LITTLE = 1e-9  # fraction of the maximum thrust that is taken as 0


@dataclass(frozen=True)
class Curve:
    """A thruster's thrust by command, and its inverse.

    Attributes:
        commands: (POINTS,) in the command's own unit, ascending.
        thrusts: (POINTS,) [N], not descending.
    """

    commands: Array
    thrusts: Array

    def command(self, thrust: float) -> float:
        """Return the command for a thrust [N]; the one nearest to 0 for no thrust."""
        if abs(thrust) <= LITTLE * max(abs(self.thrusts[0]), abs(self.thrusts[-1])):
            return float(min(max(0.0, self.commands[0]), self.commands[-1]))
        rising = np.concatenate(([True], np.diff(self.thrusts) > 0.0))
        return float(np.interp(thrust, self.thrusts[rising], self.commands[rising]))


def layout_of(
    vessel: Dynamics,
    axes: Sequence[int] = (),
    costs: Mapping[str, float] | None = None,
    forbidden: Mapping[str, Sequence[Arc]] | None = None,
    fixed: Sequence[str] = (),
) -> tuple[Layout, dict[str, Curve]]:
    """Return a vessel's layout of thrusters, and their curves by name.

    Args:
        vessel: of the coefficient form.
        axes: the allocated degrees of freedom; default: all that its thrusters reach.
        costs: by thruster's name. forbidden: arcs by the name of an azimuth's angle [rad].
        fixed: azimuths, by their angle's name, kept at angle 0.

    Raises:
        InvalidValue: the vessel has no thrusters, a name is unknown, or an axis is not reached.
    """
    probe = _Probe(vessel)
    slots, curves = [], {}
    costs, forbidden = costs or {}, forbidden or {}
    for row in probe.thrusters():
        slot, curves_own = probe.slot(row)
        if slot.azimuth in fixed:
            slot = replace(slot, across=None, azimuth="", angles=(-pi, pi), angle_rate=inf)
        own = tuple(forbidden.get(slot.azimuth, ())) if slot.azimuth else ()
        slots.append(replace(slot, cost=costs.get(slot.name, 1.0), forbidden=own))
        curves[slot.name] = curves_own
    for given, names in (
        (costs, [slot.name for slot in slots]),
        (forbidden, [slot.azimuth for slot in slots if slot.azimuth]),
    ):
        unknown = [name for name in given if name not in names]
        if unknown:
            known = ", ".join(names) or "none"
            raise InvalidValue(f"{vessel.name}: {unknown[0]}: expected one of {known}")
    layout = Layout(tuple(slots), ())
    return replace(layout, axes=tuple(axes) or tuple(layout.reached())), curves


class _Probe:
    """A vessel at rest whose thrusters are measured one by one."""

    def __init__(self, vessel: Dynamics) -> None:
        hull = at.hull_of(vessel.parameters)
        if not isinstance(hull, at.Parameters):
            raise InvalidValue(
                f"{vessel.name}: its model has no thrusters of their own: expected a vessel of "
                "the coefficient form"
            )
        self._vessel, self._hull = vessel, hull
        self._mass = np.linalg.pinv(hull.matrices[at.M_INV])
        self._x = vessel.initial.copy()
        self._x[6:12] = 0.0
        if hull.scalars["surface"] > 0.0:
            self._x[2] = DEEP
        self._command = np.zeros(len(vessel.commands))
        self._around = vessel.surroundings()

    def thrusters(self) -> list[at.Record]:
        """Return the effector rows of the thrusters."""
        kinds = (at.COEFFICIENTS, at.FIN, at.FOIL, at.TWO_LINES, at.QUADRATIC_FIN, at.SAIL)
        return [row for row in self._hull.effectors if row["kind"] not in kinds]

    def slot(self, row: at.Record) -> tuple[Slot, Curve]:
        """Return a thruster's slot and its curve."""
        channel, turning = int(row["channel"]), int(row["azimuth"])
        own = self._vessel.commands[channel]
        if not (isfinite(own.low) and isfinite(own.high)):
            raise InvalidValue(f"{own.name}: it has no limits: expected n_max")
        commands = np.linspace(own.low, own.high, POINTS)
        rest = self._wrench({channel: 0.0})
        wrenches = np.array([self._wrench({channel: c}) - rest for c in commands])
        greatest = wrenches[-1]
        size = float(np.linalg.norm(greatest[:3]))
        if size == 0.0:
            raise InvalidValue(f"{own.name}: it makes no thrust at {own.high:g} {own.unit}")
        ahead = greatest / size
        thrusts = wrenches[:, :3] @ ahead[:3]
        curve = Curve(commands, np.maximum.accumulate(thrusts))
        slope = float(np.abs(np.diff(thrusts) / np.diff(commands)).max())
        speed = self._hull.channels[channel]["rate"]
        slot = Slot(
            own.name,
            ahead,
            min(float(curve.thrusts[0]), 0.0),
            float(curve.thrusts[-1]),
            rate=slope * float(speed) if isfinite(speed) and speed > 0.0 else inf,
        )
        if turning < 0:
            return slot, curve
        return replace(slot, **self._azimuth(channel, turning, ahead, size)), curve

    def _azimuth(self, channel: int, turning: int, ahead: Array, size: float) -> dict[str, Any]:
        """Return the additional fields of an azimuth's slot."""
        own = self._vessel.commands[turning]
        angle = min(own.high, pi / 2)
        most = self._vessel.commands[channel].high
        rest = self._wrench({channel: 0.0, turning: angle})
        turned = (self._wrench({channel: most, turning: angle}) - rest) / size
        across = (turned - np.cos(angle) * ahead) / np.sin(angle)
        rate = float(self._hull.channels[turning]["rate"])
        return {
            "across": across,
            "azimuth": own.name,
            "angles": (own.low, own.high),
            "angle_rate": rate if rate > 0.0 else inf,
        }

    def _wrench(self, commands: Mapping[int, float]) -> Array:
        """Return the wrench (6,) for some commands, with the actuators in steady state."""
        command, x = self._command.copy(), self._x.copy()
        for i, value in commands.items():
            command[i] = value
            x[ACTUATORS + i] = _settled(self._hull.channels[i], value)
        wrench: Array = self._mass @ self._vessel.derivative(x, command, self._around)[6:12]
        return wrench


def _settled(row: at.Record, command: float) -> float:
    """Return the steady state of a channel for a constant command."""
    if row["mode"] not in (at.ROTOR, at.FOLLOWER):
        return command
    drive = float(row["drive"]) * command
    if row["mode"] == at.FOLLOWER:
        return drive
    linear, quadratic = float(row["drag_linear"]), float(row["drag_quadratic"])
    if quadratic == 0.0:
        return drive / linear
    size = (sqrt(linear**2 + 4.0 * quadratic * abs(drive)) - linear) / (2.0 * quadratic)
    return size if drive >= 0.0 else -size
