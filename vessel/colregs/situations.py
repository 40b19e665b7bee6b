"""Situations of the COLREGs: which rule applies between two vessels, by their relative bearings.

*alpha* is the relative bearing of one's own vessel from the other, *beta* that of the other from
one's own. Source of the form: Woerner, Benjamin, Novitzky & Leonard (2019), "Quantifying protocol
evaluation for autonomous collision avoidance", Autonomous Robots 43, entry criteria. Source of the
angles: DNV's ship traffic generator, settings of its 55 situations (github.com/dnv-opensource/
ship-traffic-generator, MIT licence); that of doubt: Woerner et al.
"""

from __future__ import annotations

from enum import StrEnum

from steerageway.geometry.encounter import Track, relative_bearing
from steerageway.geometry.marine import angle180

ABAFT = 112.5  # 22.5 deg abaft the beam: rule 13 [deg]
COMING_UP = 67.5  # the overtaken vessel lies within this angle of the bow [deg]
HEAD_ON = 5.0  # each is within this angle of the other's bow: rule 14 [deg]
DOUBT = 13.0  # if nothing else applies, head-on is assumed within this angle: rule 14(c) [deg]
CROSSING = 5.0  # the crossing vessel may be this far beyond its bow: rule 15 [deg]
ROUNDING = 0.06  # of published angles [deg]


class Situation(StrEnum):
    """The situation of one's own vessel, in the words of DNV's ship traffic generator."""

    HEAD_ON = "head-on"
    OVERTAKING = "overtaking-give-way"
    OVERTAKEN = "overtaking-stand-on"
    GIVE_WAY = "crossing-give-way"
    STAND_ON = "crossing-stand-on"
    NONE = "none"

    @property
    def rule(self) -> int:
        """The rule that defines it; 0: none."""
        return _RULES[self]

    @property
    def gives_way(self) -> bool:
        """Whether one's own vessel has to keep out of the way (rule 14: both have)."""
        return self in (Situation.HEAD_ON, Situation.OVERTAKING, Situation.GIVE_WAY)


_RULES = {
    Situation.HEAD_ON: 14,
    Situation.OVERTAKING: 13,
    Situation.OVERTAKEN: 13,
    Situation.GIVE_WAY: 15,
    Situation.STAND_ON: 15,
    Situation.NONE: 0,
}


def situation(own: Track, other: Track) -> Situation:
    """Return the situation of ``own``; that of the other vessel is ``situation(other, own)``."""
    alpha = angle180(relative_bearing(other, own))
    beta = angle180(relative_bearing(own, other))
    if _comes_up(beta, alpha, slower=own, faster=other):
        return Situation.OVERTAKEN
    if _comes_up(alpha, beta, slower=other, faster=own):
        return Situation.OVERTAKING
    if max(abs(alpha), abs(beta)) <= HEAD_ON + ROUNDING:
        return Situation.HEAD_ON
    if 0.0 < beta < ABAFT and -ABAFT < alpha <= CROSSING + ROUNDING:
        return Situation.GIVE_WAY
    if 0.0 < alpha < ABAFT and -ABAFT < beta <= CROSSING + ROUNDING:
        return Situation.STAND_ON
    return Situation.HEAD_ON if max(abs(alpha), abs(beta)) <= DOUBT else Situation.NONE


def _comes_up(behind: float, ahead: float, *, slower: Track, faster: Track) -> bool:
    """Whether a faster vessel comes up from abaft the beam of a slower one (rule 13).

    Args:
        behind: relative bearing of the faster vessel from the slower one.
        ahead: relative bearing of the slower vessel from the faster one.
    """
    near = abs(behind) > ABAFT and abs(ahead) <= COMING_UP + ROUNDING
    return near and faster.speed > slower.speed
