"""Unique names of a vessel's sensors: configured names, and numbered default names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from steerageway.vessel.errors import InvalidValue


class Nameable(Protocol):
    """A sensor with a configured name if ``named``, else the default name of its type."""

    name: str
    named: bool


def name_apart(sensors: Sequence[Nameable]) -> None:
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
