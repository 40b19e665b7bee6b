"""``pMarinePIDV22`` and the older ``pMarinePID``: a PID controller of heading, speed and depth."""

from steerageway.apps.control.marine_pid.app import MarinePid
from steerageway.apps.control.marine_pid.legacy import MarinePidLegacy

__all__ = ["MarinePid", "MarinePidLegacy"]
