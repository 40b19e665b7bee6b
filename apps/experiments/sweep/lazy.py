"""A sequence whose items are made when they are asked for: a campaign's cases take no memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar, overload

T = TypeVar("T")


class Lazy(Sequence[T]):
    """A sequence of a length, with a function that makes the item at an index.

    An item is made anew each time, so it must depend on nothing but the index.
    """

    def __init__(self, length: int, make: Callable[[int], T]) -> None:
        self._places, self._make = range(length), make

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> Lazy[T]: ...
    def __getitem__(self, index: int | slice) -> T | Lazy[T]:
        if isinstance(index, slice):
            places = self._places[index]
            return Lazy(len(places), lambda k: self._make(places[k]))
        return self._make(self._places[index])
