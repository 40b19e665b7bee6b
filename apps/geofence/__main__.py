"""``python -m apps.geofence mission.moos``."""

from apps.geofence.app import Geofence
from apps.shell import main

if __name__ == "__main__":
    main(Geofence)
