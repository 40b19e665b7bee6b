"""``python -m apps.geofence mission.moos``."""

from steerageway.apps.geofence.app import Geofence
from steerageway.apps.shell import main

if __name__ == "__main__":
    main(Geofence)
