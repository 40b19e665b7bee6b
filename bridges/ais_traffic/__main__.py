"""``python -m apps.ais_traffic mission.moos``."""

from steerageway.apps.shared.shell import main
from steerageway.bridges.ais_traffic.app import AisTraffic

if __name__ == "__main__":
    main(AisTraffic)
