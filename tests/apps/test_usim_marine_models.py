"""Every row of the table of differences in docs/simulator.md, for each of its models."""

import re
from math import asin, degrees, exp, sqrt
from pathlib import Path

import pytest

from steerageway.apps.shared.generation import PLAIN_NAMES
from steerageway.apps.shared.shell import example_block
from steerageway.apps.vessels.usim_marine.app import USimMarine
from steerageway.peers.older.older_usim_marine import USimMarineLegacy
from steerageway.peers.older.thrust_map import ReleasedThrustMap
from steerageway.vessel.thrust_map import ThrustMap, read_pairs

PAGE = Path(__file__).parents[2] / "docs" / "simulator.md"
MODELS = ("documented", "released", "legacy")
DT = 0.25
QUICK = "max_acceleration = 0\nmax_deceleration = 0\n"
AHEAD = {"DESIRED_THRUST": 40.0}
TURNING = {"DESIRED_RUDDER": 50.0, "DESIRED_THRUST": 40.0}
LOSS = {"documented": "turn_spd_loss = 0\n", "released": "turn_spd_loss = 0\n", "legacy": ""}
DIVING = "start_speed = 1\nstart_depth = 10\nbuoyancy_rate = 0\n"
PID = "yaw_pid_kp = 0.5\nspeed_factor = 20\npost_des_thrust = T\n"


def tick(driven, mail=None):
    """Let the app iterate; return its posts."""
    return driven.tick((driven.app.iteration + 1) * DT, mail)


@pytest.fixture
def each(drive):
    """Return ``each(block, mail, ticks)``: model -> its motion after some ticks with this mail."""

    def run(block="", mail=None, ticks=1):
        motions = {}
        for model in MODELS:
            driven = drive(USimMarine, f"model = {model}\n{LOSS[model]}{block}")
            for _ in range(ticks):
                tick(driven, mail)
            motions[model] = driven.app.scene.craft.motion
        return motions

    return run


def field(motions, name):
    """Return one attribute for each model, in the order of ``MODELS``."""
    return [getattr(motions[model], name) for model in MODELS]


def posted(drive, block="", mail=None, ticks=1):
    """Return what each model posted over some ticks: model -> list of posts of a tick."""
    received = {}
    for model in MODELS:
        driven = drive(USimMarine, f"model = {model}\n{block}")
        received[model] = [tick(driven, mail if k == 0 else None) for k in range(ticks)]
    return received


def test_default_acceleration(each):
    assert field(each("", {"DESIRED_THRUST": 100.0}), "speed") == [0.5 * DT, 2.5, 2.5]


def test_speed_that_is_kept(each):
    assert field(each(QUICK, AHEAD), "speed") == [2.0, 1.0, 1.0]
    assert field(each(QUICK, AHEAD, 2), "speed") == [2.0, 1.5, 1.5]


def test_turn_rate_at_a_speed(each):
    turn = 100 * 0.7 * DT * 0.8
    turns = field(each(QUICK, {"DESIRED_RUDDER": 100.0, "DESIRED_THRUST": 40.0}), "heading")
    assert turns == pytest.approx([turn, turn * 2 / 5, turn])


def test_turn_rate_of_zero(each):
    turns = field(each(QUICK + "turn_rate = 0", TURNING), "heading")
    assert turns == pytest.approx([0, 50 * (2 / 5) * DT * 0.8, 0])
    driven_later = {**TURNING, "USM_TURN_RATE": 0.0}
    turns = field(each(QUICK, driven_later), "heading")
    assert turns == pytest.approx([0, 50 * 0.7 * (2 / 5) * DT * 0.8, 0])


def test_rudder_at_rest(each):
    block = QUICK + "thrust_map = 50:0, 100:5\n"
    turns = field(each(block, {"DESIRED_RUDDER": 50.0, "DESIRED_THRUST": 50.0}), "heading")
    assert turns == pytest.approx([50 * 0.7 * DT, 0, 0])


