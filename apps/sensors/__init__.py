"""``uSensors``: a vessel's instruments."""

from steerageway.apps.sensors.app import Sensors

__all__ = ["Sensors"]
