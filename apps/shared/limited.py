"""What an app keeps by names that come with mail: bounded, as others may invent names."""

from __future__ import annotations

from typing import TypeVar

from steerageway.vessel.errors import InvalidValue

MOST_NAMES = 1000
SHOWN = 40  # characters of a name in an error
Kept = TypeVar("Kept")


class Limited(dict[str, Kept]):
    """A dict with a maximum number of names.

    Raises:
        InvalidValue: a further name is added.
    """

    def __init__(self, most: int | None = None) -> None:
        super().__init__()
        self._most = MOST_NAMES if most is None else most

    def __setitem__(self, name: str, value: Kept) -> None:
        if name not in self and len(self) >= self._most:
            raise InvalidValue(f"{name[:SHOWN]}: expected at most {self._most} names")
        super().__setitem__(name, value)

    def setdefault(self, name: str, value: Kept) -> Kept:
        """Return the value of a name, which is added if it is missing."""
        if name not in self:
            self[name] = value
        return self[name]
