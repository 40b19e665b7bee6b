"""Behaviors that follow a contact: CutRange, Trail, Shadow, Convoy, RStationKeep."""

from __future__ import annotations

import pytest
from alone import shows, untested_parameters
from meeting import meet

from steerageway.geometry.encounter import Track, closest_approach, closure
from steerageway.ivp import Peak, Variable, peak
from steerageway.moos.errors import FormatError

BEN = "contact = ben\n"
CUT, TRAIL, SHADOW, CONVOY, STATION = (
    f"BHV_{name}" for name in ("CutRange", "Trail", "Shadow", "Convoy", "RStationKeep")
)
COURSE, SPEED = Variable("course", 0, 359, 360), Variable("speed", 0, 4, 41)
NORTH = {"NAV_HEADING": 0.0, "NAV_SPEED": 2.0}


def alert_request(one):
    """Return a behavior's request to the contact manager when the helm starts; None: no request."""
    one.behavior.on_helm_start()
    one.step()
    return one.posted.get("BCM_ALERT_REQUEST")


@pytest.mark.slow
@shows(CUT, "patience", "max_patience", "time_on_leg")
@pytest.mark.parametrize(
    ("lines", "patience", "horizon"),
    [
        ("", 0.0, 15),
        ("patience = 40", 0.4, 15),
        ("patience = 100", 0.85, 15),
        ("patience = 100\nmax_patience = 95\ntime_on_leg = 30", 0.95, 30),
    ],
)
def test_cutting_range_weighs_haste_against_nearness(lines, patience, horizon, alone):
    one = alone(CUT, BEN + lines, **NORTH)
    contact = Track(100, 50, 300, 2)
    meet(one, *contact)
    closing = [closure(Track(0, 0, h, 4), contact) for h in range(360)]
    still = closure(Track(0, 0, 0, 0), contact)
    low, high = min(*closing, still), max(*closing, still)

    def mixed(course, speed):
        own, away = Track(0, 0, course, speed), 12500**0.5
        fast = 100 * (closure(own, contact) - low) / (high - low)
        near = 100 * (away - closest_approach(own, contact, horizon).range) / away
        return (1 - patience) * fast + patience * near

    grid = [mixed(course, speed / 10) for course in range(360) for speed in range(41)]
    worst, best = min(grid), max(grid)
    for course, speed in ((0, 2), (63, 4), (180, 1), (40, 0.5)):
        expected = 100 * (mixed(course, speed) - worst) / (best - worst)
        assert one.utility(course=course, speed=speed) == pytest.approx(expected, abs=1e-3)


@shows(CUT, "pwt_inner_dist", "pwt_outer_dist")
@pytest.mark.parametrize(
    ("lines", "share"),
    [("", 1), ("pwt_outer_dist = 200", 0.5), ("pwt_inner_dist = 50\npwt_outer_dist = 250", 0.25),
     ("pwt_inner_dist = 120", 0)],
)  # fmt: skip
def test_cutting_range_has_more_weight_far_off(lines, share, alone):
    one = alone(CUT, f"{BEN}pwt = 80\n{lines}")
    meet(one, 0, 100)
    assert (one.objective.weight if one.objective else 0) == pytest.approx(80 * share)


@shows(CUT, "giveup_dist", "pursueflag", "giveupflag")
def test_a_pursuit_is_abandoned_and_resumed(alone):
    flags = "pursueflag = CHASE = true\ngiveupflag = CHASE = false\n"
    one = alone(CUT, f"{BEN}{flags}giveup_dist = 100")
    posted = [meet(one, 0, y).get("CHASE") for y in (150, 99, 100.5, 102, 100.5, 99)]
    assert posted == [None, "true", None, "false", None, "true"]
    assert one.objective is not None
    forever = alone(CUT, BEN + flags)
    assert meet(forever, 0, 5000)["CHASE"] == "true"
    assert forever.objective is not None


@shows(CUT, "no_alert_request")
def test_cutting_range_requests_alerts(alone):
    block = "updates = NEAR\ngiveup_dist = 300\n"
    expected = "id=b,on_flag=NEAR=name=$[VNAME] # contact=$[VNAME],alert_range=300"
    assert alert_request(alone(CUT, block)) == expected
    assert alert_request(alone(CUT, block + "no_alert_request = true")) is None


@shows(TRAIL, "trail_range", "mod_trail_range", "mod_trail_range_pct", "trail_angle",
       "trail_angle_type")  # fmt: skip
