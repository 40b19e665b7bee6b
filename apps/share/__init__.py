"""``pShare``: hands variables on to other communities."""

from steerageway.apps.share.app import Share

__all__ = ["Share"]
