"""``uFldGenericSensor``: a sensor of points, the vaguer the farther it reaches."""

from steerageway.apps.generic_sensor.app import GenericSensor

__all__ = ["GenericSensor"]
