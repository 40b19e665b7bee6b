"""Sensors, on board and on the shore, and the filter that makes one state of their measurements."""
