"""Encounters under the COLREGs: situations, closest approach, scores, targets, scenario files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

from steerageway.geometry.encounter import Track, closest_approach
from steerageway.vessel.colregs.evaluation import Passage, evaluate
from steerageway.vessel.colregs.scenario import Conduct, Scenario, Target, read_scenarios
from steerageway.vessel.colregs.scores import (
    LIMITS,
    Meeting,
    closest,
    hidden,
    pose_score,
    range_score,
    score,
    side_score,
)
from steerageway.vessel.colregs.situations import Situation, situation
from steerageway.vessel.colregs.targets import Motion
from steerageway.vessel.errors import InvalidValue

SUITES = Path(__file__).parents[2] / "missions" / "encounter"
WORDS = {
    "HO": Situation.HEAD_ON,
    "CR-GW": Situation.GIVE_WAY,
    "CR-SO": Situation.STAND_ON,
    "OT-GW": Situation.OVERTAKING,
    "OT-SO": Situation.OVERTAKEN,
}
LENGTH = 100.0


def suite(name: str) -> tuple[Scenario, ...]:
    """Return the scenarios of a shipped suite."""
    return read_scenarios(SUITES / f"{name}.yml")


def straight(start: Track, times: np.ndarray) -> np.ndarray:
    """Return the track of a vessel that keeps course and speed (n, 4)."""
    return np.array([start.ahead(start.speed * time) for time in times.tolist()])


def second_opinion(own: Track, other: Track) -> Situation:
    """Classify by vectors instead of bearings, with the angles' cosines and sides of lines."""
    away = complex(other.x - own.x, other.y - own.y)
    bows = [np.exp(1j * np.radians(90.0 - track.heading)) for track in (own, other)]
    seen = [away / abs(away) / bows[0], -away / abs(away) / bows[1]]  # beta, alpha; port > 0
    cos = lambda angle: np.cos(np.radians(angle))  # noqa: E731

    def abaft(one: complex) -> bool:
        return one.real < cos(112.5)

    def within(one: complex, angle: float) -> bool:
        return one.real >= cos(angle)

    beta, alpha = seen
    if abaft(beta) and within(alpha, 67.56) and other.speed > own.speed:
        return Situation.OVERTAKEN
    if abaft(alpha) and within(beta, 67.56) and own.speed > other.speed:
        return Situation.OVERTAKING
    if within(alpha, 5.06) and within(beta, 5.06):
        return Situation.HEAD_ON
    for one, another, found in (
        (beta, alpha, Situation.GIVE_WAY),
        (alpha, beta, Situation.STAND_ON),
    ):
        fine = another.imag >= 0 or within(another, 5.06)
        if one.imag < 0 and not abaft(one) and not abaft(another) and fine:
            return found
    return Situation.HEAD_ON if within(alpha, 13) and within(beta, 13) else Situation.NONE


@pytest.mark.slow
def test_two_implementations_agree_on_ten_thousand_random_encounters() -> None:
    random = Random(46)
    seen = dict.fromkeys(Situation, 0)
    for _ in range(10_000):
        own = Track(0.0, 0.0, random.uniform(0, 360), random.uniform(1, 10))
        other = Track(
            random.uniform(-2000, 2000),
            random.uniform(-2000, 2000),
            random.uniform(0, 360),
            random.uniform(1, 10),
        )
        found = situation(own, other)
        seen[found] += 1
        assert found == second_opinion(own, other)
        # the CPA as the foot of the perpendicular from the relative position to the relative course
        place = complex(other.x, other.y)
        rate = complex(*other.velocity) - complex(*own.velocity)
        ahead = (place.conjugate() * rate).real < 0.0
        foot = abs((place.conjugate() * rate).imag) / abs(rate) if ahead else abs(place)
        assert closest_approach(own, other).range == pytest.approx(foot, abs=1e-6)
    assert min(seen.values()) > 5


