"""``pThrustAllocation``: allocates a desired force to a vessel's thrusters."""

from steerageway.apps.control.thrust_allocation.app import ThrustAllocation

__all__ = ["ThrustAllocation"]
