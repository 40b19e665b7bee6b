"""``uProcessWatch``: says which processes of a community are there."""

from steerageway.apps.process_watch.app import ProcessWatch

__all__ = ["ProcessWatch"]
