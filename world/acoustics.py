"""Sound in water between two places: travel time, absorption, noise, signal-to-noise ratio.

Rays are straight, and neither bent by the profile nor reflected; motion shifts no frequency.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import hypot, log, log10

from steerageway.declarations import Number
from steerageway.world.errors import InvalidValue

NEAR = 1.0  # reference range of a source level, and the least range of a loss [m]
_SPEED = Number(high=1e4, above=100.0)  # [m/s]
SAME = 1e-9  # relative change of the sound speed below which a layer counts as uniform


@dataclass(frozen=True)
class SoundSpeed:
    """A profile of the speed of sound, linear between points and constant beyond them.

    Attributes:
        points: (depth [m], speed [m/s]), in order of increasing depth.
    """

    points: tuple[tuple[float, float], ...] = ((0.0, 1500.0),)

    @classmethod
    def read(cls, text: str) -> SoundSpeed:
        """Parse a speed, as ``1500``, or depths and speeds, as ``0:1520, 50:1490``.

        Raises:
            InvalidValue: what was expected.
        """
        form = f"{_SPEED.expected}, or depth:speed, depth:speed with increasing depths [m]"
        pairs = [pair.rpartition(":") for pair in text.split(",")]
        try:
            rows = [(Number()(depth) if colon else 0.0, _SPEED(c)) for depth, colon, c in pairs]
        except ValueError:
            raise InvalidValue(form) from None
        depths = [depth for depth, _ in rows]
        if depths != sorted(set(depths)):
            raise InvalidValue(form)
        return cls(tuple(rows))

    def slowness(self, upper: float, lower: float) -> float:
        """Return the mean slowness [s/m] along a straight line between two depths [m].

        The line passes all depths between its ends at the same rate, so that the travel time is
        the mean of 1/c over depth, which is ln(c2/c1) / (c2 - c1) in a layer with a linear c.
        """
        upper, lower = min(upper, lower), max(upper, lower)
        if lower - upper < SAME * max(1.0, abs(lower)):
            return 1.0 / self.at(upper)
        inner = [depth for depth, _ in self.points if upper < depth < lower]
        total, edges = 0.0, [upper, *inner, lower]
        for top, bottom in pairwise(edges):
            first, second = self.at(top), self.at(bottom)
            change = second / first - 1.0
            mean = 1.0 / first if abs(change) < SAME else log(second / first) / (second - first)
            total += mean * (bottom - top)
        return total / (lower - upper)

    def at(self, depth: float) -> float:
        """Return the speed of sound at a depth [m/s]."""
        (above, speed), *rest = self.points
        if depth <= above:
            return speed
        for below, next_speed in rest:
            if depth <= below:
                return speed + (next_speed - speed) * (depth - above) / (below - above)
            above, speed = below, next_speed
        return speed


def absorption(frequency: float) -> float:
    """Return the absorption of sound in sea water [dB/km].

    Args:
        frequency: [kHz].
    Source: Thorp (1967); Urick (1983), Principles of Underwater Sound, 3rd edition, section 5.3,
        converted from dB/kyd, with the constant for very low frequencies.
    """
    f2 = frequency**2
    return 0.11 * f2 / (1.0 + f2) + 44.0 * f2 / (4100.0 + f2) + 2.75e-4 * f2 + 0.003


@dataclass(frozen=True)
class Link:
    """The budget of a link by the passive sonar equation, SNR = SL - TL - NL.

    Attributes:
        source: level of the source in the band [dB re 1 µPa at 1 m].
        noise: level of the noise in the band [dB re 1 µPa].
        frequency: centre of the band [kHz].
        spreading: 20 for spherical, 10 for cylindrical spreading.
    """

    source: float = 180.0
    noise: float = 90.0
    frequency: float = 25.0
    spreading: float = 20.0

    def snr(self, distance: float) -> float:
        """Return the signal-to-noise ratio [dB] at a range [m]."""
        distance = max(distance, NEAR)
        loss = self.spreading * log10(distance) + absorption(self.frequency) * distance / 1000.0
        return self.source - loss - self.noise


Place = tuple[float, float, float]
"""East, north and depth [m]."""


def slant(one: Place, other: Place) -> float:
    """Return the range between two places [m]."""
    return hypot(other[0] - one[0], other[1] - one[1], other[2] - one[2])


def travel_time(one: Place, other: Place, profile: SoundSpeed) -> float:
    """Return the travel time of sound along the straight line between two places [s]."""
    return slant(one, other) * profile.slowness(one[2], other[2])
