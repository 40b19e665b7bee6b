"""Planning of a launch: from a command line to the plan of a run."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from math import inf
from pathlib import Path

import pytest

from steerageway.bus import (
    Case,
    Input,
    Order,
    Phase,
    Placement,
    Progress,
    dump_input,
    dump_order,
    run,
)
from steerageway.launcher import Mission
from steerageway.launcher.command import main
from steerageway.launcher.epoch import DEFAULT_EPOCH
from steerageway.launcher.errors import LaunchError
from steerageway.launcher.options import parse_options
from steerageway.launcher.plan import Launch, plan_launch
from steerageway.launcher.status import community_line
from steerageway.launcher.summary import figures, text

Edit = Callable[[str, str], Path]


def plan(*arguments: str | Path) -> Launch:
    """Plan a launch that leaves no logs."""
    return plan_launch(parse_options([*map(str, arguments), "--no-log"]))


def starts(launch: Launch) -> dict[str, int]:
    """Return each app's start in milliseconds."""
    return {app.name: app.start // 1_000_000 for app in launch.plan.apps}


def test_every_line_of_the_launch_list_counts_towards_the_starts(duet: Path) -> None:
    assert starts(plan(duet)) == {"Walker": 200, "pEcho": 600}


def test_run_options_of_the_command_line_are_in_the_plan(duet: Path) -> None:
    bare = plan(duet).plan
    assert (bare.paused, bare.free_run, bare.restarts) == (False, False, 0)
    message = ["--restarts", "2", "--grant-timeout", "3", "--wall-limit", "4", "--port", "9123"]
    message += ["--host", "0.0.0.0", "--keys", "k", "--for", "2.5", "--warp", "7", "--seed", "5"]
    run_plan = plan(duet, "--paused", *message).plan
    assert (run_plan.paused, run_plan.restarts, run_plan.grant_timeout, run_plan.wall_limit) == (
        True,
        2,
        3.0,
        4.0,
    )
    assert (run_plan.port, run_plan.host, run_plan.keys) == (9123, "0.0.0.0", Path("k"))
    assert (run_plan.stop_at, run_plan.warp, run_plan.seed) == (2_500_000_000, 7.0, 5)
    assert plan(duet, "--free-run").plan.free_run
    assert run_plan.files == {"duet": str(duet.resolve())}


def test_skipping_an_app_shifts_no_other_start(duet: Path) -> None:
    assert starts(plan(duet, "--skip", "Walker")) == {"pEcho": 600}


def test_starts_are_exact_fractions_of_a_millisecond(edit: Edit) -> None:
    launch = plan(edit("MSBetweenLaunches = 200", "MSBetweenLaunches = 0.1"))
    assert [app.start for app in launch.plan.apps] == [100_000, 300_000]


def test_ticks_are_exact_and_default_to_five_a_second(edit: Edit) -> None:
    walker, echo = plan(edit("AppTick = 4", "AppTick = 0.3")).plan.apps
    assert walker.period[0] * 3 == walker.period[1] * 10_000_000_000
    assert echo.period[0] == echo.period[1] * 200_000_000


def test_iterate_mode_and_maximum_tick_reach_the_plan(edit: Edit) -> None:
    walker, _ = plan(edit("AppTick = 4", "IterateMode = 1\nMaxAppTick = 8")).plan.apps
    assert (walker.mode, walker.least_gap) == (1, 125_000_000)


def test_an_override_replaces_every_line_of_its_key(edit: Edit) -> None:
    mission = edit("pace = 2", "pace = 2\n  Pace = 3")
    app = plan(mission, "--config", "Walker.pace=5").plan.apps[0].app
    assert [entry.value for entry in app.config.all("pace")] == ["5"]


def test_quotes_reach_only_the_apps_that_keep_them(edit: Edit) -> None:
    mission = edit("AppTick = 4\n  pace = 2", 'pace = "2"')
    mission.write_text(mission.read_text() + 'ProcessConfig = pEcho\n{\n word = "a" \n}\n')
    walker, echo = (planned.app for planned in plan(mission).plan.apps)
    assert walker.config.text("pace") == "2"
    assert echo.config.text("word") == '"a"'


def test_the_first_or_last_line_of_a_scalar_applies_as_its_app_declares(edit: Edit) -> None:
    mission = edit("pace = 2", "pace = 2\n  pace = 3")
    mission.write_text(mission.read_text() + "ProcessConfig = pEcho\n{\nword = a\nword = b\n}\n")
    walker, echo = (planned.app for planned in plan(mission).plan.apps)
    assert walker.config.text("pace") == "2"
    assert echo.config.text("word") == "b"


def test_an_unused_key_is_a_warning_with_the_nearest_key(edit: Edit) -> None:
    mission = edit("pace = 2", "pase = 2")
    (warning,) = plan(mission).warnings
    assert warning == (f"Walker: {mission}:16: pase = 2: unknown key; did you mean pace?")


def test_keys_common_to_moos_ivp_apps_give_no_warning(edit: Edit) -> None:
    common = ("CommsTick = 4", "SortMailByTime = true", "CatchCommandMessages = false")
    assert not plan(edit("pace = 2", "\n  ".join(["pace = 2", *common]))).warnings


def test_an_app_that_waits_for_one_that_is_not_started_is_reported(edit: Edit) -> None:
    block = "ProcessConfig = uTimerScript\n{\n  block_on = Walker, pMarineViewer\n}\n"
    edit("  Run = MOOSDB", "  Run = MOOSDB\n  Run = uTimerScript")
    mission = edit("ProcessConfig = Walker", f"{block}ProcessConfig = Walker")
    (warning,) = (text for text in plan(mission).warnings if "block_on" in text)
    assert warning.endswith("uTimerScript waits for pMarineViewer, which is not started")
    assert any(
        text.endswith("waits for Walker, which is not started")
        for text in plan(mission, "--skip", "Walker").warnings
    )


def test_a_block_without_its_brace_is_an_error_only_of_its_app(duet: Path) -> None:
    # MOOS's reader finds no such block; a viewer is not started here, and all others run on
    duet.write_text(
        duet.read_text() + "ProcessConfig = pMarineViewer\n{\nBUTTON_ONE = GO # GO = 1\n"
    )
    launch = plan(duet)
    assert starts(launch) == {"Walker": 200, "pEcho": 600}
    assert any("pMarineViewer: expected } at the end" in text for text in launch.warnings)
    with pytest.raises(LaunchError, match="pMarineViewer: expected } at the end"):
        plan(duet, "--button", "GO")


def test_an_unused_global_line_is_a_warning_unless_the_file_uses_it(edit: Edit) -> None:
    mission = edit("MOOSTimeWarp = 50", "Comunity = x\nPACE = 3\nMOOSTimeWarp = 50")
    edit("pace = 2", "pace = ${PACE}")
    launch = plan(mission)
    (warning,) = launch.warnings
    assert "Comunity = x" in warning
    assert warning.endswith("did you mean Community?")


def test_common_lines_of_moos_ivp_missions_are_known(edit: Edit) -> None:
    edit("MOOSTimeWarp = 50", "Simulator = true\nMOOSTimeWarp = 50")
    block = "app_logging = true\n  comms_policy = lean\n  term_report_interval = 1"
    mission = edit("pace = 2", f"pace = 2\n  {block}")
    assert plan(mission).warnings == ()


@pytest.mark.parametrize("app", ["pBasicContactMgr", "pContactMgrV20", "pLogger"])
def test_a_misspelt_parameter_of_any_shipped_app_is_refused(app: str, edit: Edit) -> None:
    mission = edit("  Run = MOOSDB\n", f"  Run = MOOSDB\n  Run = {app}\n")
    with pytest.raises(LaunchError, match="unknown key"):
        plan(mission, "--config", f"{app}.app_tikc=4")


def test_with_strict_a_warning_is_an_error(edit: Edit) -> None:
    with pytest.raises(LaunchError, match="pase"):
        plan(edit("pace = 2", "pase = 2"), "--strict")


def test_an_unknown_program_is_reported_with_two_ways_to_skip_it(edit: Edit) -> None:
    mission = edit("Run = pMarineViewer", "Run = pGenPath")
    with pytest.raises(LaunchError) as error:
        plan(mission)
    (problem,) = error.value.problems
    assert "--skip pGenPath omits it, --app pGenPath=PROCESS starts another" in problem
    assert "nearest" not in problem, "pDeadManPost is not what was meant"
    assert plan(mission, "--skip", "pGenPath").plan.apps
    started = plan(mission, "--app", "pGenPath=duet:Echo").plan.apps
    assert "pGenPath" in [app.name for app in started]


def test_an_impossible_replacement_is_reported_at_its_option(duet: Path) -> None:
    with pytest.raises(LaunchError, match=r"^--app pEcho: Run = duet:Echu"):
        plan(duet, "--app", "pEcho=duet:Echu")


def test_all_errors_of_a_block_are_reported_those_of_every_app_among_them(tmp_path: Path) -> None:
    alpha = tmp_path / "alpha.moos"
    lines = ["maxrudder = -100", "AppTick = -4", "maxthrust = a"]
    text = "Community = alpha\nProcessConfig = ANTLER\n{\nRun = pMarinePIDV22\n}\n"
    alpha.write_text("\n".join([f"{text}ProcessConfig = pMarinePIDV22", "{", *lines, "}\n"]))
    with pytest.raises(LaunchError) as raised:
        plan(alpha)
    assert raised.value.problems == (
        f"{alpha}:8: maxrudder = -100: expected a number at least 0",
        f"{alpha}:9: AppTick = -4: expected a number above 0, at most 10000",
        f"{alpha}:10: maxthrust = a: expected a number at least 0",
    )


def test_all_errors_are_reported_at_once(edit: Edit) -> None:
    mission = edit("pace = 2", "pace = fast")
    mission.write_text(mission.read_text() + "ProcessConfig = pEcho\n{\nAppTick = 0\n}\n")
    with pytest.raises(LaunchError) as error:
        plan(mission)
    assert error.value.problems == (
        f"{mission}:16: pace = fast: expected a number above 0",
        f"{mission}:20: AppTick = 0: expected a number above 0, at most 10000",
    )


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("pMarineViewer", "pHelmIvp", "Run = pHelmIvp: expected an app, the nearest is pHelmIvP"),
        (
            "duet:Walker",
            "duet:Runner",
            "a subclass of steerageway.App as Runner: duet has Br",
        ),
        ("duet:Walker", "solo:Walker", "expected a module that can be imported"),
        ("AppTick = 4", "IterateMode = 3", "expected one of 0, 1, 2"),
        ("AppTick = 4", "MaxAppTick = -1", "at least 0"),
        ("AppTick = 4", "AppTick = 1e9", "expected a number above 0, at most 10000"),
        ("MOOSTimeWarp = 50", "MOOSTimeWarp = 0", "expected a number from 1e-06 to 1000000"),
        ("MOOSTimeWarp = 50", "ServerPort = x", "expected a whole number from 1 to 65535"),
        ("MOOSTimeWarp = 50", "Epoch = soon", "expected an ISO date"),
    ],
)
def test_an_invalid_line_is_named_with_the_expected_form(
    old: str, new: str, expected: str, edit: Edit
) -> None:
    mission = edit(old, new)
    with pytest.raises(LaunchError) as error:
        plan(mission)
    assert expected in str(error.value)
    assert f"{mission}:" in str(error.value)


