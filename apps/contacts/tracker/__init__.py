"""``uTracker``: makes contacts and obstacles of what ranging sensors see."""

from steerageway.apps.contacts.tracker.app import SceneTracker

__all__ = ["SceneTracker"]
