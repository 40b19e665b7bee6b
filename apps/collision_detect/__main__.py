"""``python -m apps.collision_detect mission.moos``."""

from steerageway.apps.collision_detect.app import CollisionDetect
from steerageway.apps.shell import main

if __name__ == "__main__":
    main(CollisionDetect)
