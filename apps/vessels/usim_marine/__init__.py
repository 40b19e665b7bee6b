"""``uSimMarineV22`` and the older ``uSimMarine``: simulators of a vessel."""

from steerageway.apps.vessels.usim_marine.app import USimMarine
from steerageway.apps.vessels.usim_marine.legacy import USimMarineLegacy

__all__ = ["USimMarine", "USimMarineLegacy"]
