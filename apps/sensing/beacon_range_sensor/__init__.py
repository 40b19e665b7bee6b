"""``uFldBeaconRangeSensor``: ranges from vessels to beacons at known positions."""

from steerageway.apps.sensing.beacon_range_sensor.app import BeaconRangeSensor

__all__ = ["BeaconRangeSensor"]
