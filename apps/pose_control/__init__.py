"""``pPoseControl``: keeps a pose, or velocities, in six degrees of freedom."""

from steerageway.apps.pose_control.app import PoseControl

__all__ = ["PoseControl"]
