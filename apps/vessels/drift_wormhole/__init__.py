"""``uDriftWormhole``: what the world does to vessels: drift, and wormholes."""

from steerageway.apps.vessels.drift_wormhole.app import DriftWormhole

__all__ = ["DriftWormhole"]
