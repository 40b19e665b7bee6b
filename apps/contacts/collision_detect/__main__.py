"""``python -m apps.collision_detect mission.moos``."""

from steerageway.apps.contacts.collision_detect.app import CollisionDetect
from steerageway.apps.shared.shell import main

if __name__ == "__main__":
    main(CollisionDetect)
