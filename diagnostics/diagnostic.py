"""``Diagnostic``: an error or warning about a user's file, as data, and its text.

It holds the place, the key and value there, and what would be right. It travels as data, inside an
exception or in a list, and becomes a text only where a person reads it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Self

_CONTROLS = {code: "?" for code in (*range(32), *range(127, 160)) if chr(code) not in "\n\t"}
_MANY = 4  # names up to which all are listed


class Place(str):
    """A place in a user's file: "meta.moos:41", or a file's name alone.

    For a template it has the instance that was expanded from it. Equality ignores the instance, so
    that the same diagnostic of several instances is equal, and merged into one.

    Attributes: instance, "" for none.
    """

    instance: str

    def __new__(cls, text: str, instance: str = "") -> Self:
        place = super().__new__(cls, text)
        place.instance = instance
        return place


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """An error or warning; ``text_of`` makes its text.

    Attributes:
        where: "alpha.moos:41", or a file's name alone; "" if it has no place.
        key, value: as written there.
        expected: what is wrong, or would be right.
        nearest: the known word that was probably meant.
        missing: whether the key is missing, though required.
        about: an app or option to be named before everything else.
    """

    where: str = ""
    key: str = ""
    value: str = ""
    expected: str = ""
    nearest: str = ""
    about: str = ""
    missing: bool = False

    @property
    def instance(self) -> str:
        """The instance of a template that it concerns; "" for none."""
        return self.where.instance if isinstance(self.where, Place) else ""

    def text_at(self, place: str) -> str:
        """Return its text, without the place if that is ``place``."""
        return str(replace(self, where="") if self.where == place else self)

    def of(self, whom: str) -> Diagnostic:
        """Return it with a further ``about`` in front."""
        return replace(self, about=f"{whom}: {self.about}" if self.about else whom)

    def __str__(self) -> str:
        return text_of(self, [self.instance] if self.instance else [])


def text_of(one: Diagnostic, instances: Sequence[str] = ()) -> str:
    """Return its text in one line: about, place (for instances), key and value, expected."""
    mark = f" (for {listed(instances)})" if instances else ""
    line = " = ".join(filter(None, (one.key, one.value)))
    line = f"{one.key} is missing" if one.missing else line
    nearest = f"the nearest is {one.nearest}" if one.nearest else ""
    expected = "; ".join(filter(None, (one.expected, nearest)))
    return harmless(": ".join(filter(None, (one.about, f"{one.where}{mark}", line, expected))))


def harmless(text: str) -> str:
    """Return a text without the control characters that steer a terminal."""
    return text.translate(_CONTROLS)


def merged(found: Iterable[Diagnostic]) -> list[str]:
    """Return the texts, each once: a diagnostic of several instances of a template names them."""
    instances: dict[Diagnostic, dict[str, None]] = {}
    for one in found:
        named = instances.setdefault(one, {})
        if one.instance:
            named[one.instance] = None
    return [text_of(one, list(named)) for one, named in instances.items()]


def diagnostics_of(error: BaseException) -> tuple[Diagnostic, ...]:
    """Return an error's ``diagnostics``; if it has none, one with its text."""
    found: tuple[Diagnostic, ...] = getattr(error, "diagnostics", ())
    return found or (Diagnostic(expected=str(error)),)


def reason(error: BaseException) -> str:
    """Return why something failed: what the system says, without number and file, or the text."""
    return getattr(error, "strerror", None) or str(error)


def not_used(where: str, key: str, value: str) -> str:
    """Return what is said of a line that another of its parameter, at ``where``, replaces."""
    return f"not used; {where} counts: {key} = {value}"


def listed(names: Sequence[str]) -> str:
    """Return names as a list in words, shortened if there are many."""
    if len(names) <= _MANY:
        return ", ".join(names)
    return f"{', '.join(names[:_MANY])} and {len(names) - _MANY} more"


class DiagnosedError(Exception):
    """An error about one place in a user's file; its text is that of its diagnostic.

    Attributes:
        where ("alpha.moos:41", or a file's name alone), key, value, expected.
        diagnostics: the same as data.
    """

    def __init__(self, where: str, key: str, value: str, expected: str) -> None:
        self.where, self.key, self.value, self.expected = where, key, value, expected
        self.diagnostics: tuple[Diagnostic, ...] = (Diagnostic(where, key, value, expected),)
        super().__init__(str(self.diagnostics[0]))
