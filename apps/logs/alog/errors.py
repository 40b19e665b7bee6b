"""Errors of the log tools."""

from __future__ import annotations


class ToolError(Exception):
    """A request that fails: the log does not have the data, or a package is not installed."""