def test_rudder_astern(each):
    block = QUICK + "thrust_reflect = true\nstart_heading = 90\n"
    headings = field(each(block, {"DESIRED_RUDDER": 50.0, "DESIRED_THRUST": -50.0}), "heading")
    turn = 50 * 0.7 * DT
    assert headings == pytest.approx([90 - turn, 90, 90 - turn])


def test_dive_law(each):
    mail = {"DESIRED_THRUST": 20.0, "DESIRED_ELEVATOR": 100.0}
    root = 10 + sqrt(0.5) * 0.5 * DT
    assert field(each(QUICK + DIVING, mail), "depth") == pytest.approx(
        [10 + 0.125 * DT, root, root]
    )


def test_pitch(each):
    mail = {"DESIRED_THRUST": 20.0, "DESIRED_ELEVATOR": 100.0}
    steep = -asin(2 * sqrt(0.5) * 0.5)
    pitches = field(each(QUICK + DIVING, mail, 2), "pitch")
    lagging = -asin(0.125) * (1 - exp(-2 * DT))
    assert pitches == pytest.approx([lagging, steep, steep])


def test_bad_pair_of_a_thrust_map(each):
    block = QUICK + "thrust_map = 20:1, 30:0.5, 40:2\n"
    assert field(each(block, AHEAD), "speed") == [2.0, 0.5, 0.5]


def test_thrust_beyond_full(each):
    mail = {"DESIRED_THRUST": 200.0, "DESIRED_RUDDER": 10.0}
    motions = each(QUICK + "start_heading = 90\n", mail)
    turn = 10 * 0.7 * DT
    assert motions["documented"].speed == 5
    assert motions["released"].speed == 10 / 2
    assert field(motions, "heading") == pytest.approx([90 + 2 * turn, 90 + 4 * turn, 90 + 4 * turn])


def test_thrust_for_the_top_speed():
    pairs = read_pairs("-75:-3.2, 80:4.8")
    assert ThrustMap(pairs.ahead, pairs.astern).thrust(4.8) == 80
    assert ReleasedThrustMap(pairs.ahead, pairs.astern).thrust(4.8) == 100
    assert ReleasedThrustMap(pairs.ahead, pairs.astern).thrust(-3.2) == -100


def test_change_of_the_rudder(drive):
    for model, expected in zip(MODELS, (100.0, 0.0, 0.0), strict=True):
        driven = drive(USimMarine, f"model = {model}")
        tick(driven, {"DESIRED_RUDDER": -100.0})
        tick(driven, {"DESIRED_RUDDER": 100.0})
        assert driven.app.scene.craft.inputs.rudder == expected


def test_pace_of_the_rudder(drive):
    for model, expected in zip(MODELS, (20.0, 10.0, 10.0), strict=True):
        driven = drive(USimMarine, f"model = {model}\nmax_rudder_degs_per_sec = 40")
        tick(driven, {"DESIRED_RUDDER": 0.0})
        tick(driven, {"DESIRED_RUDDER": 100.0})
        tick(driven)
        assert driven.app.scene.craft.motion.rudder == expected


def test_loss_of_speed_in_a_turn(drive):
    mail = {"DESIRED_RUDDER": 100.0, "DESIRED_THRUST": 40.0}
    speeds = {}
    for line in ("turn_loss = 0.5", "turn_spd_loss = 0.5"):
        for model in MODELS:
            driven = drive(USimMarine, f"model = {model}\n{QUICK}{line}")
            tick(driven, mail)
            speeds[line, model] = driven.app.scene.craft.motion.speed
            assert bool(warnings_of(driven)) == (speeds[line, model] < 0.5)
    assert list(speeds.values()) == pytest.approx([1.0, 0.15, 0.15, 1.0, 0.5, 0.15])


def warnings_of(driven):
    return [text for text in driven.app.config_warnings if "has no effect with model" in text]


