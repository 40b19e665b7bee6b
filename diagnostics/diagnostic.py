"""What is wrong or doubtful with what a user wrote, as data, and the one text that is made of it.

Whoever finds something says where it stands, key and value, and what would be right. It travels as
a value, inside an exception or in a list, and becomes a text where a person reads it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Self

_MANY = 4  # instances that are all named


class Place(str):
    """Where something stands, as a user knows it: "meta.moos:41", or a file's name alone.

    Of a template it says for which of the instances that are made of it. The same place of another
    instance is equal, so what is said of all of them is the same.

    Attributes: instance, "" for none.
    """

    instance: str

    def __new__(cls, text: str, instance: str = "") -> Self:
        place = super().__new__(cls, text)
        place.instance = instance
        return place


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """Something that is wrong or doubtful; as a text see ``text_of``.

    Attributes:
        where: "alpha.moos:41", or a file's name alone; "" if it stands nowhere.
        key, value: what is written there.
        expected: what is wrong, or what would be right.
        nearest: the known word that was probably meant.
        missing: the key is not there, though it must be.
        about: whom it is about, if that needs saying before anything else: an app, an option.
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
        """The instance of a template that it is about; "" for none."""
        return self.where.instance if isinstance(self.where, Place) else ""

    def text_at(self, place: str) -> str:
        """Return it as a text for a place that need not be said again, if it stands there."""
        return str(replace(self, where="") if self.where == place else self)

    def of(self, whom: str) -> Diagnostic:
        """Return it with whom it is about said before everything else."""
        return replace(self, about=f"{whom}: {self.about}" if self.about else whom)

    def __str__(self) -> str:
        return text_of(self, [self.instance] if self.instance else [])


def text_of(one: Diagnostic, instances: Sequence[str] = ()) -> str:
    """Say in one line what is wrong: whom it is about, where, key and value, what was expected."""
    mark = f" (for {listed(instances)})" if instances else ""
    line = f"{one.key} = {one.value}" if one.value else one.key
    line = f"{one.key} is missing" if one.missing else line
    nearest = f"the nearest is {one.nearest}" if one.nearest else ""
    expected = "; ".join(filter(None, (one.expected, nearest)))
    return ": ".join(filter(None, (one.about, f"{one.where}{mark}", line, expected)))


def merged(found: Iterable[Diagnostic]) -> list[str]:
    """Return each as a text, once: what is wrong with several instances of a template is one."""
    instances: dict[Diagnostic, dict[str, None]] = {}
    for one in found:
        named = instances.setdefault(one, {})
        if one.instance:
            named[one.instance] = None
    return [text_of(one, list(named)) for one, named in instances.items()]


def diagnostics_of(error: BaseException) -> tuple[Diagnostic, ...]:
    """Return what an error says: its ``diagnostics`` if it carries some, else its text."""
    found: tuple[Diagnostic, ...] = getattr(error, "diagnostics", ())
    return found or (Diagnostic(expected=str(error)),)


def listed(names: Sequence[str]) -> str:
    """Name some instances, the first few if there are many."""
    if len(names) <= _MANY:
        return ", ".join(names)
    return f"{', '.join(names[:_MANY])} and {len(names) - _MANY} more"
