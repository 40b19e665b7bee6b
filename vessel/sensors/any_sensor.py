"""Base class of all sensors, ``AnySensor``: name, position, orientation, rate and latency."""

from __future__ import annotations

import re
from typing import Any, ClassVar

import numpy as np

from steerageway.vessel.fossen.frame import Frame, angles
from steerageway.vessel.fossen.keys import sensors as sen
from steerageway.vessel.kinematics import rotm_to_eul
from steerageway.vessel.sensors.error_keys import read_amount
from steerageway.vessel.sensors.schedule import read_period, times_between
from steerageway.vessel.times import NANO
from steerageway.world.document import Section

_NAME = re.compile(r"[A-Za-z_]\w*")
DRAWN_IN_BODY = Frame(np.zeros(3), np.eye(3))


class AnySensor:
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
        self.latency = round(read_amount(section, sen.LATENCY) * NANO)

    @property
    def publish_rate(self) -> float:
        """Rate of measurements [Hz]."""
        numerator, denominator = self.period
        return NANO * denominator / numerator

    def times(self, after: int, end: int) -> list[int]:
        """Return the times [ns] of its measurements after one instant up to another.

        The k-th is taken k periods after time zero, to the nearest nanosecond.
        """
        return times_between(self.period, after, end)

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
