"""``python -m apps.mcap_logger mission.moos``."""

from steerageway.apps.framework.shell import main
from steerageway.apps.logs.mcap_logger.app import McapLogger

if __name__ == "__main__":
    main(McapLogger)
