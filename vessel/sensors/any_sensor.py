"""What every sensor has, whether it feels the vessel's motion or looks outward."""

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
    """A sensor aboard: its name, its place, and when it measures.

    Class attributes of a subclass:
        kind: its ``sensor_type``.
        called: its default name; ``kind`` in capitals if empty.
        usual_rate: [Hz]; None: it must be given.

    Attributes:
        name, topic: under which it tells; no topic: "".
        named: whether its name was given.
        period: between measurements, an exact fraction of nanoseconds (numerator, denominator).
        location: (3,) from CO in BODY [m]. orientation: (3,) Euler angles of its axes there [rad].
        R_bs: (3, 3) from the sensor's axes to BODY.
        latency: from a measurement until it is told [ns].
    """

    kind: ClassVar[str]
    called: ClassVar[str] = ""
    usual_rate: ClassVar[float | None] = None

    def __init__(self, section: Section, frame: Frame) -> None:
        """Read what all have; a subclass reads its own after it.

        Raises:
            InvalidValue: naming file, line, key, value and what would be right.
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
        """How many measurements there are in a second [Hz]."""
        numerator, denominator = self.period
        return NANO * denominator / numerator

    def times(self, after: int, end: int) -> list[int]:
        """Return the times [ns] of its measurements after one instant up to another.

        The k-th is taken k periods after time zero, to the nearest nanosecond.
        """
        return times_between(self.period, after, end)

    def description(self) -> dict[str, Any]:
        """Return what a receiver has to know."""
        return {
            "sensor": self.name,
            "type": self.kind,
            "topic": self.topic,
            "rate": self.publish_rate,
            "location": self.location.tolist(),
            "orientation": self.orientation.tolist(),
            "latency": self.latency / NANO,
        }
