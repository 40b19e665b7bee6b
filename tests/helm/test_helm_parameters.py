"""The helm's own parameters: the effect of each of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from steerageway.apps.helm import Helm
from steerageway.bus import ConfigError, Message
from steerageway.helm.behaviors import BEHAVIORS
from steerageway.ivp import read_ipf
from steerageway.ivp.ipf import joined
from tests.apps.parameters import Shown

shows = Shown()
KEEP = "Behavior = BHV_ConstantSpeed\n{\nname = b\nspeed = 2\nduration = -1\n}\n"
WAYPOINT = "Behavior = BHV_Waypoint\n{\nname = w\nspeed = 1\npoints = 50,0\n}\n"
MEET = "Behavior = BHV_AvoidCollision\n{\nname = b\ncontact = Ben\n}\n"
SPEED_ONLY = ("speed:0:4:41",)


@shows("behaviors")
def test_several_files_are_read_in_alphabetical_order(
    drive: Callable[..., Any], tmp_path: Path
) -> None:
    for name in ("b", "a"):
        (tmp_path / f"{name}.bhv").write_text(KEEP.replace("name = b", f"name = {name}"))
    block = "behaviors = b.bhv\nbehaviors = a.bhv\ndomain = speed:0:4:41"
    helm = drive(Helm, block, name="pHelmIvP", folder=tmp_path)
    assert [b.settings.name for b in helm.app._engine.behaviors.behaviors] == ["a", "b"]
    assert helm.values("PLOGGER_CMD") == [
        "COPY_FILE_REQUEST = a.bhv",
        "COPY_FILE_REQUEST = b.bhv",
    ]


def test_a_helm_without_behaviors_is_reported(drive: Callable[..., Any]) -> None:
    (warning,) = drive(Helm, "domain = speed:0:4:41", name="pHelmIvP").app.config_warnings
    assert "no line behaviors = FILE" in warning


def test_invalid_lines_of_all_files_are_reported(drive: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "a.bhv").write_text("initialise A = 1\n")
    (tmp_path / "b.bhv").write_text("initialize B\n")
    block = "behaviors = b.bhv\nbehaviors = a.bhv\nbehaviors = gone.bhv\ndomain = speed:0:4:41"
    with pytest.raises(ConfigError) as raised:
        drive(Helm, block, name="pHelmIvP", folder=tmp_path)
    places = [line.partition(" ")[0] for line in str(raised.value).splitlines()]
    assert places == [f"{tmp_path}/a.bhv:1:", f"{tmp_path}/b.bhv:1:", "test.moos:2:"]


def test_a_hint_without_effect_is_reported_and_stops_nothing(sail: Callable[..., Any]) -> None:
    hints = "visual_hints = edge_size=2, nextpt_colour=red, edge_style=dashed\n}"
    sailing = sail(WAYPOINT.replace("}", hints), domain=("course:0:359:360", "speed:0:4:41"))
    warnings = list(sailing.helm.config_warnings)
    assert all(text.startswith("test.bhv:6: visual_hints = edge_size=2, ") for text in warnings)
    assert [text.split(" has ")[0].split(": ")[-1] for text in warnings] == [
        "hint nextpt_colour",
        "hint edge_style",
    ]
    assert all("nextpt_color," in text for text in warnings)
    assert sailing.step()["DESIRED_SPEED"] == 1.0


@pytest.mark.parametrize("hint", ["nextpt_lcolor", "nextpt_label_color"])
def test_the_colour_of_a_label_has_two_names(hint: str, sail: Callable[..., Any]) -> None:
    text = WAYPOINT.replace("}", f"visual_hints = {hint}=purple, lcolor=pink\n}}")
    sailing = sail(text, domain=("course:0:359:360", "speed:0:4:41"))
    assert list(sailing.helm.config_warnings) == []
    sailing.step()
    drawn = [str(post.value) for post in sailing.posts if post.name == "VIEW_POINT"]
    assert any("label_color=purple" in one for one in drawn)


def test_a_moos_ivp_parameter_without_effect_is_reported_and_stops_nothing(
    sail: Callable[..., Any],
) -> None:
    domain = ("course:0:359:360", "speed:0:4:41")
    sailing = sail(WAYPOINT.replace("}", "us = henry\n}"), domain=domain)
    (warning,) = sailing.helm.config_warnings
    assert warning == "test.bhv:6: us has no effect here: the community's name is the vessel's"
    assert sailing.step()["DESIRED_SPEED"] == 1.0


def test_a_behavior_that_only_draws_models_is_left_out_with_a_warning(
    sail: Callable[..., Any],
) -> None:
    text = WAYPOINT + "Behavior = BHV_PModelView\n{\nname = model\nedge_color = red\n}\n"
    sailing = sail(text, domain=("course:0:359:360", "speed:0:4:41"))
    (warning,) = sailing.helm.config_warnings
    assert "BHV_PModelView is left out" in warning
    assert sailing.step()["DESIRED_SPEED"] == 1.0


@shows("domain")
def test_decisions_are_made_on_the_domains_grid(sail: Callable[..., Any]) -> None:
    coarse = ("course:0:345:24", "speed:0:4:delta=0.5")
    sailing = sail(WAYPOINT.replace("50,0", "50,10"), domain=coarse)
    assert sailing.posted["IVPHELM_DOMAIN"] == "course,0,345,24:speed,0,4,9"
    found = sailing.step()
    assert (found["DESIRED_HEADING"], found["DESIRED_SPEED"]) == (75.0, 1.0)


def test_optional_variable_may_be_missing_from_a_decision(sail: Callable[..., Any]) -> None:
    domain = ("course:0:359:360:optional", "speed:0:4:41")
    found = sail(KEEP, domain=domain).step()
    assert found["IVPHELM_ALLSTOP"] == "clear"
    assert "DESIRED_HEADING" not in found


@shows("ok_skew")
@pytest.mark.parametrize(
    ("block", "age", "taken"),
    [
        ("", 59.0, True),
        ("", 61.0, False),
        ("ok_skew = 2", 1.0, True),
        ("ok_skew = 2", 3.0, False),
        ("ok_skew = 2", -3.0, False),
        ("ok_skew = any", 500.0, True),
    ],
)
def test_mail_with_a_stamp_too_far_from_now_is_not_taken(
    block: str, age: float, taken: bool, sail: Callable[..., Any]
) -> None:
    text = KEEP.replace("name", "condition = GO = true\nname")
    sailing = sail(text, block, domain=SPEED_ONLY, wait=65.0)
    late = Message("GO", "true", 65.25 - age, "pTest", "", "alpha", 65_250_000_000)
    found = sailing.driven.take(65.25, [late])
    assert (sailing.behavior("b").state == "active") is taken
    assert (found.get("IVPHELM_SKEW") == f"GO={age:.2f}") is not taken
    assert any("GO of pTest" in text for text in sailing.helm.run_warnings) is not taken


def test_old_value_that_registering_brings_is_taken(sail: Callable[..., Any]) -> None:
    """As in MOOS-IvP: the skew is at most the time since the variable was registered for."""
    sailing = sail(KEEP.replace("name", "updates = U\nname"), "ok_skew = 2", domain=SPEED_ONLY)
    sailing.steps(40)
    sailing.step({"U": "condition = FRESH = 1"})
    sailing.driven.take(11.25, [Message("FRESH", 1.0, 3.0, "pTest", "", "alpha", 3_000_000_000)])
    assert sailing.behavior("b").state == "active"
    assert not sailing.helm.run_warnings
    late = Message("FRESH", 0.0, 11.0, "pTest", "", "alpha", 14_000_000_000)
    sailing.driven.take(14.0, [late])
    assert sailing.behavior("b").state == "active"
    assert any("FRESH of pTest" in text for text in sailing.helm.run_warnings)


def test_override_with_a_stamp_too_far_from_now_is_ignored(sail: Callable[..., Any]) -> None:
    sailing = sail(KEEP, "ok_skew = 2", domain=SPEED_ONLY)
    sailing.steps(20)
    stale = Message("MOOS_MANUAL_OVERRIDE", "true", 1.0, "pTest", "", "alpha", 6_000_000_000)
    assert sailing.driven.take(6.25, [stale])["IVPHELM_STATE"] == "DRIVE"


@shows("start_in_drive", "active_start", "start_engaged", "start_indrive")
@pytest.mark.parametrize(
    "name", ["start_in_drive", "active_start", "start_engaged", "start_indrive"]
)
def test_helm_may_start_in_drive(name: str, drive: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "test.bhv").write_text(KEEP)
    block = "behaviors = test.bhv\ndomain = speed:0:4:41"
    parked = drive(Helm, block, name="pHelmIvP", folder=tmp_path)
    assert parked.tick(0.25)["IVPHELM_STATE"] == "PARK"
    driving = drive(Helm, f"{block}\n{name} = true", name="pHelmIvP", folder=tmp_path)
    assert driving.tick(0.25)["IVPHELM_STATE"] == "DRIVE"


@shows("allow_park")
@pytest.mark.parametrize(("allowed", "state"), [("true", "PARK"), ("false", "DRIVE")])
def test_helm_may_be_kept_from_parking(allowed: str, state: str, sail: Callable[..., Any]) -> None:
    sailing = sail(KEEP, f"allow_park = {allowed}", domain=SPEED_ONLY)
    sailing.step({"MOOS_MANUAL_OVERRIDE": "true"})
    assert sailing.posted["IVPHELM_STATE"] == state


@shows("park_on_allstop")
@pytest.mark.parametrize(("park", "state"), [("true", "PARK"), ("false", "DRIVE")])
def test_all_stop_may_park_the_helm(park: str, state: str, sail: Callable[..., Any]) -> None:
    sailing = sail("initialize A = 1", f"park_on_allstop = {park}")
    sailing.steps(3)
    assert sailing.posted["IVPHELM_STATE"] == state


@shows("goals_mandatory")
@pytest.mark.parametrize(
    ("mandatory", "reason"), [("true", "NoGoalBehavior"), ("false", "NothingToDo")]
)
def test_a_goal_may_be_mandatory(mandatory: str, reason: str, sail: Callable[..., Any]) -> None:
    sailing = sail("initialize A = 1", f"goals_mandatory = {mandatory}")
    sailing.steps(2)
    assert sailing.posted["IVPHELM_ALLSTOP"] == reason


@shows("hold_on_apps", "hold_on_app")
@pytest.mark.parametrize("name", ["hold_on_apps", "hold_on_app"])
def test_helm_waits_for_apps(name: str, sail: Callable[..., Any]) -> None:
    sailing = sail(KEEP, f"{name} = pA, pB", domain=SPEED_ONLY)
    sailing.steps(4)
    assert "IVPHELM_ITER" not in sailing.posted
    warning = "Not all HoldOnApps have been detected; missing: "
    sailing.step({"DB_CLIENTS": "pHelmIvP,"})
    assert list(sailing.helm.run_warnings) == [f"{warning}pA, pB"]
    for _ in range(2):
        sailing.step({"DB_CLIENTS": "pHelmIvP,pA,"})
    assert "IVPHELM_ITER" not in sailing.posted
    assert sailing.helm.run_warnings == {f"{warning}pB": 2}
    assert "Hold-on-apps: waiting for pB" in list(sailing.helm.report())
    assert sailing.step({"DB_CLIENTS": "pHelmIvP,pB,"})["DESIRED_SPEED"] == 2.0
    assert not sailing.helm.run_warnings


@shows("contact_max_age")
@pytest.mark.parametrize(("block", "known"), [("", [2, 2]), ("contact_max_age = 10", [1, 0])])
def test_a_contact_silent_for_too_long_is_removed(
    block: str, known: list[int], sail: Callable[..., Any]
) -> None:
    sailing = sail(MEET, block)
    found = []
    for name in ("ben", "carl"):
        sailing.step({"NODE_REPORT": f"NAME={name},X=9,Y=9,TIME={sailing.helm.utc:.2f}"})
    for _ in known:
        sailing.steps(42)
        found.append(len(sailing.helm._world.ledger))
    assert found == known  # ben, whom a behavior is about, is kept twice as long


@shows("nav_grace")
@pytest.mark.parametrize(("block", "warned"), [("", [5.25]), ("nav_grace = 1", [1.25])])
def test_missing_navigation_gives_a_warning_after_a_grace(
    block: str, warned: list[float], drive: Callable[..., Any], tmp_path: Path
) -> None:
    (tmp_path / "test.bhv").write_text(KEEP)
    lines = f"behaviors = test.bhv\ndomain = speed:0:4:41\nstart_in_drive = true\n{block}"
    helm = drive(Helm, lines, name="pHelmIvP", folder=tmp_path)
    times = []
    for tick in range(1, 30):
        helm.tick(tick * 0.25, {"NAV_X": 1.0})
        if helm.app.run_warnings and not times:
            times.append(tick * 0.25)
    assert times == warned
    nav = {"NAV_X": 0.0, "NAV_Y": 0.0, "NAV_HEADING": 0.0, "NAV_SPEED": 0.0}
    assert helm.tick(8.0, nav)["DESIRED_SPEED"] == 2.0
    assert not helm.app.run_warnings


OWN = """
from steerageway.helm import Behavior
from steerageway.ivp import Peak, peak

