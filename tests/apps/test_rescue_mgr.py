"""``uFldRescueMgr``: who is rescued and found, and the effect of each parameter."""

from __future__ import annotations

import pytest

from steerageway.apps.sensing.rescue_mgr import RescueMgr
from steerageway.moos.values import by_key
from tests.apps.parameters import Shown

NEAR = "swimmer = name=p01,x=0,y=50\nswimmer = name=p02,x=300,y=50\n"
SURE = "rescue_rng_min = 10\nrescue_rng_max = 20\nrescue_rng_pd = 1\n"
shows = Shown()


@pytest.fixture
def rescue(sea, tmp_path):
    def start(block="", swimmers=NEAR, **setting):
        (tmp_path / "swim.txt").write_text(swimmers)
        return sea(RescueMgr, f"swim_file = swim.txt\n{block}", folder=tmp_path, **setting)

    return start


def tell(sea, name, text, *vessels):
    return sea.see(*vessels, mail=[sea.driven.message(name, text, sea.time + 1)])


def ask(sea, *vessels, name="abe"):
    """Let abe ask to rescue, as it reports."""
    return tell(sea, "RESCUE_REQUEST", f"vname={name}", *vessels)


@shows("swim_file")
def test_vessels_learn_where_registered_swimmers_are(rescue):
    unknown = "swimmer = name=x01,x=5,y=5,type=unreg\nswimmer = x=7\nperson = x=1,y=2\n"
    sea = rescue(swimmers=NEAR + unknown)
    assert sea.driven.values("PLOGGER_CMD") == ["COPY_FILE_REQUEST = swim.txt"]
    told = sea.see(("abe", 0, 0))["SWIMMER_ALERT_ABE"]
    assert {text.split(", id")[0] for text in told} == {"x=0, y=50", "x=300, y=50"}
    assert "SWIMMER_ALERT_ABE" not in sea.see(("abe", 0, 0), after=14)
    assert "SWIMMER_ALERT_ABE" in sea.see(("abe", 0, 0))
    assert len(sea.driven.app.config.warnings) == 2
    nobody = rescue(swimmers="").driven.app
    assert "nobody is to be rescued" in str(list(nobody.config_warnings))


@shows("rescue_rng_min", "rescue_rng_max", "rescue_rng_pd", "peer_compat")
@pytest.mark.parametrize(
    ("way", "block", "chance"),
    [
        (9, "", 0.8),
        (12, "", 0.8 * 0.8),
        (18, "", 0.8 * 0.2),
        (21, "", 0.0),
        (12, "peer_compat = moos", 0.8 * 0.2),
    ],
)
def test_the_chance_of_a_rescue_decreases_with_the_distance(rescue, way, block, chance):
    """Of 300 swimmers in one place; three binomial deviations are 26 at most."""
    many = "".join(f"swimmer = name=p{n:03d},x=0,y=50\n" for n in range(300))
    lines = "rescue_rng_min = 10\nrescue_rng_max = 20\nrescue_rng_pd = 0.8\n"
    found = ask(rescue(lines + block, many), ("abe", 0, 50 - way)).get("RESCUED_SWIMMER", [])
    assert len(found) == pytest.approx(300 * chance, abs=26)
    assert all(text.endswith(", finder=abe") for text in found)


def test_a_request_holds_for_five_seconds_and_a_vessel_tries_once_a_second(rescue):
    sea = rescue("rescue_rng_pd = 0", NEAR)
    ask(sea, ("abe", 0, 50))
    for _ in range(8):
        sea.see(("abe", 0, 50), after=0.5)
    for _ in range(20):
        sea.see(("abe", 0, 50))
    assert "abe: rescue, 6 tries, 0 rescues" in list(sea.driven.app.report())


@shows("leader_flag", "winner_flag", "finish_flag")
def test_leader_winner_and_end_are_announced(rescue):
    flags = (
        "leader_flag = LEAD = $[LEADER]\nwinner_flag = WON = $[WINNER]\nfinish_flag = HOME = true\n"
    )
    sea = rescue(SURE + flags, NEAR + "swimmer = name=p03,x=0,y=300\n")
    first = ask(sea, ("abe", 0, 45), ("ben", 300, 0))
    assert (first["LEAD"], first["UFRM_LEADER"], first["UFRM_WINNER"]) == (
        ["abe"],
        ["abe"],
        ["pending"],
    )
    second = ask(sea, ("ben", 300, 45), name="ben")
    assert second["UFRM_LEADER"] == ["tie"]
    assert "UFRM_FINISHED" not in second
    last = ask(sea, ("ben", 0, 300), name="ben")
    assert (last["UFRM_WINNER"], last["WON"], last["HOME"]) == (["ben"], ["ben"], ["true"])
    assert last["UFRM_FINISHED"] == ["true"]
    assert "RESCUED_SWIMMER" not in ask(sea, ("ben", 0, 300), name="ben")


