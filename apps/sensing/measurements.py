"""Which variables hold measurements of sensors that look outward, and what they are of."""

from __future__ import annotations

from enum import Enum


class Kind(Enum):
    """What a variable's measurements are; its names begin so."""

    LIDAR = "LIDAR_"
    DEPTH = "DEPTH_"
    RGB = "RGB_"
    SEMANTIC = "SEMANTIC_"
    INSTANCE = "INSTANCE_"
    CAMERA_INFO = "CAMERA_INFO_"
    SONAR = "SONAR_"
    COLOURED = "COLOURED_"


CLOUDS = (Kind.LIDAR, Kind.COLOURED)
VARIABLES = tuple(f"{kind.value}*" for kind in Kind)
"""Patterns of all of them."""


def kind_of(variable: str) -> Kind | None:
    """Return what a variable's measurements are; None if it holds none."""
    return next((kind for kind in Kind if variable.startswith(kind.value)), None)


def sensor_of(variable: str) -> str:
    """Return the name of the sensor that posts a variable, as names of variables have it."""
    kind = kind_of(variable)
    return variable if kind is None else variable.removeprefix(kind.value)
