"""``pMavlink``: shows a vessel to ground stations by MAVLink, and takes their commands."""

from steerageway.bridges.mavlink.app import Mavlink

__all__ = ["Mavlink"]
