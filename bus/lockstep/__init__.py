"""Simulated time: who runs when, and when what it posts is committed."""
