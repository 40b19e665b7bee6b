"""COLREGS modes: which rule of the road applies between two vessels, with entry and release.

Rule 13: overtaking; the vessel being overtaken stands on. Rule 14: head-on. Rules 15 to 17:
crossing; the vessel that has the other to starboard gives way, the other one stands on until it is
in extremis. If no rule applies, the mode is "cpa": only the CPA range matters.

A mode lasts until it is released. Then those rules may begin that are evaluated after it, else
"cpa" or "none" follows; in the next iteration every rule may begin. With ``as_moos`` four faults
of MOOS-IvP are repeated: a rule may begin that is released at once, a contact that has crossed
releases nobody from standing on, a vessel in extremis stands on again as soon as the CPA range
allows, and a give-way vessel crosses ahead of a contact whose line is near.
Source: BHV_AvdColregsV22 of MOOS-IvP (Benjamin, 2017).
"""

from __future__ import annotations

from math import cos, inf, radians
from typing import NamedTuple

from steerageway.helm.behaviors.avd_colregs.encounter import Encounter
from steerageway.helm.geometry import either_side

EXTREME = "inextremis"  # a submode that lasts as long as its mode
UNSURE = "unsure"
ABEAM = 112.5  # limit of a sidelight's arc, from right ahead [deg]
_HEAD_ON = 12.0  # greatest bearing of each vessel off the other's bow [deg]
_STARBOARD_PASS, _STARBOARD_SUM = 5.0, 7.5  # beyond _HEAD_ON: of one, and of both added [deg]
_FORWARD = 22.5  # overtaking ends within this angle of the contact's bow [deg]
_CLOSING = 0.25  # least rate of closure at which a rule begins after another mode [m/s]
_SIDE_BUFFER = 5.0  # hysteresis of the side to pass on [deg]

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
        as_moos: whether the faults of MOOS-IvP are repeated.
    """

    outer: float
    least: float
    enough: float
    bow_dist: float = -1.0
    turn_radius: float = 0.0
    headon_only: bool = False
    as_moos: bool = False


NONE, CPA = Mode(), Mode("cpa")


def next_mode(now: Mode, met: Encounter, limits: Limits) -> Mode:
    """Return the mode that follows from the present one and the encounter."""
    mode = now
    for name in ("headon",) if limits.headon_only else _ENTRY:
        if mode.name == name and not _is_over(mode, met, limits):
            return _in_mode(name, now, met, limits)
        if mode.name == name:
            mode = NONE
        elif mode in (NONE, CPA) and _begins(name, now, met, limits):
            return _in_mode(name, NONE, met, limits)
    return CPA if met.range <= limits.outer else NONE


def _begins(name: str, now: Mode, met: Encounter, limits: Limits) -> bool:
    """Whether a rule begins to apply."""
    if met.range >= _reach(name, limits) or not _ENTRY[name](met, limits):
        return False
    if limits.as_moos:
        return True
    # beside a contact, where the range hardly changes, no rule begins and ends in turn
    hovers = now != NONE and met.closing <= _CLOSING and met.range > limits.least
    return not hovers and not _released(name, met, limits)


def _is_over(now: Mode, met: Encounter, limits: Limits) -> bool:
    """Whether the rule that applies ceases to do so."""
    beyond = now.name != "headon" and met.range >= limits.outer
    return beyond or _released(now.name, met, limits)


def _reach(name: str, limits: Limits) -> float:
    """Return the range within which a mode begins [m]."""
    return 2.0 * limits.outer if name == "headon" else limits.outer


def _overtakes(met: Encounter, limits: Limits) -> bool:
    """Rule 13: ownship is abaft the contact's beam, closing, and will pass it."""
    abaft = ABEAM <= met.alpha <= 360.0 - ABEAM
    return abaft and met.of_own.passing is not None and met.closing >= 0.0


def _meets_head_on(met: Encounter, limits: Limits) -> bool:
    """Rule 14: both vessels are near the other's bow."""
    return abs(either_side(met.alpha)) <= _HEAD_ON and abs(either_side(met.beta)) <= _HEAD_ON


def _is_overtaken(met: Encounter, limits: Limits) -> bool:
    """Rule 13: the contact is abaft ownship's beam, and will pass it closely."""
    abaft = ABEAM <= met.beta <= 360.0 - ABEAM
    return abaft and met.of_contact.passing is not None and met.cpa <= limits.enough


