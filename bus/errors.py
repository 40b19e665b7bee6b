"""What can go wrong on the bus, as one tree.

BusError
├── ConfigError        a line of a configuration is wrong: where, key, value, what is expected
├── ValueRefused       a value that the bus does not carry (also a TypeError): bool, list, None ...
├── WireError          a frame that is not of the protocol
├── Refused            the broker turned a client away; ``reason`` says why
└── BackPressure       a free-running poster waited too long for a reader that does not read
"""

from __future__ import annotations


class BusError(Exception):
    """The root of the package's errors."""


class ConfigError(BusError):
    """A line of a configuration is wrong.

    Attributes: where ("alpha.moos:41"), key, value, expected.
    """

    def __init__(self, where: str, key: str, value: str, expected: str) -> None:
        self.where, self.key, self.value, self.expected = where, key, value, expected
        shown = f"{key} = {value}" if value else key
        super().__init__(f"{where}: {shown}: {expected}")


class ValueRefused(BusError, TypeError):
    """The bus carries float, str and bytes; this was something else."""

    def __init__(self, name: str, value: object) -> None:
        self.name, self.value = name, value
        super().__init__(
            f"{name} = {value!r}: a {type(value).__name__} cannot be posted; "
            "post a float, a str or bytes"
        )


class WireError(BusError):
    """A frame that is not of the protocol."""


class Refused(BusError):
    """The broker turned a client away."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


class BackPressure(BusError):
    """A free-running poster waited too long for a reader that does not read."""
