"""``python -m apps.mcap_logger mission.moos``."""

from steerageway.apps.logs.mcap_logger.app import McapLogger
from steerageway.apps.shared.shell import main

if __name__ == "__main__":
    main(McapLogger)
