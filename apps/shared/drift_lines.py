"""Readers of drift, from the lines of a block or from mail."""

from __future__ import annotations

from steerageway.bus import Config, parse_number
from steerageway.moos.values import finite
from steerageway.vessel.drift import Drift
from steerageway.vessel.errors import InvalidValue


def read_drift(config: Config) -> Drift:
    """Read the drift of a block; its lines are applied in order.

    Raises:
        ConfigError: a line is invalid.
    """
    drift = Drift()
    for entry in config.in_turn("drift_x", "drift_y", "drift_vector"):
        key = entry.key.lower()
        if key == "drift_vector":
            try:
                drift = read_vector(entry.value)
            except InvalidValue as error:
                raise Config.error(entry, str(error)) from None
        elif key == "drift_x":
            drift = Drift(parse_number(entry), drift.y)
        else:
            drift = Drift(drift.x, parse_number(entry))
    return drift


def read_vector(text: str) -> Drift:
    """Parse a drift "<direction [deg]>,<magnitude [m/s]>".

    Raises:
        InvalidValue: the text has another form.
    """
    numbers = [finite(part) for part in text.split(",")]
    if len(numbers) != 2 or numbers[0] is None or numbers[1] is None:
        raise InvalidValue("expected <direction in degrees>,<magnitude in m/s>")
    return Drift.towards(numbers[0], numbers[1])
