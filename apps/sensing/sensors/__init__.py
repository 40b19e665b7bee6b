"""``uSensors``: IMU, GPS, DVL and other instruments of a vessel."""

from steerageway.apps.sensing.sensors.app import Sensors

__all__ = ["Sensors"]
