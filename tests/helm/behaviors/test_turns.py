"""``BHV_ZigZag``, ``BHV_FixedTurn``: the effect of each of their parameters."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, radians, sin

import pytest
from alone import Alone, shows, untested_parameters

from steerageway.helm.behaviors.zig_zag import HINTS
from steerageway.moos.seglist import parse_seglist

Make = Callable[..., Alone]
ZIG, FIX = "BHV_ZigZag", "BHV_FixedTurn"
STEM = "speed = 2\nstem_hdg = 90\nzig_angle = 30\n"


def turned(one: Alone, *headings: float) -> list[float | None]:
    """Return the course asked for at each heading, None without an objective."""
    found: list[float | None] = []
    for heading in headings:
        one.step(NAV_HEADING=heading)
        found.append(None if one.objective is None else one.decide()["course"])
    return found


@shows(ZIG, "stem_hdg", "zig_angle", "zig_first", "max_zig_legs")
def test_set_heading_is_on_one_side_and_then_the_other(alone: Make) -> None:
    one = alone(ZIG, STEM + "max_zig_legs = 2\nendflag = DONE = true")
    assert turned(one, 90, 61, 60, 90, 119, 121, 60) == [60, 60, 120, 120, 120, 60, None]
    assert one.posted["DONE"] == "true"
    left = alone(ZIG, STEM + "zig_first = left")
    assert turned(left, 90, 60) == [60, 120]
    for word in ("star", "starboard", "right"):
        other = alone(ZIG, STEM + f"max_zig_legs = 1\nzig_first = {word}")
        assert turned(other, 90, 120, 60) == [120, 60, None]
    for missing in STEM.splitlines()[1:]:
        with pytest.raises(ValueError, match=missing.split(" ")[0]):
            alone(ZIG, STEM.replace(missing, ""))


@pytest.mark.parametrize("most", [0, 1, 2, 3])
def test_one_leg_more_than_the_maximum_is_made(alone: Make, most: int) -> None:
    """Source: MOOS-IvP's completes when the legs done are more than `max_zig_legs`."""
    one = alone(ZIG, STEM + f"max_zig_legs = {most}\nzigflag = ZIGS = $[ZIGS]")
    assert turned(one, *[60, 120] * 3).index(None) == most
    assert one.posted["ZIGS"] == most + 1


@shows(ZIG, "max_zig_zags")
def test_pairs_of_legs_can_be_counted(alone: Make) -> None:
    one = alone(ZIG, STEM + "max_zig_zags = 2")
    assert turned(one, 60, 120, 60, 120, 60)[2:] == [120, 60, None]


@shows(ZIG, "max_stem_odo")
def test_way_along_the_stem_can_be_limited(alone: Make) -> None:
    one = alone(ZIG, STEM + "max_stem_odo = 100\nmax_zig_legs = 99", NAV_X=7.0)
    one.step()
    one.step(NAV_X=106.9, NAV_Y=80.0)
    assert one.objective is not None
    one.step(NAV_X=107.0)
    assert one.objective is None


@shows(ZIG, "hdg_thresh")
def test_leg_ends_near_the_set_heading_if_requested(alone: Make) -> None:
    one = alone(ZIG, STEM + "hdg_thresh = 10")
    assert turned(one, 71, 70) == [60, 120]


@shows(ZIG, "speed", "speed_on_active", "stem_on_active", "mod_speed")
def test_speed_and_stem_can_be_those_of_the_vessel(alone: Make) -> None:
    text = "zig_angle = 30\nspeed_on_active = true\nstem_on_active = true"
    one = alone(ZIG, text, NAV_SPEED=1.3, NAV_HEADING=10.0)
    one.step()
    one.step(NAV_SPEED=0.5, NAV_HEADING=5.0)
    assert one.decide() == {"course": 340, "speed": pytest.approx(1.3)}
    given = alone(ZIG, STEM)
    given.step()
    assert given.decide()["speed"] == 2
    given.update("mod_speed = 0.5")
    given.step()
    assert given.decide()["speed"] == 2.5
    given.update("mod_speed = -1")
    given.step()
    assert given.decide()["speed"] == 1.5
    given.update("mod_speed = reset")
    given.step()
    assert given.decide()["speed"] == 2


@shows(ZIG, "fierce_zigging", "zig_angle_fierce")
def test_fierce_zigging_requests_a_course_off_the_heading(alone: Make) -> None:
    one = alone(ZIG, STEM + "fierce_zigging = true")
    assert turned(one, 90, 70, 60, 80) == [60, 40, 90, 110]
    for name in ("zig_angle_fierce", "delta_heading"):
        one = alone(ZIG, STEM + f"fierce_zigging = true\n{name} = 70")
        assert turned(one, 90, 70) == [20, 0]


