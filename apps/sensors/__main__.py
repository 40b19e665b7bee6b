"""``python -m apps.sensors mission.moos``."""

from apps.sensors.app import Sensors
from apps.shell import main

if __name__ == "__main__":
    main(Sensors)
