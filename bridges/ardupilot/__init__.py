"""``pArduPilot``: ArduPilot's firmware (SITL) steers a vessel, in lockstep with the run."""

from steerageway.bridges.ardupilot.app import ArduPilot

__all__ = ["ArduPilot"]