@pytest.mark.parametrize(
    ("lines", "x", "y"),
    [
        ("", 50, 100),
        ("trail_range = 30", 70, 100),
        ("mod_trail_range = 20", 30, 100),
        ("trail_range = 20\nmod_trail_range = -15", 90, 100),
        ("mod_trail_range_pct = 50", 75, 100),
        ("trail_angle = 90", 100, 50),
        ("trail_angle_type = absolute", 100, 50),
    ],
)
def test_the_trailing_point_follows_from_the_settings(lines, x, y, alone):
    one = alone(TRAIL, BEN + lines)
    drawn = meet(one, 100, 100, 90, 2)["VIEW_POINT"]
    assert drawn.startswith(f"x={x},y={y},active=true,label=abe_trailpoint")
    assert one.posted["TRAIL_DISTANCE"] == pytest.approx((x * x + y * y) ** 0.5, abs=0.01)


@shows(TRAIL, "radius", "nm_radius")
@pytest.mark.parametrize(
    ("lines", "off", "region"),
    [
        ("", 30, "Outside nm_radius"), ("", 15, "Inside nm_radius"), ("", 4, "Inside radius"),
        ("nm_radius = 40", 30, "Inside nm_radius"), ("radius = 16", 15, "Inside radius"),
    ],
)  # fmt: skip
def test_the_distance_to_the_point_determines_the_objective(lines, off, region, alone):
    one = alone(TRAIL, BEN + lines, **NORTH)
    meet(one, off, 50, 0, 1.5)
    assert one.posted["REGION"] == region
    if region == "Inside radius":
        assert (one.posted["TRAIL_HEADING"], one.posted["TRAIL_SPEED"]) == (0.0, 1.5)
        assert one.decide() == {"course": 0.0, "speed": 1.5}
    elif region == "Outside nm_radius":
        place, best = Track(off, 0, 0, 1.5), one.decide()
        own = Track(0, 0, best["course"], best["speed"])
        assert closest_approach(own, place, 60).range < 0.5


@pytest.mark.parametrize(("x", "y", "speed"), [(0, 40, 1.5), (0, 60, 2.5), (15, 50, 2.0)])
def test_ahead_of_the_place_it_is_slower_and_astern_faster(x, y, speed, alone):
    one = alone(TRAIL, BEN, **NORTH)
    meet(one, x, y, 0, 2)
    assert one.decide()["speed"] == pytest.approx(speed)
    assert one.posted["TRAIL_SPEED"] == pytest.approx(speed)
    assert one.posted["TRAIL_RANGE"] == pytest.approx((x * x + y * y) ** 0.5, abs=0.06)


def test_without_dead_reckoning_it_stops_at_the_place(alone):
    one = alone(TRAIL, BEN + "extrapolate = false", **NORTH)
    meet(one, 0, 52, 0, 2)
    assert one.decide()["speed"] == 0.0


@shows(TRAIL, "pwt_outer_dist")
@pytest.mark.parametrize(("line", "pursues"), [("", 1.0), ("pwt_outer_dist = 90", 0.0)])
def test_trailing_may_have_zero_weight_far_off(line, pursues, alone):
    one = alone(TRAIL, BEN + line)
    meet(one, 0, 100)
    assert one.posted["PURSUIT"] == one.posted["TRAIL_RELEVANCE"] == pursues
    assert (one.objective is not None) == bool(pursues)


@shows(TRAIL, "no_alert_request")
def test_trailing_requests_alerts_only_if_configured(alone):
    block = "updates = NEAR\npwt_outer_dist = 90\n"
    assert alert_request(alone(TRAIL, block)) is None
    requested = alert_request(alone(TRAIL, block + "no_alert_request = false"))
    assert requested == "id=b,on_flag=NEAR=name=$[VNAME] # contact=$[VNAME],alert_range=90"


@shows(TRAIL, "post_trail_dist_on_idle")
@pytest.mark.parametrize(
    ("line", "expected"), [("", True), ("post_trail_dist_on_idle = no\n", False)]
)
def test_distance_is_reported_when_idle_too(line, expected, alone):
    one = alone(TRAIL, f"{BEN}{line}condition = GO = true")
    assert ("TRAIL_DISTANCE" in meet(one, 0, 100)) == expected


