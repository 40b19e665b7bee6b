"""``uSweep``, in runs with an app that it resets for every case."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from math import inf
from pathlib import Path

import pytest

from steerageway.apps.experiments.sweep.app import Sweep
from steerageway.apps.experiments.sweep.reading import read_sweep
from steerageway.bus import (
    CASE_RESET,
    App,
    AppPlan,
    Config,
    ConfigError,
    Message,
    Outcome,
    Placement,
    RunPlan,
    Setting,
    nanoseconds,
    run,
    tick_period,
)

CASES = """
state: {x: [10, 20], heading: 90}
posts: {GO: ["true", "false"]}
until: FAR = true
limit: 3
record: [PLACE, max PLACE, count PLACE, DRAWN]
"""


class Runner(App):
    """Moves away from its start once allowed; posts its random number."""

    publishes = ("PLACE", "FAR", "DRAWN")

    def on_start(self) -> None:
        self.register("USM_RESET", "GO")
        self.place, self.going = 0.0, False
        self.post("DRAWN", self.random().random())

    def on_mail(self, mail: Sequence[Message]) -> None:
        for message in mail:
            if message.name == "GO":
                self.going = message.value == "true"
            else:
                self.place = float(str(message.value).split(",")[0][2:])

    def iterate(self) -> None:
        self.place += self.going
        self.post("PLACE", self.place)
        if self.place >= 25:
            self.post("FAR", "true")


def plan_of(kind: type[App], name: str, start: float, tick: str, setting: Setting) -> AppPlan:
    """Plan an app."""

    def build(seed: int) -> App:
        app = kind(setting if seed == setting.seed else Setting(name, seed=seed, community="abe"))
        app.configure()
        return app

    return AppPlan(build(setting.seed), build, nanoseconds(start), tick_period(tick))


def swept(
    folder: Path, text: str, *, seed: int = 0, logs: str = "logs", **more: str
) -> tuple[Outcome, list[dict[str, str]]]:
    """Run a sweep of these cases; return the outcome, and the table."""
    (folder / "cases.yml").write_text(text)
    (folder / logs).mkdir(exist_ok=True)
    lines = [(key, value, "abe.moos:1") for key, value in {"cases": "cases.yml", **more}.items()]
    names = ("Runner", "uSweep")
    sweep = Setting(
        "uSweep",
        community="abe",
        config=Config(lines),
        folder=folder,
        log_folder=folder / logs,
        launch_list=names,
        seed=seed,
    )
    apps = (
        plan_of(Runner, "Runner", 0.1, "4", Setting("Runner", community="abe")),
        plan_of(Sweep, "uSweep", 0.2, "2", sweep),
    )
    plan = RunPlan(("abe",), apps, inf, Placement.ONE, stop_at=nanoseconds(100), seed=seed)
    outcome = run(plan, lambda progress: None)
    with (folder / logs / more.get("table", "sweep.csv")).open() as file:
        return outcome, list(csv.DictReader(file))


def test_every_case_has_a_row(tmp_path: Path) -> None:
    outcome, rows = swept(tmp_path, CASES)
    assert outcome.failures == []
    assert outcome.values["abe"]["SWEEP"] == "complete"
    values = [(row["case"], row["x"], row["heading"], row["GO"]) for row in rows]
    assert values == [
        *[("1", "10", "90", "true"), ("2", "10", "90", "false")],
        *[("3", "20", "90", "true"), ("4", "20", "90", "false")],
    ]
    ended = [(row["end"], row["seconds"], row["PLACE"]) for row in rows]
    assert ended[1] == ("limit", "3.0", "10.0")
    assert ended[3] == ("limit", "3.0", "20.0")
    assert ended[0] == ("limit", "3.0", "19.0")  # from 0.85 s on, four times a second
    assert ended[2] == ("until", "1.85", "25.0")
    assert [row["max PLACE"] for row in rows] == [row["PLACE"] for row in rows]
    assert rows[1]["count PLACE"] == "11.0"


def test_the_posts_of_a_case_wait_for_every_app_but_its_state_does_not(tmp_path: Path) -> None:
    _, rows = swept(tmp_path, CASES.replace("limit: 3", "limit: 0.9"))
    assert [row["PLACE"] for row in rows] == ["11.0", "10.0", "21.0", "20.0"]


def test_each_case_draws_by_its_own_seed(tmp_path: Path) -> None:
    _, rows = swept(tmp_path, CASES, seed=7)
    assert [row["seed"] for row in rows] == ["7", "8", "9", "10"]
    assert len({row["DRAWN"] for row in rows}) == 4
    _, other = swept(tmp_path, CASES, seed=8, logs="more")
    assert [row["DRAWN"] for row in other[:3]] == [row["DRAWN"] for row in rows[1:]]


def test_a_case_alone_has_the_row_it_has_after_others(tmp_path: Path) -> None:
    _, rows = swept(tmp_path, CASES)
    _, some = swept(tmp_path, CASES, logs="some", only="4, 2:3, 1")
    assert some == [rows[3], *rows[1:3], rows[0]]
    _, everyone = swept(tmp_path, CASES, logs="everyone", only="ALL")
    assert everyone == rows


def test_a_case_in_which_nothing_is_received_ends_in_time(tmp_path: Path) -> None:
    _, rows = swept(tmp_path, 'posts: {GO: ["true", "false"]}\nlimit: 3')
    assert [(row["case"], row["end"], row["seconds"]) for row in rows] == [
        *[("1", "limit", "3.0"), ("2", "limit", "3.0")],
    ]


def test_an_existing_table_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "old.csv").write_text("case\n")
    outcome, rows = swept(tmp_path, CASES, table="old.csv")
    (failure,) = outcome.failures
    assert failure.reason == f"{tmp_path}/logs/old.csv: File exists"
    assert rows == []


def test_the_table_has_the_name_it_is_given(tmp_path: Path) -> None:
    _, rows = swept(tmp_path, CASES, table="runs.csv")
    assert len(rows) == 4
    assert (tmp_path / "logs" / "runs.csv").read_bytes().count(b"\r") == 0


def test_reset_vessel_leaves_the_others_as_they_are(tmp_path: Path) -> None:
    text = CASES.replace("{x: [10, 20], heading: 90}", "{x: [10, 23, 24]}") + "reset: vessel"
    outcome, rows = swept(tmp_path, text.replace('["true", "false"]', '"true"'))
    assert outcome.simulated_seconds == 100.0
    assert CASE_RESET not in outcome.values["abe"]
    assert [row["x"] for row in rows] == ["10", "23", "24"]
    assert [row["end"] for row in rows] == ["limit", "until", "until"]
    assert [float(row["seconds"]) for row in rows] == pytest.approx([3.0, 0.65, 0.4], abs=0.26)
    assert {row["DRAWN"] for row in rows} == {""}  # posted once, before the first case


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("limit: 0", r"cases\.yml:1: limit = 0: expected a number above 0"),
        ("state: {x: 1}", r"cases\.yml: limit is missing"),
        ("limit: 1\nstate: {X: 1}", r"cases\.yml:2: state\.X: X: expected one of x, y"),
        ("limit: 1\nstate: {x: east}", r"cases\.yml:2: state\.x: east: expected a number"),
        ("limit: 1\nuntil: FAR >", r"cases\.yml:2: until: FAR >: expected a condition; column"),
        (
            "limit: 1\nuntil: A_DELTA > 3",
            r"cases\.yml:2: until: .*: expected a condition without _DELTA",
        ),
        ("limit: 1\nrecord: [median A]", r"cases\.yml:2: record: median A: expected a variable"),
        ("limit: 1\nrecord: [A, B, A]", r"cases\.yml:2: record: A: expected each once"),
        ("limit: 1\nposts: {A: 1}\nrecord: [A]", r"yml:3: record: A: expected last A, as the tab"),
        ("limit: 1\nposts: {seed: 1}", r"cases\.yml:2: posts\.seed: seed: expected another"),
        ("limit: 1\nposts: {'': 1}", r"cases\.yml:2: posts\.: '': expected a variable's name"),
        ("limit: 1\nreset: all", r"cases\.yml:2: reset = all: expected one of case, vessel"),
        ("limit: 1\nlimits: 2", r"cases\.yml:2: limits: unknown key; did you mean limit\?"),
        ("limit: [", r"cases\.yml:\d: not YAML"),
    ],
)
def test_an_invalid_file_is_reported_with_line_and_key(
    tmp_path: Path, text: str, expected: str
) -> None:
    with pytest.raises(ConfigError, match=rf"abe\.moos:1: cases = cases\.yml: .*{expected}"):
        swept(tmp_path, text)


@pytest.mark.parametrize("only", ["0", "5", "3:2", "x", "1;2"])
def test_missing_cases_are_reported(tmp_path: Path, only: str) -> None:
    with pytest.raises(ConfigError, match=f"only = {only}: expected numbers of cases, 1 to 4"):
        swept(tmp_path, CASES, only=only)


def test_the_file_shown_in_the_docs_is_valid(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "sweeps.md").read_text()
    path = tmp_path / "cases.yml"
    path.write_text(page.split("```yaml\n")[1].split("```")[0].replace("latin_hypercube", "random"))
    plan = read_sweep(path, 0)
    assert len(plan.trials) == 1000
    assert plan.columns == (
        *("case", "seed", "x", "y", "heading", "WIND_CONDITIONS", "end", "seconds"),
        *("NAV_X", "NAV_Y", "max NAV_SPEED"),
    )


def test_a_missing_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"abe\.moos:1: cases = none\.yml: cannot be read"):
        swept(tmp_path, CASES, cases="none.yml")


def test_without_cases_it_is_complete_at_once(drive) -> None:
    driven = drive(Sweep)
    assert driven.app.config_warnings == ["there are no cases: nothing is swept"]
    assert driven.tick(0.5) == {"SWEEP": "complete"}


def test_a_run_without_a_log_has_no_table_and_reports_it(tmp_path: Path, drive) -> None:
    (tmp_path / "cases.yml").write_text(CASES)
    driven = drive(Sweep, "cases = cases.yml", folder=tmp_path)
    assert list(driven.app.run_warnings) == ["nothing may be logged: there is no table"]
    assert list(driven.tick(0.5)) == [CASE_RESET]


def test_its_report_shows_the_progress_and_the_running_case(tmp_path: Path, drive) -> None:
    (tmp_path / "cases.yml").write_text(CASES)
    driven = drive(Sweep, "cases = cases.yml", folder=tmp_path)
    assert list(driven.app.report()) == ["cases: 0 done, 4 to come"]
    driven.tick(0.5)
    driven.app.on_case(1, 0)
    goes_on = "case 1: {'x': '10', 'heading': '90', 'GO': 'true'}"
    assert list(driven.app.report()) == ["cases: 0 done, 3 to come", goes_on]
    driven.tick(9.0)
    driven.app.on_case(2, 1)
    assert next(iter(driven.app.report())) == "cases: 1 done, 2 to come"


def test_a_case_reset_by_another_client_is_restarted(tmp_path: Path, drive) -> None:
    (tmp_path / "cases.yml").write_text(CASES)
    driven = drive(Sweep, "cases = cases.yml", folder=tmp_path)
    posted = driven.tick(0.5)
    driven.app.on_case(1, 0)
    assert driven.tick(1.0) == {}
    driven.app.on_case(99, 0)
    assert driven.tick(1.5) == posted
