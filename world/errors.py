"""What can go wrong with a description of the world, and of all that uses it.

WorldError
└── InvalidValue    a parameter, a text or a file does not say what it must (also a ValueError)
"""

from __future__ import annotations

from steerageway.diagnostics.diagnostic import Diagnostic


class WorldError(Exception):
    """The root of the package's errors."""


class InvalidValue(WorldError, ValueError):
    """A parameter, a text or a file is wrong; the message says what would be right.

    Args:
        said: what is wrong and what would be right.
        where: the file, or "file:line".
    Attributes: diagnostics, one: what it says as data.
    """

    def __init__(self, said: str | Diagnostic, where: str = "") -> None:
        one = said if isinstance(said, Diagnostic) else Diagnostic(where, expected=said)
        self.diagnostics: tuple[Diagnostic, ...] = (one,)
        super().__init__(str(one))
