"""``python -m apps.xrelay mission.moos``."""

from apps.shell import main
from apps.xrelay.app import XRelay

if __name__ == "__main__":
    main(XRelay)
