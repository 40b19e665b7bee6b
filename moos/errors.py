"""Errors in texts of MOOS-IvP's formats."""

from __future__ import annotations

from collections.abc import Sequence

from steerageway.diagnostics.diagnostic import DiagnosedError


class FormatError(DiagnosedError, ValueError):
    """A line of a file is wrong."""


class FormatErrors(FormatError):
    """Several lines of a file are wrong; the message has one line for each.

    Attributes:
        errors: one for each, at least one; ``where``, ``key`` ... are those of the first.
    """

    def __init__(self, errors: Sequence[FormatError]) -> None:
        first = errors[0]
        super().__init__(first.where, first.key, first.value, first.expected)
        self.errors = tuple(errors)
        self.diagnostics = tuple(one for error in errors for one in error.diagnostics)
        self.args = ("\n".join(map(str, errors)),)


def all_of(error: FormatError) -> tuple[FormatError, ...]:
    """Return the single errors of an error: itself, or several."""
    return error.errors if isinstance(error, FormatErrors) else (error,)
