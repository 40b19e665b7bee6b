"""``python -m apps.shore_broker mission.moos``."""

from apps.shell import main
from apps.shore_broker.app import ShoreBroker

if __name__ == "__main__":
    main(ShoreBroker)