@shows(SHADOW, "heading_peakwidth", "heading_basewidth", "speed_peakwidth", "speed_basewidth")
@pytest.mark.parametrize(
    ("lines", "course", "speed"),
    [
        ("", (20, 160), (0.1, 2.0)),
        ("heading_peakwidth = 30\nheading_basewidth = 90", (30, 90), (0.1, 2.0)),
        ("speed_peakwidth = 0.5\nspeed_basewidth = 1", (20, 160), (0.5, 1.0)),
    ],
)
def test_a_shadow_does_as_the_contact_does(lines, course, speed, alone):
    one = alone(SHADOW, BEN + lines)
    meet(one, 0, 400, 217, 1.5)
    assert one.decide() == {"course": 217.0, "speed": 1.5}
    of_course = peak(COURSE, Peak(217, *course, 50), wrap=True)
    of_speed = peak(SPEED, Peak(1.5, *speed, 10))
    for c, s in ((200, 1.5), (217, 2.2), (90, 0.4)):
        parts = [(of_course, ("course",), c), (of_speed, ("speed",), s)]
        expected = 0.0
        for function, names, value in parts:
            low, high = function.span
            table = function.parts[names]
            index = (COURSE if names == ("course",) else SPEED).nearest(value)
            expected += 50 * (table[index] - low) / (high - low)
        assert one.utility(course=c, speed=s) == pytest.approx(expected)


@shows(SHADOW, "pwt_outer_dist")
@pytest.mark.parametrize(("line", "has_say"), [("", True), ("pwt_outer_dist = 300", False)])
def test_a_shadow_may_have_zero_weight_far_off(line, has_say, alone):
    one = alone(SHADOW, BEN + line)
    posted = meet(one, 3, 400, 217, 1.5)
    assert (one.objective is not None) == has_say
    assert posted["SHADOW_RELEVANCE"] == float(has_say)
    assert posted["SHADOW_CONTACT_X"] == pytest.approx(3)
    assert posted["SHADOW_CONTACT_HEADING"] == 217


def led(one, *places, speed=1.0):
    """Let a contact go through places."""
    for x, y in places:
        meet(one, x, y, 0, speed)
    return one


@shows(CONVOY, "inter_mark_range", "max_mark_range")
@pytest.mark.parametrize(
    ("lines", "marks"),
    [
        ("", [50, 60, 70, 80, 90, 100]),
        ("inter_mark_range = 25", [50, 75, 100]),
        ("max_mark_range = 20", [80, 90, 100]),
    ],
)
def test_marks_are_laid_along_its_track(lines, marks, alone):
    one = led(alone(CONVOY, BEN + lines), *((0.0, y) for y in range(50, 105, 5)))
    assert [y for _, y in one.behavior.marks] == pytest.approx(marks)


def test_it_follows_the_track_and_not_the_contact(alone):
    one = led(alone(CONVOY, BEN, **NORTH), (0, 50), (0, 60), (20, 60), (60, 60))
    assert one.decide()["course"] == 0.0


@shows(CONVOY, "radius", "nm_radius")
def test_a_mark_is_reached_near_by_or_when_it_slips(alone):
    def first_mark(lines, *ys):
        one = led(alone(CONVOY, BEN + lines), (0, 50), (0, 60), (0, 70), (0, 80))
        for x, y in ys:
            one.step(NAV_X=float(x), NAV_Y=float(y))
        return one.behavior.marks[0][1]

    assert first_mark("", (0, 44)) == pytest.approx(50)
    assert first_mark("", (0, 46)) == pytest.approx(60)
    assert first_mark("radius = 7", (0, 44)) == pytest.approx(60)
    assert first_mark("", (12, 50), (14, 50)) > 50
    assert first_mark("nm_radius = 10", (12, 50), (14, 50)) == pytest.approx(50)


@shows(CONVOY, "cruise_speed", "spd_max", "spd_faster", "spd_slower", "rng_estop", "rng_tgating",
       "rng_lagging", "rng_safety")  # fmt: skip
@pytest.mark.parametrize(
    ("lines", "away", "speed"),
    [
        ("", 50, 1.0),
        ("", 80, 1.5),
        ("", 25, 0.5),
        ("", 10, 0.0),
        ("cruise_speed = 1.2", 50, 1.2),
        ("cruise_speed = 3", 50, 2.0),
        ("cruise_speed = 3\nspd_max = 2.5", 50, 2.5),
        ("spd_faster = 1.8", 80, 1.8),
        ("spd_slower = 0.3", 25, 0.3),
        ("rng_estop = 40", 35, 0.0),
        ("rng_tgating = 60", 50, 0.5),
        ("rng_lagging = 40", 50, 1.5),
        ("rng_safety = false", 10, 0.5),
    ],
)
def test_speed_follows_from_the_contacts_and_the_range(lines, away, speed, alone):
    one = alone(CONVOY, BEN + lines, **NORTH)
    meet(one, 0, away, 0, 1.0)
    assert one.decide()["speed"] == pytest.approx(speed)


