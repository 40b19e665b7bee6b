"""Encoders: sensors of the actual state of actuators."""

from __future__ import annotations

from typing import Any, ClassVar

from steerageway.vessel.fossen.keys import sensors as sen
from steerageway.vessel.sensors.sensor import Sensor
from steerageway.vessel.sensors.truth import Array, Truth
from steerageway.world.document import Section

THRUSTER, AZIMUTH = "thruster", "azimuth"
"""``actuator_type`` of thrusters, and of azimuth angles; not case-sensitive."""


class Encoder(Sensor):
    """The state of an actuator, in degrees or revolutions per minute."""

    kind = "encoder"
    parts: ClassVar = {"actuator": 1}
    scalars = ("",)
    standard_rms: ClassVar = {"actuator": 0.1}

    def read(self, section: Section) -> None:
        """Find the actuator by its type and number."""
        for key in (sen.LOCATION, sen.ORIENTATION):
            if key in section:
                section.fail(key, section.text(key), "None: it sits on its actuator")
        kind, number = section.text(sen.ACTUATOR_TYPE), section.text(sen.ACTUATOR_ID)
        own = self.aboard.actuators or ()
        fitting = [
            actuator
            for actuator in own
            if actuator.kind.lower() == kind.lower() and actuator.name.endswith(f"_{number}")
        ]
        if not fitting:
            there = [f"{a.kind} {a.name.partition('_')[2]}" for a in own]
            section.fail(
                sen.ACTUATOR_ID, f"{kind} {number}", f"one of its own: {', '.join(there) or 'none'}"
            )
        self.actuator = fitting[0]
        if not self.named:
            self.name = f"ENC_{self.actuator.name.upper()}"

    def measure(self, truth: Truth) -> Array:
        """Return the state (n, 1)."""
        column = truth.names.index(self.actuator.name)
        return truth.actuators[:, column : column + 1] * self.actuator.factor

    def constants(self) -> dict[str, Any]:
        """Return the unit."""
        return {"unit": self.actuator.unit}
