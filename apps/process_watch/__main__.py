"""``python -m apps.process_watch mission.moos``."""

from apps.process_watch.app import ProcessWatch
from apps.shell import main

if __name__ == "__main__":
    main(ProcessWatch)
