"""``python -m apps.mavlink mission.moos``."""

from steerageway.apps.shared.shell import main
from steerageway.bridges.mavlink.app import Mavlink

if __name__ == "__main__":
    main(Mavlink)