def test_greatest_speed(drive):
    for model, own, expected in zip(MODELS, (1.0, 1.5, 1.5), (1.0, 1.0, 1.5), strict=True):
        driven = drive(USimMarine, f"model = {model}\n{QUICK}max_speed = 1")
        tick(driven, AHEAD)
        posts = tick(driven)
        assert driven.app.scene.craft.motion.speed == own
        assert posts["USM_SPEED"] == expected
        assert bool(warnings_of(driven)) == (model == "legacy")
    for model, expected in zip(MODELS, (8.0, 5.0, 6.0), strict=True):
        driven = drive(USimMarine, f"model = {model}\n{QUICK}thrust_map = 100:8")
        tick(driven, {"DESIRED_THRUST": 100.0})
        assert tick(driven)["USM_SPEED"] == expected


def test_turn_rate_by_configured_speeds(each, drive):
    block = QUICK + "turn_spd_map_null_speed = 1\nturn_spd_map_full_speed = 3\n"
    full = 50 * 0.7 * DT * 0.8
    motions = {}
    for model in MODELS:
        driven = drive(USimMarine, f"model = {model}\n{LOSS[model]}{block}")
        tick(driven, TURNING)
        motions[model] = driven.app.scene.craft.motion
        expected = {"documented": 0, "released": 1, "legacy": 2}[model]
        assert len(warnings_of(driven)) == expected
    assert field(motions, "heading") == pytest.approx([full / 2, full / 4, full])
    block = QUICK + "model = released\nturn_spd_loss = 0\nturn_rate = 20\nthrust_factor = 10\n"
    null = "turn_spd_map_null_rate = 80\nturn_spd_map_null_speed = 7\n"
    driven = drive(USimMarine, f"{block}{null}start_speed = 6")
    tick(driven, {"DESIRED_RUDDER": 50.0, "DESIRED_THRUST": 40.0})  # 4 m/s: the null rate, 20
    assert driven.app.scene.craft.motion.heading == pytest.approx(50 * 0.2 * DT * 0.8)
    slower = {"USM_TURN_RATE": 10.0, "DESIRED_RUDDER": 0.0}
    tick(driven, slower)
    here = driven.app.scene.craft.motion.heading
    tick(driven, {"USM_TURN_RATE": 20.0, "DESIRED_RUDDER": 50.0})  # the null rate stays at 10
    turned = driven.app.scene.craft.motion.heading - here
    assert turned == pytest.approx(50 * 0.1 * DT * 0.8)


def test_least_radius_in_a_drift(drive):
    block = QUICK + "turn_radius = 10\nstart_speed = 2\ndrift_x = -4\n"
    headings = []
    for model in MODELS[:2]:
        driven = drive(USimMarine, f"model = {model}\n{LOSS[model]}{block}")
        tick(driven, {"DESIRED_RUDDER": 80.0, "DESIRED_THRUST": 40.0})
        headings.append(driven.app.scene.craft.motion.heading)
    still, moving = headings
    assert still == pytest.approx(2 * degrees(asin(0.5 / 20)))
    assert moving > still
    driven = drive(USimMarine, f"model = legacy\n{block}")
    assert warnings_of(driven)


def test_radius_of_less_than_half_a_step(drive):
    block = QUICK + "turn_radius = 0.2\nstart_speed = 5\nturn_rate = 100\n"
    headings = []
    for model in MODELS[:2]:
        driven = drive(USimMarine, f"model = {model}\n{LOSS[model]}{block}")
        driven.tick(1.0, {"DESIRED_RUDDER": 100.0, "DESIRED_THRUST": 100.0})
        headings.append(driven.app.scene.craft.motion.heading)
    assert headings == pytest.approx([180, 200])


def test_least_radius_astern(drive):
    block = QUICK + "turn_radius = 10\nstart_speed = -2\nthrust_reflect = true\n"
    ways = []
    for model in MODELS[:2]:
        driven = drive(USimMarine, f"model = {model}\n{block}thrust_mode_diff = differential")
        tick(driven, {"DESIRED_THRUST_L": -30.0, "DESIRED_THRUST_R": -50.0})
        ways.append(driven.app.scene.craft.motion.y)
    assert ways[0] < 0 < ways[1]
    driven = drive(USimMarine, f"model = legacy\n{block}")
    assert warnings_of(driven)


