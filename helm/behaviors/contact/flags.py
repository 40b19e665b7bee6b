"""Flags of contact behaviors: posted at events between ownship and the contact.

    @<50 VAR = value                  the range falls below 50 m       @>50: it grows beyond
    <50 VAR = value                   each iteration with a range below 50 m      >50: above
    @cpa VAR = value                  the range ceases to close (closest point of approach)
    @os_passed_cn VAR = value         ownship passes the contact's beam, forward or aft
    @cn_passed_os VAR = value         the contact passes ownship's beam
    @os_crossed_cn VAR = value        ownship crosses the contact's line of bow and stern
    @cn_crossed_os VAR = value        the contact crosses ownship's line

Tags of passing may end in _port or _star, the side of the vessel that is passed; tags of crossing
in _bow or _stern, and may be written as @os_crosses_cn. Source: IvPContactBehavior of MOOS-IvP.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from steerageway.geometry.encounter import Motion, Track, closure, relative, separation
from steerageway.helm.flags import Flag, flag
from steerageway.moos.values import is_number

_EVENTS = (
    "cpa",
    *("os_passed_cn", "os_passed_cn_port", "os_passed_cn_star"),
    *("cn_passed_os", "cn_passed_os_port", "cn_passed_os_star"),
    *("os_crossed_cn", "os_crossed_cn_bow", "os_crossed_cn_stern"),
    *("cn_crossed_os", "cn_crossed_os_bow", "cn_crossed_os_stern"),
)


@dataclass(frozen=True, slots=True)
class ContactFlag:
    """A flag with its trigger: an event, or a relation (@<, @>, <, >) to a range [m]."""

    event: str
    limit: float
    flag: Flag


class Moment(NamedTuple):
    """Two vessels at a moment: range, rate of closure, and each in the frame of the other."""

    range: float
    closure: float
    own: Motion
    other: Motion


def moment(own: Track, other: Track) -> Moment:
    """Return range, rate of closure and relative motion of two vessels."""
    there = relative(own, other)
    return Moment(
        separation(own, other),
        closure(own, other),
        there.reversed().seen(other.heading),
        there.seen(own.heading),
    )


def contact_flag(text: str) -> ContactFlag:
    """Read a flag.

    Raises:
        ValueError: what was expected.
    """
    tag, _, rest = text.strip().partition(" ")
    event = tag.removeprefix("@").replace("_crosses_", "_crossed_")
    relation = tag.rstrip("0123456789.")
    if relation in ("@<", "@>", "<", ">") and is_number(tag[len(relation) :]):
        return ContactFlag(relation, float(tag[len(relation) :]), flag(rest.strip()))
    if not tag.startswith("@") or event not in _EVENTS:
        raise ValueError(
            f"expected @<50, @>50, <50, >50 or @ and one of {', '.join(_EVENTS)} in front"
        )
    return ContactFlag(event, 0.0, flag(rest.strip()))


def due(flags: tuple[ContactFlag, ...], before: Moment | None, now: Moment) -> tuple[Flag, ...]:
    """Return the flags that are due.

    Args:
        before: the previous iteration; None if the contact was not known then.
    """
    events = _events(before, now) if before is not None else ()
    return tuple(one.flag for one in flags if one.event in events or _in_range(one, before, now))


def _in_range(one: ContactFlag, before: Moment | None, now: Moment) -> bool:
    if one.event == "<":
        return now.range < one.limit
    if one.event == ">":
        return now.range > one.limit
    if one.event == "@<":
        return now.range < one.limit and (before is None or before.range >= one.limit)
    if one.event == "@>":
        return now.range > one.limit and before is not None and before.range <= one.limit
    return False


def _events(before: Moment, now: Moment) -> tuple[str, ...]:
    found = ["cpa"] if before.closure > 0.0 >= now.closure else []
    for name, was, motion in (
        ("os_{}_cn", before.own, now.own),
        ("cn_{}_os", before.other, now.other),
    ):
        if (was.ahead > 0.0) != (motion.ahead > 0.0):
            passed = name.format("passed")
            found += [passed, passed + ("_star" if motion.starboard > 0.0 else "_port")]
        if (was.starboard > 0.0) != (motion.starboard > 0.0):
            crossed = name.format("crossed")
            found += [crossed, crossed + ("_bow" if motion.ahead > 0.0 else "_stern")]
    return tuple(found)
