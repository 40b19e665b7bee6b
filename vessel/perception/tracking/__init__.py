"""Multi-object tracking of LiDAR returns: clustering, assignment, Kalman filters. Needs SciPy.

Returns are clustered, clusters are assigned to tracks, and each track is a Kalman filter:

    tracker = Tracker(TrackerSettings())
    for time, points in clouds:  # points (n, 2): north, east [m]
        tracks = tracker.step(time, detections(points, ranges))
"""

from steerageway.vessel.perception.tracking.assignment import Gospa, assign, gospa
from steerageway.vessel.perception.tracking.clusters import clusters
from steerageway.vessel.perception.tracking.constant_velocity import Belief, predicted, updated
from steerageway.vessel.perception.tracking.detections import Detection, boxed, detections
from steerageway.vessel.perception.tracking.tracker import Track, Tracker, TrackerSettings

__all__ = [
    "Belief", "Detection", "Gospa", "Track", "Tracker", "TrackerSettings", "assign", "boxed",
    "clusters", "detections", "gospa", "predicted", "updated",
]  # fmt: skip
