"""Mappings of a value from one variable to another: echo, inverted echo, and flip of fields."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from steerageway.bus import Value
from steerageway.moos.values import split_first, split_outside

_OPPOSITES = {"true": "false", "false": "true"}


@dataclass(frozen=True, slots=True)
class Echo:
    """Repeats a variable; inverted, ``true`` becomes ``false``, ``TRUE`` becomes ``FALSE``."""

    source: str
    target: str
    inverted: bool = False

    def apply(self, value: Value) -> Value | None:
        """Return the value to post."""
        if not self.inverted or not isinstance(value, str):
            return value
        opposite = _OPPOSITES.get(value.lower())
        if opposite is None:
            return value
        if value.isupper():
            return opposite.upper()
        return opposite.capitalize() if value[0].isupper() else opposite


@dataclass(frozen=True, slots=True)
class Flip:
    """Extracts fields of a list ``a=1,b=2`` and lists them in its order under other names.

    Attributes:
        components: old name -> new name.
        filters: field -> its required value, if the list has the field; case is ignored.
    """

    source: str
    target: str
    source_separator: str = ","
    target_separator: str = ","
    components: Mapping[str, str] = field(default_factory=dict)
    filters: Mapping[str, str] = field(default_factory=dict)

    def apply(self, value: Value) -> Value | None:
        """Return the value to post; None if a filter fails or no field is left."""
        if not isinstance(value, str):
            return None
        fields = [split_first(part, "=") for part in split_outside(value, self.source_separator)]
        required = {key.lower(): text.lower() for key, text in self.filters.items()}
        if any(required.get(key.lower(), text.lower()) != text.lower() for key, text in fields):
            return None
        found = [f"{self.components[key]}={text}" for key, text in fields if key in self.components]
        return self.target_separator.join(found) or None


def cycle(mappings: Iterable[Echo | Flip]) -> list[str]:
    """Return variables that form a cycle, the first repeated at the end; empty if there is none."""
    targets: dict[str, list[str]] = {}
    for mapping in mappings:
        targets.setdefault(mapping.source, []).append(mapping.target)
    for start in targets:
        paths = [[start]]
        while paths:
            path = paths.pop()
            for target in targets.get(path[-1], ()):
                if target == start:
                    return [*path, target]
                if target not in path:
                    paths.append([*path, target])
    return []
