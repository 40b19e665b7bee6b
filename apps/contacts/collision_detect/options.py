"""Parameters of ``uFldCollisionDetect``: ranges of encounters, flags, groups, drawings."""

from __future__ import annotations

from dataclasses import dataclass

from steerageway.apps.contacts.ranks import KindFlags
from steerageway.apps.framework.conditions import read_conditions
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
        20, "an encounter is a least range of at most this", unit="m", low=0
    )
    near_miss_range: float = declare.number(
        6, "a near miss is one of at most this", unit="m", low=0
    )
    collision_range: float = declare.number(
        3, "a collision is one of at most this", unit="m", low=0
    )
    condition: list[Condition] = declare.custom(
        lambda c, _: read_conditions(c), "encounters count only while this holds; repeatable"
    )
    flags: KindFlags = declare.group(KindFlags)
    report_all_encounters: bool = declare.flag(False, "true: UCD_REPORT tells of clear ones, too")
    ignore_group: tuple[str, ...] = declare.lines(
        _parse_group, "vessels of these groups among each other do not count"
    )
    reject_group: tuple[str, ...] = declare.lines(
        _parse_group, "vessels of this group do not count at all"
    )
    pulse_render: bool = declare.flag(True, "false: near misses and collisions are not drawn")
    pulse_range: float = declare.number(20, "radius of what is drawn", unit="m", low=0)
    pulse_duration: float = declare.number(10, "how long it is drawn", unit="s", low=0)
    encounter_rings: bool = declare.flag(
        True, "false: no ring of encounter_range around each vessel"
    )
    post_closest_range: bool = declare.flag(False, "true: post UCD_CLOSEST_RANGE")
    post_closest_range_ever: bool = declare.flag(False, "true: post UCD_CLOSEST_RANGE_EVER")
