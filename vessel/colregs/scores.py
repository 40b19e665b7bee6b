"""Scores of one's own vessel in an encounter: safety, rules 6, 8 and 13 to 17, from 0 to 1.

Sources of the formulas, named at each of them:

- W: Woerner, Benjamin, Novitzky & Leonard (2019), "Quantifying protocol evaluation for autonomous
  collision avoidance", Autonomous Robots 43, 967-991, doi 10.1007/s10514-018-9765-y;
- H: Hagen, Vassbotn, Skogvold, Johansen & Brekke (2023), "Safety and COLREG evaluation for marine
  collision avoidance algorithms", Ocean Engineering 288, doi 10.1016/j.oceaneng.2023.115991, which
  follows W and Minne (2017), "Automatic testing of maritime collision avoidance methods", NTNU.

Weights, angles and ranges (5000, 3000, 1500, 1000, 800 and 200 m) are the defaults of an open
implementation of W, Minne and H (the class AutoVerification). Here ranges are multiples of the own
vessel's length: those, divided by a length of 125 m. Scores below 0 are 0.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import hypot

import numpy as np
from numpy.typing import NDArray

from steerageway.geometry.encounter import Track, closest_approach, relative_bearing
from steerageway.geometry.marine import angle180
from steerageway.vessel.colregs.situations import Situation, situation

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Limits:
    """Limits of the scores; ranges in lengths of the own vessel, angles in degrees.

    Attributes:
        detect: range at which the encounter begins (stage 2 of H).
        may_act: the stand-on vessel may act within it (rule 17(a)(ii), stage 3).
        least: CPA range without penalty; near_miss, collision: of W's penalties.
        risk: a predicted CPA range below this is a risk of collision.
        apparent_turn, apparent_slowing: a readily apparent change of course [deg], and of speed as
            a share of it (rule 8(b)).
        noticed_turn, noticed_change: the least that counts as a manoeuvre.
        starboard: a turn that counts as one to starboard (rule 14) [deg].
        domain: half axes of the ship domain, along and across (Fujii & Tanaka 1971, Journal of
            Navigation 24: an ellipse of 8 by 3.2 lengths).
    """

    detect: float = 40.0
    may_act: float = 24.0
    risk: float = 12.0
    least: float = 8.0
    near_miss: float = 6.4
    collision: float = 1.6
    apparent_turn: float = 30.0
    apparent_slowing: float = 0.5
    noticed_turn: float = 5.0
    noticed_change: float = 0.1
    starboard: float = 20.0
    domain: tuple[float, float] = (4.0, 1.6)


LIMITS = Limits()
NEAR_MISS_SHARE, COLLISION_SHARE = 0.4, 0.6  # of the range score, lost to a near miss (H)
RANGE_SHARE, POSE_SHARE = 0.5, 0.5  # of the safety score (H)
MOST_HIDDEN = 0.5  # the largest penalty of a manoeuvre that is not apparent (W, algorithms 14, 15)
AHEAD_13, AHEAD_15 = 0.3, 0.5  # penalties of passing ahead (H)
AHEAD_13_ANGLE = 45.0  # ahead of an overtaken vessel: within this angle of its bow (H) [deg]
AHEAD_15_ANGLES = (-25.0, 165.0)  # ahead of a crossing vessel, to its port or starboard (H) [deg]
STRAIGHT_14, DELAY_14, SIDE_14 = 0.6, 0.2, 1.0  # penalties of rule 14 (H)
UNSAFE_17, PORT_17 = 0.6, 0.7  # penalties of rule 17 (H, after Minne)
KEPT = 0.5  # least score of a rule that counts as kept


@dataclass(frozen=True)
class Meeting:
    """The tracks of own vessel and another from the begin of a run, at the same instants.

    Attributes:
        times: (n,) [s], increasing.
        own, other: (n, 4): x east, y north [m], heading [deg], speed [m/s].
        length: of the own vessel [m].
    """

    times: Floats
    own: Floats
    other: Floats
    length: float

    def own_at(self, index: int) -> Track:
        """Return the own vessel's track at an instant."""
        return Track(*self.own[index].tolist())

    def other_at(self, index: int) -> Track:
        """Return the other vessel's track at an instant."""
        return Track(*self.other[index].tolist())

    @property
    def ranges(self) -> Floats:
        """The range at each instant (n,) [m]."""
        away = self.other[:, :2] - self.own[:, :2]
        return np.asarray(np.hypot(away[:, 0], away[:, 1]))


@dataclass(frozen=True)
class Verdict:
    """A rule's score, and the sentence with the instants that decided it."""

    rule: int
    score: float
    why: str

    @property
    def kept(self) -> bool:
        """Whether the rule counts as kept."""
        return self.score >= KEPT


