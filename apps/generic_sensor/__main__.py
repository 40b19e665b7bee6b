"""``python -m apps.generic_sensor mission.moos``."""

from steerageway.apps.generic_sensor.app import GenericSensor
from steerageway.apps.shell import main

if __name__ == "__main__":
    main(GenericSensor)
