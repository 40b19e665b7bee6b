"""``pThrustAllocation``: shares a wanted force among a vessel's thrusters."""

from steerageway.apps.control.thrust_allocation.app import ThrustAllocation

__all__ = ["ThrustAllocation"]