@dataclass(frozen=True)
class Score:
    """The score of an encounter with one other vessel.

    Attributes:
        situation: at the begin of the encounter.
        begins: instant of that [s]; None: there was no risk of collision.
        cpa: the least range [m]; cpa_time: its instant [s].
        domain: the least share of the ship domain at which the other came in; < 1: a violation.
        domain_time: its instant [s].
        safety: 0 to 1.
        verdicts: of each rule that applied.
    """

    situation: Situation
    begins: float | None
    cpa: float
    cpa_time: float
    domain: float
    domain_time: float
    safety: float
    verdicts: tuple[Verdict, ...] = field(default=())

    @property
    def least(self) -> float:
        """The least score of any rule; 1 if none applied."""
        return min((one.score for one in self.verdicts), default=1.0)


def closest(times: Floats, own: Floats, other: Floats) -> tuple[float, float]:
    """Return the least range [m] and its instant [s]; between instants both move straight.

    Args:
        times: (n,) [s]. own, other: (n, 2) or more columns, positions first [m].
    """
    away = other[:, :2] - own[:, :2]
    if len(times) == 1:
        return hypot(*away[0]), float(times[0])
    start, change = away[:-1], np.diff(away, axis=0)
    squared = np.einsum("ij,ij->i", change, change)
    share = -np.einsum("ij,ij->i", start, change) / np.where(squared > 0.0, squared, 1.0)
    share = np.clip(share, 0.0, 1.0)
    ranges = np.hypot(*(start + share[:, np.newaxis] * change).T)
    best = int(np.argmin(ranges))
    return float(ranges[best]), float(times[best] + share[best] * (times[best + 1] - times[best]))


def domain_share(meeting: Meeting) -> Floats:
    """Return how far the other is inside the own ship domain (n,): 0 the centre, 1 its edge.

    Source: Szlapczynski & Szlapczynska (2016), Ocean Engineering 113, approach factor of an
    elliptic domain, here around its centre.
    """
    heading = np.radians(meeting.own[:, 2])
    east, north = (meeting.other[:, :2] - meeting.own[:, :2]).T
    along = east * np.sin(heading) + north * np.cos(heading)
    across = east * np.cos(heading) - north * np.sin(heading)
    half_along, half_across = (axis * meeting.length for axis in LIMITS.domain)
    return np.asarray(np.hypot(along / half_along, across / half_across))


def range_score(cpa: float, length: float) -> float:
    """Return the score of a CPA range [m]: W, the range of the safety score."""
    least, near, hit = (r * length for r in (LIMITS.least, LIMITS.near_miss, LIMITS.collision))
    if cpa >= least:
        return 1.0
    if cpa >= near:
        return 1.0 - NEAR_MISS_SHARE * (least - cpa) / (least - near)
    if cpa >= hit:
        return 1.0 - NEAR_MISS_SHARE - COLLISION_SHARE * (near - cpa) / (near - hit)
    return 0.0


def pose_score(alpha: float, beta: float) -> float:
    """Return the score of the relative bearings at the CPA [deg]: W, pose of the safety score.

    1 if each vessel is abeam of the other or abaft; 0 if it is right ahead.
    """
    faces = [1.0 - np.cos(np.radians(min(abs(angle180(angle)), 90.0))) for angle in (alpha, beta)]
    return float(faces[0] * faces[1])


def hidden(turn: float, slowed: float) -> tuple[float, float]:
    """Return the penalties of a turn [deg] and of a slowing (a share) that are not apparent.

    Source: W, algorithms 14 and 15, in the quadratic form of Minne for the course.
    """
    by_turn = max(0.0, 1.0 - (turn / LIMITS.apparent_turn) ** 2)
    by_speed = max(0.0, 1.0 - slowed / LIMITS.apparent_slowing)
    return MOST_HIDDEN * by_turn, MOST_HIDDEN * by_speed


def side_score(alpha: float, beta: float) -> float:
    """Return the score of passing port to port: W, algorithm 8. Bearings at the CPA [deg]."""
    one, other = ((np.sin(np.radians(angle)) - 1.0) / 2.0 for angle in (alpha, beta))
    return float(one**2 * other**2)


