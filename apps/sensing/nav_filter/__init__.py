"""``uNavFilter``: estimates a vessel's state from its sensors."""

from steerageway.apps.sensing.nav_filter.app import NavFilter

__all__ = ["NavFilter"]
