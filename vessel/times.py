"""Unit of time: whole nanoseconds, for exact sums."""

NANO = 1_000_000_000
"""Nanoseconds per second."""