def test_the_rules_of_two_vessels_complete_each_other() -> None:
    pairs = {
        Situation.GIVE_WAY: Situation.STAND_ON,
        Situation.OVERTAKING: Situation.OVERTAKEN,
        Situation.HEAD_ON: Situation.HEAD_ON,
    }
    random = Random(1)
    for _ in range(2000):
        one, two = (
            Track(*(random.uniform(-9, 9) for _ in "xy"), random.uniform(0, 360), speed)
            for speed in (2.0, 3.0)
        )
        mine, other = situation(one, two), situation(two, one)
        assert pairs.get(mine, other) == other


@pytest.mark.parametrize("scenario", suite("dnv"), ids=lambda one: one.name)
def test_situations_are_those_that_dnv_names(scenario: Scenario) -> None:
    words = [WORDS[word] for word in scenario.about.split(", ")]
    assert [situation(scenario.start, one.start) for one in scenario.targets] == words
    for one in scenario.targets:  # the traffic generator lets all pass through one point
        assert closest_approach(scenario.start, one.start).range < 6.0


def test_all_vessels_of_imazus_problems_meet_after_half_an_hour() -> None:
    found = suite("imazu")
    assert [len(one.targets) for one in found] == [1] * 4 + [2] * 8 + [3] * 10
    for scenario in found:
        middle = scenario.start.ahead(1800.0 * scenario.start.speed)
        for one in scenario.targets:
            there = one.start.ahead(1800.0 * one.start.speed)
            assert there[:2] == pytest.approx(middle[:2], abs=1.5)  # the table has three decimals


def test_the_closest_range_between_samples_is_that_of_finer_ones() -> None:
    random = np.random.default_rng(3)
    for _ in range(50):
        times = np.cumsum(random.uniform(0.2, 2.0, 12))
        own, other = random.normal(0, 30, (12, 2)), random.normal(0, 30, (12, 2))
        fine = np.linspace(times[0], times[-1], 40_001)
        away = [np.interp(fine, times, (other - own)[:, axis]) for axis in (0, 1)]
        ranges = np.hypot(*away)
        cpa, time = closest(times, own, other)
        assert cpa == pytest.approx(ranges.min(), abs=0.05)
        assert np.hypot(*(np.interp(time, times, (other - own)[:, a]) for a in (0, 1))) < cpa + 1e-6


@pytest.mark.parametrize(
    ("lengths", "worth"), [(8.0, 1.0), (7.2, 0.8), (6.4, 0.6), (4.0, 0.3), (1.6, 0.0), (0.1, 0.0)]
)
def test_a_range_is_scored_by_the_two_slopes_of_woerner(lengths: float, worth: float) -> None:
    assert range_score(lengths * LENGTH, LENGTH) == pytest.approx(worth)


def test_scores_of_poses_sides_and_hidden_manoeuvres_have_their_landmarks() -> None:
    assert pose_score(90.0, -120.0) == pytest.approx(1.0)
    assert pose_score(0.0, 90.0) == pytest.approx(0.0)
    assert pose_score(60.0, 90.0) == pytest.approx(0.5)
    assert side_score(-90.0, -90.0) == pytest.approx(1.0)
    assert side_score(90.0, 90.0) == pytest.approx(0.0)
    assert side_score(0.0, 0.0) == pytest.approx(1.0 / 16.0)
    assert hidden(30.0, 0.0)[0] == hidden(0.0, 0.5)[1] == 0.0
    assert hidden(15.0, 0.25) == pytest.approx((0.375, 0.25))


