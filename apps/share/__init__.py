"""``pShare``: hands variables on to other communities."""

from apps.share.app import Share

__all__ = ["Share"]
