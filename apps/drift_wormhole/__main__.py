"""``python -m apps.drift_wormhole mission.moos``."""

from apps.drift_wormhole.app import DriftWormhole
from apps.shell import main

if __name__ == "__main__":
    main(DriftWormhole)
