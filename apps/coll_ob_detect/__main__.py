"""``python -m apps.coll_ob_detect mission.moos``."""

from apps.coll_ob_detect.app import CollObDetect
from apps.shell import main

if __name__ == "__main__":
    main(CollObDetect)
