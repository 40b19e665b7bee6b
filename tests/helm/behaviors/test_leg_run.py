"""``BHV_LegRun``: the effect of each of its parameters, and its posts."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from math import dist, radians, sin

import pytest
from alone import Alone, shows, untested_parameters
from hypothesis import given, settings
from hypothesis import strategies as st

from steerageway.helm.behaviors.leg_run.settings import HINTS
from steerageway.helm.behaviors.leg_run.turns import turn_points
from steerageway.helm.geometry import foot
from steerageway.moos.seglist import Point, project

Make = Callable[..., Alone]
KIND = "BHV_LegRun"
LEG = "p1 = 100,0\np2 = 0,0\nspeed = 2\n"
BOTH = LEG + "turn_rad = 15\n"


def points(one: Alone) -> tuple[Point, ...]:
    """Return the points of the present leg or turn."""
    found: tuple[Point, ...] = one.behavior._route.points
    return found


def run_round(one: Alone, count: int = 60) -> list[str]:
    """Put the vessel on each point in turn; return the modes it goes through."""
    modes = []
    for _ in range(count):
        x, y = one.behavior._route.next if one.behavior._route.points else (0.0, 0.0)
        one.step(NAV_X=x, NAV_Y=y)
        if not modes or modes[-1] != one.posted["LR_MODE"]:
            modes.append(str(one.posted["LR_MODE"]))
    return modes


def to_turn(alone: Make, text: str, mode: str = "turn1") -> Alone:
    """Return a behavior that has just begun a turn."""
    one = alone(KIND, text, NAV_X=20.0)
    one.step()
    while one.posted["LR_MODE"] != mode:
        x, y = one.behavior._route.next
        one.step(NAV_X=x, NAV_Y=y)
    return one


@settings(max_examples=40)
@given(
    heading=st.floats(0, 359),
    radius=st.floats(5, 60),
    extent=st.floats(0, 30),
    bias=st.floats(-100, 100),
    port=st.booleans(),
)
def test_turn_is_as_wide_as_its_radius_and_ends_at_its_start(
    heading: float, radius: float, extent: float, bias: float, port: bool
) -> None:
    end = (10.0, -20.0)
    found = turn_points(end, heading, radius, extent, bias, 0.5, port=port)
    near, far = project(end, heading, -500), project(end, heading, 500)
    off = [dist(point, foot(near, far, point)) for point in found]
    step = radius * radians(0.5)
    assert found[0] == pytest.approx(end)
    assert dist(found[-1], end) <= step + 1e-6
    assert max(off) == pytest.approx(radius * (1 + abs(bias) / 100), rel=0.01)
    if bias == 0:
        arcs = found[2:-1] if extent else found
        assert all(dist(a, b) <= step + 1e-6 for a, b in pairwise(arcs))


def test_arcs_of_a_turn_touch_each_other() -> None:
    (*_, first), (second, *_) = _thirds(turn_points((0, 0), 0, 20, 0, 0, 20, port=True))[:2]
    assert first == pytest.approx(second)
    assert first == pytest.approx((10, 20 * sin(radians(60))))  # after 60 degrees, to starboard


def _thirds(found: tuple[Point, ...]) -> list[tuple[Point, ...]]:
    return [found[:4], found[4:20], found[20:]]


@pytest.mark.slow
@shows(KIND, "turn1_dir", "turn2_dir", "turn1_bias", "turn2_bias", "turn1_ext", "turn2_ext")
@pytest.mark.parametrize("number", [1, 2])
def test_turns_are_placed_as_configured(number: int, alone: Make) -> None:
    mode, x, out = f"turn{number}", (100.0, 0.0)[number - 1], (1.0, -1.0)[number - 1]
    fine = BOTH + "turn_pt_gap = 1\n"
    port = points(to_turn(alone, fine, mode))
    ahead = [out * (a - x) for a, _ in port]
    assert max(ahead) == pytest.approx(15 * (1 + 3**0.5), abs=0.2)
    assert port[5][1] * out < 0
    star = points(to_turn(alone, fine + f"{mode}_dir = star", mode))
    assert star[5][1] * out > 0
    beyond = points(to_turn(alone, fine + f"{mode}_ext = 30", mode))
    assert max(out * (a - x) for a, _ in beyond) == pytest.approx(max(ahead) + 30, abs=0.2)
    assert beyond[0] == beyond[-1] == (x, 0)
    assert beyond[1] == pytest.approx((x + 30 * out, 0))
    biased = points(to_turn(alone, fine + f"{mode}_bias = 100", mode))
    assert max(b * out for _, b in biased) < 0.3
    assert min(b * out for _, b in biased) == pytest.approx(-30, abs=0.1)


@pytest.mark.slow
@shows(KIND, "turn1_rad", "turn2_rad", "turn_rad", "turn_rad_min", "turn_pt_gap")
def test_radii_may_differ(alone: Make) -> None:
    def width(text: str, mode: str) -> float:
        return max(abs(y) for _, y in points(to_turn(alone, LEG + text, mode)))

    text = "turn1_rad = 30\nturn2_rad = 12\nturn_pt_gap = 0.5\n"
    assert width(text, "turn1") == pytest.approx(30, abs=0.1)
    assert width(text, "turn2") == pytest.approx(12, abs=0.1)
    assert width("turn_rad = 20\nturn_pt_gap = 1\n", "turn1") == pytest.approx(20, abs=0.1)
    assert width(text + "turn_rad_min = 18\n", "turn2") == pytest.approx(18, abs=0.1)
    for line, gap in (("", 20), ("turn_pt_gap = 5", 5)):
        count = sum(arc // gap + 1 for arc in (60, 300, 60))
        assert len(points(to_turn(alone, BOTH + line))) == count
    with pytest.raises(ValueError, match="turn_rad"):
        alone(KIND, LEG + "turn1_rad = 5")


TURN = {"rad": (15.0, 7.0), "ext": (4.0, 6.0), "bias": (-30.0, 50.0)}


@shows(KIND, *(f"{which}_{what}_mod" for which in ("turn", "turn1", "turn2") for what in TURN))
@shows(KIND, "turn_ext", "turn_bias", "turn_dir")
@pytest.mark.parametrize("what", TURN)
def test_both_turns_can_be_set_or_changed_at_once(what: str, alone: Make) -> None:
    def found() -> tuple[object, object]:
        s = one.behavior.settings
        return getattr(s, f"turn1_{what}"), getattr(s, f"turn2_{what}")

    start, other = TURN[what]
    one = alone(KIND, f"{BOTH}turn_{what} = {start}\nturn2_{what} = {other}")
    assert found() == (start, other)
    one.update(f"turn_{what}_mod = 2")
    assert found() == (start + 2, other + 2)
    one.update(f"turn1_{what}_mod = 5 # turn2_{what}_mod = -1")
    assert found() == (start + 7, other + 1)
    one.update(f"turn_{what} = {other}")
    assert found() == (other, other)
    one.update(f"turn_{what}_mod = -500")
    assert found() == {"rad": (2, 2), "ext": (0, 0), "bias": (-100, -100)}[what]


def test_both_turns_can_be_to_starboard(alone: Make) -> None:
    for mode in ("turn1", "turn2"):
        turn_points = points(to_turn(alone, BOTH + "turn_dir = star", mode))
        assert turn_points == points(to_turn(alone, BOTH + f"{mode}_dir = star", mode))


@shows(KIND, "p1", "p2", "repeat")
@pytest.mark.parametrize("names", [("p1", "p2"), ("vx1", "vx2")])
def test_legs_and_turns_follow_each_other(names: tuple[str, str], alone: Make) -> None:
    text = f"{names[0]} = 100,0\n{names[1]} = 0:0\nspeed = 2\nturn_rad = 15\n"
    one = alone(KIND, text + "endflag = DONE = $[LEG_COUNT]", NAV_X=50.0)
    one.step()
    assert one.posted["LR_MODE"] == "leg1"
    assert one.posted["LR_MODE_REPORT"] == "vname=abe,mode=leg1,utc=1000000.25"
    assert one.decide() == {"course": 90, "speed": 2}
    assert run_round(one)[:5] == ["turn1", "leg2", "turn2", "leg1", "turn1"]
    one = alone(KIND, text + "endflag = DONE = $[LEG_COUNT]", NAV_X=50.0)
    while "DONE" not in one.posted:
        run_round(one, 1)
    assert one.posted["DONE"] == 2
    one = alone(KIND, text + "repeat = 1\nendflag = DONE = $[LEG_COUNT]", NAV_X=50.0)
    one.step()
    while "DONE" not in one.posted:
        run_round(one, 1)
    assert one.posted["DONE"] == 4
    counts = "leg_endflag = LEGS = $[LEG_COUNT1]+$[LEG_COUNT2]=$[LEG_COUNT]"
    one = alone(KIND, text + counts, NAV_X=50.0)
    values = [value for _ in range(60) for _ in run_round(one, 1) for value in one.values("LEGS")]
    assert values[:3] == ["1+0=1", "1+1=2", "2+1=3"]
    one = alone(KIND, text + "repeat = forever\nendflag = DONE = 1", NAV_X=50.0)
    run_round(one)
    assert "DONE" not in one.posted
    for ends, expected in (
        ("p1 = 3,3", "p1 = 3,3:"),
        ("p1 = 3,3\np2 = 3,3", "p1 = 3,3:"),
        ("", "p1:"),
    ):
        with pytest.raises(ValueError, match=f"{expected} .*p1 and p2"):
            alone(KIND, f"{ends}\nturn_rad = 15")


@shows(KIND, "leg", "leg_len", "leg_len_mod", "leg_ang", "leg_ang_mod", "shift_pt")
@pytest.mark.parametrize(
    ("update", "p1", "p2"),
    [
        ("leg = 0:0:0:40", (0, -20), (0, 20)),
        ("full_leg = 0:0:90:40", (-20, 0), (20, 0)),
        ("leg = x=0, y=0, len=40, ang=90", (-20, 0), (20, 0)),
        ("leg_len = 60", (80, 0), (20, 0)),
        ("leg_len_mod = 20", (110, 0), (-10, 0)),
        ("leg_ang = 0", (50, -50), (50, 50)),
        ("leg_ang_mod = 90", (50, -50), (50, 50)),
        ("leg_length = 60", (80, 0), (20, 0)),
        ("leg_length_mod = 20", (110, 0), (-10, 0)),
        ("leg_angle = 0", (50, -50), (50, 50)),
        ("leg_angle_mod = 90", (50, -50), (50, 50)),
        ("shift_pt = 0,10", (50, 10), (-50, 10)),
        ("shift_point = 0,10", (50, 10), (-50, 10)),
    ],
)
def test_leg_can_be_redefined(update: str, p1: Point, p2: Point, alone: Make) -> None:
    one = to_turn(alone, BOTH)
    one.update(update)
    assert one.behavior._p1 == pytest.approx(p1, abs=1e-9)
    assert one.behavior._p2 == pytest.approx(p2, abs=1e-9)
    one.step()
    assert one.posted["LR_MODE"] == "leg1"


@shows(KIND, "speed", "leg_spds", "leg_spds_repeat", "leg_spds_onturn")
def test_legs_can_have_their_own_speeds(alone: Make) -> None:
    def speeds(text: str) -> list[float]:
        one, found = alone(KIND, f"{BOTH}turn_pt_gap = 60\n{text}", NAV_X=50.0), []
        one.step()
        mode = ""
        for _ in range(70):
            if one.posted["LR_MODE"] != mode:
                mode = str(one.posted["LR_MODE"])
                found.append(one.decide()["speed"])
                assert one.posted["LR_NOW_SPD"] == pytest.approx(found[-1])
                if len(found) in updates:
                    one.update(updates[len(found)])
            run_round(one, 1)
        return [round(v, 1) for v in found[2:10]]

    updates: dict[int, str] = {}
    assert speeds("") == [2] * 8
    assert speeds("leg_spds = 2:1.5,3") == [1.5, 2, 1.5, 2, 3, 2, 2, 2]
    assert speeds("leg_spds = 1,3\nleg_spds_repeat = true") == [1, 2, 3, 2, 1, 2, 3, 2]
    assert speeds("leg_spds = 1,3\nleg_spds_onturn = true") == [1, 1, 3, 3, 2, 2, 2, 2]
    for update, expected in {
        "leg_spds = 2.5": [1, 2, 3, 2, 2.5, 2, 2, 2],
        "leg_spds = replace,2:2.5": [1, 2, 2.5, 2, 2.5, 2, 2, 2],
        "leg_spds = reset": [1, 2, 1, 2, 3, 2, 2, 2],
        "leg_spds = clear": [1, 2, 2, 2, 2, 2, 2, 2],
    }.items():
        updates[3] = update
        assert speeds("leg_spds = 1,3") == expected


@shows(KIND, "init_leg_mode")
@pytest.mark.parametrize(
    ("mode", "x", "first"),
    [
        ("fixed", 10, "leg1"),
        ("close_turn", 10, "leg2"),
        ("close_turn", 90, "leg1"),
        ("far_turn", 10, "leg1"),
        ("far_turn", 90, "leg2"),
    ],
)
def test_first_leg_can_depend_on_the_place(mode: str, x: float, first: str, alone: Make) -> None:
    one = alone(KIND, BOTH + f"init_leg_mode = {mode}", NAV_X=x)
    one.step()
    assert one.posted["LR_MODE"] == first


@shows(KIND, "capture_radius", "slip_radius", "capture_line")
@pytest.mark.parametrize(
    ("text", "places", "mode"),
    [
        ("", [(97.5, 0)], "turn1"),
        ("", [(94, 0)], "leg1"),
        ("capture_radius = 8", [(94, 0)], "turn1"),
        ("radius = 8", [(94, 0)], "turn1"),
        ("", [(95, 10), (100, 14)], "turn1"),
        ("slip_radius = 5", [(95, 10), (100, 14)], "leg1"),
        ("slip_radius = 5", [(101, 10)], "leg1"),
        ("slip_radius = 5\ncapture_line = true", [(101, 10)], "turn1"),
        ("slip_radius = 5\ncapture_line = absolute", [(101, 10)], "turn1"),
        ("capture_line = yes", [(98, 0)], "turn1"),
        ("capture_line = absolute", [(98, 0)], "leg1"),
    ],
)
def test_points_are_reached_within_the_radii(
    text: str, places: list[Point], mode: str, alone: Make
) -> None:
    one = alone(KIND, BOTH + text, NAV_X=50.0)
    one.step()
    for x, y in places:
        one.step(NAV_X=x, NAV_Y=y)
    assert one.posted["LR_MODE"] == mode


@shows(KIND, "lead", "lead_damper", "patience")
def test_vessel_is_steered_onto_the_leg(alone: Make) -> None:
    def course(text: str) -> float:
        one = alone(KIND, BOTH + text, NAV_X=20.0, NAV_Y=10.0)
        one.step()
        return one.decide()["course"]

    assert course("") == 97
    assert course("lead = 10") == 135
    assert 90 < course("lead = 10\nlead_damper = 20") < 135
    one = alone(KIND, BOTH + "patience = 90", NAV_X=20.0)
    one.step()
    assert one.utility(course=180, speed=2) == pytest.approx(55)


@shows(KIND, "midlegflag", "midturnflag", "mid_leg_pct", "mid_turn_pct")
@shows(KIND, "leg_endflag", "leg1_endflag", "leg2_endflag")
@shows(KIND, "turn_endflag", "turn1_endflag", "turn2_endflag")
def test_flags_report_legs_and_turns(alone: Make) -> None:
    names = ["leg", "leg1", "leg2", "turn", "turn1", "turn2"]
    text = "".join(f"{name}_endflag = F = {name}\n" for name in names)
    text += "midlegflag = F = midleg\nmidturnflag = F = midturn\n"
    one = alone(KIND, f"{BOTH}turn_pt_gap = 60\n{text}")
    found: list[object] = []
    one.step()
    for _ in range(24):
        x, y = one.behavior._route.next
        one.step(NAV_X=x, NAV_Y=y)
        found += one.values("F")
    assert found[:9] == [
        "leg", "leg1", "midturn", "turn", "turn1", "leg", "leg2", "midturn", "turn",
    ]  # fmt: skip
    older = BOTH + "mid_pct = 50\nmidflag = M = mid\nlegflag = M = end"
    assert alone(KIND, older).behavior.settings.mid_leg_pct == 50
    assert [one.variable for one in alone(KIND, older).behavior.settings.leg_endflag] == ["M"]
    for percent, places in (("25", (24, 26)), ("60", (59, 61))):
        one = alone(KIND, BOTH + text + f"mid_leg_pct = {percent}\nmid_turn_pct = {percent}")
        one.step()
        one.step(NAV_X=80.0)
        assert one.values("F") == []
        while one.posted["LR_MODE"] != "leg2":
            run_round(one, 1)
        one.step(NAV_X=100.0 - places[0], NAV_Y=0.0)
        assert one.values("F") == []
        one.step(NAV_X=100.0 - places[1])
        assert one.values("F") == ["midleg"]
    late = to_turn(alone, BOTH + text + "mid_turn_pct = 99")
    x, y = late.behavior._route.points[2]
    late.step(NAV_X=x, NAV_Y=y)
    assert late.values("F") == []


def test_macros_describe_the_leg(alone: Make) -> None:
    macros = "$[LEG_COUNT]:$[LEG_ID]:$[WPTS_HIT]:$[LEG_ODO]:$[CYCLES]:$[CYCREM]"
    macros += ":$[NI]:$[NX]:$[NY]:$[DIST_NP]:$[DIST_PP]:$[PCT_NP]"
    text = f"repeat = 1\nrunxflag = NOW = {macros}\nleg_endflag = END = $[LEG_ID]"
    one = alone(KIND, BOTH + text, NAV_X=20.0)

    def expanded() -> str:
        one.step()
        return str(one.posted["NOW"])

    one.step()
    one.step(NAV_X=30.0)
    assert expanded() == "0:0:0:10:0:1:0:100:0:70:30:0.3"
    run_round(one, 1)
    assert one.posted["END"] == 0
    assert expanded() == "1:1:1:80:0:1:1:0:0:100:0:0"
    while one.posted["LR_MODE"] != "turn2":
        run_round(one, 1)
    assert one.posted["END"] == 1
    assert expanded() == "2:2:2:100:1:0:0:100:0:100:0:0"


def test_next_leg_follows_after_idling_in_a_turn(alone: Make) -> None:
    one = alone(KIND, BOTH + "condition = GO = true", NAV_X=20.0)
    one.step({"GO": "true"})
    one.step(NAV_X=100.0)
    assert one.posted["LR_MODE"] == "turn1"
    one.step({"GO": "false"})
    assert "active=false" in str(one.posted["VIEW_POINT"])
    one.step({"GO": "true"})
    assert one.posted["LR_MODE"] == "leg2"


@shows(KIND, "visual_hints")
def test_leg_turn_and_next_point_are_drawn(alone: Make) -> None:
    one = to_turn(alone, BOTH)
    assert "label=abe_turn" in one.drawn("VIEW_SEGLIST", "_turn")
    one.update("turn_rad = 16")
    one.step()
    assert "pts={100,0:0,0},label=abe_pview3" in one.drawn("VIEW_SEGLIST", "_pview3")
    for key in HINTS:
        value = "pink" if key.endswith("color") else "8"
        one = to_turn(alone, BOTH + f"visual_hints = {key}={value}")
        one.update("turn_rad = 16")
        one.step()
        assert f"={value}" in str(one.posts)


GRADED = (
    "leg = x=7,y=-57,len=60,ang=64.64\nspeed = 1\nturn1_dir = port\nturn2_dir = star\n"
    "turn1_bias = 100\nturn2_bias = 100\nturn1_rad = 8\nturn2_rad = 8\nturn_ext = 4\n"
)


@pytest.mark.parametrize(
    ("lines", "updates", "drawn"),
    [
        ("leg_len = 44", ["turn_rad_mod=2"], ["-46.45,-60.94,226.75", "43.89,-18.12,82.53"]),
        ("", ["turn_bias_mod=-10"], ["-47.76,-66.85,222.05", "49.29,-20.85,87.23"]),
        (
            "",
            ["turn_bias_mod=-10", "turn_ext_mod=2"],
            ["-49.35,-67.46,222.05", "50.78,-20.01,87.23"],
        ),
        (
            "turn1_bias = 80\nturn2_bias = 95\nturn1_rad = 7\nturn2_rad = 10\n"
            "turn1_ext = 3\nturn2_ext = 6",
            [],
            ["-43.94,-68.02,218.14", "44.65,-23.06,3.88"],
        ),
        ("", ["shift_pt=9,-55"], ["-18.11,-67.85", "36.11,-42.15"]),
        ("", ["leg_len_mod=8"], ["-23.72,-71.56", "37.72,-42.44"]),
        ("", ["leg_len_mod=8", "leg_ang_mod=-5"], ["-22.34,-74.18", "36.34,-39.82"]),
    ],
)
def test_turns_and_ends_are_drawn_where_moos_ivp_draws_them(
    lines: str, updates: list[str], drawn: list[str], alone: Make
) -> None:
    """The points that harness H01-legrun_behavior_motion expects, and MOOS-IvP's helm has drawn.

    Source: github.com/cbenjamin23/moos-ivp-cicd-testing, with the legs of its mission.
    """
    one = alone(KIND, GRADED + lines)
    for text in updates:
        one.step()
        one.update(text)
    one.step()
    kind = "fpt" if drawn[0].count(",") == 2 else "p"
    for number, where in enumerate(drawn, 1):
        x, y, *z = where.split(",")
        begin = ",".join([f"x={x}", f"y={y}", *(f"z={angle}" for angle in z)])
        label = f"label=abe_{kind}{number},"
        assert one.drawn("VIEW_POINT", label).startswith(f"{begin},active=true,{label}")


def test_every_parameter_has_a_test() -> None:
    assert untested_parameters(KIND) == set()


@pytest.mark.parametrize(
    ("text", "middle"),
    [
        ("", "capture_radius=3,slip_radius=15"),
        (
            "radius = 4.25\ncapture_line = true",
            "capture_radius=4.2,slip_radius=15,capture_line=true",
        ),
        ("capture_line = absolute", "capture_radius=0,slip_radius=0,capture_line=absolute"),
    ],
)
def test_its_settings_are_reported_at_its_start_and_after_updates(
    text: str, middle: str, alone: Make
) -> None:
    one = alone(KIND, f"{BOTH}{text}\npatience = 62.5")
    expected = f"type=BHV_LegRun,name=b,speed={{}},currix={{}},{middle},patience=62.5"
    assert one.posted["BHV_SETTINGS"] == expected.format(2, 0)
    run_round(one, 2)
    one.update("speed = 1.5")
    assert one.step()["BHV_SETTINGS"] == expected.format(1.5, 1)
    assert "BHV_SETTINGS" not in one.step()


def test_its_modes_are_reported_from_the_first_on(alone: Make) -> None:
    one = alone(KIND, BOTH)
    one.step()
    values = [str(text).split(",")[:2] for text in one.values("LR_MODE_REPORT")]
    assert values == [["vname=abe", "mode=init"], ["vname=abe", "mode=leg1"]]
