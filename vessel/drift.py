"""External drift: what water and wind do to a vessel besides its own propulsion.

Source: uSimMarineV22 manual, sections 5.3 (step 3) and 7.
"""

from __future__ import annotations

from math import hypot
from typing import NamedTuple

from steerageway.vessel.marine import bearing, components


class Drift(NamedTuple):
    """A velocity over the ground: x east, y north [m/s]."""

    x: float = 0.0
    y: float = 0.0

    @classmethod
    def towards(cls, direction: float, magnitude: float) -> Drift:
        """Make a drift towards a compass direction [deg]; a negative magnitude goes against it."""
        return cls(*components(direction, magnitude))

    def plus(self, other: Drift) -> Drift:
        """Add another drift (``DRIFT_VECTOR_ADD``)."""
        return Drift(self.x + other.x, self.y + other.y)

    def times(self, factor: float) -> Drift:
        """Change the magnitude; a negative factor turns it round (``DRIFT_VECTOR_MULT``)."""
        return Drift(self.x * factor, self.y * factor)

    @property
    def magnitude(self) -> float:
        """The drift's speed [m/s]."""
        return hypot(self.x, self.y)

    @property
    def direction(self) -> float:
        """The compass direction [deg] the drift goes to; 0 when there is none."""
        return bearing(self.x, self.y)
