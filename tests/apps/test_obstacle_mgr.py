"""``pObstacleMgr``, driven by mail and time: the effect of each of its parameters."""

from __future__ import annotations

import sys
from math import cos, dist, pi, sin

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steerageway.apps.contacts.hull import around
from steerageway.apps.contacts.obstacle_mgr.app import ObstacleMgr
from steerageway.apps.contacts.obstacle_mgr.obstacles import parse_point, with_point
from steerageway.bus import ConfigError
from steerageway.moos.polygon import parse_polygon
from tests.apps.parameters import Shown

ROCK = "pts={-5,30:5,30:5,40:-5,40},label=rock"
ALERT = "general_alert = name=av_,update_var=OBSTACLE,alert_range=50\n"
shows = Shown()


class Watch:
    """An obstacle manager at (0, 0) or another place, and its mail."""

    def __init__(self, driven):
        self.driven = driven
        self.time = 0.0
        self.started = {post.name: post.value for post in driven.started}

    def see(self, *mail, dt=1.0, x=0.0, y=0.0):
        """Iterate ``dt`` later, at a place, with (variable, text) mail."""
        self.time += dt
        nav = [("NAV_X", x), ("NAV_Y", y)]
        messages = [self.driven.message(k, v, self.time) for k, v in [*nav, *mail]]
        return self.driven.take(self.time, messages)

    def sense(self, *points, key="rock", **given):
        """Iterate with sensed points."""
        texts = [("TRACKED_FEATURE", f"x={x},y={y},key={key}") for x, y in points]
        return self.see(*texts, **given)


@pytest.fixture
def watch(drive):
    return lambda block="": Watch(drive(ObstacleMgr, block, name="pObstacleMgr"))


def polygon_of(text):
    """Return the polygon of an alert."""
    return parse_polygon(text.split("poly=")[1].split("#id=")[0])


points = st.tuples(st.floats(-50, 50), st.floats(-50, 50))


@settings(max_examples=40)
@given(st.lists(points, min_size=1, max_size=12))
def test_a_hull_is_convex_and_holds_every_point(cloud):
    hull = around(cloud)
    assert all(hull.distance(point) < 1e-6 for point in cloud)


def test_a_hull_of_centimetres_has_the_corners_of_its_points():
    corners = [(7.0, 3.0), (7.0, 3.04), (7.04, 3.0), (7.04, 3.04)]
    assert sorted(around([*corners, (7.02, 3.02)]).points) == corners


def test_points_on_a_line_become_an_octagon():
    assert len(around([(0.0, 0.0), (1.0, 1.0), (2.0, 2.0)]).points) == 8
    assert around([(3.0, 4.0)]).distance_to_edge((3.0, 4.0)) == pytest.approx(0.46, abs=0.01)


@pytest.mark.slow
@given(st.lists(points, min_size=1, max_size=3), st.floats(0, 180))
def test_an_octagon_around_points_on_a_line_is_as_small_as_possible(ways, angle):
    line = [(w[0] * cos(angle), w[0] * sin(angle)) for w in ways]
    middle = (sum(x for x, _ in line) / len(line), sum(y for _, y in line) / len(line))
    found = around(line)
    if len(found.points) == 8:
        reach = max(0.5, max(dist(middle, point) for point in line) / cos(pi / 8))
        assert [dist(middle, c) for c in found.points] == pytest.approx([reach] * 8, abs=1e-6)


@shows("given_obstacle", "given_obstable", "general_alert")
@pytest.mark.parametrize("name", ["given_obstacle", "given_obstable"])
def test_an_obstacle_that_comes_near_is_reported_once(name, watch):
    manager = watch(f"{name} = {ROCK}\n{ALERT}")
    assert manager.started["OBM_CONNECT"] == "true"
    assert "OBSTACLE" not in manager.see(y=-21.0)
    found = manager.see(y=-19.0)
    assert found["OBSTACLE"] == f"name=av_rock#poly={ROCK}#id=rock"
    assert "OBSTACLE" not in manager.see(y=-18.0)
    manager.see(y=-30.0)
    assert "OBSTACLE" in manager.see(y=-19.0)