@dataclass(frozen=True)
class Facts:
    """What the rules are judged by: the own vessel's manoeuvre from the encounter's begin to CPA.

    Attributes:
        begin: instant of the begin [s]; begin_range: the range there [m].
        acted: instant of the first manoeuvre [s], and acted_range [m]; None: there was none.
        starboard, port: the largest turns [deg], >= 0.
        slowed, sped: the largest changes of speed, as shares of that at the begin, >= 0.
        early_turn, early_change: the largest turn [deg] and change of speed outside ``may_act``.
        cpa, cpa_time: [m], [s]; alpha, beta: relative bearings there [deg].
        safety, ranged: the safety score, and its part by range.
    """

    begin: float
    begin_range: float
    acted: float | None
    acted_range: float
    starboard: float
    port: float
    slowed: float
    sped: float
    early_turn: float
    early_change: float
    cpa: float
    cpa_time: float
    alpha: float
    beta: float
    safety: float
    ranged: float

    @property
    def turn(self) -> float:
        """The largest turn to either side [deg]."""
        return max(self.starboard, self.port)

    @property
    def delay(self) -> float:
        """The penalty of a late manoeuvre: W, as a share of the ranges from begin to CPA."""
        if self.acted is None:
            return 1.0
        span = self.begin_range - self.cpa
        late = (self.begin_range - self.acted_range) / span if span > 0.0 else 0.0
        return min(max(late, 0.0), 1.0)

    def action(self) -> str:
        """Return the manoeuvre in words, with its instant."""
        if self.acted is None:
            return "no manoeuvre before the CPA"
        parts = [
            f"{size:.0f} deg to {side}"
            for side, size in (("starboard", self.starboard), ("port", self.port))
            if size >= LIMITS.noticed_turn
        ]
        if self.slowed >= LIMITS.noticed_change:
            parts.append(f"{self.slowed:.0%} slower")
        what = ", ".join(parts) or "a change of speed"
        return f"acted at {self.acted:.1f} s, {self.acted_range:.0f} m off: {what}"

    def passing(self) -> str:
        """Return the passage in words, with its instant."""
        return (
            f"passed at {self.cpa_time:.1f} s, {self.cpa:.1f} m off, the other bearing "
            f"{self.beta:.0f} deg, itself at {self.alpha:.0f} deg of it"
        )


def score(meeting: Meeting) -> Score:
    """Return the score of an encounter of the own vessel with another."""
    cpa, cpa_time = closest(meeting.times, meeting.own, meeting.other)
    shares = domain_share(meeting)
    deepest = int(np.argmin(shares))
    begin = _begin(meeting, cpa_time)
    met = Situation.NONE
    if begin is not None:
        met = situation(meeting.own_at(begin), meeting.other_at(begin))
    facts = _facts(meeting, 0 if begin is None else begin, cpa, cpa_time)
    return Score(
        situation=met,
        begins=None if begin is None else float(meeting.times[begin]),
        cpa=cpa,
        cpa_time=cpa_time,
        domain=float(shares[deepest]),
        domain_time=float(meeting.times[deepest]),
        safety=facts.safety,
        verdicts=_verdicts(met, facts) if met.rule else (),
    )


def _begin(meeting: Meeting, cpa_time: float) -> int | None:
    """Return the first instant, before the CPA, within range at which there is a risk."""
    near = meeting.ranges <= LIMITS.detect * meeting.length
    for index in np.flatnonzero(near & (meeting.times < cpa_time)).tolist():
        ahead = closest_approach(meeting.own_at(index), meeting.other_at(index))
        if ahead.time > 0.0 and ahead.range < LIMITS.risk * meeting.length:
            return int(index)
    return None


def _facts(meeting: Meeting, begin: int, cpa: float, cpa_time: float) -> Facts:
    own, times, ranges = meeting.own, meeting.times, meeting.ranges
    at_cpa = max(begin, int(np.searchsorted(times, cpa_time, side="right")) - 1)
    span = slice(begin, at_cpa + 1)
    turns = (own[span, 2] - own[begin, 2] + 180.0) % 360.0 - 180.0
    speed = max(float(own[begin, 3]), 1e-9)
    changes = own[span, 3] / speed - 1.0
    early = ranges[span] > LIMITS.may_act * meeting.length
    noticed = (np.abs(turns) >= LIMITS.noticed_turn) | (np.abs(changes) >= LIMITS.noticed_change)
    first = begin + int(np.argmax(noticed)) if noticed.any() else None
    alpha = angle180(relative_bearing(meeting.other_at(at_cpa), meeting.own_at(at_cpa)))
    beta = angle180(relative_bearing(meeting.own_at(at_cpa), meeting.other_at(at_cpa)))
    ranged = range_score(cpa, meeting.length)
    return Facts(
        begin=float(times[begin]),
        begin_range=float(ranges[begin]),
        acted=None if first is None else float(times[first]),
        acted_range=0.0 if first is None else float(ranges[first]),
        starboard=max(0.0, float(turns.max())),
        port=max(0.0, float(-turns.min())),
        slowed=max(0.0, float(-changes.min())),
        sped=max(0.0, float(changes.max())),
        early_turn=float(np.abs(turns[early]).max(initial=0.0)),
        early_change=float(np.abs(changes[early]).max(initial=0.0)),
        cpa=cpa,
        cpa_time=cpa_time,
        alpha=alpha,
        beta=beta,
        safety=RANGE_SHARE * ranged + POSE_SHARE * pose_score(alpha, beta),
        ranged=ranged,
    )


