"""``uSensors``: a vessel's instruments."""

from apps.sensors.app import Sensors

__all__ = ["Sensors"]