def test_an_obstacle_that_replaces_another_gives_a_warning(watch):
    reef, farther = ROCK.replace("rock", "reef"), ROCK.replace("40", "50")
    manager = watch("".join(f"given_obstacle = {one}\n" for one in (ROCK, reef, farther)))
    (warning,) = manager.driven.app.config_warnings
    assert warning.endswith("it takes the place of test.moos:0, whose label is rock, too")
    assert warning.startswith("test.moos:2: given_obstacle = ")


@pytest.mark.parametrize(
    ("expected", "name"), [("", "gen_alert_"), (",name=near", "near_"), (",name=av_", "av_")]
)
def test_a_general_alert_names_the_obstacle(expected, name, watch):
    manager = watch(
        f"given_obstacle = {ROCK}\ngeneral_alert = update_var=NEAR,alert_range=90{expected}"
    )
    assert manager.see()["NEAR"].startswith(f"name={name}rock#")


def test_a_repeated_request_is_answered_again(watch):
    manager = watch(f"given_obstacle = {ROCK}")
    ask = ("OBM_ALERT_REQUEST", "name=av_,update_var=OBSTACLE,alert_range=50")
    other = ("OBM_ALERT_REQUEST", "name=b_,update_var=OTHER,alert_range=50")
    assert {"OBSTACLE", "OTHER"} <= manager.see(ask, other).keys()
    assert not {"OBSTACLE", "OTHER"} & manager.see().keys()
    again = manager.see(ask)
    assert "OBSTACLE" in again
    assert "OTHER" not in again


def test_a_request_takes_the_place_of_the_last_one(watch):
    # ObstacleManager::handleMailAlertRequest of MOOS-IvP keeps one name, variable and range
    wide = ("OBM_ALERT_REQUEST", "name=wide_,update_var=OBSTACLE,alert_range=50")
    other = ("OBM_ALERT_REQUEST", "name=b_,update_var=OTHER,alert_range=50")
    close = ("OBM_ALERT_REQUEST", "name=close_,update_var=OBSTACLE,alert_range=40")
    block = f"given_obstacle = {ROCK}\ngeneral_alert = update_var=OBSTACLE,alert_range=5"
    for compat, answered in (("", {"OBSTACLE", "OTHER"}), ("\npeer_compat = moos", {"OBSTACLE"})):
        manager = watch(block + compat)
        found = manager.see(wide, other, close)
        assert {"OBSTACLE", "OTHER"} & found.keys() == answered
        texts = [post.value for post in manager.driven.posts if post.name == "OBSTACLE"]
        assert [text.split("#")[0] for text in texts] == ["name=close_rock"]


@shows("alert_range")
@pytest.mark.parametrize(("line", "expected"), [("", False), ("alert_range = 35", True)])
def test_a_behavior_requests_alerts_by_mail(line, expected, watch):
    manager = watch(f"given_obstacle = {ROCK}\n{line}")
    found = manager.see(("OBM_ALERT_REQUEST", "name=av_,update_var=OBSTACLE"))
    assert ("OBSTACLE" in found) == expected
    manager.see(("OBM_ALERT_REQUEST", "name=av_"))
    assert "expected update_var=VAR" in next(iter(manager.driven.app.run_warnings))


def test_a_mailed_obstacle_that_changes_is_reported_again(watch):
    manager = watch(ALERT)
    assert "vsource=radar" in manager.see(("GIVEN_OBSTACLE", f"{ROCK},vsource=radar"))["OBSTACLE"]
    assert "OBSTACLE" not in manager.see(("GIVEN_OBSTACLE", f"{ROCK},vsource=radar"))
    assert "OBSTACLE" in manager.see(("GIVEN_OBSTACLE", ROCK.replace("40", "41")))


@shows("given_max_duration")
def test_a_mailed_obstacle_lasts_for_its_duration_up_to_the_maximum(watch):
    for block, text, lasts in (
        ("", f"{ROCK},duration=10", 10),
        ("", f"{ROCK},duration=60", 60),
        ("given_max_duration = 30", ROCK, 30),
    ):
        manager = watch(block)
        manager.see(("GIVEN_OBSTACLE", text))
        assert "OBM_RESOLVED" not in manager.see(dt=lasts - 1)
        assert manager.see(dt=2)["OBM_RESOLVED"] == "rock"
    brief = watch()
    brief.see(("GIVEN_OBSTACLE", f"{ROCK},duration=0.5"))
    assert "OBM_RESOLVED" not in brief.see(dt=0.4)
    assert brief.see(dt=0.2)["OBM_RESOLVED"] == "rock"
    for block in ("", "given_max_duration = off"):
        forever = watch(block)
        forever.see(("GIVEN_OBSTACLE", ROCK))
        assert "OBM_RESOLVED" not in forever.see(dt=9999)
    strict = watch()
    strict.see(("GIVEN_OBSTACLE", f"{ROCK},duration=61"))
    assert "at most 60 s" in next(iter(strict.driven.app.run_warnings))


