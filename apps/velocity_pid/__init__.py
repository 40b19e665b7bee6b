"""``pVelocityPID``: keeps speed and rate of turn by a force and a moment."""

from steerageway.apps.velocity_pid.app import VelocityPid

__all__ = ["VelocityPid"]
