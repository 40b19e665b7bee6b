"""``python -m apps.beacon_range_sensor mission.moos``."""

from steerageway.apps.beacon_range_sensor.app import BeaconRangeSensor
from steerageway.apps.shell import main

if __name__ == "__main__":
    main(BeaconRangeSensor)
