"""``python -m apps.load_watch mission.moos``."""

from apps.load_watch.app import LoadWatch
from apps.shell import main

if __name__ == "__main__":
    main(LoadWatch)