def test_a_users_module_that_fails_is_an_invalid_file(duet: Path) -> None:
    (duet.parent / "duet.py").write_text("LIMIT = 1\nHALF = LIMITT / 2\n")
    with pytest.raises(LaunchError, match=r"imported: NameError: .*LIMITT.*\(duet.py:2\)"):
        plan(duet)


def test_a_users_module_with_a_syntax_error_is_an_invalid_file(duet: Path) -> None:
    (duet.parent / "duet.py").write_text("class Walker(\n")
    with pytest.raises(LaunchError, match=r"can be imported: .*closed"):
        plan(duet)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("def configure(self): 1 / 0", r"built: ZeroDivisionError: division by zero \(duet.py:4\)"),
        ("def configure(self): self.config.numbr('x')", r"'Config' .* 'numbr'.*\(duet.py:4\)"),
        ("def configure(self): raise SystemExit(7)", r"built: SystemExit: 7 \(duet.py:4\)"),
        ("raise SystemExit(7)", r"can be imported: SystemExit: 7 \(duet.py:4\)"),
        ("def __init__(self): pass", r"Run = duet:Walker: it cannot be built: TypeError: .*init"),
        (
            "def __init__(self, setting): self.x = 0",
            r"Walker\.__init__: expected super\(\)\.__init",
        ),
        ("publishes = 'NAV_X'", r"Walker: publishes = 'NAV_X': expected a tuple, \('NAV_X',\)"),
        ("publishes = ('NAV_X')", r"Walker: publishes = 'NAV_X': expected a tuple, \('NAV_X',\)"),
    ],
)
def test_a_users_class_that_cannot_be_built_is_an_invalid_file(
    lines: str, expected: str, duet: Path
) -> None:
    path = duet.parent / "duet.py"
    path.write_text(
        f"from steerageway import App\n\nclass Walker(App):\n    {lines}\n\nclass Echo(App): pass"
    )
    with pytest.raises(LaunchError, match=expected):
        plan(duet)