def test_its_speed_is_the_mean_of_two_seconds(alone):
    one = alone(CONVOY, BEN, **NORTH)
    for speed in (0.5, 1.5):
        meet(one, 0, 50, 0, speed)
    assert one.decide()["speed"] == pytest.approx(1.0)
    meet(one, 0, 50, 0, 1.5, dt=2.5)
    assert one.decide()["speed"] == pytest.approx(1.5)


def test_a_convoy_reports_its_marks_and_its_mean_speeds(alone):
    one = led(alone(CONVOY, BEN), (0, 50), (0, 60), (8, 66), speed=0.5)
    assert (one.posted["QLEN"], one.posted["TLEN"], one.posted["MXRNG"]) == (
        3,
        pytest.approx(20),
        150,
    )
    assert (one.posted["WPTX"], one.posted["WPTY"]) == pytest.approx((0, 50))
    meet(one, 8, 66, 0, 1.1, dt=2.5)
    assert (one.posted["AVG2"], one.posted["AVG5"]) == pytest.approx((1.1, (3 * 0.5 + 1.1) / 4))


def test_a_convoy_draws_the_marks_it_has_still_to_pass(alone):
    one = led(alone(CONVOY, BEN), (0, 50), (0, 60))
    assert one.posted["VIEW_POINT"].startswith("x=0,y=60,active=true,label=abe_ben_1")
    one.step(NAV_X=0.0, NAV_Y=46.0)
    assert "x=0,y=50,active=false,label=abe_ben_0" in one.posted["VIEW_POINT"]


def test_convoy_uses_its_own_weight(alone):
    one = alone(CONVOY, BEN + "pwt = 70")
    meet(one, 0, 50)
    assert one.objective.weight == 70


@shows(STATION, "rstation_position")
@pytest.mark.parametrize(
    ("lines", "away"),
    [("", 100), ("rstation_position = 40,180", 60), ("rstation_position = 40,0", 140)],
)
def test_the_station_moves_with_the_contact(lines, away, alone):
    one = alone(STATION, BEN + lines)
    assert meet(one, 0, 100, 0, 1)["DIST_TO_RSTATION"] == pytest.approx(away)
    assert one.decide()["course"] == 0.0


@shows(STATION, "center_activate")
@pytest.mark.parametrize(("line", "away"), [("", 40), ("center_activate = true\n", 0)])
def test_the_station_may_be_where_the_vessel_is(line, away, alone):
    text = f"{BEN}{line}rstation_position = present_position\ncondition = GO = true"
    one = alone(STATION, text)
    go, stop = {"nav": {"GO": "true"}}, {"nav": {"GO": "false"}}
    assert meet(one, 30, 100, 90, 1, **go)["DIST_TO_RSTATION"] == pytest.approx(0, abs=1e-6)
    assert meet(one, 70, 100, 90, 1, **go)["DIST_TO_RSTATION"] == pytest.approx(40)
    meet(one, 70, 100, 90, 1, **stop)
    assert meet(one, 70, 100, 90, 1, **go)["DIST_TO_RSTATION"] == pytest.approx(away, abs=1e-6)
    with pytest.raises(FormatError, match="expected RANGE,ANGLE"):
        alone(STATION, BEN + "rstation_position = -4,0")


@shows(STATION, "outer_radius", "inner_radius", "outer_speed", "transit_speed")
@pytest.mark.parametrize(
    ("lines", "away", "speed"),
    [
        ("", 30, 2.0),
        ("", 15, 0.7),
        ("", 4, 0.0),
        ("outer_radius = 35", 30, 1.4 * 25 / 30),
        ("inner_radius = 15", 20, 0.7),
        ("outer_speed = 1", 15, 0.5),
        ("transit_speed = 3", 30, 3.0),
    ],
)
def test_speed_follows_from_the_distance_to_the_station(lines, away, speed, alone):
    one = alone(STATION, BEN + lines)
    meet(one, 0, away)
    assert one.decide()["speed"] == pytest.approx(speed, abs=0.051)


def test_the_inner_circle_must_be_the_smaller_one(alone):
    with pytest.raises(FormatError, match="expected at most outer_radius, which is 25"):
        alone(STATION, BEN + "inner_radius = 26\nouter_radius = 25")


@pytest.mark.parametrize("kind", [CUT, TRAIL, SHADOW, CONVOY, STATION])
def test_every_parameter_has_a_test(kind) -> None:
    assert untested_parameters(kind) == set()
