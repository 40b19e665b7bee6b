"""Which rule of the road is in force between two vessels, and how it is kept.

Rule 13: overtaking; who is being overtaken stands on. Rule 14: head-on. Rules 15 to 17: crossing;
who has the other to starboard gives way, and the other stands on until it is in extremis. Without
a rule, ranges count.

A rule stays in force until it is released. After it comes "cpa", and only from there, or from
"none", does another one begin. Source: BHV_AvdColregsV22 of MOOS-IvP (Benjamin, 2017).
"""

from __future__ import annotations

from math import cos, radians
from typing import NamedTuple

from steerageway.apps.helm.behaviors.avd_colregs.encounter import Encounter
from steerageway.apps.helm.geometry import either_side

EXTREME = "inextremis"  # a submode that lasts as long as its mode
ABEAM = 112.5  # a sidelight is seen from right ahead to here [deg]
_HEAD_ON = 12.0  # both see the other as near to the bow [deg]
_STARBOARD_PASS, _STARBOARD_SUM = 5.0, 7.5  # passing starboard to starboard [deg]
_FORWARD = 22.5  # overtaking is over when ownship is as near to the contact's bow [deg]
_SIDE_BUFFER = 5.0  # the side to pass on changes when the contact is so far over [deg]
_CLOSING = 0.25  # a rule begins only if the range closes by more than this [m/s]
_TURNING = 1.5  # where a contact that turns faster will cross is unsure [deg/s]
_AHEAD = 315.0  # from here on a contact on the port bow is more likely to cross ahead [deg]

INDEX = {
    "none": 0,
    "headon": 10,
    "giveway:stern": 20,
    "giveway:bow": 22,
    "standon:stern": 30,
    "standon:inextremis": 31,
    "standon:bow": 32,
    "standon_ot:inextremis": 33,
    "standon:unsure_stern": 34,
    "standon_ot:port": 35,
    "standon_ot:starboard": 37,
    "standon:unsure_bow": 36,
    "standon:unsure": 38,
    "standon:neither": 39,
    "overtaking:port": 43,
    "overtaking:starboard": 47,
    "cpa": 50,
}


class Mode(NamedTuple):
    """A mode and its submode; "" for none."""

    name: str = "none"
    submode: str = ""

    @property
    def full_name(self) -> str:
        """Mode and submode: ``giveway:stern``."""
        return f"{self.name}:{self.submode}" if self.submode else self.name

    @property
    def number(self) -> int:
        """The number that ``COLREGS_AVOID_IX`` tells."""
        return INDEX[self.full_name]


class Limits(NamedTuple):
    """The parameters that the modes depend on; distances in metres."""

    outer: float
    least: float
    enough: float
    bow_dist: float = -1.0
    turn_radius: float = 0.0
    headon_only: bool = False


NONE, CPA = Mode(), Mode("cpa")


def next_mode(now: Mode, met: Encounter, limits: Limits) -> Mode:
    """Return the mode that follows from the present one and the encounter."""
    if now not in (NONE, CPA):
        if met.range < _reach(now.name, limits) and not _released(now.name, met, limits):
            return _in_mode(now.name, now, met, limits)
        return CPA if met.range < limits.outer else NONE
    for name in ("headon",) if limits.headon_only else _ENTRY:
        if met.range < _reach(name, limits) and _ENTRY[name](met, limits):
            return _in_mode(name, now, met, limits)
    return CPA if met.range < limits.outer else NONE


def _reach(name: str, limits: Limits) -> float:
    return 2.0 * limits.outer if name == "headon" else limits.outer


def _overtakes(met: Encounter, limits: Limits) -> bool:
    abaft = ABEAM < met.alpha < 360.0 - ABEAM
    return abaft and met.of_own.passing is not None and met.closing > _CLOSING


def _meets_head_on(met: Encounter, limits: Limits) -> bool:
    ahead = abs(either_side(met.alpha)) <= _HEAD_ON and abs(either_side(met.beta)) <= _HEAD_ON
    return ahead and met.closing > _CLOSING and not _starboard_to_starboard(met)


def _is_overtaken(met: Encounter, limits: Limits) -> bool:
    abaft = ABEAM < met.beta < 360.0 - ABEAM
    passes = met.of_contact.passing is not None and met.closing > _CLOSING
    return abaft and passes and met.cpa <= limits.enough


