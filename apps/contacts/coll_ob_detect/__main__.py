"""``python -m apps.coll_ob_detect mission.moos``."""

from steerageway.apps.contacts.coll_ob_detect.app import CollObDetect
from steerageway.apps.framework.shell import main

if __name__ == "__main__":
    main(CollObDetect)
