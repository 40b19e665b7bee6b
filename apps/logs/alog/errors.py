"""What the log tools cannot do."""

from __future__ import annotations


class ToolError(Exception):
    """Something was asked for that a log does not hold, or that is not installed."""
