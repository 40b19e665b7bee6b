"""Variables with measurements of exteroceptive sensors (LiDAR, cameras, sonar), by type."""

from __future__ import annotations

from enum import Enum


class Kind(Enum):
    """Type of a measurement; the value is the prefix of its variables."""

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
"""Patterns of these variables."""


def kind_of(variable: str) -> Kind | None:
    """Return the type of a variable's measurements; None for any other variable."""
    return next((kind for kind in Kind if variable.startswith(kind.value)), None)


def sensor_of(variable: str) -> str:
    """Return the sensor's name as it stands in the name of its variable."""
    kind = kind_of(variable)
    return variable if kind is None else variable.removeprefix(kind.value)
