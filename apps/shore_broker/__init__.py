"""``uFldShoreBroker``: answers vessels that introduce themselves, and shares with them."""

from steerageway.apps.shore_broker.app import ShoreBroker

__all__ = ["ShoreBroker"]
