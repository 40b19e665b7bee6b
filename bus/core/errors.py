"""Errors of the bus, as one tree.

BusError
├── ConfigError        a line of a configuration is wrong: where, key, value, what is expected
│   └── ConfigErrors   several lines are
├── CannotGoOn         an app cannot do its work, for a reason outside it: a full disk ...
├── ValueRefused       a value that the bus does not carry (also a TypeError): bool, list, None ...
├── RegistrationRefused  a registration with an illegal name or interval (also a TypeError)
├── WireError          a frame that is not of the protocol
├── Refused            the broker rejected a client; ``reason`` says why
├── PostRefused        the broker did not accept a post: another type, an illegal name ...
├── ControlError       an observer requested something impossible
├── NoAnswer           no reply in time (also a TimeoutError)
├── ServerError        the broker's server cannot be opened: port in use, no keys beyond loopback
└── BackPressure       a free-running poster waited too long for a reader that does not read
"""

from __future__ import annotations

from collections.abc import Sequence

from steerageway.declarations.posted import why_not_carried
from steerageway.diagnostics.diagnostic import DiagnosedError, Diagnostic


class BusError(Exception):
    """Root of the bus's errors."""


class ConfigError(DiagnosedError, BusError):
    """A line of a configuration is wrong.

    Attributes:
        missing: the files it names that do not exist.
    """

    missing: tuple[str, ...] = ()


class ConfigErrors(ConfigError):
    """Several lines of a configuration are wrong; the message has one line for each.

    Attributes:
        diagnostics: one for each; ``where``, ``key`` ... are those of the first.
    """

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        first = diagnostics[0]
        super().__init__(first.where, first.key, first.value, first.expected)
        self.diagnostics = tuple(diagnostics)
        self.args = ("\n".join(map(str, diagnostics)),)


class CannotGoOn(BusError):
    """An app cannot do its work, for an outside reason; the message is all that a user needs."""


class ValueRefused(BusError, TypeError):
    """A value that is not a finite float, str or bytes."""

    def __init__(self, name: str, value: object) -> None:
        self.name, self.value = name, value
        super().__init__(why_not_carried(name, value))


class RegistrationRefused(BusError, TypeError):
    """A registration whose name or pattern is no str, or whose interval is no number [s] >= 0."""

    def __init__(self, given: object, expected: str, name: str = "") -> None:
        self.given = given
        what = f"register {name}: interval={given!r}" if name else f"register {given!r}"
        super().__init__(f"{what}: expected {expected}")


class WireError(BusError):
    """A frame that is not of the protocol."""


class Refused(BusError):
    """The broker rejected a client."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


class PostRefused(BusError):
    """The broker did not accept a post; the text names it and says what would be right."""


class ControlError(BusError):
    """An observer requested something impossible; the text says what would be right."""


class NoAnswer(BusError, TimeoutError):
    """No reply came in time."""


class ServerError(BusError):
    """The broker's server cannot be opened."""


class PortInUse(ServerError):
    """Another process listens at the broker's port."""


class BackPressure(BusError):
    """A free-running poster waited too long for a reader that does not read.

    Attributes:
        names: the clients that do not read; empty when the broker did not say.
    """

    def __init__(self, names: tuple[str, ...], waited: float) -> None:
        self.names = names
        who = ", ".join(names) or "the broker"
        super().__init__(f"posts waited {waited:g} s for {who} to read; they are kept")
