"""Texts that have a viewer draw something passing: ``VIEW_COMMS_PULSE``, ``VIEW_RANGE_PULSE``.

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
        label: another one of this label takes its place.
        kind: what it stands for, "nrep" or "msg".
        color: of its inside; fill: 0 invisible, 1 opaque.
        time, duration: UTC at which it is drawn first, and for how long [s].
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
        """Write it; at its end it is a tenth as wide as it is long, 5 m at least."""
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
    """Write a ring that grows and fades.

    Args:
        center: (x, y) [m].
        radius: how far it grows [m].
        color: of its edge and its inside.
        time, duration: UTC at which it starts, and for how long it grows [s].
        label: another one of this label takes its place; "" for none.
    """
    x, y = center
    named = f"label={label}," if label else ""
    return (
        f"x={trimmed(x, 2)},y={trimmed(y, 2)},radius={trimmed(radius, 2)},fill=0.25,{named}"
        f"edge_color={color},fill_color={color},time={fixed(time, 2)},"
        f"duration={fixed(duration, 2)},edge_size=1"
    )
