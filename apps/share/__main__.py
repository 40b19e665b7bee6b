"""``python -m apps.share mission.moos``."""

from apps.share.app import Share
from apps.shell import main

if __name__ == "__main__":
    main(Share)
