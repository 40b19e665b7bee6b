"""Mean wind: speed, direction, and variation with height."""

from __future__ import annotations

from dataclasses import dataclass
from math import log, sqrt

from steerageway.world.errors import InvalidValue
from steerageway.world.numbers import read_finite

REFERENCE_HEIGHT = 10.0  # [m], reference height of wind speeds
POWER = 0.12  # exponent of the power law over the sea
LEAST_HEIGHT = 0.1  # [m]; neither profile is valid below
FASTEST = 200.0  # [m/s], twice the strongest gust ever measured


@dataclass(frozen=True, slots=True)
class Wind:
    """A mean wind: speed [m/s] and compass direction it comes from [deg]."""

    speed: float
    direction: float

    @classmethod
    def read(cls, text: str) -> Wind:
        """Parse "spd=5,dir=90".

        Raises:
            InvalidValue: unknown key, or a number that is missing, negative, too large or invalid.
        """
        values: dict[str, float] = {}
        for part in text.split(","):
            key, _, value = (piece.strip().lower() for piece in part.partition("="))
            values[key] = read_finite(value, repr(part.strip()))
        if values.keys() != {"spd", "dir"} or min(values.values()) < 0:
            raise InvalidValue(f"{text!r}: expected spd=<m/s, at least 0>,dir=<deg, at least 0>")
        if values["spd"] > FASTEST:
            raise InvalidValue(f"{text!r}: expected a wind of at most {FASTEST:g} m/s")
        return cls(values["spd"], values["dir"])


def at_height(speed: float, height: float, profile: str = "power") -> float:
    """Return the mean wind speed [m/s] at a height above the sea.

    Args:
        speed: mean at 10 m [m/s].
        height: height above the mean surface [m].
        profile: ``power``, U (z/10)^0.12; ``log``, that of NORSOK and NPD, for an hourly mean;
            ``none``, constant.
    Source: DNV-RP-C205 (2010), sections 2.3.2.11 and 2.3.2.15.
    """
    ratio = max(height, LEAST_HEIGHT) / REFERENCE_HEIGHT
    if profile == "power":
        return float(speed * ratio**POWER)
    if profile == "log":
        return speed * (1.0 + 0.0573 * sqrt(1.0 + 0.15 * speed) * log(ratio))
    return speed