def test_a_textbook_turn_in_a_head_on_encounter_scores_what_a_hand_computes() -> None:
    times = np.arange(0.0, 900.0)
    other = straight(Track(0.0, 3600.0, 180.0, 5.0), times)
    own = straight(Track(0.0, 0.0, 0.0, 5.0), times)
    turned = times >= 60.0
    away = times[turned] - 60.0
    s, c = np.sin(np.radians(35.0)), np.cos(np.radians(35.0))
    own[turned] = np.stack(
        [5.0 * away * s, 300.0 + 5.0 * away * c, 35.0 + 0 * away, 5.0 + 0 * away], axis=1
    )
    found = score(Meeting(times, own, other, LENGTH))
    # relative motion after the turn: 3000 m ahead, 5 (1 + c) closing, 5 s across
    cpa = 3000.0 * s / np.hypot(s, 1.0 + c)
    delay = (3600.0 - 3000.0) / (3600.0 - cpa)
    bearing = np.degrees(np.arctan2(s, 1.0 + c))  # of the line of the relative motion
    alpha, beta = -(90.0 - bearing), -(90.0 + 35.0 - bearing)
    side = 1.0 - side_score(alpha, beta)
    rules = {one.rule: one for one in found.verdicts}
    assert (found.situation, found.begins) == (Situation.HEAD_ON, 0.0)
    assert found.cpa == pytest.approx(cpa, abs=0.5)
    assert rules[14].score == pytest.approx(1.0 - 0.2 * delay - side, abs=0.01)
    assert rules[8].score == pytest.approx(1.0 - delay, abs=0.01)
    assert "acted at 60.0 s, 3000 m off: 35 deg to starboard" in rules[14].why


def test_standing_on_is_kept_until_the_vessel_may_act_itself() -> None:
    times = np.arange(0.0, 700.0)
    other = straight(Track(-2500.0, 2500.0, 90.0, 5.0), times)
    calm = straight(Track(0.0, 0.0, 0.0, 5.0), times)
    early = calm.copy()
    early[50:, 2] = 40.0  # the heading alone: what counts is the change of course
    rules = [
        {one.rule: one.score for one in score(Meeting(times, own, other, LENGTH)).verdicts}
        for own in (calm, early)
    ]
    assert rules[0][17] == pytest.approx(1.0 - 0.6, abs=0.01)  # it is hit, but not by its doing
    assert rules[1][17] == 0.0
    assert set(rules[0]) == {6, 15, 17}


@pytest.mark.parametrize(
    ("start", "gives_way"),
    [
        (Track(0.0, 4000.0, 180.0, 5.0), True),
        (Track(-2000.0, 2000.0, 90.0, 5.0), True),  # has the own vessel on its starboard side
        (Track(0.0, -2000.0, 0.0, 10.0), True),
        (Track(2000.0, 2000.0, 270.0, 5.0), False),
        (Track(0.0, 1500.0, 0.0, 2.0), False),
    ],
    ids=["head-on", "crossing", "overtaking", "standing on", "overtaken"],
)
def test_a_target_that_obeys_gives_way_where_the_rules_say_so(
    start: Track, gives_way: bool
) -> None:
    target = Target(start, (), Conduct.RULES, LENGTH)
    motion, own = Motion(target, Random(0)), Track(0.0, 0.0, 0.0, 5.0)
    least, turned = 1e9, 0.0
    for _ in range(900):
        own = own.ahead(own.speed)
        motion.step(1.0, own)
        least = min(least, np.hypot(motion.track.x - own.x, motion.track.y - own.y))
        turned = max(turned, abs((motion.track.heading - start.heading + 180) % 360 - 180))
    assert (turned > 5.0) == gives_way
    assert least > 8.0 * LENGTH if gives_way else least < LENGTH


def test_an_erratic_target_strays_by_its_seed() -> None:
    def ends(seed: int) -> Track:
        motion = Motion(
            Target(Track(0.0, 0.0, 0.0, 5.0), (), Conduct.ERRATIC, LENGTH), Random(seed)
        )
        for _ in range(600):
            motion.step(1.0, Track(9e4, 9e4, 0.0, 0.0))
        return motion.track

    assert ends(1) == ends(1) != ends(2)
    assert abs(ends(1).x) > 1.0