@shows("peer_compat")
@pytest.mark.parametrize(
    ("block", "text", "taken"),
    [
        # in MOOS-IvP's pObstacleMgr, handleGivenObstacle of mail
        ("peer_compat = moos", ROCK, False),
        ("peer_compat = moos", f"{ROCK},duration=10", True),
        ("peer_compat = moos\ngiven_max_duration = off", ROCK, True),
        ("", ROCK, True),
    ],
)
def test_an_obstacle_without_a_duration_is_rejected_only_as_moos_ivp_does(
    block, text, taken, watch
):
    manager = watch(f"{ALERT}{block}")
    assert ("OBSTACLE" in manager.see(("GIVEN_OBSTACLE", text))) is taken
    assert bool(manager.driven.app.run_warnings) is not taken


@shows("point_var")
def test_sensed_points_become_a_hull(watch):
    corners = [(0, 10), (10, 10), (10, 20), (0, 20), (5, 15)]
    hull = polygon_of(watch(ALERT).sense(*corners)["OBSTACLE"])
    assert sorted(hull.points) == [(0, 10), (0, 20), (10, 10), (10, 20)]
    other = watch(f"{ALERT}point_var = SEEN")
    assert "OBSTACLE" not in other.sense((1, 2))
    assert "OBSTACLE" in other.see(("SEEN", "x=1,y=2,key=rock"))


@pytest.mark.slow
@settings(max_examples=60)
@given(st.lists(st.tuples(st.floats(50, 51), st.floats(30, 31)), min_size=1, max_size=20))
def test_the_published_hull_is_convex_and_near_all_points(cloud):
    known = None
    for x, y in cloud:
        message = parse_point(f"x={x:.9f},y={y:.9f},key=rock")
        known = with_point(known, message, 0.0, most=20, cluster=None)
    hull = parse_polygon(known.shape)
    assert all(hull.distance(point) < 1e-4 for point in cloud)


def test_a_point_contains_its_sensor(watch):
    obstacle = watch(ALERT).see(("TRACKED_FEATURE", "x=1,y=2,key=rock,vsource=lidar"))["OBSTACLE"]
    assert obstacle.endswith("label=rock,vsource=lidar#id=rock")


def test_a_mailed_obstacle_that_is_not_active_is_gone(watch):
    manager = watch(ALERT)
    assert "OBM_RESOLVED" not in manager.see(("GIVEN_OBSTACLE", f"{ROCK},active=false"))
    assert "OBSTACLE" in manager.see(("GIVEN_OBSTACLE", ROCK))
    gone = manager.see(("GIVEN_OBSTACLE", f"{ROCK},active=false"))
    assert gone["OBM_RESOLVED"] == "rock"
    assert "OBSTACLE" not in gone


def test_when_one_obstacle_is_gone_the_others_are_not_reported_again(watch):
    manager = watch(f"given_obstacle = {ROCK.replace('rock', 'reef')}\n{ALERT}")
    manager.see(("GIVEN_OBSTACLE", f"{ROCK},duration=5"))
    gone = manager.see(dt=6)
    assert gone["OBM_RESOLVED"] == "rock"
    assert "OBSTACLE" not in gone
    back = manager.see(("GIVEN_OBSTACLE", ROCK))
    assert "id=rock" in back["OBSTACLE"]
    assert back["OBM_DIST_TO_OBJ"] == "ROCK,30.0"


def test_a_mailed_obstacle_with_the_key_of_sensed_points_is_refused(watch):
    manager = watch(ALERT)
    manager.sense((1, 2))
    assert "OBSTACLE" not in manager.see(("GIVEN_OBSTACLE", ROCK))
    assert "points of rock are sensed" in next(iter(manager.driven.app.run_warnings))


