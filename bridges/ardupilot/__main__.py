"""``python -m apps.ardupilot mission.moos``."""

from steerageway.apps.shared.shell import main
from steerageway.bridges.ardupilot.app import ArduPilot

if __name__ == "__main__":
    main(ArduPilot)
