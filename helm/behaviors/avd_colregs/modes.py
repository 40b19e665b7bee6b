"""COLREGS modes: which rule of the road applies between two vessels, with entry and release.

Rule 13: overtaking; the vessel being overtaken stands on. Rule 14: head-on. Rules 15 to 17:
crossing; the vessel that has the other to starboard gives way, the other one stands on until it is
in extremis. If no rule applies, the mode is "cpa": only the CPA range matters.

A mode lasts until it is released. "cpa" or "none" follows, and only from these does another rule
begin. Source: BHV_AvdColregsV22 of MOOS-IvP (Benjamin, 2017).
"""

from __future__ import annotations

from math import cos, radians
from typing import NamedTuple

from steerageway.helm.behaviors.avd_colregs.encounter import Encounter
from steerageway.helm.geometry import either_side

EXTREME = "inextremis"  # a submode that lasts as long as its mode
ABEAM = 112.5  # limit of a sidelight's arc, from right ahead [deg]
_HEAD_ON = 12.0  # greatest bearing of each vessel off the other's bow [deg]
_STARBOARD_PASS, _STARBOARD_SUM = 5.0, 7.5  # least bearing of one, and of both added [deg]
_FORWARD = 22.5  # overtaking ends within this angle of the contact's bow [deg]
_SIDE_BUFFER = 5.0  # hysteresis of the side to pass on [deg]
_CLOSING = 0.25  # least rate of closure at which a rule begins [m/s]
_TURNING = 1.5  # turn rate above which the contact's crossing is unsure [deg/s]
_AHEAD = 315.0  # relative bearing above which a contact to port is more likely to cross ahead [deg]

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
    """A COLREGS mode and its submode; "" for none."""

    name: str = "none"
    submode: str = ""

    @property
    def full_name(self) -> str:
        """Mode and submode: ``giveway:stern``."""
        return f"{self.name}:{self.submode}" if self.submode else self.name

    @property
    def number(self) -> int:
        """The mode's index, posted as ``COLREGS_AVOID_IX``."""
        return INDEX[self.full_name]


class Limits(NamedTuple):
    """The parameters that the modes depend on; distances in metres.

    Attributes:
        outer: ``pwt_outer_dist``.
        least, enough: ``min_util_cpa_dist`` and ``max_util_cpa_dist``.
        bow_dist, turn_radius, headon_only: the parameters of these names.
    """

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
    """Return the range within which a mode begins and lasts [m]."""
    return 2.0 * limits.outer if name == "headon" else limits.outer


def _overtakes(met: Encounter, limits: Limits) -> bool:
    """Rule 13: ownship is abaft the contact's beam, closing, and will pass it."""
    abaft = ABEAM < met.alpha < 360.0 - ABEAM
    return abaft and met.of_own.passing is not None and met.closing > _CLOSING


def _meets_head_on(met: Encounter, limits: Limits) -> bool:
    """Rule 14: both vessels are near the other's bow, and not passing starboard to starboard."""
    ahead = abs(either_side(met.alpha)) <= _HEAD_ON and abs(either_side(met.beta)) <= _HEAD_ON
    return ahead and met.closing > _CLOSING and not _starboard_to_starboard(met)


def _is_overtaken(met: Encounter, limits: Limits) -> bool:
    """Rule 13: the contact is abaft ownship's beam, and will pass it closely."""
    abaft = ABEAM < met.beta < 360.0 - ABEAM
    passes = met.of_contact.passing is not None and met.closing > _CLOSING
    return abaft and passes and met.cpa <= limits.enough


def _gives_way(met: Encounter, limits: Limits) -> bool:
    """Rules 15 and 16: crossing, with the contact to starboard."""
    sides = met.alpha >= 360.0 - ABEAM and met.beta <= ABEAM
    return sides and (met.closing > _CLOSING or met.range <= limits.least)


def _stands_on(met: Encounter, limits: Limits) -> bool:
    """Rules 15 and 17: crossing, with the contact to port and about to cross ownship's line."""
    sides = met.beta >= 360.0 - ABEAM and met.alpha <= ABEAM
    return sides and met.of_contact.crossing is not None and met.closing > _CLOSING


_ENTRY = {
    "overtaking": _overtakes,
    "headon": _meets_head_on,
    "standon_ot": _is_overtaken,
    "giveway": _gives_way,
    "standon": _stands_on,
}
"""Entry condition of each mode, in the order of evaluation."""


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
    """Whether the range opens, beyond the minimum CPA range."""
    return met.closing <= 0.0 and met.range > limits.least


def _starboard_to_starboard(met: Encounter) -> bool:
    alpha, beta = either_side(met.alpha), either_side(met.beta)
    far = max(alpha, beta) > _STARBOARD_PASS and alpha + beta > _STARBOARD_SUM
    return min(alpha, beta) > 0.0 and far


def _in_mode(name: str, before: Mode, met: Encounter, limits: Limits) -> Mode:
    if name == "overtaking":
        return Mode(name, _overtaking_side(before, met))
    if name == "giveway" and before.name == name:
        return before  # rule 8: a decision once made is kept
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
    """Return the contact's side to pass on, with hysteresis of ``_SIDE_BUFFER``."""
    bearing = either_side(met.beta)
    if before.name == "overtaking" and abs(bearing) <= _SIDE_BUFFER:
        return before.submode
    return "starboard" if bearing < 0.0 else "port"


def _may_cross_ahead(met: Encounter, limits: Limits) -> bool:
    """Whether the give-way vessel is to cross ahead of the contact.

    True if its present course crosses far enough ahead, if it heads roughly the same way without
    ever crossing the contact's line, or if it cannot turn to pass astern.
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
    """Whether the stand-on vessel may no longer rely on the other (rule 17)."""
    return met.range <= limits.enough and met.cpa <= limits.least


def _standing_on(met: Encounter, limits: Limits) -> str:
    """Return the submode of standing on: where the contact is expected to cross ownship's line."""
    crossing = met.of_contact.crossing
    if crossing is None:
        return "neither"
    if abs(crossing) < limits.least:
        if met.beta < 270.0:
            return "unsure_stern"
        return "unsure_bow" if met.beta > _AHEAD else "unsure"
    end = "bow" if crossing > 0.0 else "stern"
    return f"unsure_{end}" if abs(met.turn_rate) > _TURNING else end
