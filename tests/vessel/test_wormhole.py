"""Passages through wormholes, against values worked out by hand."""

from math import dist
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steerageway.geometry.marine import bearing, components
from steerageway.moos.polygon import Polygon, parse_polygon
from steerageway.vessel.wormhole import CLEAR, Side, Traveller, Wormhole

MADRID = Polygon(((0, 90), (20, 90), (20, 110), (0, 110)))
WEBER = Polygon(((0, -10), (20, -10), (20, 10), (0, 10)))
BOTH = (Side.MADRID, Side.WEBER)
DT = 0.25


def hole(**given):
    return Wormhole("one", **{"madrid": MADRID, "weber": WEBER} | given)


def sail(traveller, place, course, speed, seconds, start=0.0):
    """Sail straight on; give (time, place, visibility) after each step."""
    track, now = [], start
    step = components(course, speed * DT)
    while now < start + seconds:
        traveller.find(place, now)
        if traveller.is_through(now):
            place = traveller.emerge(now).exit
        now += DT
        if not traveller.is_gone(now - DT):
            place = place[0] + step[0], place[1] + step[1]
        track.append((now, place, traveller.visibility(now)))
    return track


def places(track):
    return {now: place for now, place, _ in track}


def test_a_vessel_emerges_at_the_offset_of_its_entry():
    assert hole().way_out(Side.MADRID, (12, 90)) == (12, -10)
    assert hole().way_out(Side.WEBER, (3, 7)) == (3, 107)


def test_in_a_smaller_mouth_it_emerges_at_the_nearest_point():
    small = Polygon(((8, -2), (12, -2), (12, 2), (8, 2)))
    assert hole(weber=small).way_out(Side.MADRID, (12, 91)) == (12, -2)
    assert hole(weber=small).way_out(Side.MADRID, (10.5, 101)) == (10.5, 1)


def test_a_passage_takes_no_time_by_default():
    traveller = Traveller([hole()])
    track = places(sail(traveller, (12.0, 80.0), 0, 2, 60))
    assert track[5.0] == (12, 90)  # 10 m at 2 m/s: in
    assert track[5.25] == (12, -9.5)  # out at (12, -10), and a step on
    assert track[55.0] == (12, 90)
    assert track[55.25] == (12, -9.5)
    assert traveller.count == 2


def test_a_vessel_is_gone_for_the_delay():
    traveller = Traveller([hole(delay=3)])
    track = places(sail(traveller, (12.0, 80.0), 0, 2, 10))
    assert {track[t / 4] for t in range(20, 33)} == {(12, 90)}
    assert track[8.25] == (12, -9.5)


def test_it_sails_on_while_it_fades_and_emerges_by_its_entry():
    traveller = Traveller([hole(fade=2, delay=1)])
    track = sail(traveller, (12.0, 80.0), 0, 2, 12)
    seen = {now: (place[1], visibility) for now, place, visibility in track}
    assert seen[5.0] == (90, 1)
    assert seen[6.0] == (92, 0.5)
    assert seen[7.0] == (94, 0)
    assert seen[8.0] == (94, 0)
    assert seen[8.25] == (-9.5, 0.125)
    assert seen[9.0] == (-8, 0.5)
    assert seen[10.0] == (-6, 1)


@pytest.mark.parametrize(
    ("entries", "counts"), [((Side.MADRID,), [1, 0]), ((Side.WEBER,), [0, 1]), (BOTH, [1, 1])]
)
def test_only_mouths_that_let_in_do(entries, counts):
    for count, (start, course) in zip(
        counts, [((12.0, 80.0), 0), ((12.0, 20.0), 180)], strict=True
    ):
        traveller = Traveller([hole(entries=entries)])
        sail(traveller, start, course, 2, 20)
        assert traveller.count == count


def test_of_several_wormholes_it_takes_the_one_it_is_in():
    other = Wormhole("two", MADRID.moved(100, 0), WEBER.moved(300, 0))
    traveller = Traveller([hole(), other])
    traveller.find((110, 100), 0)
    assert traveller.passage.wormhole.tag == "two"
    assert traveller.passage.exit == (310, 0)