def _gives_way(met: Encounter, limits: Limits) -> bool:
    """Rules 15 and 16: crossing, with the contact to starboard."""
    return met.alpha >= 360.0 - ABEAM and met.beta <= ABEAM


def _stands_on(met: Encounter, limits: Limits) -> bool:
    """Rules 15 and 17: crossing, with the contact to port and about to cross ownship's line."""
    sides = met.beta >= 360.0 - ABEAM and met.alpha <= ABEAM
    return sides and met.of_contact.crossing is not None and met.closing >= 0.0


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
        return met.closing < 0.0 or abs(either_side(met.alpha)) < _FORWARD
    if name == "headon":
        return _opened(met, limits) or met.of_own.ahead < 0.0 or _starboard_to_starboard(met)
    if name == "giveway":
        return _opened(met, limits) or met.of_own.starboard > 0.0
    opens = met.closing < 0.0 if name == "standon_ot" else _opened(met, limits)
    return opens or (met.crossed and not limits.as_moos)


def _opened(met: Encounter, limits: Limits) -> bool:
    """Whether the range opens, beyond the minimum CPA range."""
    return met.closing < 0.0 and met.range > limits.least


def _starboard_to_starboard(met: Encounter) -> bool:
    """Whether the vessels are about to pass so, farther off than where they met head-on."""
    alpha, beta = either_side(met.alpha) - _HEAD_ON, either_side(met.beta) - _HEAD_ON
    far = max(alpha, beta) > _STARBOARD_PASS or alpha + beta > _STARBOARD_SUM
    return min(alpha, beta) > -_HEAD_ON and far


def _in_mode(name: str, before: Mode, met: Encounter, limits: Limits) -> Mode:
    if name == "overtaking":
        return Mode(name, _overtaking_side(before, met))
    if name == "giveway" and before.name == name:
        return before  # rule 8: a decision once made is kept
    if name == "giveway":
        return Mode(name, "bow" if _may_cross_ahead(met, limits) else "stern")
    if not name.startswith("standon"):
        return Mode(name)
    stays = before == (name, EXTREME) and not limits.as_moos
    if name == "standon" and before.name == name and not _stands_on(met, limits):
        return before
    if stays or _in_extremis(met, limits):
        return Mode(name, EXTREME)
    if name == "standon":
        return Mode(name, _standing_on(met, limits))
    return Mode(name, "port" if met.beta >= 180.0 else "starboard")


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
    # MOOS-IvP moves its giveway_bow_dist between these bounds
    within = min(max(limits.bow_dist, limits.least), 2.0 * limits.enough)
    enough = within if limits.bow_dist > 0.0 else far
    if own.crossing is None:
        return abs(difference) < 90.0 and met.own.speed > 0.0
    if limits.as_moos:
        near = turn_gap(met, limits.turn_radius) < enough
        return own.crossing > 0.0 and (own.crossing > enough or near)
    return own.crossing > enough or _stern_is_out_of_reach(met, difference, limits.turn_radius)


def turn_gap(met: Encounter, radius: float) -> float:
    """Return how far ownship's turning circle to starboard is from the contact's line [m]."""
    sideways = radius * cos(radians(met.own.heading - met.other.heading))
    return max(0.0, abs(met.of_own.starboard + sideways) - radius)


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
    """Return the submode of standing on: where the contact is expected to cross ownship's line.

    It depends on the crossing distance ahead, and on whether the contact turns away from the bow.
    """
    ahead = met.of_contact.crossing or 0.0
    half = (limits.enough + limits.least) / 2.0
    rate = inf if met.turn_rate is None else met.turn_rate
    if met.beta > 350.0:
        if ahead >= limits.least:
            return "bow" if rate < 0.0 else "unsure_bow"
        return _near_bow(ahead, rate, "unsure_stern")
    if met.beta > 315.0:
        if ahead >= limits.least:
            return "bow" if rate < (3.0 if ahead >= half else 0.1) else "unsure_bow"
        return _near_bow(ahead, rate, "stern")
    if met.beta >= 270.0:
        if ahead >= half:
            return "bow" if ahead >= limits.enough or rate < 0.1 else "unsure_bow"
        return _near_bow(ahead, rate, "stern")
    if ahead >= half and rate < 0.1:
        return "unsure_bow"
    return UNSURE if ahead > 0.0 else "stern"


def _near_bow(ahead: float, rate: float, astern: str) -> str:
    """Return the submode of a contact that will cross near ownship."""
    if ahead <= 0.0:
        return astern
    return "unsure_bow" if rate < 0.0 else UNSURE
