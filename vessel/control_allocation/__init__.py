"""Control allocation: from a wanted force to what each thruster does.

``layout_of`` reads a vessel's thrusters, ``Allocator`` shares a force among them at every step,
``qp`` has the optimisation problems by themselves.
"""

from steerageway.vessel.control_allocation.allocator import Allocation, Allocator, Options
from steerageway.vessel.control_allocation.curves import Curve, layout_of
from steerageway.vessel.control_allocation.layout import AXES, Layout, Slot, read_axes
from steerageway.vessel.control_allocation.qp import HAS_QP

__all__ = [
    "AXES",
    "HAS_QP",
    "Allocation",
    "Allocator",
    "Curve",
    "Layout",
    "Options",
    "Slot",
    "layout_of",
    "read_axes",
]
