"""Parameters of ``uFldCollisionDetect``: ranges of encounters, flags, groups, drawings."""

from __future__ import annotations

from dataclasses import dataclass

from steerageway.apps.contacts.encounter_severity import KindFlags
from steerageway.apps.shared.conditions import read_conditions
from steerageway.bus import Options, declare
from steerageway.moos.condition import Condition


def _parse_group(text: str) -> str:
    if not text.strip() or " " in text.strip():
        raise ValueError("expected the name of a group")
    return text.strip().lower()


@dataclass(frozen=True)
class DetectOptions(Options):
    """Parameters of the app's configuration block; groups are in lower case."""

    encounter_range: float = declare.number(
        20, "greatest CPA range of an encounter", unit="m", low=0
    )
    near_miss_range: float = declare.number(6, "greatest CPA range of a near miss", unit="m", low=0)
    collision_range: float = declare.number(3, "greatest CPA range of a collision", unit="m", low=0)
    condition: list[Condition] = declare.custom(
        lambda c, _: read_conditions(c),
        "condition for counting encounters; repeatable, all must hold",
    )
    flags: KindFlags = declare.group(KindFlags)
    report_all_encounters: bool = declare.flag(
        False, "true: post UCD_REPORT also for clear encounters"
    )
    ignore_group: tuple[str, ...] = declare.lines(
        _parse_group, "ignore encounters between vessels of these groups"
    )
    reject_group: tuple[str, ...] = declare.lines(_parse_group, "ignore all vessels of this group")
    pulse_render: bool = declare.flag(True, "false: do not draw near misses and collisions")
    pulse_range: float = declare.number(20, "radius of the drawn pulse", unit="m", low=0)
    pulse_duration: float = declare.number(
        10, "duration of the drawn pulse", unit="s", low=0, minus=True
    )
    encounter_rings: bool = declare.flag(
        True, "false: do not draw a ring of encounter_range around each vessel"
    )
    post_closest_range: bool = declare.flag(False, "true: post UCD_CLOSEST_RANGE")
    post_closest_range_ever: bool = declare.flag(False, "true: post UCD_CLOSEST_RANGE_EVER")