def test_a_scaled_scenario_has_the_same_geometry_in_lengths() -> None:
    one = suite("imazu")[0]
    small = one.scaled(4.0, 2.0)
    assert small.start[:2] == (0.0, 0.0)
    assert small.way / small.length == pytest.approx(one.way / one.length)
    assert small.targets[0].start.speed == pytest.approx(2.0)
    varied = small.varied(3)
    assert varied == small.varied(3) != small.varied(4)
    assert abs((varied.start.heading + 180) % 360 - 180) <= 5.0


def test_a_vessel_in_shallow_water_is_aground_at_the_instant_it_enters() -> None:
    one = suite("imazu")[0].scaled(4.0, 2.0)
    one = replace(one, shallow=(((-5.0, 20.3), (5.0, 20.3), (0.0, 40.0)),))
    times = np.arange(0.0, 30.0, 0.5)
    own = straight(one.start, times)
    found = evaluate(one, Passage(times, own, (straight(one.targets[0].start, times),), True))
    assert found["aground"] == 10.5  # the first sample beyond 20.3 m
    assert found["in_zone"] is None
    barred = replace(one, shallow=(), zones=one.shallow)
    found = evaluate(barred, Passage(times, own, (straight(one.targets[0].start, times),), True))
    assert (found["aground"], found["in_zone"]) == (None, 10.5)
    assert LIMITS.domain == (4.0, 1.6)


@pytest.mark.parametrize("name", ["channel", "separation", "shallow"])
def test_in_confined_waters_the_straight_passage_is_safe_but_for_the_other_vessels(
    name: str,
) -> None:
    for scenario in suite(name):
        times = np.arange(0.0, scenario.way / scenario.start.speed, 5.0)
        own = straight(scenario.start, times)
        others = tuple(straight(one.start, times) for one in scenario.targets)
        found = evaluate(scenario, Passage(times, own, others, True))
        assert (found["aground"], found["in_zone"]) == (None, None)
        nearest = min(closest_approach(scenario.start, one.start).range for one in scenario.targets)
        # a vessel on its own side of the channel passes at the least range without penalty
        least = 1.01 * LIMITS.least * scenario.length
        assert nearest <= least, scenario.name


GOOD = """\
own: {length: 4, speed: 2, to: [0, 300]}
scenarios:
  - name: one
    targets:
      - {at: [0, 300], heading: 180, speed: 2}
"""


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ("speed: 2, to", "speed: -2, to", r":1: own\.speed.*-2.*above 0"),
        ("length: 4", "size: 4", r"own\.length"),
        ("to: [0, 300]", "to: [0, 0]", r":1: own\.to: .*another point"),
        ("heading: 180", "heading: south", r":5: scenarios\.1\.targets\.1\.heading.*south"),
        ("heading: 180", "heding: 180", r":5: scenarios\.1\.targets\.1\.h"),
        ("name: one", "name: one two", r":3: scenarios\.1\.name: .*letters"),
        ("heading: 180", "conduct: bold, heading: 180", r"conduct.*bold.*stubborn"),
        ("scenarios:", "scenes:", r"scenarios"),
        ("    targets", "    separation: [{points: [[0, 0], [1, 1]]}]\n    targets", r"separation"),
        (
            "    targets",
            "    shallow: [{points: [[0, 0], [1, x]]}]\n    targets",
            r":4: .*points.*x",
        ),
    ],
)
def test_a_wrong_scenario_is_refused_with_file_line_and_key(
    tmp_path: Path, old: str, new: str, error: str
) -> None:
    path = tmp_path / "wrong.yml"
    assert read_scenarios(_written(path, GOOD))[0].name == "one"
    with pytest.raises(InvalidValue, match=rf"wrong\.yml.*{error}"):
        read_scenarios(_written(tmp_path / "sub" / "wrong.yml", GOOD.replace(old, new)))


def _written(path: Path, text: str) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return path
