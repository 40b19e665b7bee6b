"""Pokes and goes, as uPokeDB does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from apps.board import Board
from apps.poke.lines import LineError
from apps.poke.posting import post
from apps.poke.watching import EVERY, ONCE
from apps.runs import Run
from apps.shown import nearest
from moos.mission import read_mission
from moos.poke import FORM, Poke, parse_poke

BLOCK = "uPokeDB"


@dataclass(frozen=True, slots=True)
class OneShot:
    """Some posts, in order."""

    pokes: tuple[Poke, ...]

    @classmethod
    def read(cls, texts: Sequence[str], cached: Path | None) -> Self:
        """Read posts.

        Args:
            texts: as they stand on the command line.
            cached: a mission file whose block has ``poke = VAR=VALUE`` lines, which come first.
        Raises:
            LineError: one is not of the form.
            FormatError: the mission file, or a line of its block, is wrong.
        """
        found = [] if cached is None else list(_cached(cached))
        for text in texts:
            poke = parse_poke(text)
            if poke is None:
                raise LineError(f"{text}: expected {FORM}")
            found.append(poke)
        return cls(tuple(found))

    def run(self, run: Run, name: str) -> int:
        """Post, and print what became of it; gives 0.

        Raises:
            PostRefused: the run does not take one; those before it are posted.
            LineError: a community is not there, or none is named among several.
        """
        homes = [list(_homes(poke, run)) for poke in self.pokes]
        with Board(run, name, list(dict.fromkeys(h for some in homes for h in some))) as board:
            for client in board.clients.values():
                client.register(EVERY, interval=ONCE)
                client.register(*(poke.name for poke in self.pokes))
            board.sync()
            for poke, some in zip(self.pokes, homes, strict=True):
                for home in some:
                    print(post(board, home, poke.name, poke.value))
        return 0


def _homes(poke: Poke, run: Run) -> Iterator[str]:
    named = poke.community or run.community
    if named == EVERY:
        yield from run.communities
    elif named in run.communities:
        yield named
    elif named:
        raise LineError(f"{named}: no such community, {nearest(named, run.communities)}")
    else:
        raise LineError(
            f"{poke.name}: expected NAME:{poke.name}=..., {nearest('', run.communities)}"
        )


def _cached(path: Path) -> Iterator[Poke]:
    block = read_mission(path).block(BLOCK)
    if block is None:
        raise LineError(f"--cache {path}: expected a block ProcessConfig = {BLOCK}")
    for line in block.lines:
        if line.key.lower() == "poke":
            poke = parse_poke(line.value)
            if poke is None:
                raise line.error(f"expected {FORM}")
            yield poke
