"""``uProcessWatch``: monitors which processes of a community are connected."""

from steerageway.apps.watches.process_watch.app import ProcessWatch

__all__ = ["ProcessWatch"]
