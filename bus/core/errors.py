"""What can go wrong on the bus, as one tree.

BusError
├── ConfigError        a line of a configuration is wrong: where, key, value, what is expected
├── CannotGoOn         an app cannot do its work, for a reason outside it: a full disk ...
├── ValueRefused       a value that the bus does not carry (also a TypeError): bool, list, None ...
├── RegistrationRefused  what was registered for is no name, or not so often (also a TypeError)
├── WireError          a frame that is not of the protocol
├── Refused            the broker turned a client away; ``reason`` says why
├── PostRefused        the broker did not take a post: another type, a bad name ...
├── ControlError       an observer asked for something that cannot be done
├── NoAnswer           nobody answered in time (also a TimeoutError)
├── ServerError        the broker's server cannot be opened: port in use, no keys beyond loopback
└── BackPressure       a free-running poster waited too long for a reader that does not read
"""

from __future__ import annotations

from pathlib import Path
from traceback import FrameSummary, extract_tb

from steerageway.diagnostics.diagnostic import Diagnostic

_LIBRARIES = ("stdlib", "platstdlib", "purelib", "platlib")


def error_text(error: BaseException) -> str:
    """Describe an error that nobody meant in one line: what it is, and where it comes from.

    That is the line of the user that led to it, not the one of a package beside this or of a
    library that found it; where all of it is ours, the line of the app.
    """
    frames = extract_tb(error.__traceback__)
    theirs = [frame for frame in frames if not _is_library(frame)]
    mine = [frame for frame in theirs if not _is_beside(frame)]
    where = (mine or theirs or frames)[-1]
    return f"{type(error).__name__}: {error} ({Path(where.filename).name}:{where.lineno})"


def _is_library(frame: FrameSummary) -> bool:
    """Whether a frame is of the bus, of Python or of what is installed with it."""
    from sysconfig import get_path  # looked at when an app has failed, never before

    file = Path(frame.filename)
    libraries = (Path(__file__).parents[1], *(Path(get_path(name)) for name in _LIBRARIES))
    return not file.is_absolute() or any(file.is_relative_to(folder) for folder in libraries)


def _is_beside(frame: FrameSummary) -> bool:
    """Whether a frame is of a package beside the bus."""
    home, file = Path(__file__).parents[2], Path(frame.filename)
    if not file.is_relative_to(home):
        return False
    return (home / file.relative_to(home).parts[0] / "__init__.py").is_file()


class BusError(Exception):
    """The root of the package's errors."""


class ConfigError(BusError):
    """A line of a configuration is wrong.

    Attributes:
        where ("alpha.moos:41"), key, value, expected.
        diagnostics: the same as data.
        missing: the files that it names and that are not there.
    """

    missing: tuple[str, ...] = ()

    def __init__(self, where: str, key: str, value: str, expected: str) -> None:
        self.where, self.key, self.value, self.expected = where, key, value, expected
        self.diagnostics: tuple[Diagnostic, ...] = (Diagnostic(where, key, value, expected),)
        super().__init__(str(self.diagnostics[0]))


class CannotGoOn(BusError):
    """An app cannot do its work, for a reason outside it; the message says all a user needs."""


class ValueRefused(BusError, TypeError):
    """The bus carries float, str and bytes; this was something else."""

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
    """What somebody asked to hear is no name or pattern, or its interval no number of seconds."""

    def __init__(self, given: object, expected: str, name: str = "") -> None:
        self.given = given
        what = f"register {name}: interval={given!r}" if name else f"register {given!r}"
        super().__init__(f"{what}: expected {expected}")


class WireError(BusError):
    """A frame that is not of the protocol."""


class Refused(BusError):
    """The broker turned a client away."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


class PostRefused(BusError):
    """The broker did not take a post; the text names it and says what would be right."""


class ControlError(BusError):
    """An observer asked for something that cannot be done; the text says what would be right."""


class NoAnswer(BusError, TimeoutError):
    """Nobody answered in time."""


class ServerError(BusError):
    """The broker's server cannot be opened."""


class PortInUse(ServerError):
    """Another process listens where the broker was to."""


class BackPressure(BusError):
    """A free-running poster waited too long for a reader that does not read.

    Attributes:
        names: who does not read; empty when the broker did not say.
    """

    def __init__(self, names: tuple[str, ...], waited: float) -> None:
        self.names = names
        who = ", ".join(names) or "the broker"
        super().__init__(f"posts waited {waited:g} s for {who} to read; they are kept")
