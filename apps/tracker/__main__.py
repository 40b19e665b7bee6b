"""``python -m apps.tracker mission.moos``."""

from steerageway.apps.shell import main
from steerageway.apps.tracker.app import SceneTracker

if __name__ == "__main__":
    main(SceneTracker)
