"""Base class of all sensors: unique name, position, orientation, measurement times, latency."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.frame import Frame, angles
from steerageway.vessel.fossen.keys import sensors as sen
from steerageway.vessel.kinematics import rotm_to_eul
from steerageway.world.constants import NANO
from steerageway.world.document import Section

_NAME = re.compile(r"[A-Za-z_]\w*")
DRAWN_IN_BODY = Frame(np.zeros(3), np.eye(3))
Period = tuple[int, int]
"""An exact fraction of nanoseconds: numerator, denominator."""
LONGEST_PERIOD = 10**18  # ns


class SensorBase:
    """A sensor aboard a vessel.

    Class attributes of a subclass:
        kind: its ``sensor_type``.
        called: default name; if empty, ``kind`` in capitals.
        usual_rate: default rate [Hz]; None: a rate is required.

    Attributes:
        name, topic: under which it publishes; topic "": none.
        named: whether the name is configured.
        period: between measurements, as an exact fraction of [ns] (numerator, denominator).
        location: (3,) from CO in BODY [m]. orientation: (3,) Euler angles of its axes [rad].
        R_bs: (3, 3) from the sensor's axes to BODY.
        latency: from a measurement to its post [ns].
    """

    kind: ClassVar[str]
    called: ClassVar[str] = ""
    usual_rate: ClassVar[float | None] = None

    def __init__(self, section: Section, frame: Frame) -> None:
        """Read the common keys; a subclass reads its own afterwards.

        Raises:
            InvalidValue: with file, line, key, value and the expected value.
        """
        section.text(sen.TYPE)
        self.topic = section.text(sen.TOPIC)
        if " " in self.topic:
            section.fail(sen.TOPIC, self.topic, "a name without blanks")
        self.name = section.text(sen.NAME, self.called or self.kind.upper())
        if not _NAME.fullmatch(self.name):
            section.fail(sen.NAME, self.name, "letters, digits and _")
        self.named = sen.NAME in section
        self.period = read_period(section, self.usual_rate)
        self.location = frame.place(section.vector(sen.LOCATION))
        self.R_bs = frame.axes(angles(section, sen.ORIENTATION))
        self.orientation = rotm_to_eul(self.R_bs)
        self.latency = round(section.number(sen.LATENCY) * NANO)

    @property
    def publish_rate(self) -> float:
        """Rate of measurements [Hz]."""
        numerator, denominator = self.period
        return NANO * denominator / numerator

    def times(self, after: int, end: int) -> list[int]:
        """Return the times [ns] of its measurements after one instant up to another.

        The k-th is taken k periods after time zero, to the nearest nanosecond.
        """
        # t_k = round(k num / den), in integers; the inverse gives the last k with t_k <= instant.
        num, den = self.period
        if den == 1:
            return list(range((after // num + 1) * num, end + 1, num))
        first, last = (((2 * instant + 1) * den - 1) // (2 * num) for instant in (after, end))
        return [(2 * k * num + den) // (2 * den) for k in range(first + 1, last + 1)]

    def description(self) -> dict[str, Any]:
        """Return the sensor's entry in the list of sensors."""
        return {
            "sensor": self.name,
            "type": self.kind,
            "topic": self.topic,
            "rate": self.publish_rate,
            "location": self.location.tolist(),
            "orientation": self.orientation.tolist(),
            "latency": self.latency / NANO,
        }


def read_period(section: Section, usual: float | None = None) -> Period:
    """Read ``publish_rate`` [Hz].

    Args:
        section: a sensor's.
        usual: default rate; None: the key is required.

    Raises:
        InvalidValue: with file, line, key, value and the expected value.
    """
    section.positive(sen.RATE, usual)
    text = section.text(sen.RATE, f"{usual:g}" if usual is not None else "")
    period = NANO / Fraction(text)
    if period < 1:
        section.fail(sen.RATE, text, "at most 1e9 Hz")
    if period > LONGEST_PERIOD:
        section.fail(sen.RATE, text, "at least 1e-9 Hz")
    return period.numerator, period.denominator


def name_apart(sensors: Sequence[SensorBase]) -> None:
    """Number sensors of equal default names: ``GPS``, ``GPS_2``.

    Raises:
        InvalidValue: two sensors have the same configured name.
    """
    taken = [sensor.name for sensor in sensors if sensor.named]
    for name in taken:
        if taken.count(name) > 1:
            raise InvalidValue(f"sensor_name {name}: expected a name of its own for each")
    for sensor in sensors:
        if not sensor.named:
            base, number = sensor.name, 1
            while sensor.name in taken:
                number += 1
                sensor.name = f"{base}_{number}"
            taken.append(sensor.name)