def test_it_does_not_reenter_before_it_has_left_the_mouth():
    traveller = Traveller([hole(entries=BOTH)])
    (*_, (now, place, _)) = sail(traveller, (12.0, 80.0), 0, 2, 6)
    assert WEBER.contains(place)
    assert traveller.count == 1
    away = sail(traveller, place, 180, 2, 10, now)[-1]  # out of the mouth to the south
    assert traveller.count == 1
    sail(traveller, away[1], 0, 2, 10, now + 10)  # and back into it
    assert traveller.count == 2


def test_an_entry_mouth_over_the_exit_is_closed_at_first():
    over = Wormhole("two", WEBER, MADRID.moved(500, 0))
    traveller = Traveller([hole(), over])
    (*_, (now, place, _)) = sail(traveller, (12.0, 80.0), 0, 2, 10)
    assert (traveller.count, place) == (1, (12, 0))
    sail(traveller, (12.0, 40.0), 180, 2, 20, now)
    assert traveller.count == 2


@pytest.mark.slow
def test_a_thousand_passages_of_a_lane_are_equal():
    traveller = Traveller([hole(fade=0.5, delay=0.75)])
    step, place, now = 2.5, (12.0, 80.0), 0.0
    entries = []
    while traveller.count < 1000:
        before = traveller.passage
        traveller.find(place, now)
        if traveller.passage is not before:
            entries.append((now, place))
        if traveller.is_through(now):
            place = traveller.emerge(now).exit
        if not traveller.is_gone(now):
            place = (place[0], place[1] + step)
        now += DT
    # 100 m in 40 steps, and three steps for the delay; while fading it sails 2 steps for nothing
    assert entries == [(1.0 + k * 45 * DT, (12, 90)) for k in range(1000)]


CENTRES = st.floats(-40, 40)
SHAPES = st.sampled_from(["radial:0,0,15,5", "radial:0,0,6,3", "oval:x=0,y=0,rad=5,len=30,ang=40"])


@pytest.mark.slow
@settings(max_examples=12)
@given(
    first=SHAPES,
    second=SHAPES,
    x=CENTRES,
    entries=st.sampled_from([BOTH, (Side.MADRID,), (Side.WEBER,)]),
    delay=st.sampled_from([0.0, 0.25, 1.1]),
    fade=st.sampled_from([0.0, 0.6]),
    seed=st.integers(0, 10**6),
)
def test_on_any_track_every_passage_begins_outside_and_ends(
    first, second, x, entries, delay, fade, seed
):
    """It steers for one mouth after the other, past their middles: 20 passages each."""
    madrid, weber = parse_polygon(first), parse_polygon(second).moved(60 + x, 10 - x)
    traveller = Traveller([Wormhole("w", madrid, weber, entries, delay, fade)])
    rng, place, now, outside = Random(seed), (25.0, -30.0), 0.0, True
    aim, steps = place, 0
    while traveller.count < 20:
        if dist(place, aim) < 2:
            region = madrid if rng.random() < 0.5 else weber
            side, way = region.centroid, rng.uniform(0, 60)
            turned = components(rng.uniform(0, 360), way)
            aim = side[0] + turned[0], side[1] + turned[1]
        count = traveller.count
        started = traveller.passage is None
        traveller.find(place, now)
        if traveller.passage is not None and started:
            assert outside, "taken where it came out"
            assert traveller.passage.mouth.region.contains(place)
        if traveller.is_through(now):
            passage = traveller.emerge(now)
            place, outside = passage.exit, False
            aim = place
            assert passage.mouth.other.region.distance(place) < 1e-9
            assert now - passage.since < fade + delay + DT
        assert traveller.count <= count + 1
        assert 0 <= traveller.visibility(now) <= 1
        if not traveller.is_gone(now):
            step = components(bearing(aim[0] - place[0], aim[1] - place[1]), 1.0)
            place = place[0] + step[0], place[1] + step[1]
        if traveller.passage is None:
            outside = outside or all(m.distance(place) > CLEAR for m in (madrid, weber))
        now, steps = now + DT, steps + 1
        assert steps < 100_000, "stuck"
