"""Flag macros of every behavior: $[OWNSHIP], $[PWT], $[OSX], counters, random hashes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import count
from random import Random
from typing import Any, Protocol

from steerageway.helm.duration import Duration
from steerageway.helm.world import World
from steerageway.moos.values import fixed, trimmed, trimmed360

HASH_LENGTH = 6
COUNTERS = ("CTR", "CTR1", "CTR2", "CTR3", "CTR4", "CTR5")
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"


class MacroSource(Protocol):
    """The attributes of a behavior that macros depend on."""

    kind: str
    settings: Any
    world: World
    duration: Duration

    def known_by(self) -> Mapping[str, str]:
        """Return the fields that identify its contact or obstacle."""


def common_macros(behavior: MacroSource) -> dict[str, Callable[[], str]]:
    """Return each macro's name and the function that makes its text.

    Positions, heading and speed have at most two decimals, times exactly two. CTR to CTR5 (and
    CTR_01 to CTR_05) count their own uses; HASH and HASH2 to HASH9 are random letters, drawn with
    the mission's seed.
    """
    world, duration = behavior.world, behavior.duration
    macros: dict[str, Callable[[], str]] = {
        "OWNSHIP": lambda: world.community,
        "BHVNAME": lambda: behavior.settings.name,
        "BHVTYPE": lambda: behavior.kind,
        "CONTACT": lambda: behavior.known_by().get("contact", ""),
        "PWT": lambda: trimmed(behavior.settings.pwt),
        "UTC": lambda: fixed(world.utc, 2),
        "NOW": lambda: fixed(world.time, 2),
        "OSX": lambda: trimmed(world.ownship.x, 2),
        "OSY": lambda: trimmed(world.ownship.y, 2),
        "OSH": lambda: trimmed360(world.ownship.heading, 2),
        "OSV": lambda: trimmed(world.ownship.speed, 2),
        "DUR_RUN_TIME": lambda: trimmed(duration.running, 2),
        "DUR_IDLE_TIME": lambda: trimmed(duration.idle, 2),
        "HASH": _hash(world.random, HASH_LENGTH),
    }
    macros |= {f"HASH{length}": _hash(world.random, length) for length in range(2, 10)}
    counters = {name: _counter() for name in COUNTERS}
    spelt = {f"CTR_0{name[3:]}": counters[name] for name in COUNTERS[1:]}
    return macros | counters | spelt


def _counter() -> Callable[[], str]:
    numbers = count(1)
    return lambda: str(next(numbers))


def _hash(random: Random, length: int) -> Callable[[], str]:
    return lambda: "".join(random.choices(_LETTERS, k=length))
