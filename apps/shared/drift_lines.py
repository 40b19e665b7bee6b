"""Readers of drift, from the lines of a block or from mail."""

from __future__ import annotations

from steerageway.bus import Config, parsed
from steerageway.declarations import Number, all_finite
from steerageway.vessel.drift import Drift
from steerageway.vessel.errors import InvalidValue

FASTEST = 100.0  # [m/s] more than any water or wind
SPEED = Number(low=-FASTEST, high=FASTEST)


def read_drift(config: Config) -> Drift:
    """Read the drift of a block; its lines are applied in order.

    Raises:
        ConfigError: a line is invalid.
    """
    drift = Drift()
    for entry in config.in_turn("drift_x", "drift_y", "drift_vector"):
        key = entry.key.lower()
        if key == "drift_vector":
            drift = parsed(entry, read_vector)
        elif key == "drift_x":
            drift = Drift(parsed(entry, SPEED), drift.y)
        else:
            drift = Drift(drift.x, parsed(entry, SPEED))
    return drift


def read_vector(text: str) -> Drift:
    """Parse a drift "<direction [deg]>,<magnitude [m/s]>".

    Raises:
        InvalidValue: the text has another form.
    """
    numbers = all_finite(text.split(","))
    if numbers is None or len(numbers) != 2:
        raise InvalidValue("expected <direction in degrees>,<magnitude in m/s>")
    return bounded(Drift.towards(*numbers))


def bounded(drift: Drift) -> Drift:
    """Return a drift that cannot move a vessel beyond the range of numbers.

    Raises:
        InvalidValue: it is faster than any.
    """
    if not drift.magnitude <= FASTEST:
        raise InvalidValue(f"expected a drift of at most {FASTEST:g} m/s")
    return drift
