"""``uProcessWatch``: says which processes of a community are there."""

from steerageway.apps.watches.process_watch.app import ProcessWatch

__all__ = ["ProcessWatch"]
