"""The thrust map: the manual's examples, and what must hold for every map."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steerageway.peers.older.thrust_map import ReleasedThrustMap
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.thrust_map import ThrustMap, read_pairs

MANUAL = "-100:-3.5, -75:-3.2, -10:-2, 20:2.4, 50:4.2, 80:4.8, 100:5"
PLATEAU = "-75:-3.2, -10:-2, 20:2.4, 50:4.2, 80:4.8"
THRUSTS = st.floats(-150, 150)


def made(text, kind=ThrustMap, **more):
    reading = read_pairs(text, stop_at_bad=kind is ReleasedThrustMap)
    return kind(reading.ahead, reading.astern, **more)


@st.composite
def maps(draw):
    """Make a map of any kind, pruned as the text of a file would be."""
    pairs = draw(st.lists(st.tuples(st.integers(-110, 110), st.integers(-6, 6)), max_size=8))
    text = ", ".join(f"{thrust}:{speed}" for thrust, speed in pairs) or "0:0"
    factor = draw(st.sampled_from([0.0, 5.0, 20.0]))
    return made(text, factor=factor, reflect=draw(st.booleans()))


@pytest.mark.parametrize(
    ("text", "ignored"),
    [
        (f"-120:-5, {MANUAL}, 120:6", ("-120:-5", "120:6")),
        (MANUAL.replace("100:5", "90:4, 100:5.0"), ("90:4",)),
        (MANUAL.replace("20:2.4", "0:0, 20:2.4"), ()),
        (MANUAL.replace("20:2.4", "0:1, 20:2.4"), ("0:1",)),
    ],
)
def test_invalid_pairs_are_pruned_and_named(text, ignored):
    reading = read_pairs(text)
    assert reading.ignored == ignored
    assert reading[:2] == read_pairs(MANUAL)[:2]


@given(THRUSTS)
def test_missing_ends_hold_the_closest_speed(thrust):
    full = made("-100:-3.2, -75:-3.2, -10:-2, 20:2.4, 50:4.2, 80:4.8, 100:4.8")
    assert made(PLATEAU).speed(thrust) == pytest.approx(full.speed(thrust))


@given(THRUSTS)
def test_reflection_mirrors_thrust_ahead(thrust):
    given_both = made("-100:-5, -80:-4.8, -50:-4.2, -20:-2.4, 20:2.4, 50:4.2, 80:4.8, 100:5")
    reflected = made("20:2.4, 50:4.2, 80:4.8, 100:5", reflect=True)
    assert reflected.speed(thrust) == pytest.approx(given_both.speed(thrust))


def test_reflection_is_ignored_where_negative_thrust_is_mapped():
    assert made(MANUAL, reflect=True).speed(-100) == -3.5
    for kind in (ThrustMap, ReleasedThrustMap):
        assert made("-100:-4", kind, reflect=True).speed(-50) == -2


def test_negative_thrust_without_a_map_brings_nothing():
    assert made("100:5").speed(-50) == 0


def test_speed_of_4_8_needs_a_thrust_of_80():
    plateau = made(PLATEAU)
    assert plateau.thrust(4.8) == 80
    assert plateau.thrust(5) == 80
    assert plateau.thrust(-3.2) == -75


@given(st.floats(0, 100))
def test_default_map_is_5_metres_a_second_at_full_thrust(thrust):
    assert ThrustMap().speed(thrust) == pytest.approx(made("100:5").speed(thrust))
    assert ThrustMap().speed(-thrust) == 0


def test_between_pairs_the_map_is_linear():
    assert made("20:1, 40:3").speed(25) == pytest.approx(1.5)
    assert made("20:1, 40:3").speed(10) == pytest.approx(0.5)


def test_the_factor_applies_only_without_pairs_ahead():
    assert made("100:4", factor=10).speed(50) == 2
    assert made("-100:-4", factor=10).speed(50) == 5
    assert made("0:0", factor=0).speed(50) == 0


def test_a_later_pair_of_one_thrust_replaces_the_earlier():
    assert made("50:2, 50:3").speed(50) == 3


def test_a_list_of_pairs_may_end_in_a_comma():
    assert read_pairs("20:1, 100:5,") == read_pairs("20:1, 100:5")


@pytest.mark.parametrize("text", ["50", "50:a", "a:5", "10:1:2", "nan:1", "10:inf", "10:1,,20:2"])
def test_a_pair_that_is_not_two_numbers_is_refused(text):
    with pytest.raises(InvalidValue, match="expected thrust:speed pairs"):
        read_pairs(text)


@pytest.mark.slow
@given(maps(), THRUSTS, THRUSTS)
def test_more_thrust_never_brings_less_speed(thrust_map, one, other):
    low, high = sorted((one, other))
    assert thrust_map.speed(low) <= thrust_map.speed(high)


@pytest.mark.slow
@given(maps(), st.floats(-7, 7))
def test_the_inverse_brings_the_speed_or_comes_nearest(thrust_map, speed):
    reached = thrust_map.speed(thrust_map.thrust(speed))
    most, least = thrust_map.speed(100), thrust_map.speed(-100)
    assert reached == pytest.approx(max(least, min(most, speed)), abs=1e-12)


@pytest.mark.slow
@given(maps(), THRUSTS)
def test_the_inverse_takes_the_least_thrust(thrust_map, thrust):
    chosen = thrust_map.thrust(thrust_map.speed(thrust))
    assert abs(chosen) <= min(abs(thrust), 100) + 1e-9


@pytest.mark.slow
@given(maps())
def test_no_thrust_brings_no_speed(thrust_map):
    assert thrust_map.speed(0) == 0
    assert thrust_map.thrust(0) == 0


def test_released_map_drops_everything_after_the_first_bad_pair():
    reading = read_pairs("20:1, 30:0.5, 40:2", stop_at_bad=True)
    assert reading.ahead == ((20, 1),)
    assert reading.ignored == ("30:0.5", "40:2")
    assert read_pairs("20:1, x:2, 40:2", stop_at_bad=True).ignored == ("x:2", "40:2")


def test_released_map_has_no_end_without_pairs():
    assert ReleasedThrustMap().speed(200) == 10
    assert ReleasedThrustMap(reflect=True).speed(-200) == -10
    assert ReleasedThrustMap().speed(-50) == 0
    assert ReleasedThrustMap(factor=0).speed(50) == 0
    assert made("20:1", ReleasedThrustMap).speed(200) == 1


def test_released_inverse_answers_the_top_with_full_thrust():
    released = made(PLATEAU, ReleasedThrustMap)
    assert released.thrust(4.8) == 100
    assert released.thrust(-3.2) == -100
    assert released.thrust(0) == 0
    assert released.thrust(2.4) == 20
    assert released.thrust(9) == 100
    assert released.thrust(-9) == -100
    assert ReleasedThrustMap().thrust(3) == 60
    assert ReleasedThrustMap().thrust(6) == 120  # there is no end without pairs
    assert ReleasedThrustMap().thrust(-1) == -100


@given(THRUSTS)
def test_released_map_agrees_between_the_ends(thrust):
    thrust = max(-100, min(100, thrust))
    assert made(MANUAL, ReleasedThrustMap).speed(thrust) == pytest.approx(
        made(MANUAL).speed(thrust)
    )


def test_at_a_pair_the_released_map_gives_its_speed_to_the_last_bit():
    released = made("20:0.1, 40:0.3, 70:0.7", ReleasedThrustMap)
    assert [released.speed(thrust) for thrust in (0, 20, 40, 70, 100)] == [0, 0.1, 0.3, 0.7, 0.7]
