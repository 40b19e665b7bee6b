"""Names of a vessel's sensors: those that were given, and numbers for those that were not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from steerageway.vessel.errors import InvalidValue


class Nameable(Protocol):
    """What has a name of its own if ``named``, else that of its kind."""

    name: str
    named: bool


def name_apart(sensors: Sequence[Nameable]) -> None:
    """Give sensors of one default name numbers: ``GPS``, ``GPS_2``.

    Raises:
        InvalidValue: two were given the same name.
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
