"""pLogger: writes what happens on the bus to the field's log files."""

from apps.logger.app import Logger

__all__ = ["Logger"]
