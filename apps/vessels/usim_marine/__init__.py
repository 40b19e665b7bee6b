"""``uSimMarineV22``: simulator of a vessel."""

from steerageway.apps.vessels.usim_marine.app import USimMarine

__all__ = ["USimMarine"]
