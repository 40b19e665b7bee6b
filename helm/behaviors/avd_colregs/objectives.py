"""Objective functions of the COLREGS modes: utility of each course and speed.

Source: BHV_AvdColregsV22 and its objective functions (AOF_R13, R14, R16) of MOOS-IvP.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from steerageway.geometry.encounter import Track
from steerageway.helm.behaviors.avd_colregs.encounter import Encounter
from steerageway.helm.behaviors.avd_colregs.modes import EXTREME, Limits, Mode
from steerageway.helm.behaviors.contact import utility
from steerageway.helm.behaviors.contact.approach import Courses, Passes, courses
from steerageway.ivp import Domain, Function, Peak, couple, peak, spd
from steerageway.ivp.domain import FloatArray

_HOLD_WIDTH = 20.0  # standing on: peak width, with a utility of 25 at its edge [deg]
_OVERTAKING_LEAST = 15.0  # utility of overtaking at the minimum CPA range


@dataclass(frozen=True)
class Situation:
    """An encounter with the domain's grid of courses and speeds, shared by all functions."""

    domain: Domain
    met: Encounter
    limits: Limits
    horizon: float

    @property
    def grid(self) -> Courses:
        """The domain's courses and speeds."""
        return courses(self.domain)

    @property
    def least(self) -> float:
        """CPA range below which the utility is 0 [m]."""
        return utility.least_range(self.met.range, self.limits.least)

    def ranges(self) -> FloatArray:
        """Return the CPA range for each course and speed (n, m) [m]."""
        return self.grid.closest(self.met.own, self.met.other, self.horizon)

    def passes(self) -> Passes:
        """Return where each course and speed crosses and passes the contact."""
        return self.grid.passes(self.met.own, self.met.other)

    def turns(self) -> FloatArray:
        """Return the turn to each course (n, 1) [deg], to starboard > 0, to port < 0."""
        turned: FloatArray = (self.grid.course - self.met.own.heading + 180.0) % 360.0 - 180.0
        return turned


def objective(situation: Situation, mode: Mode, entered: Track, *, port_turns: bool) -> Function:
    """Return the objective function of a mode.

    Args:
        entered: ownship's track when the mode began.
        port_turns: whether the give-way vessel may turn to port.
    """
    if mode.name == "overtaking":
        table = _overtake(situation, mode.submode)
    elif mode.name == "headon":
        table = _meet_head_on(situation)
    elif mode.name == "giveway":
        table = _give_way(situation, mode.submode, port_turns=port_turns)
    elif mode.name in ("standon", "standon_ot") and mode.submode != EXTREME:
        return _stand_on(situation.domain, entered)
    else:
        table = keep_clear(situation)
    if table.item(table.argmax()) == 0.0:  # too near to do what the rule asks for
        table = keep_clear(situation)
    return Function({("course", "speed"): utility.stretched(table)})


def keep_clear(situation: Situation) -> FloatArray:
    """Return the utility of each course and speed by its CPA range (n, m), 0 to 100."""
    return utility.of_ranges(situation.ranges(), situation.least, situation.limits.enough)


def _overtake(situation: Situation, side: str) -> FloatArray:
    """Keep clear; passing on the wrong side has utility 0, but for a vessel at rest."""
    ranges, passing = situation.ranges(), situation.passes().passing
    span = max(situation.limits.enough - situation.least, 1e-9)
    table = _OVERTAKING_LEAST + (100.0 - _OVERTAKING_LEAST) * (ranges - situation.least) / span
    np.minimum(table, 100.0, out=table)
    # passing: where ownship is abeam, > 0 to the contact's starboard
    wrong = passing < 0.0 if side == "starboard" else passing > 0.0
    table[(ranges < situation.least) | (wrong & (situation.grid.speed != 0.0))] = 0.0
    return table


def _meet_head_on(situation: Situation) -> FloatArray:
    """Pass port to port; prefer courses on which the contact's bearing soon draws left."""
    passes, met = situation.passes(), situation.met
    table = keep_clear(situation)
    # the bearing of a contact that is passed port to port draws left
    drawing_left = -situation.grid.bearing_rate(met.own, met.other)
    # enough: as if both vessels turned to starboard at the contact's speed
    if met.range > 0.0 and met.other.speed > 0.0:
        table += 100.0 * np.clip(drawing_left * met.range / (2.0 * met.other.speed), 0.0, 1.0)
    # on the contact's starboard side
    table[passes.passing > 0.0] = 0.0
    # already on the contact's port side
    if met.of_own.starboard < 0.0:
        table[passes.crosses_bow] = 0.0
    return table


def _give_way(situation: Situation, submode: str, *, port_turns: bool) -> FloatArray:
    """Cross astern of the contact, or ahead of it with the submode "bow"."""
    passes, turns, table = situation.passes(), situation.turns(), keep_clear(situation)
    if submode == "bow":
        table[(turns > 0.0) & ~passes.crosses_bow] = 0.0
        return table
    if port_turns:  # to port, or straight on, at most to pass astern
        wrong = passes.crosses_bow | (~(turns > 0.0) & ~passes.crosses_stern)
    else:
        wrong = (turns < 0.0) | ~passes.crosses_stern
    np.putmask(table, wrong, 0.0)
    return table


@lru_cache(maxsize=64)
def _stand_on(domain: Domain, entered: Track) -> Function:
    """Keep the course and speed that ownship had when the mode began."""
    hold = Peak(entered.heading, _HOLD_WIDTH, 180.0 - _HOLD_WIDTH, 75.0)
    course = peak(domain["course"], hold, wrap=True)
    speed = spd(domain["speed"], entered.speed, 0.1, entered.speed + 0.4, 50.0, 50.0)
    return couple(course, speed)