def _gives_way(met: Encounter, limits: Limits) -> bool:
    sides = met.alpha >= 360.0 - ABEAM and met.beta <= ABEAM
    return sides and (met.closing > _CLOSING or met.range <= limits.least)


def _stands_on(met: Encounter, limits: Limits) -> bool:
    sides = met.beta >= 360.0 - ABEAM and met.alpha <= ABEAM
    return sides and met.of_contact.crossing is not None and met.closing > _CLOSING


_ENTRY = {
    "overtaking": _overtakes,
    "headon": _meets_head_on,
    "standon_ot": _is_overtaken,
    "giveway": _gives_way,
    "standon": _stands_on,
}
"""When each begins, in the order they are asked."""


def _released(name: str, met: Encounter, limits: Limits) -> bool:
    """Whether a mode is over."""
    if name == "overtaking":
        return met.closing <= 0.0 or abs(either_side(met.alpha)) <= _FORWARD
    if name == "headon":
        return _opened(met, limits) or met.of_own.ahead < 0.0 or _starboard_to_starboard(met)
    if name == "standon_ot":
        return _opened(met, limits) or met.of_contact.ahead >= 0.0
    if name == "giveway":
        return _opened(met, limits) or met.of_own.starboard > 0.0
    return _opened(met, limits) or met.of_contact.starboard > 0.0


def _opened(met: Encounter, limits: Limits) -> bool:
    return met.closing <= 0.0 and met.range > limits.least


def _starboard_to_starboard(met: Encounter) -> bool:
    alpha, beta = either_side(met.alpha), either_side(met.beta)
    far = max(alpha, beta) > _STARBOARD_PASS and alpha + beta > _STARBOARD_SUM
    return min(alpha, beta) > 0.0 and far


def _in_mode(name: str, before: Mode, met: Encounter, limits: Limits) -> Mode:
    if name == "overtaking":
        return Mode(name, _overtaking_side(before, met))
    if name == "giveway" and before.name == name:
        return before  # rule 8: no second thoughts
    if name == "giveway":
        return Mode(name, "bow" if _may_cross_ahead(met, limits) else "stern")
    if name.startswith("standon") and (before == (name, EXTREME) or _in_extremis(met, limits)):
        return Mode(name, EXTREME)
    if name == "standon":
        return Mode(name, _standing_on(met, limits))
    if name == "standon_ot":
        return Mode(name, "port" if met.beta > 180.0 else "starboard")
    return Mode(name)


def _overtaking_side(before: Mode, met: Encounter) -> str:
    """Return the contact's side to pass on; it changes only when the contact is well over."""
    bearing = either_side(met.beta)
    if before.name == "overtaking" and abs(bearing) <= _SIDE_BUFFER:
        return before.submode
    return "starboard" if bearing < 0.0 else "port"


def _may_cross_ahead(met: Encounter, limits: Limits) -> bool:
    """Whether ownship is to cross ahead of the contact.

    That is so if ownship crosses far enough ahead of it, goes the same way without ever crossing
    its line, or cannot reach its stern.
    """
    own, difference = met.of_own, either_side(met.own.heading - met.other.heading)
    far = (2.0 * limits.enough + limits.least) / 3.0
    enough = limits.bow_dist if limits.bow_dist > 0.0 else far
    if own.crossing is not None and own.crossing > enough:
        return True
    alongside = own.crossing is None and abs(difference) < 90.0
    return alongside or _stern_is_out_of_reach(met, difference, limits.turn_radius)


def _stern_is_out_of_reach(met: Encounter, difference: float, radius: float) -> bool:
    """Whether a turn to starboard, to the contact's opposite course, would cross its bow.

    Such a turn brings ownship nearer to the contact's line by radius (1 + cos(difference)).
    """
    gap = -met.of_own.starboard
    return met.of_own.ahead > 0.0 and gap < radius * (1.0 + cos(radians(difference)))


def _in_extremis(met: Encounter, limits: Limits) -> bool:
    return met.range <= limits.enough and met.cpa <= limits.least


def _standing_on(met: Encounter, limits: Limits) -> str:
    """Return the submode: where the contact will cross, if it will and as far as it is sure."""
    crossing = met.of_contact.crossing
    if crossing is None:
        return "neither"
    if abs(crossing) < limits.least:
        if met.beta < 270.0:
            return "unsure_stern"
        return "unsure_bow" if met.beta > _AHEAD else "unsure"
    end = "bow" if crossing > 0.0 else "stern"
    return f"unsure_{end}" if abs(met.turn_rate) > _TURNING else end