@shows(ZIG, "zigflag", "zagflag", "portflag", "starflag", "portflagx", "starflagx")
def test_flags_report_each_leg(alone: Make) -> None:
    names = ("zigflag", "zagflag", "portflag", "starflag", "portflagx", "starflagx")
    text = "".join(f"{name} = F = {name}\n" for name in names)
    one = alone(ZIG, STEM + "max_zig_legs = 2\n" + text)
    found = []
    for heading in (90.0, 60.0, 120.0, 60.0):
        one.step(NAV_HEADING=heading)
        found.append(one.values("F"))
    assert found == [
        ["portflag"],
        ["zigflag", "portflagx", "starflag"],
        ["zigflag", "zagflag", "starflagx", "portflag"],
        ["zigflag", "portflagx"],
    ]


def test_macros_contain_the_distance_made(alone: Make) -> None:
    names = ("ODO", "ZIG_ODO", "ZAG_ODO", "STEM_ODO", "STEM_DIST", "ZIGS", "ZAGS", "STEM_HDG")
    text = "".join(f"runxflag = M_{name} = $[{name}]\n" for name in (*names, "ZIG_START_SPD"))
    one = alone(ZIG, STEM + "max_zig_legs = 99\n" + text)
    places = [(90, 0, 0), (80, 3, 4), (60, 6, 8), (90, 9, 12), (120, 12, 16), (90, 15, 20)]
    for heading, x, y in places:
        one.step(NAV_HEADING=float(heading), NAV_X=float(x), NAV_Y=float(y), NAV_SPEED=x / 10)
    one.step()
    posted = [one.posted[f"M_{name}"] for name in names]
    assert posted == [25, 5, 5, 15, 20, 2, 1, 90]
    assert one.posted["M_ZIG_START_SPD"] == 1.2


def test_macros_contain_the_legs_and_the_loss_of_speed(alone: Make) -> None:
    macros = "$[ZIGS_EVER]:$[ZAGS_EVER]:$[ZIGS_TOGO]:$[ZAGS_TOGO]:$[ZIG_SIDE]:$[ZIG_PORT]"
    macros += ":$[ZIG_STAR]:$[STEM_SPD]:$[ZIG_MIN_SPD]:$[ZIG_SPD_DELTA]"
    text = f"condition = GO = true\nmax_zig_legs = 5\nperpetual = true\nrunxflag = M = {macros}"
    one = alone(ZIG, STEM + text)

    def expanded(heading: float, speed: float, *, go: bool = True) -> object:
        one.step({"GO": str(go).lower()}, NAV_HEADING=heading, NAV_SPEED=speed)
        one.step()
        return one.posted["M"]

    assert expanded(90.0, 2.0) == "0:0:5:3:port:true:false:2:2:0"
    assert expanded(75.0, 1.5) == "0:0:5:3:port:true:false:2:1.5:0.5"
    assert expanded(60.0, 1.4) == "1:0:4:2:star:false:true:2:1.4:0"
    assert expanded(120.0, 1.3) == "2:1:3:2:port:true:false:2:1.3:0"
    expanded(90.0, 1.0, go=False)
    one.update("mod_speed = 1")
    assert expanded(90.0, 1.0) == "2:1:5:3:port:true:false:2:1:0"


@shows(ZIG, "visual_hints", "draw_set_hdg", "draw_req_hdg")
def test_headings_are_drawn_and_erased(alone: Make) -> None:
    one = alone(ZIG, STEM + "condition = GO = true\nfierce_zigging = true", NAV_HEADING=80.0)
    one.step({"GO": "true"})
    for which, angle in (("set", 60), ("req", 50)):
        found = parse_seglist(one.drawn("VIEW_SEGLIST", f"label=abe_b_{which}")).points
        expected = (50 * sin(radians(angle)), 50 * cos(radians(angle)))
        assert found[1] == pytest.approx(expected, abs=0.06)
    one.step({"GO": "false"})
    assert [str(text).count("active=false") for text in one.values("VIEW_SEGLIST")] == [1, 1]
    for key in HINTS:
        if key.startswith("draw"):
            continue
        value = "pink" if key.endswith("color") else "7"
        one = alone(ZIG, STEM + f"visual_hints = {key}={value}", NAV_HEADING=90.0)
        one.step()
        assert f"={value}" in str(one.values("VIEW_SEGLIST"))
    for which in ("set", "req"):
        for line in (f"draw_{which}_hdg = false", f"visual_hints = draw_{which}_hdg=false"):
            one = alone(ZIG, STEM + line, NAV_HEADING=90.0)
            one.step()
            assert f"abe_b_{which}" not in str(one.values("VIEW_SEGLIST"))
    with pytest.raises(ValueError, match="draw_set_hdg"):
        alone(ZIG, STEM + "visual_hints = draw_set_hdg=7")


