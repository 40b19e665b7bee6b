"""Lockstep: simulated time, grants to apps and communities, and the order of commitment."""
