"""``python -m apps.sensors mission.moos``."""

from steerageway.apps.sensors.app import Sensors
from steerageway.apps.shell import main

if __name__ == "__main__":
    main(Sensors)
