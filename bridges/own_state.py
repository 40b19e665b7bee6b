"""What a bridge knows of its own vessel: the latest measurements, until they are too old."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime

STALE = 10.0  # s; what was measured longer ago is unknown


@dataclass(slots=True)
class Own:
    """What is known of the vessel itself, in the units of the variables.

    Attributes:
        utc: present time [s].
    """

    utc: float = 0.0
    _values: dict[str, tuple[float, float]] = field(default_factory=dict)
    _turning: tuple[float, float] | None = None

    def take(self, quantity: str, value: float, time: float) -> None:
        """Take a measurement made at a time [UTC s]."""
        self._values[quantity] = (value, time)

    def __call__(self, quantity: str) -> float | None:
        """Return a value; None if it is unknown."""
        value, time = self._values.get(quantity, (0.0, float("-inf")))
        return value if self.utc - time <= STALE else None

    def rate_of_turn(self) -> float | None:
        """Return the mean rate of turn since the last call [deg/min], positive to starboard."""
        heading = self("HEADING")
        before, self._turning = self._turning, None if heading is None else (heading, self.utc)
        if heading is None or before is None or self.utc <= before[1]:
            return None
        turned = (heading - before[0] + 180.0) % 360.0 - 180.0
        return turned / (self.utc - before[1]) * 60.0

    @property
    def moment(self) -> datetime:
        """The present time."""
        return datetime.fromtimestamp(self.utc, UTC)
