"""pLogger: writes what happens on the bus to the field's log files."""

from steerageway.apps.logger.app import Logger

__all__ = ["Logger"]
