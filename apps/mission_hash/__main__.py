"""``python -m apps.mission_hash mission.moos``."""

from apps.mission_hash.app import MissionHasher
from apps.shell import main

if __name__ == "__main__":
    main(MissionHasher)
