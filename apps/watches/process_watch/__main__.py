"""``python -m apps.process_watch mission.moos``."""

from steerageway.apps.framework.shell import main
from steerageway.apps.watches.process_watch.app import ProcessWatch

if __name__ == "__main__":
    main(ProcessWatch)
