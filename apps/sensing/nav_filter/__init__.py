"""``uNavFilter``: where a vessel believes it is."""

from steerageway.apps.sensing.nav_filter.app import NavFilter

__all__ = ["NavFilter"]
