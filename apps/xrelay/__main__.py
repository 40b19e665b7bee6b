"""``python -m apps.xrelay mission.moos``."""

from steerageway.apps.shell import main
from steerageway.apps.xrelay.app import XRelay

if __name__ == "__main__":
    main(XRelay)
