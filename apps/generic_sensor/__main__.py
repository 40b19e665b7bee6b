"""``python -m apps.generic_sensor mission.moos``."""

from apps.generic_sensor.app import GenericSensor
from apps.shell import main

if __name__ == "__main__":
    main(GenericSensor)
