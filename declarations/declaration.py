"""``Declaration``: what may be written for one value; and the diagnostics of what is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from steerageway.declarations.values import Number
from steerageway.diagnostics.diagnostic import Diagnostic
from steerageway.diagnostics.nearest import did_you_mean

T = TypeVar("T")


@dataclass(frozen=True)
class Declaration:
    """A value that may be written: its name, reader, default and meaning.

    Attributes:
        default: as a person would write it; "" when there is none.
        meaning: unit and legal values included, in one line.
        read: reader of its text, see ``values``.
        name: as a person writes it; "": that of the field which holds the declaration.
        aliases: its other names.
        repeats: whether it may be written several times, each with a value of its own.
        lenient: whether an unreadable one of these is left out with a warning.
        absent: the value when it is not written; None with a default: the default's text is read.
        together: reads the value from all lines of a block, given the names, instead of ``read``.
    """

    default: str
    meaning: str
    read: Callable[[str], Any] = str
    name: str = ""
    aliases: tuple[str, ...] = ()
    repeats: bool = False
    lenient: bool = False
    absent: Any = None
    together: Callable[[Any, Sequence[str]], Any] | None = None


def read(reader: Callable[[str], T], text: str, where: str = "", key: str = "") -> T | Diagnostic:
    """Return the value of a text, or the diagnostic of what is wrong with it."""
    try:
        return reader(text)
    except ValueError as error:
        return Diagnostic(where, key, text, str(error))


def field_of(
    fields: Mapping[str, str], key: str, reader: Callable[[str], T], default: str | None = None
) -> T:
    """Return the value of a field of a text such as ``x=5,radius=20``.

    Args:
        default: its text if it is absent; None if it must be there.
    Raises:
        ValueError: it is missing, or invalid: "radius = -1: expected a number above 0".
    """
    text = fields.get(key, default)
    found = read(reader, text or "", key=key)
    if isinstance(found, Diagnostic):
        raise ValueError(str(replace(found, missing=text is None)))
    return found


def member_of(
    fields: Mapping[str, Any], key: str, kind: Number, default: float | None = None
) -> float:
    """Return a number of a request in JSON; a missing one is the default, if there is one.

    Raises:
        ValueError: it is missing, or invalid: "radius = -1: expected a number above 0".
    """
    value = fields.get(key)
    if value is None and default is not None:
        return default
    try:
        return kind.check(value)
    except ValueError as error:
        text = "" if value is None else str(value)
        raise ValueError(str(Diagnostic("", key, text, str(error)))) from None


def unknown(
    key: str, known: Iterable[str], where: str = "", value: str = "", meant: str = ""
) -> Diagnostic:
    """Return the diagnostic of a key that is none of the known ones.

    Args:
        meant: the known key that it stands for, if another notation has it.
    """
    hint = f"did you mean {meant}?" if meant else did_you_mean(key, known)
    return Diagnostic(where, key, value, f"unknown key; {hint}")


@dataclass(frozen=True, slots=True)
class Parameter:
    """A documented parameter of an app or a behavior.

    Attributes:
        name: as spelt in a mission file.
        default: as it would be spelt there; "" when there is none.
        help: meaning, unit and legal values, in one line.
    """

    name: str
    default: str
    help: str
