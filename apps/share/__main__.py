"""``python -m apps.share mission.moos``."""

from steerageway.apps.share.app import Share
from steerageway.apps.shell import main

if __name__ == "__main__":
    main(Share)
