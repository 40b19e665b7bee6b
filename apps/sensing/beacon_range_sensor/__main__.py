"""``python -m apps.beacon_range_sensor mission.moos``."""

from steerageway.apps.framework.shell import main
from steerageway.apps.sensing.beacon_range_sensor.app import BeaconRangeSensor

if __name__ == "__main__":
    main(BeaconRangeSensor)
