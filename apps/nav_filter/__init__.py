"""``uNavFilter``: where a vessel believes she is."""

from steerageway.apps.nav_filter.app import NavFilter

__all__ = ["NavFilter"]
