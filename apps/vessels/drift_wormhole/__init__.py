"""``uDriftWormhole``: simulates drift and wormholes for vessels of any simulator."""