class Fast(Behavior):
    needs = ("speed",)

    def run(self):
        return peak(self.world.domain["speed"], Peak(4.0))
"""
FAST = "Behavior = BHV_Fast\n{\nname = f\n}\n"


@shows("behavior_path", "ivp_behavior_dir", "ivp_behavior_dirs")
@pytest.mark.parametrize("name", ["behavior_path", "ivp_behavior_dir", "ivp_behavior_dirs"])
@pytest.mark.parametrize("place", ["own", "own/fast.py"])
def test_user_defined_behaviors_are_found(
    name: str, place: str, sail: Callable[..., Any], tmp_path: Path
) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "fast.py").write_text(OWN)
    sailing = sail(FAST, f"{name} = {place}", domain=SPEED_ONLY)
    assert sailing.step()["DESIRED_SPEED"] == 4.0


def test_unknown_behavior_is_reported_with_those_of_the_user_and_of_the_helm(
    sail: Callable[..., Any], tmp_path: Path
) -> None:
    (tmp_path / "fast.py").write_text(OWN)
    with pytest.raises(ConfigError) as raised:
        sail(FAST.replace("Fast", "Quux"), "behavior_path = fast.py", domain=SPEED_ONLY)
    message = str(raised.value)
    assert "no such behavior; there are BHV_Fast, BHV_" in message
    assert message.count("BHV_") == 5  # the wrong one, the own one, and three
    assert f" and {len(BEHAVIORS) + 1 - 4} more; --config pHelmIvP.behavior_path=" in message


@shows("bhv_dir_not_found_ok", "bhv_dirs_not_found_ok")
@pytest.mark.parametrize("name", ["bhv_dir_not_found_ok", "bhv_dirs_not_found_ok"])
def test_folder_without_behaviors_is_an_error_unless_that_is_ok(
    name: str, sail: Callable[..., Any], tmp_path: Path
) -> None:
    (tmp_path / "lib").mkdir()
    expected = "expected a Python file, or a folder of them"
    without = "; bhv_dir_not_found_ok = true does without"
    for place in ("lib", "gone"):
        block = f"behavior_path = {place}\n"
        with pytest.raises(ConfigError, match=f"{expected}.*{without}"):
            sail(KEEP, block, domain=SPEED_ONLY)
        sailing = sail(KEEP, f"{block}{name} = true", domain=SPEED_ONLY)
        assert sailing.step()["DESIRED_SPEED"] == 2.0
        assert sailing.helm.config_warnings == []


@pytest.mark.parametrize("place", ["lib", "gone"])
def test_a_moos_ivp_folder_without_behaviors_is_reported_and_skipped(
    place: str, sail: Callable[..., Any], tmp_path: Path
) -> None:
    (tmp_path / "lib").mkdir()
    sailing = sail(KEEP, f"ivp_behavior_dir = {place}\n", domain=SPEED_ONLY)
    assert sailing.step()["DESIRED_SPEED"] == 2.0
    (warning,) = sailing.helm.config_warnings
    assert "expected a Python file, or a folder of them" in warning
    assert "; bhv_dir_not_found_ok = true does without" in warning


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = 1\n", "own.py defines no class that derives from Behavior"),
        ("x = 1\ny = x / 0\n", "own.py fails: line 2: ZeroDivisionError: division by zero"),
        ("raise SystemExit(7)\n", "own.py fails: line 1: SystemExit: 7"),
        ("def run(:\n", "own.py fails: line 1: SyntaxError: invalid syntax"),
        (
            "from steerageway.helm import Behaviour\n",
            "own.py fails: line 1: ImportError: cannot import",
        ),
    ],
)
def test_file_without_a_behavior_or_with_an_error_names_the_line(
    text: str, expected: str, sail: Callable[..., Any], tmp_path: Path
) -> None:
    (tmp_path / "own.py").write_text(text)
    with pytest.raises(ConfigError) as raised:
        sail(FAST, "behavior_path = own.py", domain=SPEED_ONLY)
    assert str(raised.value).startswith("test.moos:0: behavior_path = own.py: ")
    assert expected in str(raised.value)


def test_behavior_that_does_nothing_gives_a_warning(
    sail: Callable[..., Any], tmp_path: Path
) -> None:
    program = (
        "from steerageway.helm import Behavior\nclass Fast(Behavior):\n    def rum(self): pass\n"
    )
    (tmp_path / "own.py").write_text(program)
    sailing = sail(FAST, "behavior_path = own.py", domain=SPEED_ONLY)
    expected = "test.bhv:1: BHV_Fast does nothing: its class has no method run"
    assert sailing.helm.config_warnings == [expected]
    heir = "class Fast(Slow):\n    def run(self): pass\n"
    (tmp_path / "own.py").write_text(program.replace("Fast", "Slow") + heir)
    assert sail(FAST, "behavior_path = own.py", domain=SPEED_ONLY).helm.config_warnings == []


@pytest.mark.parametrize(
    "expected",
    [
        'publishes = ("ZIG_SIDE",)',
        'publishes = "ZIG_SIDE"',
        'def publishes(self, settings): return ["ZIG_SIDE"]',
        'publications = (variables.number("ZIG_SIDE", "side of the zig-zag"),)',
    ],
)
def test_behavior_declares_its_posts_like_apps_or_by_a_method(
    expected: str, sail: Callable[..., Any], tmp_path: Path
) -> None:
    run = 'def run(self): self.post("ZIG_SIDE", 1)'
    program = (
        "from steerageway.helm import Behavior\n"
        "from steerageway.bus import variables\n"
        f"class Fast(Behavior):\n    {expected}\n    {run}\n"
    )
    (tmp_path / "own.py").write_text(program)
    sailing = sail(FAST, "behavior_path = own.py", domain=SPEED_ONLY)
    assert sailing.step()["ZIG_SIDE"] == 1.0


@pytest.mark.parametrize(
    ("lines", "warned"),
    [
        ("", True),
        ("duration = no-time-limit", False),
        ("duration = 5", False),
        ("updates = UP", False),
    ],
)
def test_behavior_that_completes_at_once_gives_a_warning(
    lines: str, warned: bool, sail: Callable[..., Any]
) -> None:
    block = f"Behavior = BHV_ConstantSpeed\n{{\nname = f\nspeed = 1\n{lines}\n}}\n"
    expected = (
        "test.bhv:1: BHV_ConstantSpeed completes as soon as it runs: expected"
        " duration = no-time-limit, or how many seconds it is to run"
    )
    warnings = sail(block, domain=SPEED_ONLY).helm.config_warnings
    assert warnings == ([expected] if warned else [])


@pytest.mark.parametrize(
    ("line", "warned"), [("", True), ("points = 1,2", False), ("updates = UP", False)]
)
def test_waypoints_without_points_give_a_warning(
    line: str, warned: bool, sail: Callable[..., Any]
) -> None:
    block = f"Behavior = BHV_Waypoint\n{{\nname = f\nspeed = 1\n{line}\n}}\n"
    warnings = sail(block).helm.config_warnings
    why = "has no points and takes no updates: it never has anything to do"
    assert warnings == ([f"test.bhv:1: BHV_Waypoint {why}"] if warned else [])


@pytest.mark.parametrize("place", ["580000,4600000", "60,-40"])
@pytest.mark.parametrize(
    ("kind", "line"),
    [
        ("BHV_Waypoint", "points = PLACE:70,-40"),
        ("BHV_Waypoint", "point = PLACE"),
        ("BHV_Loiter", "polygon = PLACE:50,0:50,-50"),
        ("BHV_Loiter", "polygon = format=radial, x=PLACE, radius=20, pts=6"),
        ("BHV_StationKeep", "station_pt = PLACE"),
        ("BHV_OpRegion", "polygon = PLACE:50,0:50,-50"),
    ],
)
def test_a_place_too_far_from_the_datum_gives_a_warning(
    kind: str, line: str, place: str, sail: Callable[..., Any]
) -> None:
    x, _, y = place.partition(",")
    text = line.replace("x=PLACE", f"x={x}, y={y}").replace("PLACE", place)
    block = f"Behavior = {kind}\n{{\nname = f\n{text}\n}}\n"
    warnings = [w for w in sail(block).helm.config_warnings if "UTM" in w]
    assert len(warnings) == (x == "580000")
    for told in warnings:
        assert told.startswith(f"test.bhv:4: {text}: x=5")
        assert told.endswith("is more than 1000 km from the datum: are these UTM coordinates?")


def installed(name: str, text: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install a package of one module, which declares BHV_Fast."""
    (folder / f"{name}.py").write_text(text)
    about = folder / f"{name}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    points = f"[steerageway.behaviors]\nBHV_Fast = {name}:Fast\n"
    (about / "entry_points.txt").write_text(points)
    monkeypatch.syspath_prepend(folder)


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("fast_a", "Fast = 1\n", "fast_a:Fast is no class that derives from Behavior"),
        ("fast_b", "import nowhere\n", "fast_b:Fast fails: ModuleNotFoundError: .* 'nowhere'"),
        ("fast_c", "Slow = 1\n", "fast_c:Fast fails: AttributeError: .* 'Fast'"),
    ],
)
def test_installed_package_that_fails_is_reported_with_the_line_that_needs_it(
    name: str,
    text: str,
    expected: str,
    sail: Callable[..., Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    installed(name, text, tmp_path, monkeypatch)
    with pytest.raises(ConfigError, match=rf"test.bhv:1.*BHV_Fast.*{expected}"):
        sail(FAST, domain=SPEED_ONLY)


def test_behavior_of_an_installed_package_is_found(
    sail: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed("installed_fast", OWN, tmp_path, monkeypatch)
    assert sail(FAST, domain=SPEED_ONLY).step()["DESIRED_SPEED"] == 4.0
    with pytest.raises(ConfigError, match="the nearest is BHV_Fast"):
        sail(FAST.replace("Fast", "Fst"), domain=SPEED_ONLY)


@shows("node_skew")
@pytest.mark.parametrize(("age", "taken"), [(1.5, True), (2.5, False), (-2.5, False)])
@pytest.mark.parametrize("vessel", ["ben", "amy"])
def test_reports_of_a_vessel_may_deviate_within_a_limit(
    vessel: str, age: float, taken: bool, sail: Callable[..., Any]
) -> None:
    sailing = sail(MEET, "node_skew = BEN,2", wait=5.0)
    time = sailing.time + 0.25 - age
    sailing.step({"NODE_REPORT": f"NAME={vessel},X=1,Y=1,TIME={time}"})
    taken = (taken or vessel == "amy") and age > 0
    assert len(sailing.helm._world.ledger) == taken
    assert (sailing.posted.get("IVPHELM_SKEW") == f"ben={age:.2f}") is (
        vessel == "ben" and not taken
    )
    assert bool(sailing.helm.run_warnings) is not taken


@shows("standby")
def test_standby_helm_waits(sail: Callable[..., Any]) -> None:
    sailing = sail(KEEP, "standby = 2", domain=SPEED_ONLY)
    assert sailing.step()["IVPHELM_STATE"] == "STANDBY"


@shows("post_ipf")
def test_objective_functions_are_posted_in_pieces_on_request(sail: Callable[..., Any]) -> None:
    assert "BHV_IPF" not in sail(WAYPOINT).step()
    sailing = sail(WAYPOINT, "post_ipf = true")
    sailing.step()
    texts = [post.value for post in sailing.posts if post.name == "BHV_IPF"]
    function, context = read_ipf(joined(texts))
    assert context == "1:w"
    assert function.weight == 100.0
    (objective,) = sailing.helm._report.objectives.values()
    for course, speed in ((90.0, 1.0), (0.0, 4.0), (271.0, 0.0)):
        point = {"course": course, "speed": speed}
        domain = sailing.helm._options.domain
        assert function.function().at(domain, point) == pytest.approx(
            objective.at(domain, point), abs=1.0
        )
    assert all(len(text) <= 2000 for text in texts)
    assert {post.aux for post in sailing.posts if post.name == "BHV_IPF"} == {"w"}


@shows("seed_random")
def test_the_moos_ivp_seed_has_no_effect(sail: Callable[..., Any]) -> None:
    text = KEEP.replace("name", "runxflag = H = $[HASH]\nname")
    runs = [sail(text, block, domain=SPEED_ONLY) for block in ("", "seed_random = false")]
    assert runs[0].step() == runs[1].step()


@shows("pmgen")
@pytest.mark.parametrize(
    ("line", "radius"),
    [
        ("", 0.0),
        ("pmgen = alg=holo", 0.0),
        ("pmgen = alg=dubins", 30.0),
        ("pmgen = alg=dubins # radius=5 # degs=2", 5.0),
        ("PMGen = rad=7.5#ALG=Dubins", 7.5),
    ],
)
def test_the_block_sets_the_turning_model(
    line: str, radius: float, sail: Callable[..., Any]
) -> None:
    sailing = sail(KEEP, line, domain=SPEED_ONLY)
    assert sailing.helm._world.turn_radius == radius


@pytest.mark.parametrize(
    "text", ["dubins", "radius=5", "alg=dubin", "alg=dubins # radius=-1", "alg=holo # step=2"]
)
def test_an_invalid_platform_model_is_named(text: str, sail: Callable[..., Any]) -> None:
    with pytest.raises(ConfigError, match=r"pmgen = .*: expected "):
        sail(KEEP, f"pmgen = {text}", domain=SPEED_ONLY)


@shows("helm_prefix")
def test_outputs_may_have_a_prefix_but_an_all_stop_has_none(sail: Callable[..., Any]) -> None:
    sailing = sail(KEEP, "helm_prefix = H1_", domain=SPEED_ONLY)
    found = sailing.step()
    assert found["H1_DESIRED_SPEED"] == 2.0
    assert "DESIRED_SPEED" not in found
    assert sailing.step({"MOOS_MANUAL_OVERRIDE": "true"})["DESIRED_SPEED"] == 0.0


@shows("helm_alias")
def test_alias_is_posted(sail: Callable[..., Any]) -> None:
    assert "IVPHELM_ALIAS" not in sail(KEEP, domain=SPEED_ONLY).posted
    sailing = sail(KEEP, "helm_alias = first_mate", domain=SPEED_ONLY)
    assert sailing.posted["IVPHELM_ALIAS"] == "first_mate"


@shows("other_override_var")
def test_another_variable_may_override(sail: Callable[..., Any]) -> None:
    sailing = sail(KEEP, "other_override_var = TAKE_OVER", domain=SPEED_ONLY)
    sailing.step({"TAKE_OVER": "true"})
    assert sailing.posted["IVPHELM_STATE"] == "PARK"
    sailing.step({"TAKE_OVER": "false"})
    assert sailing.posted["IVPHELM_STATE"] == "DRIVE"


@shows("verbose")
@pytest.mark.parametrize(
    ("verbose", "decision", "table"),
    [
        ("quiet", False, False),
        ("terse", True, False),
        ("false", True, False),
        ("verbose", True, True),
        ("true", True, True),
    ],
)
def test_appcast_verbosity_can_be_set(
    verbose: str, decision: bool, table: bool, sail: Callable[..., Any]
) -> None:
    sailing = sail(WAYPOINT, f"verbose = {verbose}")
    sailing.step()
    text = "\n".join(sailing.helm.report())
    assert "State: DRIVE" in text
    assert ("course = 90" in text) is decision
    assert ("WPT_STAT             w" in text) is table


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        ("domain = course", "domain = course: expected name:low:high:points"),
        ("domain = speed:0:4:41\ndomain = speed:0:5:51", "expected one line for speed"),
        ("domain = speed:0:4:41\nok_skew = often", "ok_skew = often: expected a number"),
        (
            "domain = speed:0:4:41\nok_skew = -1",
            "ok_skew = -1: expected a number at least 0, or any",
        ),
        ("domain = speed:0:4:41\nallow_park = maybe", "expected true or false"),
        ("domain = speed:0:4:41\nnav_grace = -2", "at least 0"),
        ("domain = speed:0:4:41\nhold_on_apps = a,,b", "expected names of apps"),
        ("domain = speed:0:4:41\nnode_skew = ben", "expected VESSEL,SECONDS"),
        (
            "domain = speed:0:4:41\nnode_skew = ben,1\nnode_skew = Ben,2",
            "expected one line for Ben",
        ),
        ("domain = speed:0:4:41\nstandby = 0", "above 0"),
        ("domain = speed:0:4:41\nhelm_prefix = a b", "expected one word"),
        ("domain = speed:0:4:41\nverbose = loud", "expected one of verbose, true, terse"),
        ("behaviors = gone.bhv\ndomain = speed:0:4:41", "gone.bhv: expected a behavior file: No s"),
        ("", "domain: expected a line as domain = course:0:359:360"),
    ],
)
def test_invalid_line_is_an_error_before_anything_starts(
    block: str, expected: str, drive: Callable[..., Any], tmp_path: Path
) -> None:
    with pytest.raises(ConfigError) as raised:
        drive(Helm, block, name="pHelmIvP", folder=tmp_path)
    assert expected in str(raised.value)
    assert str(raised.value).startswith("test.moos")


@shows("peer_compat")
@pytest.mark.parametrize(("line", "speed"), [("", 0.0), ("peer_compat = moos", 3.0)])
def test_a_vessel_at_rest_takes_up_the_greatest_speed_allowed_only_as_moos_ivp_does(
    line: str, speed: float, sail: Callable[..., Any]
) -> None:
    # measured on MOOS-IvP's solver: tests/reference/moos_decisions
    limit = "Behavior = BHV_MaxSpeed\n{\nname = b\nmax_speed = 3\n}\n"
    assert sail(limit, line, domain=SPEED_ONLY).step()["DESIRED_SPEED"] == speed


def test_every_parameter_has_a_test() -> None:
    assert {parameter.name for parameter in Helm.parameters} == shows.names


def test_every_parameter_is_read_and_no_other(drive: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "test.bhv").write_text(KEEP)
    words = {"behaviors": "test.bhv", "domain": "speed:0:4:41", "ok_skew": "3", "nav_grace": "3"}
    words |= {"contact_max_age": "20"}
    words |= dict.fromkeys(("behavior_path", "ivp_behavior_dir", "ivp_behavior_dirs"), "none.py")
    words |= {"verbose": "terse", "hold_on_apps": "pA", "hold_on_app": "pB", "standby": "3"}
    words |= {"node_skew": "ben,3", "pmgen": "alg=holo", "peer_compat": "moos"}
    words |= dict.fromkeys(("helm_prefix", "helm_alias", "other_override_var"), "word")
    names = [*(parameter.name for parameter in Helm.parameters), "stand_by"]
    block = "\n".join(f"{name} = {words.get(name, 'true')}" for name in names)
    helm = drive(Helm, block, name="pHelmIvP", folder=tmp_path)
    assert [entry.key for entry in helm.app.config.unread()] == ["stand_by"]


@pytest.mark.parametrize(
    ("course", "doubt"),
    [
        ("course:0:180:181", "no course outside of 0 to 180 degrees"),
        ("course:90:270:19", "no course outside of 90 to 270 degrees"),
        *((whole, "") for whole in ("course:0:359:360", "course:0:358:180", "course:0:359:180")),
        *((whole, "") for whole in ("course:0:360:361", "course:-180:179:360", "course:90:90:1")),
    ],
)
def test_a_domain_of_a_part_of_the_circle_is_a_warning(drive, course, doubt):
    app = drive(Helm, f"domain = {course}\ndomain = speed:0:4:41", name="pHelmIvP").app
    found = [warning for warning in app.config_warnings if "no course" in warning]
    assert len(found) == bool(doubt)
    assert all(doubt in warning for warning in found)


DOUBTFUL = """
Behavior = BHV_Waypoint
{
  name = w
  points = 50,0
  speed = 1
  perpetual = maybe
  capture_radius = 10 m
  slip_radius = far
  ipf_type = zaic_crs
  greedy_tour = sometimes
  currix = first
}
"""


def test_what_moos_ivp_reads_of_a_value_counts_with_a_warning(sail: Callable[..., Any]) -> None:
    """Its behaviors read some numbers by C's atof, and keep defaults for words they do not know."""
    sailing = sail(DOUBTFUL, domain=("course:0:359:360", "speed:0:4:41"))
    assert [text.split(": ", 1)[1] for text in sailing.helm.config_warnings] == [
        "perpetual = maybe: expected true or false; false counts",
        "capture_radius = 10 m: expected a number above 0; 10.0 counts",
        "slip_radius = far: expected a number at least 0; 0.0 counts",
        "ipf_type = zaic_crs: expected one of zaic, zaic_spd, roc, rate_of_closure; zaic counts",
        "greedy_tour = sometimes: expected true or false; false counts",
        "currix = first: expected a whole number at least 0; 0 counts",
    ]
    assert "capture_radius=10,slip_radius=0," in str(sailing.step()["BHV_SETTINGS"])


@pytest.mark.parametrize(
    "line",
    ["capture_radius = far", "speed = 2 m/s", "crs_spd_zaic_ratio = 100 %", "comms_policy = a"],
)
def test_what_moos_ivp_refuses_is_refused(line: str, sail: Callable[..., Any]) -> None:
    with pytest.raises(ConfigError, match=line):
        sail(DOUBTFUL.replace("speed = 1", line))
