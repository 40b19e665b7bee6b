"""Simulators of vessels, and of drift, wormholes, obstacles and geofences."""
