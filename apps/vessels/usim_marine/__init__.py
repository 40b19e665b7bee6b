"""``uSimMarineV22``: a simulated vessel."""

from steerageway.apps.vessels.usim_marine.app import USimMarine

__all__ = ["USimMarine"]