def test_sailing_dead_upwind(drive):
    block = "polar_plot = 90,50\nwind_conditions = spd=2,dir=0\n" + QUICK
    speeds = []
    for model in MODELS:
        driven = drive(USimMarine, f"model = {model}\n{block}")
        tick(driven, AHEAD)
        speeds.append(driven.app.scene.craft.motion.speed)
        assert len(warnings_of(driven)) == (2 if model == "legacy" else 0)
    assert speeds == [0, 1, 1]


def test_sailing_between_whole_degrees(drive):
    block = "polar_plot = 90,90\nwind_conditions = spd=2,dir=0\nstart_heading = 30.4\n" + QUICK
    speeds = []
    for model in MODELS[:2]:
        driven = drive(USimMarine, f"model = {model}\n{block}")
        tick(driven, AHEAD)
        speeds.append(driven.app.scene.craft.motion.speed)
    assert speeds == pytest.approx([0.608, 0.6 / 2])
    block = (
        "polar_plot = 0,50: 180,50\nwind_conditions = spd=2,dir=0\nstart_heading = 359.7\n" + QUICK
    )
    speeds = []
    for model in MODELS[:2]:
        driven = drive(USimMarine, f"model = {model}\n{block}")
        tick(driven, AHEAD)
        speeds.append(driven.app.scene.craft.motion.speed)
    assert speeds == [1.0, 2.0 / 2]


def test_current_field(drive, tmp_path):
    (tmp_path / "bay.csv").write_text("x, y, east, north\n0, 0, 2, 0\n")
    for model, x in zip(MODELS, (2 * DT, 0, 0), strict=True):
        driven = drive(USimMarine, f"model = {model}\ncurrent_field = bay.csv", folder=tmp_path)
        tick(driven)
        assert driven.app.scene.craft.motion.x == x
        assert bool(warnings_of(driven)) == (model != "documented")


def test_heading_at_the_start(drive):
    for model, heading in zip(MODELS, (270.0, -90.0, -90.0), strict=True):
        driven = drive(USimMarine, f"model = {model}\nstart_heading = -90")
        assert driven.app.scene.craft.motion.heading == heading


def test_how_often_navigation_is_posted(drive):
    received = posted(drive, ticks=4)
    counts = [[("USM_X" in posts) for posts in received[model]] for model in MODELS]
    assert counts == [[True] * 4, [False, True, False, True], [True] * 4]


def test_steps_of_the_posted_speed(drive):
    posts = posted(drive, QUICK + "start_speed = 1.23456\nthrust_map = 40:1.23456", AHEAD, 2)
    assert [posts[model][1]["USM_SPEED"] for model in MODELS] == pytest.approx(
        [1.23456, 1.23, 1.23]
    )


def test_underscore_of_the_prefix(drive):
    for given, names in (("NAV", ["NAV_X"] * 3), ("NAV_", ["NAV_X", "NAV__X", "NAV__X"])):
        posts = posted(drive, f"prefix = {given}", ticks=2)
        assert [next(iter(posts[model][1])) for model in MODELS] == names


def test_mail_with_a_needless_prefix(drive):
    for model in MODELS:
        registered = drive(USimMarine, f"model = {model}").registered
        assert ("USM_BUOYANCY_RATE" in registered) == (model == "documented")
        assert ("USM_DRIFT_VECTOR_MULT" in registered) == (model == "documented")


def test_news_of_the_drift(drive):
    received = {}
    for model in MODELS:
        driven = drive(USimMarine, f"model = {model}")
        received[model] = []
        for value, source in ((1.0, "pOne"), (2.0, "pOne"), (2.0, "pTwo")):
            now = (driven.app.iteration + 1) * DT
            message = driven.message("DRIFT_X", value, now, source)
            posts = driven.take(now, [message])
            received[model].append("USM_DRIFT_SUMMARY" in posts)
            assert ("USM_FSUMMARY" in posts) == (received[model][-1] and model == "legacy")
    assert list(received.values()) == [
        [True, True, False],
        [True, False, True],
        [True, True, False],
    ]
    driven = drive(USimMarine, "model = released")
    driven.take(DT, [driven.message("DRIFT_X", 1.0, DT, "pOne")])
    both = [driven.message("DRIFT_X", 2.0, 2 * DT, source) for source in ("pTwo", "pOne")]
    assert "USM_DRIFT_SUMMARY" in driven.take(2 * DT, both)


