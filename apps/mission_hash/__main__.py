"""``python -m apps.mission_hash mission.moos``."""

from steerageway.apps.mission_hash.app import MissionHasher
from steerageway.apps.shell import main

if __name__ == "__main__":
    main(MissionHasher)
