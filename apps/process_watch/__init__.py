"""``uProcessWatch``: says which processes of a community are there."""

from apps.process_watch.app import ProcessWatch

__all__ = ["ProcessWatch"]
