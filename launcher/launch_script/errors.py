"""What a launch script holds that is not read."""

from __future__ import annotations


class Unread(Exception):
    """A form of the shell, or a command, that is not one of the common ones; the text names it."""
