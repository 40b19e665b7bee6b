"""``python -m apps.beacon_range_sensor mission.moos``."""

from apps.beacon_range_sensor.app import BeaconRangeSensor
from apps.shell import main

if __name__ == "__main__":
    main(BeaconRangeSensor)
