"""``python -m apps.load_watch mission.moos``."""

from steerageway.apps.load_watch.app import LoadWatch
from steerageway.apps.shell import main

if __name__ == "__main__":
    main(LoadWatch)
