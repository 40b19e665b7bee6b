"""Errors of the world package, also raised by its users.

WorldError
└── InvalidValue    invalid parameter, text or file (also a ValueError)
"""

from __future__ import annotations

from steerageway.diagnostics.diagnostic import Diagnostic


class WorldError(Exception):
    """The root of the package's errors."""


class InvalidValue(WorldError, ValueError):
    """An invalid parameter, text or file; the message names the expected value.

    Args:
        error: error text, or a diagnostic.
        where: the file, or "file:line".
    Attributes: diagnostics: tuple of one, the error as data.
    """

    def __init__(self, error: str | Diagnostic, where: str = "") -> None:
        one = error if isinstance(error, Diagnostic) else Diagnostic(where, expected=error)
        self.diagnostics: tuple[Diagnostic, ...] = (one,)
        super().__init__(str(one))