def test_count_of_resets(drive):
    posts = posted(drive, "start_pos = 1,2", {"USM_RESET": "x=3"})
    assert [posts[model][0]["USM_RESET_COUNT"] for model in MODELS] == [1, 2, 1]


def test_after_an_obstacle(drive):
    block = QUICK + "start_speed = 2\ndrift_x = 1\n"
    for model, x, speeds in zip(MODELS, (DT, 3 * DT, 3 * DT), ([0.0], [0.0], []), strict=True):
        driven = drive(USimMarine, f"model = {model}\n{block}")
        while_hit = [tick(driven, {"OBSTACLE_HIT": "true"}), tick(driven)]
        assert [p["USM_SPEED"] for p in while_hit if "USM_SPEED" in p][-1:] == speeds
        tick(driven, {"OBSTACLE_HIT": "false"})
        assert driven.app.scene.craft.motion.x == pytest.approx(x)
    driven = drive(USimMarine, "max_deceleration = 0.4\nstart_speed = 2")
    tick(driven, {"OBSTACLE_HIT": 1.0})
    assert tick(driven, {"OBSTACLE_HIT": 0.0})["USM_SPEED"] == 0


def test_while_disabled(drive):
    for model, x in zip(MODELS, (0, 0, 2 * DT), strict=True):
        driven = drive(USimMarine, f"model = {model}\ndrift_x = 1")
        assert tick(driven, {"USM_ENABLED": "false"}) == {}
        assert tick(driven) == {}
        assert driven.app.scene.craft.motion.x == x


def test_way_through_a_wormhole(drive):
    mouths = "madrid_poly={radial:0,0,9,8},weber_poly={radial:0,50,9,8}"
    block = QUICK + f"start_speed = 2\nwormhole = tag=one,{mouths},delay=1,fade=2"
    ticks = {"documented": 13, "released": 21, "legacy": None}  # 2 s and 1 s; 5 s; never
    for model, out in ticks.items():
        driven = drive(USimMarine, f"model = {model}\n{LOSS[model]}{block}")
        north = []
        for _ in range(40):
            tick(driven, AHEAD | {"DESIRED_RUDDER": 0.1})
            north.append(driven.app.scene.craft.motion.y)
        jumps = [k for k in range(1, 40) if north[k] - north[k - 1] > 10]
        assert jumps == ([] if out is None else [out - 1])
        assert len(warnings_of(driven)) == {"documented": 0, "released": 2, "legacy": 1}[model]


def test_wormhole_that_lets_in_at_both_ends(drive):
    mouths = "madrid_poly={radial:0,0,9,8},weber_poly={radial:0,50,9,8}"
    posts = posted(drive, f"wormhole = tag=one,connection=both,{mouths}", ticks=2)
    assert [posts[model][1].get("USM_Y") for model in MODELS] == [50.0, 0.0, 0.0]


def test_rudder_out_of_a_wormhole(drive):
    mouths = "madrid_poly={radial:0,0,9,8},weber_poly={radial:0,50,9,8}"
    for model, rudder in (("documented", 30.0), ("released", 0.0)):
        driven = drive(USimMarine, f"model = {model}\nwormhole = tag=one,{mouths}")
        tick(driven, {"DESIRED_RUDDER": 30.0})
        for _ in range(24):
            tick(driven)
        assert driven.app.scene.craft.motion.y == pytest.approx(50)
        assert driven.app.scene.craft.inputs.rudder == rudder


def test_override_of_the_embedded_pid(drive):
    mail = {"DESIRED_HEADING": 90.0, "DESIRED_SPEED": 2.0, "DESIRED_DEPTH": 0.0}
    for model, thrust in (("documented", 0.0), ("released", 40.0)):
        assert tick(drive(USimMarine, f"model = {model}\n{PID}"), mail)["T"] == thrust


