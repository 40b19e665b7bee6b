"""Controllers of pose and velocity with force output, in up to six degrees of freedom."""

from steerageway.vessel.force_control.gains import AxisGains, placed, placed_velocity, regulated
from steerageway.vessel.force_control.lqr import lqr
from steerageway.vessel.force_control.motion import MotionEstimate
from steerageway.vessel.force_control.notch import Notch, WaveFilter
from steerageway.vessel.force_control.pose import PoseController, Reference
from steerageway.vessel.force_control.velocity import VelocityController, VelocityGains
from steerageway.vessel.force_control.wind import WindForce

__all__ = [
    "AxisGains", "MotionEstimate", "Notch", "PoseController", "Reference", "VelocityController",
    "VelocityGains", "WaveFilter", "WindForce", "lqr", "placed", "placed_velocity", "regulated",
]  # fmt: skip
