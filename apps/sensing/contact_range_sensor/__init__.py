"""``uFldContactRangeSensor``: ranges from vessels to each other, by ping and echo."""

from steerageway.apps.sensing.contact_range_sensor.app import ContactRangeSensor

__all__ = ["ContactRangeSensor"]
