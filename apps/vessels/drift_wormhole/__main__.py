"""``python -m apps.drift_wormhole mission.moos``."""

from steerageway.apps.shared.shell import main
from steerageway.apps.vessels.drift_wormhole.app import DriftWormhole

if __name__ == "__main__":
    main(DriftWormhole)
