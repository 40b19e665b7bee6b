"""``uSensors``: a vessel's instruments."""

from steerageway.apps.sensing.sensors.app import Sensors

__all__ = ["Sensors"]
