"""Severity of encounters: encounter, near miss, collision, with flags and ordered limits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from steerageway.apps.shared.flags import PostFlag, flags
from steerageway.bus import Options

ENCOUNTER, NEAR_MISS, COLLISION = "encounter", "near_miss", "collision"
KINDS = (ENCOUNTER, NEAR_MISS, COLLISION)


@dataclass(frozen=True)
class KindFlags(Options):
    """The flags of each kind of encounter."""

    encounter_flag: tuple[PostFlag, ...] = flags("with each encounter")
    near_miss_flag: tuple[PostFlag, ...] = flags("with each near_miss")
    collision_flag: tuple[PostFlag, ...] = flags("with each collision")

    def of(self, kind: str) -> tuple[PostFlag, ...]:
        """Return the flags of a kind."""
        every = (self.encounter_flag, self.near_miss_flag, self.collision_flag)
        return every[KINDS.index(kind)]


def ordered_limits(word: str, limits: Sequence[float]) -> tuple[dict[str, float], tuple[str, ...]]:
    """Raise limits [m] so that none is below that of a more severe kind.

    Args:
        word: last part of their parameters' names: ``near_miss_<word>``.
        limits: of each kind, in the order of ``KINDS``.
    Returns: the limit of each kind, and a warning for each that was raised.
    """
    raised = dict(zip(KINDS, limits, strict=True))
    warnings = []
    for wide, narrow in ((NEAR_MISS, COLLISION), (ENCOUNTER, NEAR_MISS)):
        if raised[wide] < raised[narrow]:
            raised[wide] = raised[narrow]
            problem = f"{wide}_{word} is less than {narrow}_{word}"
            warnings.append(f"{problem}: {raised[narrow]:g} counts")
    return raised, tuple(warnings)
