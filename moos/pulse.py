"""Texts of pulses drawn by a viewer: ``VIEW_COMMS_PULSE``, ``VIEW_RANGE_PULSE``.

Source: MOOS-IvP's XYCommsPulse and XYRangePulse.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import dist

from steerageway.moos.seglist import Point
from steerageway.moos.values import fixed, trimmed


@dataclass(frozen=True, slots=True)
class CommsPulse:
    """A beam from one vessel to another.

    Attributes:
        start, end: (x, y) [m].
        label: a later pulse with this label replaces it.
        kind: its meaning, "nrep" or "msg".
        color: of its inside; fill: 0 transparent, 1 opaque.
        time, duration: start [UTC s] and duration [s] of drawing.
    """

    start: Point
    end: Point
    label: str
    kind: str
    color: str
    fill: float
    time: float
    duration: float

    def text(self) -> str:
        """Return it as text; its width at the end is a tenth of its length, at least 5 m."""
        (sx, sy), (tx, ty) = self.start, self.end
        width = max(5.0, 0.1 * dist(self.start, self.end))
        return (
            f"sx={trimmed(sx, 2)},sy={trimmed(sy, 2)},tx={trimmed(tx, 2)},ty={trimmed(ty, 2)},"
            f"beam_width={trimmed(width, 2)},fill={trimmed(self.fill, 2)},ptype={self.kind},"
            f"label={self.label},fill_color={self.color},"
            f"time={fixed(self.time, 2)},duration={fixed(self.duration, 2)}"
        )


def range_pulse(
    center: Point, radius: float, *, color: str, time: float, duration: float, label: str = ""
) -> str:
    """Return the text of a ring that grows and fades.

    Args:
        center: (x, y) [m].
        radius: the final one [m].
        color: of its edge and inside.
        time, duration: start [UTC s] and duration [s] of growing.
        label: a later pulse with this label replaces it; "" for none.
    """
    x, y = center
    named = f"label={label}," if label else ""
    return (
        f"x={trimmed(x, 2)},y={trimmed(y, 2)},radius={trimmed(radius, 2)},fill=0.25,{named}"
        f"edge_color={color},fill_color={color},time={fixed(time, 2)},"
        f"duration={fixed(duration, 2)},edge_size=1"
    )
