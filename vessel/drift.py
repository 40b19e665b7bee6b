"""External drift: velocity over ground added to a vessel by water and wind.

Source: uSimMarineV22 manual, sections 5.3 (step 3) and 7.
"""

from __future__ import annotations

from math import hypot
from typing import NamedTuple

from steerageway.geometry.marine import bearing, components


class Drift(NamedTuple):
    """A velocity over the ground: x east, y north [m/s]."""

    x: float = 0.0
    y: float = 0.0

    @classmethod
    def towards(cls, direction: float, magnitude: float) -> Drift:
        """Return a drift towards a compass direction [deg]; a negative magnitude reverses it."""
        return cls(*components(direction, magnitude))

    def plus(self, other: Drift) -> Drift:
        """Return the sum with another drift (``DRIFT_VECTOR_ADD``)."""
        return Drift(self.x + other.x, self.y + other.y)

    def times(self, factor: float) -> Drift:
        """Return the drift scaled; a negative factor reverses it (``DRIFT_VECTOR_MULT``)."""
        return Drift(self.x * factor, self.y * factor)

    @property
    def magnitude(self) -> float:
        """The drift's speed [m/s]."""
        return hypot(self.x, self.y)

    @property
    def direction(self) -> float:
        """The compass direction [deg] towards which the drift goes; 0 without drift."""
        return bearing(self.x, self.y)
