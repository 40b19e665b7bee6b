"""``uLoadWatch``: warns of apps that come too late to their iterations."""

from steerageway.apps.load_watch.app import LoadWatch

__all__ = ["LoadWatch"]