@pytest.mark.parametrize("options", [(), ("--free-run",)])
def test_a_name_that_no_app_can_have_is_refused_with_its_line(
    options: tuple[str, ...], duet: Path
) -> None:
    text = duet.read_text()
    line = "duet:Walker @ NewConsole = false"
    duet.write_text(text.replace(line, f"{line} ~ {'a' * 256}"))
    plan(duet, *options)
    duet.write_text(text.replace(line, f"{line} ~ {'a' * 257}"))
    with pytest.raises(LaunchError, match=r":\d+: Run = a{40}\.\.\.: 257 characters: expected"):
        plan(duet, *options)


@pytest.mark.parametrize(
    "lines", ["raise KeyboardInterrupt", "def configure(self): raise KeyboardInterrupt"]
)
def test_an_interrupt_while_an_app_is_built_names_it(
    lines: str, duet: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """130, as of a run under way; where it was built tells which app took so long."""
    path = duet.parent / "duet.py"
    path.write_text(f"from steerageway import App\n\nclass Walker(App):\n    {lines}\n")
    assert main([str(duet), "--no-log"]) == 130
    built = "Run = duet:Walker: interrupted while it was built\n"
    assert re.fullmatch(rf".*duet\.moos:\d+: {built}", capfd.readouterr().err)


def test_pokes_wait_for_the_slowest_first_iteration(duet: Path) -> None:
    posts = plan(duet, "--set", "GO=true", "--set", "@0:READY=1").plan.inputs
    assert posts == (
        Input(800_000_000, Phase.AFTER, "duet", "GO", "true"),
        Input(0, Phase.INPUT, "duet", "READY", 1.0),
    )


def test_recorded_inputs_are_replayed_unchanged(duet: Path, tmp_path: Path) -> None:
    posts = [
        Input(5, Phase.INPUT, "duet", "GO", "true", "uPokeDB", 0.5, "x"),
        Input(7, Phase.INPUT, "duet", "RAW", b"\0\xff"),
    ]
    file = tmp_path / "inputs.jsonl"
    file.write_text("".join(dump_input(one) + "\n" for one in posts))
    assert list(plan(duet, "--inputs", file).plan.inputs) == posts
    assert list(plan(duet, "--inputs", tmp_path).plan.inputs) == posts


def test_orders_to_cases_are_replayed_where_possible(duet: Path, tmp_path: Path) -> None:
    post = Input(10**9, Phase.INPUT, "duet", "GO", "true")
    orders = (Order(2 * 10**9, 0, Case(1, 7)), Order(10**9, 1))
    file = tmp_path / "inputs.jsonl"
    file.write_text("\n".join([dump_input(post), *map(dump_order, orders)]))
    replayed = plan(duet, "--inputs", file).plan
    assert replayed.orders == orders
    assert replayed.inputs == (post._replace(case=0),), "a post of the first case is no other's"
    with pytest.raises(LaunchError, match=r"inputs.jsonl:2: reset: .* not with --free-run"):
        plan(duet, "--inputs", file, "--free-run")
    with pytest.raises(LaunchError, match=r"inputs .*: holds a reset, which run replays"):
        Mission(duet, inputs=file)
    file.write_text('{"instant": 5, "case": 0, "verb": "pause"}')
    with pytest.raises(LaunchError, match=r"inputs.jsonl:1: verb = pause: expected reset or clear"):
        plan(duet, "--inputs", file)


def test_a_reset_is_replayed_where_communities_have_cases(duet: Path, tmp_path: Path) -> None:
    pair, file = (f"{duet}@abe", f"{duet}@ben"), tmp_path / "inputs.jsonl"
    apart = ("--placement", "community", "--inputs", file)
    file.write_text(dump_order(Order(10**9, 0)))
    assert plan(*pair, *apart).plan.orders == (Order(10**9, 0),)
    file.write_text(dump_order(Order(10**9, 0, Case(1, 7, community="ben"))))
    assert plan(*pair, "--inputs", file).plan.orders[0].then == Case(1, 7, community="ben")
    with pytest.raises(LaunchError, match=r"jsonl:1: reset: several communities, .* no cases"):
        plan(*pair, *apart)
    with pytest.raises(LaunchError, match=r"jsonl:1: community ben: .* there are duet"):
        plan(duet, *apart)


def test_recorded_inputs_of_another_community_are_an_error(duet: Path, tmp_path: Path) -> None:
    file = tmp_path / "inputs.jsonl"
    file.write_text(dump_input(Input(5, Phase.INPUT, "duo", "GO", "true")) + "\n")
    with pytest.raises(LaunchError, match=r"inputs.jsonl:1: .* the nearest is duet"):
        plan(duet, "--inputs", file)


def test_warp_comes_from_the_option_or_the_file(duet: Path) -> None:
    assert plan(duet).plan.warp == 50.0
    assert plan(duet, "--warp", "max").plan.warp == inf


def test_files_that_disagree_about_the_warp_need_the_option(duet: Path) -> None:
    other = duet.parent / "other.moos"
    other.write_text(duet.read_text().replace("= 50", "= 20"))
    with pytest.raises(LaunchError, match="MOOSTimeWarp: the mission files disagree"):
        plan(duet, f"{other}@two")
    assert plan(duet, f"{other}@two", "--warp", "5").plan.warp == 5.0


def test_the_epoch_is_fixed_unless_set_in_file_or_option(duet: Path, edit: Edit) -> None:
    assert plan(duet).plan.epoch == DEFAULT_EPOCH
    mission = edit("MOOSTimeWarp", "Epoch = 2026-01-02T00:00:00\nMOOSTimeWarp")
    assert plan(mission).plan.epoch == DEFAULT_EPOCH + 86400
    assert plan(mission, "--epoch", "2026-01-01T01:00:00Z").plan.epoch == DEFAULT_EPOCH + 3600
    assert plan(mission, "--epoch", "now").plan.epoch > DEFAULT_EPOCH
    with pytest.raises(LaunchError, match="--epoch later: expected now, or an ISO date"):
        plan(mission, "--epoch", "later")


def test_seed_and_epoch_reach_every_app(duet: Path) -> None:
    for planned in plan(duet, "--seed", "7").plan.apps:
        assert planned.app.setting.seed == 7
        assert planned.app.setting.epoch == DEFAULT_EPOCH
        assert planned.app.setting.launch_list == ("Walker", "pEcho")


def test_a_rebuilt_app_has_the_other_seed_and_the_same_lines(duet: Path) -> None:
    planned = plan(duet).plan.apps[0]
    fresh = planned.rebuild(9)
    assert fresh is not planned.app
    assert fresh.setting.seed == 9
    assert fresh.config.text("pace") == "2"


def test_observers_can_connect_except_to_one_process(duet: Path) -> None:
    assert plan(duet).plan.port == 9000
    assert plan(duet, "--placement", "one").plan.port is None
    assert plan(duet, "--placement", "one", "--attach").plan.port == 9000
    assert plan(duet, "--placement", "one", "--port", "auto").plan.port == 0
    assert plan(duet, "--placement", "community").plan.placement is Placement.COMMUNITY


def test_an_app_started_by_hand_needs_no_python_class(edit: Edit) -> None:
    mission = edit("pMarineViewer", "pMyOwn")
    names = {p.name: p.external for p in plan(mission, "--external", "pMyOwn").plan.apps}
    assert names == {"Walker": False, "pMyOwn": True, "pEcho": False}


def test_an_empty_launch_is_an_error(duet: Path) -> None:
    with pytest.raises(LaunchError, match="no app is left to start"):
        plan(duet, "--skip", "Walker", "--skip", "pEcho")


def test_runs_get_fresh_numbered_folders(duet: Path) -> None:
    options = parse_options([str(duet)])
    folders = [plan_launch(options).plan.run_folder for _ in range(2)]
    assert folders == [Path("logs/duet-001"), Path("logs/duet-002")]


def test_communities_of_one_run_have_neighbouring_logs(duet: Path) -> None:
    options = parse_options([f"{duet}@a", f"{duet}@b", "--log", "there"])
    launch = plan_launch(options)
    assert launch.log_folders == {"a": Path("there/a"), "b": Path("there/b")}
    assert launch.plan.apps[0].app.setting.log_folder == Path("there/a")


def test_a_log_folder_with_something_in_it_is_not_touched(duet: Path) -> None:
    before = sorted(duet.parent.iterdir())
    with pytest.raises(LaunchError, match="expected a new or empty folder"):
        plan_launch(parse_options([str(duet), "--log", str(duet.parent)]))
    assert sorted(duet.parent.iterdir()) == before


def test_a_summary_may_lie_in_the_log_folder_of_its_run(duet: Path) -> None:
    plan_launch(parse_options([str(duet), "--log", "new", "--json", "new/summary.json"]))


def test_nothing_is_left_after_an_error(edit: Edit) -> None:
    mission = edit("pace = 2", "pace = fast")
    with pytest.raises(LaunchError):
        plan_launch(parse_options([str(mission)]))
    assert not os.path.exists("logs/duet-001")


@pytest.mark.parametrize(
    ("starts", "doubtful"),
    [
        (("start_pos = 5,6,90", "start_x = 5\n  start_y = 6"), True),
        (("", "start_pos = 0,0,45"), True),
        (("start_pos = 5,6", "start_pos = 5,7"), False),
        (("start_pos = 5,6,0,0,3", "start_pos = 5,6"), False),
    ],
)
def test_vessels_that_start_at_one_point_are_a_warning(
    starts: tuple[str, str], doubtful: bool, tmp_path: Path
) -> None:
    files = vessels_of(tmp_path, starts)
    found = [one for one in plan(*files).warnings if "abe, ben start at one point" in one]
    assert len(found) == doubtful


@pytest.mark.slow
@pytest.mark.parametrize("height", [0.0, 1.0])
def test_a_vessel_on_calm_water_beside_one_among_waves_is_a_warning(
    height: float, tmp_path: Path
) -> None:
    waves = f"environment_key = waves.spectrum = regular\n  environment_key = waves.Hs = {height}"
    rough = f"start_pos = 5,6\n  {waves}\n  environment_key = waves.Tp = 6"
    files = vessels_of(tmp_path, (rough, "start_pos = 50,6"))
    found = [one for one in plan(*files).warnings if "ben floats on calm water" in one]
    assert len(found) == (height > 0.0)


def vessels_of(folder: Path, lines: tuple[str, str]) -> list[Path]:
    """Return the files of two communities with a simulator that has some lines."""
    files = []
    for name, start in zip(("abe", "ben"), lines, strict=True):
        files.append(folder / f"{name}.moos")
        files[-1].write_text(
            f"Community = {name}\nProcessConfig = ANTLER\n{{\n  Run = uSimMarineV22\n}}\n"
            f"ProcessConfig = uSimMarineV22\n{{\n  {start}\n}}\n"
        )
    return files


LISTING = """\
ProcessConfig = ANTLER
{{
  Run = uSimMarineV22
  {more}
}}
ProcessConfig = uSimMarineV22
{{
  AppTick = 4
  start_pos = x=3, y=4, speed=0, heading=90, depth=0
  drift_vector = 90,1
  {prefix}
}}
"""


@pytest.mark.parametrize("prefix", ["", "prefix = USM", "prefix = GT", "prefix = NAV"])
def test_a_vessel_of_any_prefix_is_in_the_summary(prefix: str, tmp_path: Path) -> None:
    mission = tmp_path / "a.moos"
    mission.write_text("Community = a\n" + LISTING.format(prefix=prefix, more="Run = MOOSDB"))
    words = [str(mission), "--no-log", "--placement", "one", "--warp", "max", "--for", "10"]
    launch = plan_launch(parse_options(words))
    outcome = run(launch.plan, lambda progress: None)
    found = figures(outcome, launch)["communities"]["a"]
    # carried east by 1 m/s since it was first moved, at its first tick
    assert found["x"] == pytest.approx(3.0 + 10.0, abs=0.3)
    assert (found["y"], found["heading"], found["depth"]) == (4.0, 90.0, 0.0)
    assert found["distance"] == pytest.approx(10.0, abs=0.6)
    assert "a: x 1" in text(figures(outcome, launch))


def test_the_status_line_has_the_position_under_another_prefix() -> None:
    values = {"USM_X": 1.25, "USM_Y": 2.0, "USM_SPEED": 3.0}
    line = community_line("a", Progress(1.0, 1.0), values)
    assert line.endswith("x 1.2 m, y 2.0 m  3.00 m/s")
    both = community_line("a", Progress(1.0, 1.0), {**values, "NAV_X": 9.0, "NAV_Y": 8.0})
    assert "x 9.0 m, y 8.0 m" in both