def test_what_the_older_simulator_has_not(drive):
    block = PID + "post_navpos_summary = true\nturn_radius = 5\npolar_plot = 90,50\n"
    for model in MODELS[:2]:
        driven = drive(USimMarine, f"model = {model}\n{block}")
        assert driven.app.pilot is not None
        assert {"USM_NAVPOS_SUMMARY", "VIEW_ARROW", "T"} <= set(driven.app.publishes)
    driven = drive(USimMarine, f"model = legacy\n{block}")
    assert driven.app.pilot is None
    assert len(warnings_of(driven)) == 6
    assert not {"USM_NAVPOS_SUMMARY", "VIEW_ARROW", "T"} & set(driven.app.publishes)


def test_old_names(drive):
    block = "STARTHEADING = 90\nFORCE_X = 1\nFORCE_THETA = 8\nSTARTDEPTH = 3\nSTARTSPEED = 1\n"
    driven = drive(USimMarineLegacy, block + "DEPRECATED_OK = true")
    motion = driven.app.scene.craft.motion
    assert (motion.heading, motion.depth, motion.speed) == (90, 3, 1)
    assert driven.app.scene.craft.drift.x == 1
    assert driven.app.scene.craft.inputs.rotate_speed == 8
    assert "test.moos:0: STARTHEADING is an old name: use start_heading" in (
        driven.app.config_warnings
    )
    assert [entry.key for entry in driven.app.config.unread()] == []
    vector = drive(USimMarineLegacy, "FORCE_VECTOR = 0,2\nFORCE_Y = 7").app.scene.craft.drift
    assert vector == pytest.approx((0, 2))
    assert drive(USimMarineLegacy, "FORCE_Y = 7").app.scene.craft.drift == (0, 7)
    newer = drive(USimMarine, block)
    assert len(newer.app.config.unread()) == 5


def test_repeated_lines(drive):
    for kind, x in ((USimMarine, 3), (USimMarineLegacy, 1)):
        driven = drive(kind, "start_pos = 1,1\nstart_x = 3\nprefix = A\nprefix = B")
        assert driven.app.scene.craft.motion.x == x
        assert f"{'B' if x == 3 else 'A'}_X" in driven.app.publishes


def test_the_older_name_selects_the_older_simulator_and_names_its_successor(drive):
    driven = drive(USimMarineLegacy, "turn_rate = 50")
    assert driven.app.model == "legacy"
    assert any("uSimMarineV22" in text for text in driven.app.config_warnings)
    silent = drive(USimMarineLegacy, "DEPRECATED_OK = true")
    assert not any("uSimMarineV22" in text for text in silent.app.config_warnings)
    assert drive(USimMarine).app.model == "documented"


@pytest.mark.parametrize("kind", [USimMarine, USimMarineLegacy])
def test_the_example_block_says_what_holds_without_it(drive, kind):
    lines = [line.split("//")[0] for line in example_block(kind, "uSim").splitlines()[2:-1]]
    driven, plain = drive(kind, "\n".join(lines)), drive(kind)
    assert driven.app.config_warnings == plain.app.config_warnings
    for mail in (TURNING, {"USM_RESET": "depth=5", "DESIRED_ELEVATOR": 50.0}, {"DRIFT_X": 1.0}):
        assert tick(driven, mail) == tick(plain, mail)


NOT_ROWS = {
    "test_the_example_block_says_what_holds_without_it",
    "test_the_older_name_selects_the_older_simulator_and_names_its_successor",
    "test_every_row_has_its_test_and_every_test_its_row",
    "test_the_page_lists_every_parameter_with_its_default",
    "test_the_page_lists_every_variable_heard",
}


def test_every_row_has_its_test_and_every_test_its_row():
    table = PAGE.read_text().split("## Where the models differ")[1].split("\n## ")[0]
    rows = re.findall(r"^\|.*\| `(test_\w+)` \|$", table, re.MULTILINE)
    tests = [name for name in globals() if name.startswith("test_") and name not in NOT_ROWS]
    assert rows == tests


def test_the_page_lists_every_variable_heard():
    text = PAGE.read_text()
    plain = {name for name in USimMarine.subscribes if name not in PLAIN_NAMES}
    assert [name for name in sorted(plain) if f"`{name}`" not in text] == []
