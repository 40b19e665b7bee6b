"""Errors of launch scripts: unsupported forms, and too much work."""

from __future__ import annotations

MOST_WORK = 10_000_000  # characters expanded by a script and those that it calls
_COMMAND = 1000  # of these, what each command counts as


class Unread(Exception):
    """A shell form or command is not supported; the text quotes it."""


class Effort:
    """Limit of the work on a script, as a loop or a growing text may have no end."""

    def __init__(self) -> None:
        self._left = MOST_WORK

    def spend(self, characters: int = _COMMAND) -> None:
        """Count characters to be expanded, by default those of a command.

        Raises:
            Unread: there are too many.
        """
        self._left -= characters
        if self._left < 0:
            most = MOST_WORK // _COMMAND
            raise Unread(f"expected at most {most} commands, {MOST_WORK} characters")