@shows("ignore_range")
@pytest.mark.parametrize(("line", "expected"), [("", True), ("ignore_range = 30", False)])
def test_points_sensed_far_off_may_not_count(line, expected, watch):
    manager = watch(ALERT + line)
    manager.see()
    assert ("OBSTACLE" in manager.sense((0, 40))) == expected


@shows("max_pts_per_cluster", "max_age_per_point")
def test_old_points_are_removed(watch):
    manager = watch(f"{ALERT}max_pts_per_cluster = 3")
    hull = polygon_of(manager.sense((0, 10), (90, 10), (10, 20), (0, 20), (10, 10))["OBSTACLE"])
    assert sorted(hull.points) == [(0, 20), (10, 10), (10, 20)]
    for line, age in (("", 20), ("max_age_per_point = 5", 5)):
        aging = watch(ALERT + line)
        aging.sense((0, 10), (10, 10), (5, 20))
        aging.sense((0, 12), dt=2)
        assert len(polygon_of(aging.see(dt=age - 1)["OBSTACLE"]).points) == 8
        assert aging.see(dt=2)["OBM_RESOLVED"] == "rock"


@shows("lasso", "lasso_points", "lasso_radius")
@pytest.mark.parametrize(
    ("lines", "corners", "radius"), [("", 6, 5), ("lasso_points = 12\nlasso_radius = 9\n", 12, 9)]
)
def test_a_lasso_is_a_regular_polygon(lines, corners, radius, watch):
    hull = polygon_of(watch(f"{ALERT}lasso = true\n{lines}").sense((2, 10), (4, 10))["OBSTACLE"])
    assert len(hull.points) == corners
    assert hull.centroid == pytest.approx((3, 10), abs=0.01)
    assert max(y for _, y in hull.points) - 10 <= radius + 0.01
    assert hull.distance((3, 10 + radius)) < 0.7


@shows("post_dist_to_polys")
@pytest.mark.parametrize(
    ("line", "near", "far"),
    [("", True, False), ("post_dist_to_polys = true", True, True),
     ("post_dist_to_polys = false", False, False)],
)  # fmt: skip
def test_distances_are_reported(line, near, far, watch):
    manager = watch(f"given_obstacle = {ROCK}\n{ALERT}{line}")
    assert (manager.see(y=-40.0).get("OBM_DIST_TO_OBJ") == "ROCK,70.0") == far
    found = manager.see(y=10.0)
    assert (found.get("OBM_DIST_TO_OBJ") == "ROCK,20.0") == near
    assert found["OBM_MIN_DIST_EVER"] == 20.0
    assert "OBM_MIN_DIST_EVER" not in manager.see(y=5.0)


@shows("post_view_polys", "obstacles_color")
def test_obstacles_are_drawn_and_removed(watch):
    manager = watch("obstacles_color = pink")
    drawn = manager.see(("GIVEN_OBSTACLE", f"{ROCK},duration=5"))["VIEW_POLYGON"]
    assert "label=obmgr_rock,label_color=white,edge_color=pink,vertex_color=pink" in drawn
    assert drawn.endswith("fill_color=pink")
    assert "VIEW_POLYGON" not in manager.see()
    assert "active=false,label=obmgr_rock" in manager.see(dt=6)["VIEW_POLYGON"]
    assert "VIEW_POLYGON" not in watch("post_view_polys = false").see(("GIVEN_OBSTACLE", ROCK))


@shows("poly_label_thresh", "poly_shade_thresh", "poly_vertex_thresh")
@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("poly_label_thresh = 0", "label_color=off"),
        ("poly_shade_thresh = 0", "fill_color=off"),
        ("poly_vertex_thresh = 0", "vertex_color=off"),
    ],
)
def test_many_obstacles_are_drawn_more_simply(line, part, watch):
    assert part in watch(line).see(("GIVEN_OBSTACLE", ROCK))["VIEW_POLYGON"]
    for few in ("", line.replace("0", "1")):
        assert part not in watch(few).see(("GIVEN_OBSTACLE", ROCK))["VIEW_POLYGON"]


