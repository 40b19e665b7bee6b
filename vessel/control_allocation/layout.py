"""Thruster layout: position, direction and limits of each thruster, and the axes they reach.

A slot is one thruster, fixed or an azimuth; its thrust is positive in the direction of ``ahead``
(of an azimuth: turned by its angle, from ``ahead`` towards ``across``). A tunnel thruster is fixed,
with its ``ahead`` to the side.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf, pi

import numpy as np

from steerageway.diagnostics.nearest import did_you_mean
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.kinematics import Array
from steerageway.vessel.rigid_body import DEGREES_OF_FREEDOM

AXES = tuple(DEGREES_OF_FREEDOM)
REACHED = 1e-6  # tolerance on the length of a unit vector
Arc = tuple[float, float]


@dataclass(frozen=True)
class Slot:
    """One thruster.

    Attributes:
        name: of the command of its thrust.
        ahead: (6,) wrench about CO of 1 N at angle 0.
        low, high: thrust [N], low <= 0 < high.
        across: (6,) likewise at 90 degrees; None: fixed.
        azimuth: name of the command of its angle.
        angles: minimum and maximum angle [rad].
        forbidden: arcs of angles with no thrust allowed [rad].
        rate: of its thrust [N/s]. angle_rate: of its angle [rad/s].
        cost: of its squared thrust, above zero.
    """

    name: str
    ahead: Array
    low: float
    high: float
    across: Array | None = None
    azimuth: str = ""
    angles: Arc = (-pi, pi)
    forbidden: tuple[Arc, ...] = ()
    rate: float = inf
    angle_rate: float = inf
    cost: float = 1.0

    def __post_init__(self) -> None:
        if not (self.low <= 0.0 < self.high and self.high - self.low < inf):
            limits = f"{self.low:g} to {self.high:g} N"
            raise InvalidValue(f"{self.name}: limits {limits}: expected finite ones with 0 between")
        if not (self.rate > 0.0 and self.angle_rate > 0.0 and self.cost > 0.0):
            given = f"rate {self.rate:g}, angle rate {self.angle_rate:g}, cost {self.cost:g}"
            raise InvalidValue(f"{self.name}: {given}: expected numbers above zero")
        self._check_angles()

    def _check_angles(self) -> None:
        low, high = self.angles
        if self.across is None and (self.azimuth or self.forbidden):
            what = self.azimuth or "a forbidden arc"
            raise InvalidValue(
                f"{self.name}: {what}: a fixed slot has no angle; expected an azimuth, with limits "
                "of its angle, or none"
            )
        if self.across is not None and not (low < high and -inf < low and high < inf):
            limits = f"{low:g} to {high:g} rad"
            raise InvalidValue(f"{self.name}: angles {limits}: expected limits, the lesser first")
        if any(not start < end for start, end in self.forbidden):
            raise InvalidValue(f"{self.name}: forbidden: expected arcs with the lesser angle first")
        if self.across is not None and not self.arcs:
            raise InvalidValue(f"{self.name}: forbidden: expected an angle that is left to it")

    @cached_property
    def arcs(self) -> tuple[Arc, ...]:
        """Return the arcs [rad] of angles with thrust allowed, within the limits, ascending."""
        low, high = self.angles
        left = [(low, high)]
        turns = [turn * 2.0 * pi for turn in range(-2, 3)]
        for start, end in self.forbidden:
            for turn in turns:
                left = [
                    part
                    for a, b in left
                    for part in ((a, min(b, start + turn)), (max(a, end + turn), b))
                    if part[0] < part[1]
                ]
        return tuple(sorted(set(left)))

    @property
    def reversible(self) -> bool:
        """Return whether it can thrust astern."""
        return self.low < 0.0


@dataclass(frozen=True)
class Layout:
    """The thrusters of a vessel.

    Attributes:
        slots: one for each thruster.
        axes: indices 0 to 5 of the allocated degrees of freedom.
    """

    slots: tuple[Slot, ...]
    axes: tuple[int, ...] = (0, 1, 5)

    def __post_init__(self) -> None:
        if not self.slots:
            raise InvalidValue("no thrusters: expected one or more to share a force among")
        missing = [AXES[i] for i in self.unreached(self.axes)]
        if missing:
            able = [AXES[i] for i in self.reached()]
            raise InvalidValue(
                f"thrusters {', '.join(slot.name for slot in self.slots)}: they cannot reach "
                f"{', '.join(missing)} independently; expected axes among "
                f"{', '.join(able) or 'none'}"
            )

    @cached_property
    def whole(self) -> Array:
        """Return the wrench (6, n) of 1 N of each variable; an azimuth has two: ahead, across."""
        columns = [c for s in self.slots for c in (s.ahead, s.across) if c is not None]
        return np.array(columns, np.float64).T

    @cached_property
    def B(self) -> Array:
        """Return the rows (m, n) of ``whole`` of the allocated axes."""
        return np.ascontiguousarray(self.whole[list(self.axes)])

    @cached_property
    def places(self) -> tuple[int, ...]:
        """Return the index of the first variable of each slot."""
        sizes = [1 if slot.across is None else 2 for slot in self.slots]
        return tuple(int(n) for n in np.concatenate(([0], np.cumsum(sizes)[:-1])))

    def unreached(self, axes: Sequence[int]) -> list[int]:
        """Return the axes among these that cannot be controlled independently of the others."""
        rows = self.whole[list(axes)]
        scale = np.abs(self.whole).max() or 1.0
        projector = rows @ np.linalg.pinv(rows, rcond=REACHED) if rows.size else np.zeros((0, 0))
        if np.abs(rows).max(initial=0.0) < REACHED * scale:
            return list(axes)
        return [axis for i, axis in enumerate(axes) if 1.0 - projector[i, i] > REACHED]

    def reached(self) -> list[int]:
        """Return the axes that are independently controllable, in order of preference."""
        found: list[int] = []
        for axis in (0, 5, 1, 2, 4, 3):
            if not self.unreached([*found, axis]):
                found.append(axis)
        return sorted(found)


def read_axes(text: str) -> tuple[int, ...]:
    """Read ``surge, sway, yaw``.

    Raises:
        InvalidValue: an unknown or duplicate degree of freedom.
    """
    words = [word.strip().lower() for word in text.split(",")]
    for word in words:
        if word not in AXES:
            raise InvalidValue(f"{word}: no degree of freedom; {did_you_mean(word, AXES)}")
        if words.count(word) > 1:
            raise InvalidValue(f"{word}: named twice")
    return tuple(sorted(AXES.index(word) for word in words))
