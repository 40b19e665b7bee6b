"""``Mission``: stepping from a script, with the same results as ``launch.py``."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from math import inf, nan
from pathlib import Path
from typing import Any

import pytest

from steerageway.bus import ControlError, PostRefused, RegistrationRefused, ValueRefused
from steerageway.launcher import Case, LaunchError, Mission, MissionFailed
from steerageway.launcher.command import main
from steerageway.launcher.summary import log_sha256

Edit = Callable[[str, str], Path]


def test_a_step_runs_the_next_instant_at_which_something_happens(duet: Path) -> None:
    with Mission(duet) as mission:
        times = [mission.time for _ in range(3) if mission.step()]
        assert times == [0.0, 0.2, 0.45]
        mission.step(2)
        assert mission.time == 0.7


def test_it_runs_up_to_and_including_a_time(duet: Path) -> None:
    with Mission(duet) as mission:
        mission.post("GO", "true")
        assert mission.run_until(0.95)
        assert (mission.time, mission.get("NAV_X")) == (0.95, 6.0)
        mission.run_until(1.0)
        assert (mission.time, mission.get("NAV_X")) == (1.0, 6.0)


def test_it_runs_until_a_condition_holds_or_a_limit_comes(duet: Path) -> None:
    with Mission(duet, set={"GO": "true"}) as mission:
        assert not mission.run_until("NAV_X > 3", limit=0.7)
        assert mission.time <= 0.7
        assert mission.run_until("NAV_X > 3")
        assert mission.get("NAV_X") == 4.0


def test_a_limit_holds_for_a_time_too(duet: Path) -> None:
    with Mission(duet) as mission:
        assert not mission.run_until(5.0, limit=1.0)
        assert mission.time == 1.0
        assert mission.run_until(2.0, limit=2.0)


@pytest.mark.parametrize("time", [inf, nan])
def test_a_time_that_never_comes_is_refused_with_the_expected_form(duet: Path, time: float) -> None:
    with Mission(duet) as mission:
        with pytest.raises(ValueError, match=r"run_until \w+: expected a finite time .*\.step"):
            mission.run_until(time)
        assert not mission.run_until(inf, limit=1.0)
        assert mission.time == 1.0


def test_a_time_that_has_passed_is_refused(duet: Path) -> None:
    with Mission(duet) as mission:
        assert mission.run_until(2.0)
        assert mission.run_until(2.0)
        with pytest.raises(ValueError, match="run_until 1: expected a later time than 2 s"):
            mission.run_until(1.0)


def test_an_invalid_count_or_time_is_refused(duet: Path) -> None:
    with Mission(duet) as mission:
        for count in ("a", -1, 1.5, True, None):
            with pytest.raises(ValueError, match=r"step .*: expected a whole number of instants"):
                mission.step(count)  # type: ignore[arg-type]
        with pytest.raises(ValueError, match=r"run_until None: expected a time \[s\], or"):
            mission.run_until(None)  # type: ignore[arg-type]
        for until in (1.0, "ARRIVED = true"):
            for limit in ("late", nan):
                with pytest.raises(ValueError, match=r"run_until limit=.*: expected a time \[s\]"):
                    mission.run_until(until, limit)  # type: ignore[arg-type]
        assert mission.time == 0.0
        assert mission.step(0)


def test_an_invalid_name_is_refused(duet: Path) -> None:
    with Mission(duet) as mission:
        with pytest.raises(TypeError, match="get: name 3: expected a text"):
            mission.get(3)  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="post: name 3: expected a text"):
            mission.post(3, 1.0)  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="post: source 3: expected a text"):
            mission.post("GO", "true", source=3)  # type: ignore[arg-type]
    for value in (None, ["true"]):
        with pytest.raises(LaunchError, match=r"--set GO: .*: expected a number or a text"):
            Mission(duet, set={"GO": value})


def test_misspelt_posts_of_a_case_are_reported(duet: Path) -> None:
    with Mission(duet) as mission:
        with pytest.warns(UserWarning, match="reset ARIVED: no app .* is ARRIVED") as file:
            mission.reset(Case(first={"GO": "true", "NEW": 1}, then={"ARIVED": "true"}))
        assert [Path(one.filename) for one in file] == [Path(__file__)]
        with pytest.raises(KeyError, match="community 'dueet': the nearest is duet"):
            mission.reset(Case(community="dueet"))


def test_a_condition_may_be_about_one_community_or_all(duet: Path) -> None:
    with Mission(f"{duet}@one", f"{duet}@two") as pair:
        pair.post("GO", "true", community="two")
        assert not pair.run_until("one: NAV_X > 3", limit=2.0)
        assert not pair.run_until("*: NAV_X > 3", limit=3.0)
        assert pair.run_until("two: NAV_X > 3", limit=3.0)
        assert pair.run_until("NAV_X > 3", limit=3.0)
        pair.post("GO", "true", community="one")
        pair.post("GO", "false", community="two")
        assert pair.run_until("*:NAV_X > 3")
        with pytest.raises(LaunchError, match=r"run_until tow: NAV_X > 3: .*two"):
            pair.run_until("tow: NAV_X > 3")
    going = ["two:GO=true", "@1:one:GO=true"]
    with Mission(f"{duet}@one", f"{duet}@two", set=going) as pair:
        assert pair.run_until("*:NAV_X = 4", limit=5.0)
        assert pair.get("NAV_X", community="two") > 4.0


def test_a_variable_never_posted_has_the_default(duet: Path) -> None:
    with Mission(duet) as mission:
        assert mission.get("GO") is None
        assert mission.get("GO", "false") == "false"


def test_registered_mail_waits_to_be_fetched_case_after_case(duet: Path) -> None:
    with Mission(duet, set={"GO": "true"}) as mission:
        mission.register("NAV_*", interval=0.5)
        mission.run_until(1.2)
        mission.reset()
        mission.run_until(0.5)
        rows = [(m.name, m.time) for m in mission.fetch()]
        assert rows == [
            *[("NAV_X", 0.45), ("NAV_Y", 0.45), ("NAV_X", 0.95), ("NAV_Y", 0.95)],
            *[("NAV_X", 0.45), ("NAV_Y", 0.45)],
        ]
        assert mission.fetch() == []


def test_an_invalid_post_is_refused_with_the_reason(duet: Path) -> None:
    with Mission(duet, for_=5) as mission:
        mission.run_until(1.0)
        with pytest.raises(PostRefused, match="this variable is a number"):
            mission.post("NAV_X", "east")
        with pytest.raises(ValueRefused):
            mission.post("GO", float("nan"))
        with pytest.raises(PostRefused, match="'': a name is printable, without blanks"):
            mission.post("", "true")
        assert not mission.run_until(9.0)
        assert mission.over == "for"
        with pytest.raises(PostRefused, match="the run is over"):
            mission.post("GO", "true")


def test_an_invalid_registration_is_refused_and_not_kept(duet: Path) -> None:
    with Mission(duet) as mission:
        with pytest.raises(RegistrationRefused, match=r"register 1: .* seconds as interval=1$"):
            mission.register("NAV_X", 1)  # type: ignore[arg-type]
        with pytest.raises(RegistrationRefused, match="register NAV_Y: interval='1': expected"):
            mission.register("NAV_Y", interval="1")  # type: ignore[arg-type]
        mission.reset()
        mission.run_until(0.5)
        assert {message.name for message in mission.fetch()} == {"NAV_X"}


def test_a_closed_mission_is_read_only(duet: Path) -> None:
    with Mission(duet) as mission:
        mission.register("NAV_X")
        mission.run_until(1.0)
    for act in (
        mission.step,
        mission.reset,
        lambda: mission.register("NAV_Y"),
        lambda: mission.run_until(2.0),
        lambda: mission.run_until("NAV_X = 0"),
    ):
        with pytest.raises(ControlError, match="the mission is closed"):
            act()
    assert (mission.time, mission.over, mission.get("NAV_X")) == (1.0, "stopped", 0.0)
    assert len(mission.fetch()) > 0
    assert mission.close()["exit_reason"] == "stopped"


def test_invalid_files_and_options_are_reported_at_once(edit: Edit) -> None:
    mission = edit("pace = 2", "pace = -2")
    with pytest.raises(LaunchError, match=r"duet\.moos:16: pace = -2: expected a number above 0"):
        Mission(mission)
    with pytest.raises(LaunchError, match="--sed: unknown key; did you mean --seed"):
        Mission(mission, sed=3)
    with pytest.raises(LaunchError, match='--set GO: True: expected "true", a text'):
        Mission(mission, set={"GO": True})
    with pytest.raises(LaunchError, match="warp: not for a mission that is stepped"):
        Mission(mission, warp=3)


def test_suspicious_lines_of_the_files_are_reported(edit: Edit) -> None:
    with Mission(edit("pace = 2", "pcae = 2")) as mission:
        assert len(mission.warnings) == 1
        assert "pcae = 2: unknown key; did you mean pace" in mission.warnings[0]


def test_a_name_that_seems_to_be_misspelt_is_reported_once(duet: Path) -> None:
    with Mission(duet) as mission:
        with pytest.warns(
            UserWarning, match="post ARIVED: no app .* the nearest is ARRIVED"
        ) as file:
            mission.post("ARIVED", "true")
        mission.post("ARIVED", "false")
        assert [warning.filename for warning in file] == [__file__]
        with pytest.warns(UserWarning, match="get ECCHO: no app .* the nearest is ECHO"):
            mission.get("ECCHO")
        with pytest.warns(UserWarning, match=r"register NAV_XX: no app .* the nearest is NAV_X"):
            mission.register("NAV_XX", "NAV_Y", "NAV_*")
        with pytest.warns(UserWarning, match="run_until ARRIVD: .* the nearest is ARRIVED") as file:
            mission.run_until("ARRIVD = true", limit=0.1)
        assert [warning.filename for warning in file] == [__file__]
        mission.run_until(1.0)
        mission.post("NEVER", "heard by Echo")
        mission.post("OWN_WORD", "like no other")
        assert mission.get("GO") is None  # heard by Walker


def test_nothing_is_written_unless_a_log_is_requested(duet: Path) -> None:
    for options in ({}, {"log": None}):
        with Mission(duet, **options) as mission:
            mission.post("GO", "true")
            mission.run_until(1.0)
    assert list(Path().iterdir()) == []


def test_a_failed_app_is_an_error_of_the_script(edit: Edit) -> None:
    with Mission(edit("Run = pMarineViewer", "Run = duet:Breaker")) as mission:
        with pytest.raises(MissionFailed, match="out of steam") as failed:
            mission.run_until(5.0)
        assert [failure.name for failure in failed.value.failures] == ["Breaker"]
        assert mission.over == "app_failed"
        message = str(failed.value)
        assert re.match(r"Breaker failed at \d+\.\d{3} s: RuntimeError: out of steam", message)
        assert "Traceback" in message
        mission.reset()
        with pytest.raises(MissionFailed, match="out of steam"):
            mission.run_until("NAV_X > 99", limit=5.0)


def test_several_communities_are_named(duet: Path) -> None:
    with Mission(f"{duet}@one", f"{duet}@two") as pair:
        assert pair.communities == ("one", "two")
        pair.post("GO", "true", community="two")
        pair.run_until(2.0)
        found = [pair.get("NAV_X", community=name) for name in pair.communities]
        assert found[0] == 0.0 < found[1]
        with pytest.raises(KeyError, match="name one"):
            pair.get("NAV_X")


def test_the_posts_of_a_case_go_to_the_first_community_by_default(duet: Path) -> None:
    with Mission(f"{duet}@one", f"{duet}@two") as pair:
        for community, expected in (("", "one"), ("two", "two")):
            pair.reset(Case(first={"GO": "true"}, community=community))
            pair.run_until(2.0)
            moved = [name for name in pair.communities if pair.get("NAV_X", community=name)]
            assert moved == [expected]


@pytest.mark.parametrize("when", ["first", "then"])
def test_a_post_of_a_case_may_name_its_community(duet: Path, when: str) -> None:
    with Mission(f"{duet}@one", f"{duet}@two") as pair:
        posts: dict[str, Any] = {when: {"two:GO": "true"}}
        pair.reset(Case(**posts))
        pair.run_until(2.0)
        assert pair.get("NAV_X", community="one") == 0.0
        assert pair.get("NAV_X", community="two") > 0.0
        with pytest.raises(KeyError, match="'twoo': the nearest is two"):
            pair.reset(Case(**{when: {"twoo:GO": "true"}}))


def test_the_log_equals_that_of_launch(edit: Edit) -> None:
    edit("  Run = MOOSDB\n", "  Run = MOOSDB\n  Run = pLogger\n")
    logging = "ProcessConfig = pLogger\n{\n  WildCardLogging = true\n}\n\nProcessConfig = Walker"
    mission = edit("ProcessConfig = Walker", logging)
    command = [str(mission), "--placement", "one", "--warp", "max", "--log", "launched"]
    assert main([*command, "--set", "GO=true", "--until", "ARRIVED = true", "--json", "it"]) == 0
    summary = json.loads(Path("it").read_text())
    digest = summary["communities"]["duet"]["log_sha256"]

    with Mission(mission, log="stepped", set={"GO": "true"}, until="ARRIVED = true") as by_step:
        while by_step.step():
            pass
    assert log_sha256(Path("stepped")) == digest
    assert by_step.close()["communities"]["duet"]["log_sha256"] == digest

    with Mission(mission, log="waited", set={"GO": "true"}) as by_condition:
        by_condition.run_until("ARRIVED = true")
    assert log_sha256(Path("waited")) == digest


def test_posts_are_kept_and_replay_to_the_same_log(edit: Edit) -> None:
    mission = edit("  Run = MOOSDB\n", "  Run = MOOSDB\n  Run = pLogger\n")
    with Mission(mission, log="posted") as posted:
        posted.run_until(1.0)
        posted.post("GO", "true")
        posted.run_until(3.0)
    with Mission(mission, log="replayed", inputs="posted/inputs.jsonl") as replayed:
        replayed.run_until(3.0)
    assert log_sha256(Path("posted")) == log_sha256(Path("replayed"))


def test_a_case_after_others_is_the_mission_alone(duet: Path) -> None:
    case = Case(seed=4, first={"GO": "true"}, then={"NEVER": 1.0})

    def seen(mission: Mission) -> list[object]:
        mission.fetch()
        mission.run_until(2.0)
        return [tuple(message) for message in mission.fetch()]

    with Mission(duet) as fresh:
        fresh.register("*")
        fresh.reset(case)
        alone = seen(fresh)
    with Mission(duet) as used:
        used.register("*")
        used.post("GO", "true")
        used.run_until(1.7)
        for seed in range(5):
            used.reset(seed)
            used.run_until(0.3 * seed)
        used.reset(case)
        assert used.time == 0.0
        assert seen(used) == alone
    assert len(alone) > 20


@pytest.mark.parametrize("seed", [3.0, "3", True, Case(seed=3.5)])  # type: ignore[arg-type]
def test_a_seed_that_is_no_integer_is_refused(duet: Path, seed: Any) -> None:
    with Mission(duet) as mission:
        mission.run_until(1.0)
        with pytest.raises(ValueError, match=r"reset: seed .*: expected an integer, or a Case"):
            mission.reset(seed)
        assert mission.time == 1.0


def test_posts_right_after_a_reset_happen_as_in_a_fresh_mission(edit: Edit) -> None:
    mission = edit("  Run = MOOSDB\n", "  Run = MOOSDB\n  Run = pLogger\n")

    def seen(run: Mission) -> list[object]:
        run.post("GO", "true")
        run.step(3)
        times: list[object] = [run.time]
        run.run_until(1.9)
        return [*times, *(tuple(m) for m in run.fetch() if m.source != "pLogger")]

    with Mission(mission, log="fresh", seed=4) as fresh:
        fresh.register("*")
        alone = seen(fresh)
    with Mission(mission, log="used") as used:
        used.register("*")
        for before in (1.7, 0.0):  # the second time the logger has not been where it starts
            used.run_until(before)
            used.reset(4)
            used.fetch()
        assert seen(used) == alone


@pytest.mark.parametrize("options", [{"for_": 2.0}, {"until": "NAV_X > 5"}])
def test_a_reset_after_the_end_has_all_the_time_again(
    duet: Path, options: dict[str, object]
) -> None:
    with Mission(duet, set={"GO": "true"}, **options) as mission:
        assert not mission.run_until(9.0)
        ended = (mission.over, mission.time)
        for seed in range(2):
            mission.reset(seed)
            assert mission.over == ""
            assert mission.run_until(0.5)
            assert not mission.run_until(9.0)
            assert (mission.over, mission.time) == ended


def test_a_reset_in_the_middle_has_all_the_time_again(duet: Path) -> None:
    with Mission(duet, for_=2.0) as mission:
        mission.run_until(1.6)
        mission.reset()
        assert mission.run_until(1.6)


def test_a_reset_brings_back_an_app_that_failed(edit: Edit) -> None:
    with Mission(edit("Run = pMarineViewer", "Run = duet:Breaker"), restarts=1) as mission:
        for seed in range(3):
            with pytest.raises(MissionFailed) as failed:
                mission.run_until(9.0)
            assert len(failed.value.failures) == 2
            assert mission.over == "app_failed"
            mission.reset(seed)


BREAKING_RECORDER = '''

class Keeper(Breaker):
    """Outlives cases, and fails."""

    observes_case_reset = True


class Cycler(App):
    """Asks for a case a second after each begins."""

    observes_case_reset = True
    publishes = ("CASE_RESET",)

    def iterate(self):
        if self.iteration % 4 == 0:
            self.post("CASE_RESET", '{"number": 7, "seed": 0, "first": {}, "then": {}}')


class Walker(Cycler):
    """Goes one metre in each iteration."""

    publishes = ("CASE_RESET", "NAV_X", "NAV_Y")

    def iterate(self):
        self.post("NAV_X", float(self.iteration))
        self.post("NAV_Y", 0.0)
        super().iterate()
'''


def test_no_case_begins_without_the_app_that_should_outlive_it(edit: Edit) -> None:
    mission_file = edit("Run = pMarineViewer", "Run = duet:Keeper")
    with (mission_file.parent / "duet.py").open("a") as apps:
        apps.write(BREAKING_RECORDER)
    with Mission(mission_file) as mission:
        with pytest.raises(MissionFailed):
            mission.run_until(5.0)
        with pytest.raises(ControlError, match="Keeper, which outlives cases, has failed"):
            mission.reset()


def test_a_picture_shows_the_present_case_only_also_after_a_reset_by_an_app(edit: Edit) -> None:
    mission_file = edit("Run = pMarineViewer", "Run = duet:Walker")
    with (mission_file.parent / "duet.py").open("a") as apps:
        apps.write(BREAKING_RECORDER)
    with Mission(mission_file) as mission:
        mission.register("NAV_X", "NAV_Y")
        while mission.step() and mission.get("NAV_X", 0.0) != 6.0:
            pass
        [track, *_] = mission.show().figure.axes[0].lines
        assert track.get_xdata().tolist() == [5.0, 6.0]
        assert [one.value for one in mission.fetch() if one.name == "NAV_X"] == [1, 2, 3, 4, 5, 6]


def test_a_time_is_not_reached_by_another_case(edit: Edit) -> None:
    mission_file = edit("Run = pMarineViewer", "Run = duet:Cycler")
    with (mission_file.parent / "duet.py").open("a") as apps:
        apps.write(BREAKING_RECORDER)
    with Mission(mission_file) as mission:
        assert mission.run_until(0.5)
        assert not mission.run_until(5.0)
        assert mission.time == 0.0


@pytest.mark.process
def test_launch_starts_without_modules_that_only_scripts_need() -> None:
    program = (
        "import sys\nimport steerageway.launcher.command\n"
        "late = ('launcher.mission', 'bus.lockstep.kernel')\n"
        "names = {'zmq', *(f'steerageway.{name}' for name in late)}\n"
        "print(sorted(names & set(sys.modules)))\n"
        "from steerageway.launcher import *\n"
        "print(Case.__name__, LaunchError.__name__, Mission.__name__, MissionFailed.__name__)\n"
        'print(hasattr(sys.modules["steerageway.launcher"], "Misson"))'
    )
    command = [sys.executable, "-c", program]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    assert result.stdout == "[]\nCase LaunchError Mission MissionFailed\nFalse\n"


@pytest.mark.slow
def test_results_are_arrays_and_a_table_and_a_picture_takes_nothing_away(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with Mission("alpha", seed=1) as mission:
        mission.register("NAV_X", "NAV_Y", "VIEW_SEGLIST", "MODE")
        with pytest.raises(LaunchError, match=r'show: no track; expected register\("NAV_\*"'):
            mission.show()
        assert mission.run_until(20.0, progress=True)
        assert mission.run_until("NAV_X > 10", limit=100, progress=True)
        assert capsys.readouterr().err == ""  # a pipe shows no bar
        picture = mission.show()
        posts = mission.fetch()
        assert mission.fetch() == []
        assert len(mission.show().figure.axes[0].lines) == len(picture.figure.axes[0].lines)
        mission.reset()
        with pytest.raises(LaunchError, match="show: no track"):
            mission.show()
    rows = [(one.time, one.value) for one in posts if one.name == "NAV_X"]
    times, values = posts.arrays()["NAV_X"]
    assert list(zip(times.tolist(), values.tolist(), strict=True)) == rows
    frame = posts.frame()
    assert frame["NAV_X"].dropna().to_dict() == dict(rows)
    assert set(frame.columns) == {one.name for one in posts}
    track = next(one for one in picture.figure.axes[0].lines if len(one.get_xdata()) > 20)
    assert list(track.get_xdata()) == list(dict(rows).values())


@pytest.mark.slow
def test_a_progress_bar_changes_no_step() -> None:
    with Mission("alpha", seed=1) as one, Mission("alpha", seed=1) as two:
        for mission, progress in ((one, True), (two, False)):
            mission.register("*")
            assert mission.run_until(12.3, progress=progress)
            assert mission.time == 12.3
        assert one.fetch() == two.fetch()
