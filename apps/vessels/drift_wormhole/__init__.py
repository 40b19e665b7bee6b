"""``uDriftWormhole``: simulates drift and wormholes for vessels of any simulator."""

from steerageway.apps.vessels.drift_wormhole.app import DriftWormhole

__all__ = ["DriftWormhole"]
