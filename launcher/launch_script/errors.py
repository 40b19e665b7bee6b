"""Error for unsupported forms in launch scripts."""

from __future__ import annotations


class Unread(Exception):
    """A shell form or command is not supported; the text quotes it."""