def turn_round(one: Alone, way: float, *, limit: int = 200) -> float:
    """Turn the vessel by 5 degrees a second until it completes; return how far that was."""
    angle = 0.0
    for _ in range(limit):
        one.step(dt=1.0, NAV_HEADING=angle % 360)
        if one.objective is None:
            break
        angle += 5 * way
    return abs(angle)


@shows(FIX, "fix_turn", "turn_dir", "mod_hdg")
@pytest.mark.parametrize(("side", "way"), [("port", -1), ("star", 1), ("starboard", 1)])
def test_vessel_turns_by_the_configured_angle(side: str, way: int, alone: Make) -> None:
    one = alone(FIX, f"fix_turn = 400\nturn_dir = {side}\nendflag = DONE = true")
    one.step(NAV_HEADING=0.0)
    assert one.decide() == {"course": 20 * way % 360, "speed": 1}
    assert turn_round(one, way) == 400
    assert one.posted["DONE"] == "true"
    one = alone(FIX, f"fix_turn = 90\nmod_hdg = 60\nturn_dir = {side}")
    one.step(NAV_HEADING=10.0)
    assert one.decide()["course"] == (10 + 60 * way) % 360


def test_a_turn_by_zero_ends_at_once_with_a_warning(alone: Make) -> None:
    """Source: MOOS-IvP's has turned far enough as soon as it runs."""
    one = alone(FIX, "fix_turn = 0\nendflag = DONE = $[TURN_DIST]:$[TURN_TIME]")
    one.step(NAV_HEADING=10.0)
    assert one.posted["DONE"] == "0:0"
    assert "completes at once" in str(one.posted["BHV_WARNING"])
    timed = alone(FIX, "timeout = 3\nendflag = DONE = true")
    timed.step(NAV_HEADING=10.0)
    assert timed.objective is not None
    timed.step(dt=3.0, NAV_HEADING=12.0)
    assert timed.posted["DONE"] == "true"


def test_macros_contain_the_direction_of_a_turn(alone: Make) -> None:
    one = alone(FIX, "fix_turn = 90\nendflag = DONE = $[TURN_DIST]:$[TURN_TIME]")
    one.step(NAV_HEADING=0.0)
    one.step(dt=2.0, NAV_HEADING=300.0, NAV_X=3.0, NAV_Y=4.0)
    one.step(dt=1.5, NAV_HEADING=260.0, NAV_Y=5.5)
    assert one.posted["DONE"] == "6.5:3.5"


@shows(FIX, "speed")
def test_speed_is_configured_or_the_initial_one(alone: Make) -> None:
    for text, speed in (("speed = 1.5", 1.5), ("speed = auto", 2.2)):
        one = alone(FIX, f"fix_turn = 90\n{text}", NAV_SPEED=2.2)
        one.step()
        one.step(NAV_SPEED=1.0)
        assert one.decide()["speed"] == pytest.approx(speed)


@shows(FIX, "timeout", "turn_delay")
def test_turn_can_end_and_begin_by_the_clock(alone: Make) -> None:
    one = alone(FIX, "timeout = 10\nendflag = DONE = true")
    one.step()
    one.step(dt=9.9, NAV_HEADING=0.0)
    assert one.objective is not None
    one.step(dt=0.1, NAV_HEADING=0.0)
    assert one.posted["DONE"] == "true"
    one = alone(FIX, "fix_turn = 90\nturn_delay = 5", NAV_HEADING=30.0)
    one.step()
    one.step(dt=4.9, NAV_HEADING=35.0)
    assert one.decide()["course"] == 30
    one.step(dt=0.1, NAV_HEADING=35.0)
    assert one.decide()["course"] == 15


@shows(FIX, "turn_spec", "schedule_repeat")
def test_each_run_makes_the_next_turn_of_the_schedule(alone: Make) -> None:
    text = (
        "fix_turn = 30\nmod_hdg = 25\nperpetual = true\nturn_dir = star\n"
        "turn_spec = fix=60,spd=2,mhdg=40,flag=WHICH=a,key=one\n"
        "turn_spec = fix=15,turn=port\n"
        "turn_spec = fix=45,spd=3,mhdg=40,flag=WHICH=b,key=one\n"
    )
    one = alone(FIX, text)
    assert turn_round(one, 1) == 45
    assert one.posted["WHICH"] == "b"
    assert turn_round(one, -1) == 15
    assert turn_round(one, 1) == 30
    assert "spd=1,mod_hdg=25" in str(one.posted["FT_REPORT"])
    again = alone(FIX, text + "schedule_repeat = true")
    assert [turn_round(again, way) for way in (1, -1, 1)] == [45, 15, 45]
    merged = alone(FIX, text.replace("fix=45,spd=3,mhdg=40,flag=WHICH=b", "spd=3,flag=ALSO=c"))
    assert turn_round(merged, 1) == 60
    assert (merged.posted["WHICH"], merged.posted["ALSO"]) == ("a", "c")
    assert "spd=3,mod_hdg=40" in str(merged.posted["FT_REPORT"])
    slow = alone(FIX, "turn_spec = fix=90,timeout=3")
    assert turn_round(slow, 1) == 15
    with pytest.raises(ValueError, match="found angle"):
        alone(FIX, "turn_spec = angle=3")


