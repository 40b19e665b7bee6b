"""``uTracker``: makes contacts and obstacles of what ranging sensors see."""

from steerageway.apps.tracker.app import SceneTracker

__all__ = ["SceneTracker"]
