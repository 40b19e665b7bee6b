"""Servo outputs of the firmware: its packets, and the orders that they stand for.

Source: ArduPilot, libraries/SITL/examples/JSON/readme.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from struct import Struct

from steerageway.declarations import Number, Whole, field_of
from steerageway.diagnostics.nearest import hint
from steerageway.moos.values import pairs

CHANNELS = {18458: 16, 29569: 32}  # magic number -> servo outputs
MOST_CHANNELS = 32
KEYS = ("channel", "order", "low", "high", "min", "trim", "max", "idle")
_HEAD = Struct("<HHI")


class NotServos(ValueError):
    """A datagram is no servo packet; the text says why."""


@dataclass(frozen=True, slots=True)
class ServoPacket:
    """One output of the firmware.

    Attributes:
        rate: frames that it asks for in a second.
        count: of its frames since it was started.
        pwm: pulse widths [us]; 0 for an output that it does not drive.
    """

    rate: int
    count: int
    pwm: tuple[int, ...]


def read_packet(data: bytes) -> ServoPacket:
    """Parse a datagram.

    Raises:
        NotServos: it is something else.
    """
    if len(data) < _HEAD.size:
        raise NotServos("a datagram is too short for a servo packet")
    magic, rate, count = _HEAD.unpack_from(data)
    channels = CHANNELS.get(magic)
    if channels is None:
        known = " or ".join(map(str, CHANNELS))
        raise NotServos(f"a datagram of another protocol or version: expected {known} at its begin")
    if len(data) != _HEAD.size + 2 * channels:
        raise NotServos(f"a servo packet has not the {_HEAD.size + 2 * channels} bytes of its kind")
    return ServoPacket(rate, count, Struct(f"<{channels}H").unpack_from(data, _HEAD.size))


@dataclass(frozen=True, slots=True)
class Servo:
    """One line of the mapping: a servo output and the order that it stands for.

    Attributes:
        channel: from 1.
        order: variable that is posted.
        low, high: its value at the least and at the greatest pulse width.
        least, trim, greatest: pulse widths [us]; where 0 lies between low and high, it is at trim.
        idle: value while the firmware does not drive the output.
    """

    channel: int
    order: str
    low: float
    high: float
    least: int = 1000
    trim: int = 1500
    greatest: int = 2000
    idle: float = 0.0

    def value(self, pwm: int) -> float:
        """Return the order of a pulse width [us]; one outside the range counts as its end."""
        if pwm == 0:
            return self.idle
        pwm = min(max(pwm, self.least), self.greatest)
        if not self.low < 0.0 < self.high:
            share = (pwm - self.least) / (self.greatest - self.least)
            return self.low + share * (self.high - self.low)
        if pwm >= self.trim:
            return self.high * (pwm - self.trim) / (self.greatest - self.trim)
        return self.low * (self.trim - pwm) / (self.trim - self.least)

    def is_within(self, pwm: int) -> bool:
        """Whether a pulse width is one that the mapping expects."""
        return pwm == 0 or self.least <= pwm <= self.greatest


def read_servo(text: str) -> Servo:
    """Read ``channel=1, order=DESIRED_RUDDER, low=-100, high=100``.

    Raises:
        ValueError: a key is unknown, missing or repeated, or a value wrong.
    """
    fields: dict[str, str] = {}
    for key, value in pairs(text):
        if key.lower() not in KEYS:
            raise ValueError(f"{key}: expected {', '.join(KEYS)}{hint(key, KEYS)}")
        if key.lower() in fields:
            raise ValueError(f"{key}: expected once")
        fields[key.lower()] = value
    order = fields.get("order", "")
    if len(order.split()) != 1:
        raise ValueError("order: expected the variable to post, as order=DESIRED_RUDDER")
    channel = field_of(fields, "channel", Whole(1, MOST_CHANNELS))
    low, high = field_of(fields, "low", Number(), "-100"), field_of(fields, "high", Number(), "100")
    least, trim, greatest = (field_of(fields, key, _WIDTH, usual) for key, usual in _WIDTHS)
    if not least < greatest or not least <= trim <= greatest:
        raise ValueError("expected min < max, and trim between them")
    if low * high < 0.0 and trim in (least, greatest):
        raise ValueError("trim: expected it above min and below max, as 0 lies there")
    if low == high:
        raise ValueError("low, high: expected two different values")
    nearest_to_0 = min(max(0.0, min(low, high)), max(low, high))
    idle = field_of(fields, "idle", Number(), str(nearest_to_0))
    return Servo(channel, order, low, high, least, trim, greatest, idle)


_WIDTH = Whole(1, 65535)  # of a pulse [us]
_WIDTHS = (("min", "1000"), ("trim", "1500"), ("max", "2000"))


USUAL = (Servo(1, "DESIRED_RUDDER", -100.0, 100.0), Servo(3, "DESIRED_THRUST", -100.0, 100.0))
"""Rover's own outputs: steering and throttle."""
