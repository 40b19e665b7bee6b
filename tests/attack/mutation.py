"""Mutation of inputs, guided by coverage: what reaches new lines is mutated further."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

TRACED = 20  # of so many inputs one is looked at for the lines it reaches
MOST_KEPT = 2000
_HOME = str(Path(__file__).resolve().parents[2])
_ODD = (
    *(b"\x00", b"\xff", b"\xc1", b"\n", b"1e400"),
    *(b"\x80" * 300, b"(" * 300, b"[" * 300, b"9" * 400),
)


class Mutator:
    """Inputs that are mutated, and what they have reached."""

    def __init__(self, seeds: Sequence[bytes], rng: Random, most: int = 65536) -> None:
        """Begin with seeds; results have at most this number of bytes."""
        self.kept = list(seeds)
        self.reached: set[tuple[str, int]] = set()
        self._chance, self._most = rng, most
        self._count = 0

    def feed(self, take: Callable[[bytes], object]) -> bytes:
        """Mutate one of the inputs and hand it over; give it."""
        self._count += 1
        data = self._mutated(self._chance.choice(self.kept))
        if self._count % TRACED:
            take(data)
        elif self._reaches_more(take, data) and len(self.kept) < MOST_KEPT:
            self.kept.append(data)
        return data

    def _reaches_more(self, take: Callable[[bytes], object], data: bytes) -> bool:
        """Whether an input reaches a line that none has before."""
        before, reached = len(self.reached), self.reached

        def local(frame: FrameType, event: str, arg: Any) -> Any:
            if event == "line":
                reached.add((frame.f_code.co_filename, frame.f_lineno))
            return local

        def trace(frame: FrameType, event: str, arg: Any) -> Any:
            return local if frame.f_code.co_filename.startswith(_HOME) else None

        traced = sys.gettrace()
        sys.settrace(trace)
        try:
            take(data)
        finally:
            sys.settrace(traced)
        return len(reached) > before

    def _mutated(self, data: bytes) -> bytes:
        rng, made = self._chance, bytearray(data)
        for _ in range(rng.choice((1, 1, 2, 4, 8))):
            place = rng.randrange(len(made) + 1)
            match rng.randrange(6):
                case 0:
                    made[place : place + 1] = bytes((rng.randrange(256),))
                case 1:
                    del made[place : place + rng.choice((1, 2, 16, 200))]
                case 2:
                    made[place:place] = rng.choice(_ODD)
                case 3:
                    other = rng.choice(self.kept)
                    start = rng.randrange(len(other) + 1)
                    made[place:place] = other[start : start + rng.choice((4, 40, 400))]
                case 4:
                    made[place:place] = made[place : place + 64] * rng.choice((2, 30))
                case _:
                    if place < len(made):
                        made[place] ^= 1 << rng.randrange(8)
        return bytes(made[: self._most])
