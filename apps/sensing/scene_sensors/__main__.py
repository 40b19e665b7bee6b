"""``python -m apps.scene_sensors mission.moos``."""

from steerageway.apps.sensing.scene_sensors.app import SceneSensors
from steerageway.apps.shared.shell import main

if __name__ == "__main__":
    main(SceneSensors)
