"""Errors of the bus, as one tree.

BusError
├── ConfigError        a line of a configuration is wrong: where, key, value, what is expected
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

from pathlib import Path
from traceback import FrameSummary, extract_tb

from steerageway.diagnostics.diagnostic import DiagnosedError

_LIBRARIES = ("stdlib", "platstdlib", "purelib", "platlib")


def error_text(error: BaseException) -> str:
    """Describe an unexpected error in one line: what it is, and the line of code it comes from.

    That is the innermost line of a user's own code, not of a package of this project or a library;
    if there is none, the line of the app.
    """
    frames = extract_tb(error.__traceback__)
    theirs = [frame for frame in frames if not _is_library(frame)]
    mine = [frame for frame in theirs if not _is_beside(frame)]
    where = (mine or theirs or frames)[-1]
    return f"{type(error).__name__}: {error} ({Path(where.filename).name}:{where.lineno})"


def _is_library(frame: FrameSummary) -> bool:
    """Whether a frame is in the bus, in Python or in an installed library."""
    from sysconfig import get_path  # imported only when an app has failed

    file = Path(frame.filename)
    libraries = (Path(__file__).parents[1], *(Path(get_path(name)) for name in _LIBRARIES))
    return not file.is_absolute() or any(file.is_relative_to(folder) for folder in libraries)


def _is_beside(frame: FrameSummary) -> bool:
    """Whether a frame is in a package of this project other than the bus."""
    home, file = Path(__file__).parents[2], Path(frame.filename)
    if not file.is_relative_to(home):
        return False
    return (home / file.relative_to(home).parts[0] / "__init__.py").is_file()


class BusError(Exception):
    """Root of the bus's errors."""


class ConfigError(DiagnosedError, BusError):
    """A line of a configuration is wrong.

    Attributes:
        missing: the files it names that do not exist.
    """

    missing: tuple[str, ...] = ()


class CannotGoOn(BusError):
    """An app cannot do its work, for an outside reason; the message is all that a user needs."""


class ValueRefused(BusError, TypeError):
    """A value that is not a finite float, str or bytes."""

    def __init__(self, name: str, value: object) -> None:
        self.name, self.value = name, value
        what = f"a {type(value).__name__} cannot be posted; post a float, a str or bytes"
        if isinstance(value, float):
            what = "not a finite number"
        elif isinstance(value, bool):
            what = f'a bool cannot be posted; post "{str(value).lower()}"'
        elif isinstance(value, str):
            what = "holds characters that UTF-8 cannot carry"
        super().__init__(f"{name} = {value!r}: {what}")


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
