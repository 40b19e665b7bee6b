"""The mean wind: its speed, where it comes from, and how it grows with height."""

from __future__ import annotations

from dataclasses import dataclass
from math import log, sqrt

from steerageway.world.errors import InvalidValue
from steerageway.world.numbers import read_finite

REFERENCE_HEIGHT = 10.0  # [m], where a wind's speed is given
POWER = 0.12  # of the height, over the sea
LEAST_HEIGHT = 0.1  # [m]; below it neither profile means anything


@dataclass(frozen=True, slots=True)
class Wind:
    """A wind: its speed [m/s] and the compass direction [deg] it comes from."""

    speed: float
    direction: float

    @classmethod
    def read(cls, text: str) -> Wind:
        """Read "spd=5,dir=90".

        Raises:
            InvalidValue: another key, or a number that is missing, negative or none.
        """
        values: dict[str, float] = {}
        for part in text.split(","):
            key, _, value = (piece.strip().lower() for piece in part.partition("="))
            values[key] = read_finite(value, repr(part.strip()))
        if values.keys() != {"spd", "dir"} or min(values.values()) < 0:
            raise InvalidValue(f"{text!r}: expected spd=<m/s, at least 0>,dir=<deg, at least 0>")
        return cls(values["spd"], values["dir"])


def at_height(speed: float, height: float, profile: str = "power") -> float:
    """Give the mean speed at a height above the sea [m/s].

    Args:
        speed: at 10 m [m/s].
        height: above the mean surface [m].
        profile: ``power``, U (z/10)^0.12; ``log``, that of NORSOK and NPD, for an hour's mean;
            ``none``, the same at every height.
    Source: DNV-RP-C205 (2010), sections 2.3.2.11 and 2.3.2.15.
    """
    ratio = max(height, LEAST_HEIGHT) / REFERENCE_HEIGHT
    if profile == "power":
        return float(speed * ratio**POWER)
    if profile == "log":
        return speed * (1.0 + 0.0573 * sqrt(1.0 + 0.15 * speed) * log(ratio))
    return speed
