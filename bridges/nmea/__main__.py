"""``python -m apps.nmea mission.moos``."""

from steerageway.apps.shared.shell import main
from steerageway.bridges.nmea.app import Nmea

if __name__ == "__main__":
    main(Nmea)
