"""``python -m apps.drift_wormhole mission.moos``."""

from steerageway.apps.drift_wormhole.app import DriftWormhole
from steerageway.apps.shell import main

if __name__ == "__main__":
    main(DriftWormhole)
