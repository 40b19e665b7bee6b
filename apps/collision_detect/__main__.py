"""``python -m apps.collision_detect mission.moos``."""

from apps.collision_detect.app import CollisionDetect
from apps.shell import main

if __name__ == "__main__":
    main(CollisionDetect)