@shows("finish_upon_win")
@pytest.mark.parametrize(("line", "ends"), [("", False), ("finish_upon_win = true", True)])
def test_a_winner_may_finish_the_mission(rescue, line, ends):
    assert ("UFRM_FINISHED" in ask(rescue(SURE + line), ("abe", 0, 45))) == ends


def test_a_scout_finds_unregistered_swimmers_for_its_rescue_vessel(rescue):
    sea = rescue(SURE, "swimmer = name=x01,x=0,y=50,type=unreg\nswimmer = name=p01,x=500,y=0\n")
    scouts = tell(sea, "SCOUT_REQUEST", "vname=cal, tmate=abe", ("cal", 0, 45))
    (found,) = scouts["SCOUTED_SWIMMER_CAL"]
    assert found.endswith(", x=0.00, y=50.00")
    assert "RESCUED_SWIMMER" not in scouts
    again = tell(sea, "SCOUT_REQUEST", "vname=cal, tmate=abe", ("cal", 0, 45), ("abe", 0, 0))
    assert "SCOUTED_SWIMMER_CAL" not in again
    ask(sea, ("cal", 0, 45), name="cal")
    tell(sea, "SCOUT_REQUEST", "vname=cal, tmate=ben")
    warned = str(list(sea.driven.app.run_warnings))
    assert "expected a scout request" in warned
    assert "expected tmate=abe" in warned


def test_the_operator_adds_and_removes_swimmers(rescue):
    sea = rescue(SURE)
    assert len(tell(sea, "XSWIMMER_ALERT", "type=reg, x=40, y=0")["VIEW_MARKER"]) == 3
    assert len(sea.see(("abe", 900, 0))["SWIMMER_ALERT_ABE"]) == 3
    gone = tell(sea, "XFOUND_SWIMMER", "x=38, y=2")
    assert gone["RESCUED_SWIMMER"][0].endswith("finder=nature")
    assert "UFRM_LEADER" not in gone
    assert "RESCUED_SWIMMER" not in tell(sea, "XFOUND_SWIMMER", "x=150, y=150")
    stranger = sea.driven.message("XSWIMMER_ALERT", "type=reg, x=1, y=1", sea.time + 1)
    sea.see(mail=[stranger._replace(community="ben")])
    tell(sea, "XSWIMMER_ALERT", "x=1, y=1")
    assert len(list(sea.driven.app.run_warnings)) == 2


@shows("show_rescue_rng", "rescue_rng_transparency", "swimmer_color")
def test_swimmers_and_ranges_are_drawn(rescue):
    sea = rescue(SURE + "swimmer_color = pink\nrescue_rng_transparency = 0.4")
    assert by_key(sea.driven.values("VIEW_MARKER")[0])["primary_color"] == "pink"
    circles = [by_key(text) for text in ask(sea, ("abe", 0, 0))["VIEW_CIRCLE"]]
    assert [one["radius"] for one in circles] == ["10", "20"]
    assert circles[0]["active"] == "true"
    assert circles[0]["fill_transparency"] == "0.4"
    assert by_key(sea.see(("abe", 0, 0), after=4)["VIEW_CIRCLE"][0])["active"] == "false"
    assert "VIEW_CIRCLE" not in ask(rescue("show_rescue_rng = false"), ("abe", 0, 0))


@pytest.mark.parametrize(
    ("block", "ranges"),
    [
        ("rescue_rng_min = 50", (50, 51)),
        ("rescue_rng_max = 20", (18, 20)),
        ("rescue_rng_min = 3\nrescue_rng_max = 5", (3, 5)),
    ],
)
def test_of_two_ranges_that_cross_the_other_one_gives_way(rescue, block, ranges):
    circles = [by_key(one) for one in ask(rescue(block), ("abe", 0, 0))["VIEW_CIRCLE"]]
    assert tuple(float(one["radius"]) for one in circles) == ranges


def test_every_parameter_has_a_test():
    assert {one.name for one in RescueMgr.parameters} == shows.names
