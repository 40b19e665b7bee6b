"""``uNavFilter``: where a vessel believes it is."""

from steerageway.apps.nav_filter.app import NavFilter

__all__ = ["NavFilter"]
