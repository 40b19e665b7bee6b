"""``python -m apps.scene_sensors mission.moos``."""

from steerageway.apps.framework.shell import main
from steerageway.apps.sensing.scene_sensors.app import SceneSensors

if __name__ == "__main__":
    main(SceneSensors)
