"""``pMarinePIDV22``: a PID controller of heading, speed and depth."""

from steerageway.apps.control.marine_pid.app import MarinePid

__all__ = ["MarinePid"]
