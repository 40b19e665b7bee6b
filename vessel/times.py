"""Times are whole nanoseconds, so that they add up exactly."""

NANO = 1_000_000_000
"""Nanoseconds a second."""
