"""``python -m apps.shore_broker mission.moos``."""

from steerageway.apps.shell import main
from steerageway.apps.shore_broker.app import ShoreBroker

if __name__ == "__main__":
    main(ShoreBroker)
