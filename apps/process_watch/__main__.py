"""``python -m apps.process_watch mission.moos``."""

from steerageway.apps.process_watch.app import ProcessWatch
from steerageway.apps.shell import main

if __name__ == "__main__":
    main(ProcessWatch)
