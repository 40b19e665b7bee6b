"""``python -m apps.sensors mission.moos``."""

from steerageway.apps.framework.shell import main
from steerageway.apps.sensing.sensors.app import Sensors

if __name__ == "__main__":
    main(Sensors)
