"""Posts and commands given on the command line, executed without the interactive console."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from steerageway.apps.consoles.poke.interpreter import Interpreter
from steerageway.apps.consoles.poke.lines import WATCHES, LineError, Order, lines_of, parse_line
from steerageway.apps.shared.board import EVERY, ONCE, Board
from steerageway.apps.shared.posting import post
from steerageway.apps.shared.runs import Run
from steerageway.apps.shared.terminal import say
from steerageway.diagnostics.nearest import nearest
from steerageway.moos.mission import read_mission
from steerageway.moos.poke import FORM, Poke, parse_poke

BLOCK = "uPokeDB"
SHOWING = ("show", "cast")  # commands whose arguments may name a community


@dataclass(frozen=True, slots=True)
class OneShot:
    """Posts and commands, in order."""

    lines: tuple[Poke | Order, ...]

    @classmethod
    def read(cls, texts: Sequence[str], cached: Path | None) -> Self:
        """Parse posts and commands.

        Args:
            texts: the words of the command line.
            cached: a mission file whose block has ``poke = VAR=VALUE`` lines, which come first.
        Raises:
            LineError: a post or command is invalid.
            FormatError: the mission file, or a line of its block, is invalid.
        """
        found: list[Poke | Order] = [] if cached is None else list(_cached(cached))
        for text in lines_of(texts):
            job = parse_line(text)
            if job is None or (isinstance(job, Order) and job.name in WATCHES):
                raise LineError(f"{text}: expected {FORM}, or a command that needs no console")
            found.append(job)
        return cls(tuple(found))

    def run(self, run: Run, name: str) -> int:
        """Execute each line, wait until it is complete, and print its result; return 0.

        Raises:
            PostRefused: the run rejects a post; those before it are posted.
            ControlError: the run rejects a command, or ended before it was complete.
            LineError: a community does not exist, or none is named among several.
        """
        communities = [list(_communities(job, run)) for job in self.lines]
        seen = [community for some in communities for community in some]
        seen += [community for job in self.lines for community in _shown_communities(job, run)]
        with Board(run, name, list(dict.fromkeys(seen))) as board:
            for client in board.clients.values():
                # The present values of all variables, and every message of those that are poked.
                client.register(EVERY, interval=ONCE)
                client.register(*(job.name for job in self.lines if isinstance(job, Poke)))
            board.sync()
            for job, some in zip(self.lines, communities, strict=True):
                for community in some:
                    if answer := _executed(job, board, community):
                        say(answer)
        return 0


def _executed(job: Poke | Order, board: Board, community: str) -> str:
    if isinstance(job, Poke):
        return post(board, community, job.name, job.value)
    return Interpreter(board, community, waits=True).execute(job)


def _communities(job: Poke | Order, run: Run) -> Iterator[str]:
    """Yield the communities that a line applies to."""
    if isinstance(job, Order):
        yield run.community or run.communities[0]
        return
    named = job.community or run.community
    if named == EVERY:
        yield from run.communities
    elif named in run.communities:
        yield named
    elif named:
        raise LineError(f"{named}: no such community, {nearest(named, run.communities)}")
    else:
        raise LineError(f"{job.name}: expected NAME:{job.name}=..., {nearest('', run.communities)}")


def _shown_communities(job: Poke | Order, run: Run) -> Iterator[str]:
    """Yield the communities whose variables a line shows: those it names, or all."""
    if isinstance(job, Poke) or job.name not in SHOWING:
        return
    named = [arg.partition(":")[0] for arg in job.args if ":" in arg]
    yield from (community for community in run.communities if community in named)
    if job.name == "show" and len(named) < len(job.args) and not run.community:
        yield from run.communities


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