def _verdicts(met: Situation, facts: Facts) -> tuple[Verdict, ...]:
    """Return the verdict of each rule that applies in a situation."""
    found = [_rule_6(facts)]
    if met.gives_way:
        found.append(_rule_8(facts))
    if met == Situation.HEAD_ON:
        found.append(_rule_14(facts))
    elif met.gives_way:
        keeps_clear = _rule_16(facts)
        found.append(_passing_astern(met, facts, keeps_clear.score))
        found.append(keeps_clear)
    else:
        stands_on = _rule_17(met, facts)
        found += [Verdict(met.rule, stands_on.score, stands_on.why), stands_on]
    return tuple(sorted(found, key=lambda one: one.rule))


def _rule_6(facts: Facts) -> Verdict:
    """Rule 6, safe speed: the penalty of speeding up in an encounter (W, algorithm 17)."""
    return Verdict(6, (1.0 + facts.sped) ** -2, f"sped up by {facts.sped:.0%} at most")


def _rule_8(facts: Facts) -> Verdict:
    """Rule 8: early, readily apparent, and effective, as the product of its three scores (W)."""
    apparent = 1.0 - min(hidden(facts.turn, facts.slowed)) / MOST_HIDDEN
    worth = (1.0 - facts.delay) * apparent * facts.ranged
    parts = f"early {1.0 - facts.delay:.2f}, apparent {apparent:.2f}, range {facts.ranged:.2f}"
    return Verdict(8, worth, f"{parts}: {facts.action()}; {facts.passing()}")


def _rule_14(facts: Facts) -> Verdict:
    """Rule 14: both turn to starboard and pass port to port (W, algorithm 8; weights of H)."""
    straight = max(0.0, 1.0 - facts.starboard / LIMITS.starboard) ** 4
    side = 1.0 - side_score(facts.alpha, facts.beta)
    worth = 1.0 - STRAIGHT_14 * straight - DELAY_14 * facts.delay - SIDE_14 * side
    worth = max(0.0, worth) * (1.0 - hidden(facts.turn, 0.0)[0])
    return Verdict(14, worth, f"{facts.action()}; {facts.passing()}")


def _rule_16(facts: Facts) -> Verdict:
    """Rule 16: early and substantial action to keep well clear (W).

    A change of course or of speed that is apparent makes up for the other.
    """
    unseen = min(hidden(facts.turn, facts.slowed))
    worth = facts.safety * (1.0 - facts.delay) * (1.0 - unseen)
    return Verdict(16, worth, f"{facts.action()}; {facts.passing()}")


def _passing_astern(met: Situation, facts: Facts, cleared: float) -> Verdict:
    """Rules 13 and 15 of the give-way vessel: rule 16, and not ahead of the other (H)."""
    if met == Situation.OVERTAKING:
        ahead, penalty = abs(facts.alpha) < AHEAD_13_ANGLE, AHEAD_13
    else:
        ahead, penalty = AHEAD_15_ANGLES[0] < facts.alpha < AHEAD_15_ANGLES[1], AHEAD_15
    worth = max(0.0, cleared - penalty * ahead)
    where = "ahead" if ahead else "not ahead"
    return Verdict(met.rule, worth, f"{where} of the other; {facts.passing()}")


def _rule_17(met: Situation, facts: Facts) -> Verdict:
    """Rule 17: keep course and speed while the other may still act; never to port (17(c)).

    Source: H, after Minne: changes count outside the range within which it may act itself, in
    proportion to an apparent change (W, algorithms 16 and 17).
    """
    course = min(1.0, max(0.0, facts.early_turn - LIMITS.noticed_turn) / LIMITS.apparent_turn)
    speed = min(1.0, facts.early_change / LIMITS.apparent_slowing)
    moved = min(1.0, course + (speed if facts.early_change >= LIMITS.noticed_change else 0.0))
    to_port = met == Situation.STAND_ON and facts.port >= LIMITS.starboard
    worth = 1.0 - UNSAFE_17 * (1.0 - facts.safety) - moved - PORT_17 * to_port
    kept = (
        "kept course and speed" if moved == 0.0 else f"changed early by {facts.early_turn:.0f} deg"
    )
    port = f"; {facts.port:.0f} deg to port for a vessel on its port side" if to_port else ""
    return Verdict(17, max(0.0, worth), f"{kept}{port}; {facts.action()}; {facts.passing()}")
