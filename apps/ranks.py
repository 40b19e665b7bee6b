"""How bad an encounter was: the kinds that the detectors of collisions tell apart."""

from __future__ import annotations

from collections.abc import Mapping

ENCOUNTER, NEAR_MISS, COLLISION = "encounter", "near_miss", "collision"
KINDS = (ENCOUNTER, NEAR_MISS, COLLISION)


def ordered(limits: Mapping[str, float], word: str) -> tuple[dict[str, float], list[str]]:
    """Give limits [m] of which none is less than that of what is worse.

    Args:
        limits: of each kind.
        word: what parameters call them: ``near_miss_<word>``.
    Returns: the limits, and a warning for each that had to be raised.
    """
    raised, warnings = dict(limits), []
    for wide, narrow in ((NEAR_MISS, COLLISION), (ENCOUNTER, NEAR_MISS)):
        if raised[wide] < raised[narrow]:
            raised[wide] = raised[narrow]
            said = f"{wide}_{word} is less than {narrow}_{word}"
            warnings.append(f"{said}: {raised[narrow]:g} counts")
    return raised, warnings