def test_a_turn_that_was_interrupted_is_made_again(alone: Make) -> None:
    text = "turn_dir = star\nturn_spec = fix=60\nturn_spec = fix=15\ncondition = GO = true"
    one = alone(FIX, f"{text}\nperpetual = true")
    one.step({"GO": "true"}, NAV_HEADING=0.0)
    one.step({"GO": "false"}, NAV_HEADING=30.0)
    one.step({"GO": "true"}, NAV_HEADING=0.0)
    assert [turn_round(one, 1), turn_round(one, 1)] == [60, 15]


@pytest.mark.parametrize(
    "line",
    [
        "fhdg=45,tdir=star",
        "clear,fix=45,turn=star",
        "clear\nturn_spec = fix=45,tdir=star",
        "clearall,fix=45,turn=star,spd=auto,mhdg=-1,timeout=0",
    ],
)
def test_a_schedule_is_formatted_as_in_moos_ivp(line: str, alone: Make) -> None:
    text = "fix_turn = 30\nspeed = 1.5\nmod_hdg = 25\nperpetual = true\nturn_dir = port\n"
    before = "turn_spec = fix=60\n" if "clear" in line else ""
    one = alone(FIX, f"{text}{before}turn_spec = {line}", NAV_SPEED=3.0)
    assert turn_round(one, 1) == 45
    assert "spd=1.5,mod_hdg=25" in str(one.posted["FT_REPORT"])
    assert turn_round(one, -1) == 30
    default = alone(FIX, f"{text}turn_spec = fix=0,turn=rand")
    assert turn_round(default, -1) == 30


def test_a_turn_is_measured_from_the_end_of_its_delay(alone: Make) -> None:
    text = "timeout = 10\nturn_delay = 5\nendflag = DONE = $[TURN_DIST]:$[TURN_TIME]"
    one = alone(FIX, f"{text}\nrunxflag = RAD = $[TURN_RAD]\nperpetual = true")
    one.step()
    assert one.posted["RAD"] == -1
    one.step(dt=5.0, NAV_X=7.0, NAV_HEADING=0.0)
    one.step(dt=9.75, NAV_X=9.0, NAV_HEADING=360.0 - 20.0)
    assert "DONE" not in one.posted
    one.step(dt=0.25)
    assert one.posted["DONE"] == "2:10"
    one.step()
    assert one.posted["RAD"] == pytest.approx(2 / radians(20), abs=0.01)


@shows(FIX, "stale_nav_thresh")
def test_stale_heading_leads_to_no_turn(alone: Make) -> None:
    one = alone(FIX, "fix_turn = 90\nstale_nav_thresh = 3", NAV_HEADING=30.0)
    one.step(dt=2.9)
    assert one.objective is not None
    one.step(dt=0.2)
    assert one.objective is None
    assert "stale" in str(one.posted["BHV_WARNING"])


@shows(FIX, "radius_rep_var")
def test_radius_of_the_turn_is_reported(alone: Make) -> None:
    one = alone(FIX, "fix_turn = 180\nradius_rep_var = RADIUS\nturn_dir = star")
    for angle in range(0, 181, 2):
        x, y = 20 - 20 * cos(radians(angle)), 20 * sin(radians(angle))
        one.step({"DESIRED_RUDDER": 30.0}, NAV_X=x, NAV_Y=y, NAV_HEADING=float(angle))
    assert one.posted["RADIUS"] == pytest.approx(20, rel=1e-3)
    assert one.posted["FT_REPORT"] == "spd=1,mod_hdg=20,rudder_avg=30,avg_rad=20"
    assert "DESIRED_RUDDER" in one.subscriptions
    one = alone(FIX, "timeout = 3")
    for rudder in (10.0, 20.5, 20.5, 20.5):
        one.step({"DESIRED_RUDDERX": rudder}, dt=1.0, NAV_HEADING=0.0)
    assert "rudder_avg=17.9" in str(one.posted["FT_REPORT"])


@pytest.mark.parametrize("kind", [ZIG, FIX])
def test_every_parameter_has_a_test(kind: str) -> None:
    assert untested_parameters(kind) == set()
