"""``python -m apps.tracker mission.moos``."""

from steerageway.apps.contacts.tracker.app import SceneTracker
from steerageway.apps.shared.shell import main

if __name__ == "__main__":
    main(SceneTracker)