@shows("disable_var", "enable_var", "expunge_var")
@pytest.mark.parametrize("verb", ["disable", "enable", "expunge"])
def test_behaviors_are_disabled_enabled_and_expunged_by_obstacle(verb, watch):
    manager = watch(f"{verb}_var = ORDER")
    assert manager.see(("ORDER", "rock"))["BHV_ABLE_FILTER"] == f"obstacle_id=rock,action={verb}"
    for text, field in (("vsource=radar", "vsource=radar"), ("obstacle=ob_1", "obstacle_id=ob_1")):
        found = manager.see(("ORDER", text))
        assert found["BHV_ABLE_FILTER"] == f"{field},action={verb}"


@shows("new_obs_flag", "mailflag")
def test_flags_are_posted_on_new_obstacles_and_on_mail(watch):
    manager = watch("new_obs_flag = NEW = 1\nmailflag = @PING#PONG=yes")
    assert manager.see(("GIVEN_OBSTACLE", ROCK))["NEW"] == 1.0
    assert "NEW" not in manager.see(("GIVEN_OBSTACLE", ROCK))
    assert manager.see(("PING", "x"))["PONG"] == "yes"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("given_obstacle = pts={0,0:9,0:9,9}", "expected a label"),
        ("given_obstacle = pts={0,0:9,0},label=a", "expected at least 3 corners"),
        ("general_alert = name=a", "expected update_var=VAR"),
        ("general_alert = update_var=A,rng=5", "expected update_var=VAR"),
        ("general_alert = update_var=A,alert_range=far", "expected update_var=VAR"),
        ("obstacles_color = nil", "expected a colour"),
        ("point_var = two words", "expected a variable's name"),
        ("new_obs_flag = NEW", "expected VAR=value"),
        ("mailflag = PING#PONG=1", "expected @VAR#OUT=value"),
        ("given_max_duration = 0", "above 0"),
        ("lasso_points = 2", "from 3 to 1000"),
        ("lasso_points = 99999999", "from 3 to 1000"),
    ],
)
def test_an_invalid_line_is_refused_with_the_expected_form(line, expected, watch):
    with pytest.raises(ConfigError, match=expected):
        watch(line)


def test_an_invalid_point_gives_a_warning(watch):
    manager = watch()
    manager.see(("TRACKED_FEATURE", "x=1,key=rock"))
    assert "expected x=1,y=2,key=NAME" in next(iter(manager.driven.app.run_warnings))


def test_every_parameter_has_a_test():
    assert {one.name for one in ObstacleMgr.parameters} == shows.names


def calls_of_activations(watch, block: str, name: str, text: str) -> list[int]:
    """Return how many calls an activation makes after 30, 60 and 120 s of four obstacles a second.

    The vessel goes north at 2 m/s past them; each has a label of its own.
    """
    obm, found, counted = watch(ALERT + block), [], 0

    def count(frame, event, argument):
        nonlocal counted
        counted += event == "call"

    for second in range(1, 121):
        keys = [f"{second}_{k}" for k in range(4)]
        mail = [(name, text.format(key=key, y=2 * second)) for key in keys]
        counted = 0
        sys.setprofile(count)
        obm.see(*mail, y=2.0 * second)
        sys.setprofile(None)
        if second in (30, 60, 120):
            found.append(counted)
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("block", "name", "text"),
    [
        ("", "TRACKED_FEATURE", "x=9,y={y},key={key}"),
        ("max_age_per_point = 1000", "TRACKED_FEATURE", "x=9,y={y},key={key}"),
        ("", "GIVEN_OBSTACLE", "pts={{9,{y}:19,{y}:19,{y}.5}},label={key}"),
    ],
)
def test_an_activation_costs_only_obstacles_nearby(watch, block, name, text):
    after_30, after_60, after_120 = calls_of_activations(watch, block, name, text)
    assert after_60 < 1.2 * after_30
    assert after_120 < 1.1 * after_60 + 4 * 60 * 4  # a look at each that is alive, no more


def test_an_obstacle_that_is_far_away_and_comes_near_is_reported_again(watch):
    obm = watch(f"{ALERT}given_obstacle = {ROCK}")
    assert "OBSTACLE" in obm.see()
    assert "OBSTACLE" not in obm.see(y=500.0)
    assert "OBSTACLE" not in obm.see(y=500.0)
    assert "OBSTACLE" in obm.see(y=20.0)
