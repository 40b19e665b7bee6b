"""Simulated sensors, aboard vessels and on the shore, and the navigation filter."""
