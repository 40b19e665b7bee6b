"""Past values of variables, for completion."""

from __future__ import annotations

from collections.abc import Iterable

from steerageway.apps.shared.board import News
from steerageway.moos.values import is_number, trimmed

MAX_VALUES = 8  # values kept per variable
MAX_LENGTH = 200  # maximum length of a value that is kept


class ValueHistory:
    """The variables of each community and their latest values, in the form of input."""

    def __init__(self) -> None:
        self._values: dict[tuple[str, str], dict[str, None]] = {}

    def note(self, news: Iterable[News]) -> None:
        """Add received values."""
        for community, (name, value, *_) in news:
            kept = self._values.setdefault((community, name), {})
            if isinstance(value, bytes):
                continue
            if isinstance(value, float):
                # Numbers change constantly: only the present one is worth offering.
                kept.clear()
                kept[trimmed(value)] = None
            elif len(value) <= MAX_LENGTH and value.isprintable():
                typed = f'"{value}"' if is_number(value) else value
                kept.pop(typed, None)
                kept[typed] = None
                if len(kept) > MAX_VALUES:
                    del kept[next(iter(kept))]

    def names(self, community: str) -> list[str]:
        """Return the variables of a community, in alphabetical order."""
        return sorted(name for where, name in self._values if where == community)

    def values(self, community: str, name: str) -> list[str]:
        """Return a variable's values, the latest first."""
        return list(reversed(self._values.get((community, name), {})))
