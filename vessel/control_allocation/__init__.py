"""Control allocation: from a desired force to thrusts and azimuth angles.

``layout_of`` derives a vessel's layout, ``Allocator`` allocates a force at every step, and ``qp``
holds the quadratic programmes.
"""

from steerageway.vessel.control_allocation.allocator import Allocation, Allocator, Options
from steerageway.vessel.control_allocation.curves import Curve, layout_of
from steerageway.vessel.control_allocation.layout import AXES, Layout, Slot, read_axes
from steerageway.vessel.control_allocation.qp import HAS_QP

__all__ = [
    "AXES", "HAS_QP", "Allocation", "Allocator", "Curve", "Layout", "Options", "Slot",
    "layout_of", "read_axes",
]  # fmt: skip
