"""Sweeps over missions: the table, failures, resuming, clusters."""

from __future__ import annotations

import csv
import fcntl
import json
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from html import unescape
from io import StringIO
from os import kill
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from pyarrow.parquet import read_table
from scipy.stats import circmean, spearmanr

from steerageway.bus import sleep, wall
from steerageway.launcher.command import main
from steerageway.launcher.sweep.command import SweepStatus, progress_text
from steerageway.launcher.sweep.junit import write_junit
from steerageway.launcher.sweep.page import worst_cases
from steerageway.launcher.sweep.report import rank_correlation, summary, text
from steerageway.launcher.sweep.table import Table
from tests.launcher.clusters import DaskProcesses

Edit = Callable[[str, str], Path]
ROOT = Path(__file__).parents[2]
FILE = """
fixed: {--for: 6}
vary:
  --config Walker.pace: [1, 2, 4]
  --set GO: ["true", "false"]
record: [max NAV_X, ECHO, count NAV_X]
"""
LONG = """
fixed: {--for: 300, --set: GO=true}
vary: {--config Walker.pace: {from: 1, to: 9, steps: 24}}
"""
forks = pytest.mark.process


@pytest.fixture
def sweep(duet: Path) -> Callable[..., int]:
    """Return ``sweep(text, *options)``: sweeps in this process; gives the exit code."""

    def run(text: str, *options: str, jobs: str = "2") -> int:
        file = duet.parent / "sweep.yml"
        file.write_text(text)
        return main([str(duet), "--sweep", str(file), "--jobs", jobs, *options])

    return run


def table(folder: str | Path) -> list[dict[str, str]]:
    """Read a sweep's table."""
    with (Path(folder) / "results.csv").open() as file:
        return list(csv.DictReader(file))


@forks
def test_every_case_has_a_row_with_its_parameters_and_results(
    sweep: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    assert sweep(FILE, "--results", "out", "--no-log", "--seed", "5", "--json", "told.json") == 0
    rows = table("out")
    assert [(r["case"], r["Walker.pace"], r["GO"], r["seed"]) for r in rows] == [
        *[("1", "1", "true", "5"), ("2", "1", "false", "6"), ("3", "2", "true", "7")],
        *[("4", "2", "false", "8"), ("5", "4", "true", "9"), ("6", "4", "false", "10")],
    ]
    assert [float(row["max NAV_X"]) for row in rows] == [21.0, 0.0, 42.0, 0.0, 84.0, 0.0]
    assert {row["count NAV_X"] for row in rows} == {"23.0"}
    assert {(row["exit_code"], row["exit_reason"], row["seconds"]) for row in rows} == {
        ("0", "for", "6.0")
    }
    assert [row["x"] for row in rows] == [row["max NAV_X"] for row in rows]
    columns = read_table("out/results.parquet").to_pydict()
    assert columns["Walker.pace"] == [1.0, 1.0, 2.0, 2.0, 4.0, 4.0]
    assert columns["GO"] == [row["GO"] for row in rows]
    assert columns["max NAV_X"] == [float(row["max NAV_X"]) for row in rows]
    assert list(columns) == list(rows[0])
    record = json.loads(Path("told.json").read_text())
    assert (record["cases"], record["failed"], record["jobs"]) == (6, [], 2)
    assert record["outcomes"]["x"]["max"] == 84.0
    output = capsys.readouterr().out
    assert "6 cases: 6 passed, 0 failed: 6 for (6 s)" in output
    assert "correlates with Walker.pace" in output
    kept = sorted(path.name for path in Path("out").iterdir())
    assert [name for name in kept if name.endswith(".png")] == [
        *("outcome_ECHO.png", "outcome_distance.png", "outcome_max_NAV_X.png", "outcome_x.png")
    ]
    assert (Path("out") / "outcome_x.png").read_bytes().startswith(b"\x89PNG")
    assert list((Path("out") / "runs").iterdir()) == []


@forks
def test_suspicious_settings_are_reported_once_and_variables_never_posted_at_the_end(
    sweep: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    text = FILE.replace("Walker.pace", "Walker.pce").replace("max NAV_X", "max NAVX")
    assert sweep(text, "--results", "out", "--no-log", "--allow-unknown") == 0
    captured = capsys.readouterr()
    assert captured.err.count("unknown key") == 1
    assert "did you mean pace?" in captured.err
    assert "max NAVX: no value in any case" in captured.out
    assert "max NAVX: no value" in (Path("out") / "summary.txt").read_text()


@forks
def test_a_measure_of_several_communities_covers_all_posts(
    duet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = duet.parent / "sweep.yml"
    file.write_text(FILE.replace("ECHO", "NOWHERE"))
    arguments = [f"{duet}@one", f"{duet}@two", "--sweep", str(file), "--results", "out"]
    assert main([*arguments, "--no-log", "--jobs", "2", "--allow-unknown"]) == 0
    output = capsys.readouterr().out
    assert output.count("no value in any case") == 1
    assert "NOWHERE: no value in any case" in output


@forks
def test_the_number_and_order_of_workers_change_nothing(sweep: Callable[..., int]) -> None:
    assert sweep(FILE, "--results", "five", "--no-log", jobs="5") == 0
    assert sweep(FILE, "--no-log", jobs="1") == 0
    usual = Path("logs") / "duet-sweep"
    assert (usual / "results.csv").read_bytes() == Path("five/results.csv").read_bytes()


@forks
def test_a_case_alone_gives_its_row(
    sweep: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    sweep(FILE, "--results", "out", "--no-log")
    capsys.readouterr()
    options = ("--case", "5", "--placement", "one", "--warp", "max", "--no-log")
    assert sweep(FILE, *options, jobs="1") == 0
    captured = capsys.readouterr()
    fields = dict(line.split(" = ") for line in captured.out.split("\n\n")[-1].splitlines())
    row = table("out")[4]
    assert {key: value for key, value in fields.items() if value not in ("", "None")} == {
        key: value for key, value in row.items() if value
    }
    assert "case 5: --for=6 --config=Walker.pace=4 --set=GO=true --seed=4" in captured.err
    assert sweep(FILE, "--case", "7", jobs="1") == 2
    assert "--case 7: expected a number from 1 to 6" in capsys.readouterr().err


@forks
def test_the_command_line_overrides_the_file(sweep: Callable[..., int]) -> None:
    assert sweep(FILE, "--results", "out", "--no-log", "--for", "3") == 0
    assert {row["seconds"] for row in table("out")} == {"3.0"}


@forks
def test_each_case_is_logged_unless_configured_otherwise(
    edit: Edit, sweep: Callable[..., int]
) -> None:
    edit("  Run = MOOSDB\n", "  Run = MOOSDB\n  Run = pLogger\n")
    assert sweep(FILE, "--results", "out") == 0
    assert len(list(Path("out/runs").glob("0000?/*/*.alog"))) == 6


@forks
def test_failed_cases_keep_their_logs(
    edit: Edit, sweep: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    edit("  Run = MOOSDB\n", "  Run = MOOSDB\n  Run = pLogger\n")
    mission = edit("Run = pMarineViewer", "Run = duet:Breaker")
    program = mission.parent / "duet.py"
    program.write_text(
        program.read_text()
        .replace("== 3:", "== self.config.number('at', default=3):")
        .replace("raise RuntimeError", "print('knocking'); raise RuntimeError")
    )
    text = "fixed: {--for: 6}\nvary: {--config Breaker.at: [3, 99, 5]}\n"
    assert sweep(text, "--results", "out", "--no-log") == 1
    rows = table("out")
    assert [row["exit_code"] for row in rows] == ["1", "0", "1"]
    assert "Breaker at 1.200 s: RuntimeError: out of steam" in rows[0]["failure"]
    output = capsys.readouterr().out
    assert "case 3 failed: Breaker at 1.600 s" in output
    assert "the same command and --case 1\n" in output
    printed = Path("out/runs/00001.txt").read_text()
    assert printed.startswith("knocking\nTraceback ")
    assert printed.endswith("\nRuntimeError: out of steam\n")
    kept = sorted(path.name for path in Path("out/runs").iterdir())
    assert kept == ["00001", "00001.txt", "00003", "00003.txt"]
    assert len(list(Path("out/runs").glob("*/*/*.alog"))) == 2


@forks
def test_the_row_of_a_case_contains_the_condition_it_failed_by(
    sweep: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    text = "fixed: {--for: 6, --fail-if: NAV_X > 20}\nvary: {--config Walker.pace: [1, 2, 0.1]}\n"
    assert sweep(text, "--results", "out", "--no-log", "--set", "GO=true") == 1
    assert [(row["exit_code"], row["exit_reason"], row["failure"]) for row in table("out")] == [
        *[("4", "fail_if", "--fail-if NAV_X > 20")] * 2,
        ("0", "for", ""),
    ]
    suite = ElementTree.parse("out/junit.xml").getroot()
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("3", "2", "0")
    assert [case.get("name") for case in suite] == ["case 1", "case 2", "case 3"]
    paces = [(one.get("name"), one.get("value")) for one in suite.iter("property")]
    assert paces == [("Walker.pace", "1"), ("Walker.pace", "2"), ("Walker.pace", "0.1")]
    for failure, number in zip(suite.iter("failure"), (1, 2), strict=True):
        again = re.search(
            r"alone and with logs: steerageway run (.*)\nlogs: runs/(.*)", failure.text or ""
        )
        assert again
        assert again[2] == f"0000{number}"
        assert not Path(f"out/runs/0000{number}.txt").exists(), "it has said nothing"
        alone = ("--log", f"alone{number}", "--placement", "one")
        assert main([*shlex.split(again[1]), *alone]) == 4
    # GO is posted at 0.85 s; from 0.95 s on there are 21 ticks of 0.25 s and 1 m, or 11 of 2 m.
    reached = ["NAV_X = 21 at 5.95 s", "NAV_X = 22 at 3.45 s"]
    found = [failure.get("message") for failure in suite.iter("failure")]
    assert found == [f"--fail-if NAV_X > 20: {values}" for values in reached]
    said = capsys.readouterr().out
    assert "case 1, 2 failed: --fail-if NAV_X > 20\n" in said
    assert "3 cases: 1 passed, 2 failed: 2 fail_if (NAV_X > 20), 1 for (6 s)\n" in said
    page = Path("out/report.html").read_text()
    assert "Outcomes of 3 cases: 1 passed, 2 failed" in page
    assert "NAV_X &gt; 20</td>" in page


@forks
def test_the_report_shows_the_worst_cases_with_tracks_and_commands_that_repeat_them(
    edit: Edit, sweep: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    edit("  Run = MOOSDB\n", "  Run = MOOSDB\n  Run = pLogger\n")
    text = (
        "fixed: {--for: 6, --fail-if: NAV_X > 15}\n"
        "vary: {--config Walker.pace: [0.5, 1, 2, 0.1], --set WORD: ['<img src=x>']}\n"
    )
    with_out = ("--results", "out", "--no-log", "--set", "GO=true")
    assert sweep(text, *with_out) == 1
    kept = [path.name for path in Path("out/runs").iterdir() if path.is_dir()]
    assert sorted(kept) == ["00002", "00003"], "only cases that failed"
    capsys.readouterr()
    assert sweep(text, *with_out, "--worst", "3") == 1
    said = capsys.readouterr().out
    html = Path("out/report.html").read_text()
    assert "<img src=x>" not in html
    commands = re.findall(r"<pre>(.*)\n(.*)</pre>", html)
    assert [one.rpartition(" ")[2] for one, _ in commands] == ["3", "2", "1"]  # soonest, longest
    assert re.findall(r"^case (\d):", said, re.MULTILINE) == ["3", "2", "1"]
    assert html.count("<polyline") == 3
    for (again, view), row in zip(commands, (2, 1, 0), strict=True):
        assert f"  {unescape(again)}\n  {view}\n" in said
        assert Path(view.removeprefix("steerageway view ")).is_dir()
        assert main(shlex.split(unescape(again).removeprefix("steerageway run "))) in (0, 4)
        alone = capsys.readouterr().out
        assert f"x = {table('out')[row]['x']}\n" in alone


@forks
def test_a_list_of_conditions_holds_for_every_case(sweep: Callable[..., int]) -> None:
    text = (
        "fixed: {--for: 6, --fail-if: ['NAV_X > 1000', 'NAV_X > 20']}\n"
        "vary: {--config Walker.pace: [2, 0.1]}\n"
    )
    assert sweep(text, "--results", "out", "--no-log", "--set", "GO=true") == 1
    failures = [row["failure"] for row in table("out")]
    assert failures == ["--fail-if NAV_X > 20", ""]


@forks
def test_a_sweep_of_cases_that_deadlock_ends_as_such_a_run_does(
    sweep: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    text = "fixed: {--for: 6, --until: ARRIVED = true}\nvary: {--set GO: ['true', 'false']}\n"
    assert sweep(text, "--results", "out", "--no-log", "--json", "told.json") == 3
    assert [row["exit_code"] for row in table("out")] == ["0", "3"]
    assert "1 ended before --until held or --for was over: case 2\n" in capsys.readouterr().out
    record = json.loads(Path("told.json").read_text())
    assert (record["failed"], record["too_soon"]) == ([], [2])


@forks
def test_a_case_that_the_wall_limit_cuts_short_ended_too_soon(
    sweep: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    text = "fixed: {--for: 999999, --wall-limit: 0.05}\nvary: {--set GO: ['true']}\n"
    assert sweep(text, "--results", "out", "--no-log") == 3
    (row,) = table("out")
    assert (row["exit_code"], row["exit_reason"]) == ("3", "wall_limit")
    assert "1 ended before --until held or --for was over: case 1\n" in capsys.readouterr().out


@forks
def test_a_warning_of_a_run_is_in_its_row_and_the_first_in_the_summary(
    duet: Path, sweep: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    program = duet.parent / "duet.py"
    walks = "self.x += self.pace * self.going"
    warns = f"{walks}\n        if self.x > 10:\n            self.run_warning('far away')"
    program.write_text(program.read_text().replace(walks, warns))
    text = "fixed: {--for: 6}\nvary: {--set GO: ['false', 'true']}\n"
    assert sweep(text, "--results", "out", "--no-log") == 0
    assert [row["run_warning"] for row in table("out")] == ["", "Walker: far away"]
    assert "1 with run warnings: case 2: Walker: far away\n" in capsys.readouterr().out


@forks
def test_a_case_that_kills_its_process_or_has_an_invalid_value_is_a_row_too(
    edit: Edit, sweep: Callable[..., int]
) -> None:
    mission = edit("Run = pMarineViewer", "Run = duet:Breaker")
    program = mission.parent / "duet.py"
    killing = "import os; os.kill(os.getpid(), 9)"
    program.write_text(program.read_text().replace('raise RuntimeError("out of steam")', killing))
    text = "fixed: {--for: 6}\nvary: {--config Walker.pace: [1, -1]}\n"
    assert sweep(text, "--results", "out", "--no-log") == 1
    died, wrong = table("out")
    assert (died["exit_code"], died["exit_reason"]) == ("1", "died")
    assert died["failure"] == "its process was ended by SIGKILL"
    assert (wrong["exit_code"], wrong["exit_reason"]) == ("2", "wrong")
    assert "--config Walker.pace: pace = -1: expected a number above 0" in wrong["failure"]


@forks
def test_a_case_that_had_no_time_left_is_tried_again(sweep: Callable[..., int]) -> None:
    text = "fixed: {--for: 900000, --wall-limit: 0.1}\nvary: {--config Walker.pace: [1, 2]}\n"
    for lines in (2, 4):
        assert sweep(text, "--results", "out", "--no-log") == 3
        assert {row["exit_reason"] for row in table("out")} == {"wall_limit"}
        assert Path("out/rows.jsonl").read_bytes().count(b"\n") == lines


@forks
def test_cases_that_failed_for_a_reason_outside_the_runs_are_repeated(
    edit: Edit, sweep: Callable[..., int]
) -> None:
    mission = edit("Run = pMarineViewer", "Run = duet:Breaker")
    program, problem = mission.parent / "duet.py", mission.parent / "trouble"
    fails = 'raise RuntimeError("out of steam")'
    asks = f"self.trouble('{problem}')"
    program.write_text(
        program.read_text().replace(fails, asks)
        + "    def trouble(self, file):\n"
        + "        import os\n"
        + "        from steerageway.bus import CannotGoOn\n"
        + "        pace = self.config.number('pace', default=0)\n"
        + "        if pace == 3: raise RuntimeError('its own fault')\n"
        + "        if os.path.exists(file) and pace == 1: raise CannotGoOn('disk full')\n"
        + "        if os.path.exists(file) and pace == 2: os.kill(os.getpid(), 9)\n"
    )
    problem.touch()
    text = "fixed: {--for: 6}\nvary: {--config Breaker.pace: [1, 2, 3, 4]}\n"
    assert sweep(text, "--results", "out", "--no-log") == 1
    assert [row["exit_code"] for row in table("out")] == ["1", "1", "1", "0"]
    assert table("out")[0]["failure"].endswith(": disk full")
    problem.unlink()
    assert sweep(text, "--results", "out", "--no-log") == 1
    assert [row["exit_code"] for row in table("out")] == ["0", "0", "1", "0"]
    assert Path("out/rows.jsonl").read_bytes().count(b"\n") == 4 + 2
    assert sweep(text, "--results", "other", "--no-log") == 1
    assert Path("out/results.csv").read_bytes() == Path("other/results.csv").read_bytes()


@contextmanager
def sweeping(mission: Path, *options: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run a long sweep in a separate process."""
    file = mission.parent / "sweep.yml"
    file.write_text(LONG)
    command = [sys.executable, str(ROOT / "launch.py"), str(mission), "--sweep", str(file)]
    command += ["--no-log", *options]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as running:
        yield running


def lines(folder: Path) -> int:
    """Return how many rows have come so far."""
    path = folder / "rows.jsonl"
    return path.read_bytes().count(b"\n") if path.exists() else 0


def children_of(pid: int) -> list[int]:
    """Return the processes that a process has forked."""
    text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return [int(word) for word in text.split()]


def alive(pid: int) -> bool:
    """Whether a process runs."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@forks
def test_a_sweep_whose_processes_are_killed_leaves_the_undisturbed_table(duet: Path) -> None:
    rng, folder = Random(4), Path("killed")
    for kills_all in (True, False, True):
        with sweeping(duet, "--results", str(folder)) as running:
            enough = lines(folder) + rng.randint(1, 5)
            while lines(folder) < enough:
                assert running.poll() is None
                sleep(0.002)
            children = children_of(running.pid)
            if not kills_all and children:
                kill(rng.choice(children), signal.SIGKILL)
                sleep(0.1 * rng.random())
            running.kill()
        deadline = wall() + 30
        while any(map(alive, children)):
            assert wall() < deadline, "a child outlived the sweep"
            sleep(0.01)
        with (folder / "rows.jsonl").open("a") as journal:
            journal.write('{"case": 3, "exit')
        assert lines(folder) < 24
    file = str(duet.parent / "sweep.yml")
    for results in (str(folder), "quiet"):
        assert main([str(duet), "--sweep", file, "--no-log", "--results", results]) == 0
    for name in ("results.csv", "summary.txt"):
        assert (folder / name).read_bytes() == (Path("quiet") / name).read_bytes()


@forks
def test_ctrl_c_ends_a_sweep_that_can_be_resumed(duet: Path) -> None:
    folder = Path("out")
    with sweeping(duet, "--results", "out") as running:
        while lines(folder) < 3:
            assert running.poll() is None
            sleep(0.005)
        children = children_of(running.pid)
        running.send_signal(signal.SIGINT)
        assert running.wait() == 130
    assert not any(map(alive, children))
    done = lines(folder)
    assert 3 <= done < 24
    file = str(duet.parent / "sweep.yml")
    assert main([str(duet), "--sweep", file, "--no-log", "--results", "out"]) == 0
    assert lines(folder) == 24
    assert len(table(folder)) == 24


@forks
def test_a_folder_resumes_its_own_sweep_only(
    sweep: Callable[..., int], edit: Edit, capsys: pytest.CaptureFixture[str]
) -> None:
    assert sweep(FILE, "--results", "out", "--no-log") == 0
    before = Path("out/rows.jsonl").read_bytes()
    assert sweep(FILE, "--results", "out", "--no-log", jobs="1") == 0
    assert Path("out/rows.jsonl").read_bytes() == before
    assert sweep(FILE, "--results", "out", "--no-log", "--config", "Walker.AppTick=2") == 2
    refused = capsys.readouterr().err
    assert "contains another sweep: --config: was absent, is Walker.AppTick=2;" in refused
    assert "expected a new folder, as --results out-2, or this one deleted" in refused
    changed = FILE.replace("[1, 2, 4]", "[1, 2, 5]").replace("ECHO, ", "")
    assert sweep(changed, "--results", "out", "--no-log") == 2
    refused = capsys.readouterr().err
    record = "record: was max NAV_X, ECHO, count NAV_X, is max NAV_X, count NAV_X"
    assert f"another sweep: {record}; values of Walker.pace changed;" in refused
    edit("pace = 2", "pace = 3")
    assert sweep(FILE, "--results", "out", "--no-log") == 2
    assert "another sweep: file ../duet/duet.moos changed;" in capsys.readouterr().err


@forks
def test_a_folder_is_refused_once_any_file_that_runs_read_has_changed(
    duet: Path, edit: Edit, capsys: pytest.CaptureFixture[str]
) -> None:
    apart = duet.parent.parent / "apart"
    shutil.copytree(ROOT / "inputs" / "otter", apart / "boat")
    edit("  AppTick = 4\n", "#include more.txt\n")
    edit("Run = pMarineViewer", "Run = uSimMarineV22")
    block = f"ProcessConfig = uSimMarineV22\n{{\n  model = fossen\n  vessel = {apart}/boat\n}}\n"
    duet.write_text(duet.read_text() + block)
    (apart / "more.txt").write_text("AppTick = 4\n")
    for name in ("drift.csv", "still.csv"):
        (apart / name).write_text("x,y,east,north\n0,0,0,0\n9,0,0,0\n0,9,0,0\n9,9,0,0\n")
    fields = f"[{apart}/drift.csv, {apart}/still.csv]"
    file = duet.parent / "sweep.yml"
    file.write_text(f"vary: {{--config uSimMarineV22.current_field: {fields}}}")
    command = [str(duet), "--sweep", str(file), "--path", str(apart), "--for", "1", "--no-log"]
    command += ["--results", "out"]
    assert main(command) == 0
    for part in ("boat/inertia.yml", "more.txt", "drift.csv", "still.csv"):
        before = (apart / part).read_text()
        (apart / part).write_text(before + "\n")
        assert main(command) == 2
        assert f"/{part} changed;" in capsys.readouterr().err
        (apart / part).write_text(before)
    (duet.parent / "notes.txt").write_text("nobody reads it")
    assert main(command) == 0


@pytest.mark.parametrize("name", ["rows.jsonl", "results.csv", "runs/00001/notes.txt", "a.moos"])
def test_a_folder_with_other_content_is_unchanged(
    name: str, sweep: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    file = Path("full") / name
    file.parent.mkdir(parents=True)
    file.write_text("mine\n")
    assert sweep(FILE, "--results", "full", "--no-log") == 2
    top = file.relative_to("full").parts[0]
    expected = f"--results full: expected a new or empty folder; {top} is there"
    assert expected in capsys.readouterr().err
    assert [path for path in Path("full").rglob("*") if path.is_file()] == [file]
    assert file.read_text() == "mine\n"


@forks
def test_a_sweep_that_was_ended_before_its_first_case_resumes(sweep: Callable[..., int]) -> None:
    Path("out/runs").mkdir(parents=True)
    for name in ("rows.jsonl", ".sweep.json.1.2.part", ".gitignore"):
        Path("out", name).write_text("")
    assert sweep(FILE, "--results", "out", "--no-log") == 0


def test_two_sweeps_do_not_share_a_folder(
    sweep: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    Path("out").mkdir()
    with (Path("out") / "rows.jsonl").open("a") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        assert sweep(FILE, "--results", "out", "--no-log") == 2
    assert "--results out: in use by another sweep" in capsys.readouterr().err


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start a Dask scheduler and two workers; return the scheduler's address."""
    with DaskProcesses(tmp_path_factory.mktemp("cluster")) as started:
        yield started.address


@forks
def test_a_cluster_gives_the_same_table(
    cluster: str,
    sweep: Callable[..., int],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert sweep(FILE, "--results", "here", "--no-log") == 0
    options = ("--scheduler", cluster, "--json", "told.json")
    assert sweep(FILE, "--results", "there", "--no-log", *options, jobs="1") == 0
    assert Path("here/results.csv").read_bytes() == Path("there/results.csv").read_bytes()
    assert json.loads(Path("told.json").read_text())["jobs"] == 2
    monkeypatch.setattr("steerageway.launcher.cluster.scheduler.TIMEOUT", 0.3)
    assert sweep(FILE, "--results", "nowhere", "--scheduler", "tcp://127.0.0.1:9") == 2
    assert "--scheduler tcp://127.0.0.1:9: " in capsys.readouterr().err


@forks
def test_each_community_has_its_columns(duet: Path) -> None:
    file = duet.parent / "sweep.yml"
    file.write_text("vary: {--set one:GO: ['true', 'false']}\nrecord: [count NAV_X]")
    missions = [f"{duet}@one", f"{duet}@two", "--for", "4"]
    assert main([*missions, "--sweep", str(file), "--no-log", "--results", "out"]) == 0
    rows = table("out")
    assert [(row["one:x"], row["two:x"]) for row in rows] == [("26.0", "0.0"), ("0.0", "0.0")]
    assert {(row["one:count NAV_X"], row["two:count NAV_X"]) for row in rows} == {("15.0", "15.0")}
    assert "one:depth" not in rows[0]


def test_check_lists_the_cases_and_starts_none(
    sweep: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    assert sweep(FILE, "--check") == 0
    output = capsys.readouterr().out.splitlines()
    assert output[2] == "case 3: --for=6 --config=Walker.pace=2 --set=GO=true --seed=2"
    assert len(output) == 6
    assert not Path("logs").exists()


def test_the_file_shown_in_the_docs_is_valid(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (ROOT / "docs" / "sweeps.md").read_text()
    file = tmp_path / "sweep.yml"
    file.write_text(page.split("```yaml\n")[2].split("```")[0].replace("sobol", "random"))
    assert main([str(ROOT / "missions" / "alpha"), "--sweep", str(file), "--check"]) == 0
    output = capsys.readouterr().out.splitlines()
    assert len(output) == 200
    fixed = "case 1: '--until=MISSION = complete' --for=450 --config=uSimMarineV22.turn_rate="
    assert output[0].startswith(fixed)
    assert " --set=@30:SLOW=" in output[0]


@pytest.mark.slow
def test_figures_of_a_vessels_files_vary_by_the_key_that_the_page_shows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (ROOT / "docs" / "sweeps.md").read_text()
    (mass,) = re.findall(r"`(--config \S+vessel_override=.*?)`", page)
    drag = "--config uSimMarineV22.vessel_override=hydrodynamics.X_u: [-77, -70]"
    file = tmp_path / "sweep.yml"
    sweep = [str(ROOT / "missions" / "otter_survey"), "--sweep", str(file), "--check"]
    file.write_text(f"design: random\ncases: 3\nvary:\n  {mass}\n  {drag}\n")
    assert main(sweep) == 0
    first = capsys.readouterr().out.splitlines()[0]
    assert re.search(
        r" --config=\S+_override=inertia\.mass=5\d\.\d+ --config=\S+X_u=-7[07] ", first
    )
    file.write_text(f"vary:\n  {mass.partition('{')[0]} [-3]\n")
    assert main(sweep) == 2
    assert re.search(r"sweep\.yml:2: .*mass = -3", capsys.readouterr().err)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "vary: {--confg A.b: [1]}",
            r"sweep\.yml:1: vary\.--confg A\.b: 1: .*; did you mean --config",
        ),
        ("fixed: {--untill: A = 1}", "--untill: unknown key; did you mean --until"),
        ("vary: {for: [1]}", "expected an option of steerageway run that may differ .*; --for?"),
        ("desing: random\ncases: 3", r"sweep\.yml:1: desing: unknown key; did you mean design"),
        ("vary: {--for: {form: 1, to: 2}}", r"--for\.form: unknown key; did you mean from"),
        ("vary: {--for: [1, x]}", r"sweep\.yml:1: vary\.--for: x: .*x: expected a number"),
        ("vary: {--log: [a]}", r"sweep\.yml:1: vary\.--log: --log: expected an option of steer"),
        ("vary: {pace: [a]}", r"sweep\.yml:1: vary\.pace: pace: expected an option of steer"),
        ("fixed: {--for: [1, 2]}", r"sweep\.yml:1: fixed\.--for: several values: expected one"),
        (
            "vary: {--config Walker.pace: 1, --define Walker.pace: 2}",
            r"sweep\.yml:1: .*another: the table has a column of this name already",
        ),
        (
            "seed: 3\nvary:\n  --config Wlker.pace: 1",
            r"^\S*sweep\.yml:3: --config Wlker\.pace=1: expected an app, the nearest",
        ),
        ("record: [median X]", r"sweep\.yml:1: record: median X: expected a variable"),
        ("runs: 3", r"sweep\.yml:1: runs: unknown key"),
    ],
)
def test_an_invalid_file_is_reported_before_anything_runs(
    sweep: Callable[..., int], capsys: pytest.CaptureFixture[str], text: str, expected: str
) -> None:
    assert sweep(text, "--no-log") == 2
    errors = capsys.readouterr().err
    assert re.search(expected, errors), errors
    assert not Path("logs").exists()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("record: [max NAV_XX, NAV_Y]", "record: no app .* posts NAV_XX; the nearest is NAV_X"),
        ("fixed: {--fail-if: NAVX > 3}", "--fail-if: no app .* posts NAVX; the nearest is NAV_X"),
        ("fixed: {--until: NAVX > 3}", "--until: no app .* posts NAVX; the nearest is NAV_X"),
        (
            "vary: {--config pLogger.AsynLog: [1, 2]}",
            r"pLogger: --config pLogger\.AsynLog: AsynLog = 1: unknown key; did you mean AsyncLog",
        ),
    ],
)
def test_a_name_that_nobody_knows_is_refused_before_the_first_case(
    sweep: Callable[..., int],
    edit: Edit,
    capsys: pytest.CaptureFixture[str],
    text: str,
    expected: str,
) -> None:
    edit("  Run = MOOSDB\n", "  Run = MOOSDB\n  Run = pLogger\n")
    assert sweep(text, "--for", "1", "--no-log") == 2
    (error,) = capsys.readouterr().err.splitlines()
    assert re.search(rf"sweep\.yml:1: {expected}", error), error
    assert not Path("logs").exists()


@forks
def test_a_sweep_whose_names_are_in_doubt_ends_as_an_error_unless_they_are_accepted(
    sweep: Callable[..., int], edit: Edit, capsys: pytest.CaptureFixture[str]
) -> None:
    """Breaker may post anything: a name like that of another app is in doubt."""
    edit("Run = pMarineViewer", "Run = duet:Breaker ~ Calm")
    text = "fixed: {--for: 0.5, --fail-if: NAVX > 3}\nrecord: [NAV_X]"
    assert sweep(text, "--no-log", "--results", "out") == 2
    assert "error: names of its options are in doubt" in capsys.readouterr().err
    assert table("out")[0]["exit_reason"] == "for"
    assert sweep(text, "--no-log", "--results", "out", "--allow-unknown") == 0


def test_suspicious_parameters_are_reported_with_their_line(
    sweep: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    vary = "vary:\n  --config Walker.pase: {from: 1, to: 2, steps: 2}\n  --set @1:NAV_YY: [1, 2]\n"
    assert sweep(f"fixed: {{--for: 1}}\n{vary}", "--no-log", "--check") == 0
    (key, variable) = capsys.readouterr().err.splitlines()
    assert re.search(r"sweep\.yml:3: Walker: --config .*; did you mean pace\?$", key)
    assert re.search(
        r"sweep\.yml:4: --set NAV_YY: no app posts .*; the nearest is NAV_Y$", variable
    )


def test_a_post_after_the_end_of_a_case_is_reported_with_its_line(
    sweep: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    assert sweep("vary:\n  --set @9:GO: [1, 2]\nfixed: {--for: 5}", "--no-log", "--check") == 0
    (error,) = capsys.readouterr().err.splitlines()
    assert re.search(r"sweep\.yml:2: --set GO: never posted at 9 s, as --for 5 ends", error)


def test_an_invalid_case_is_reported_beforehand(
    sweep: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    vary = "vary: {--config Walker.pace: [1, 2, fast]}"
    assert sweep(f"fixed: {{--for: 1}}\n{vary}", "--no-log", "--check") == 0
    (error,) = capsys.readouterr().err.splitlines()
    assert error.startswith("warning: ")
    assert re.search(
        r"sweep\.yml:2: case 3: --config Walker\.pace: .*expected a number above 0$", error
    )


def test_a_word_among_many_numbers_is_tried_too(
    sweep: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    vary = "vary: {--config Walker.pace: [1, 2, 3, 4, 5, 6, 7, fast, 8, 9]}"
    assert sweep(f"fixed: {{--for: 1}}\n{vary}", "--no-log", "--check") == 0
    (error,) = capsys.readouterr().err.splitlines()
    assert re.search(r"case 8: --config Walker\.pace: .*expected a number above 0$", error)


@pytest.mark.parametrize("values", ["[4, 2, -5]", "[9, -1, -5, 3, 4, 5, 6, 7, 8, 1e1]"])
def test_an_invalid_number_of_a_key_is_reported_beforehand(
    sweep: Callable[..., int], capsys: pytest.CaptureFixture[str], values: str
) -> None:
    vary = f"vary: {{--config Walker.AppTick: {values}}}"
    assert sweep(f"fixed: {{--for: 1}}\n{vary}", "--no-log", "--check") == 0
    (error,) = capsys.readouterr().err.splitlines()
    assert re.search(r"sweep\.yml:2: case 3: --config Walker\.AppTick: .*-5", error), error


def test_options_that_make_no_sense_together_are_refused(
    duet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for options, message in (
        (["--jobs", "2"], "--jobs: expected together with --sweep"),
        (["--sweep", "s.yml", "--attach"], "--attach: not with --sweep"),
        (["--sweep", "s.yml", "--find-failure", "9", "--worst", "2"], "expected one of them"),
        (["--sweep", "s.yml", "--log", "x"], "--log: not with --sweep"),
        (["--sweep", "s.yml", "--jobs", "0"], "--jobs: 0: expected a whole number at least 1"),
        (["--case", "0"], "--case: 0: expected a whole number at least 1"),
    ):
        with pytest.raises(SystemExit):
            main([str(duet), *options])
        assert message in capsys.readouterr().err
    assert main([str(duet), "--sweep", "none.yml"]) == 2
    assert "--sweep none.yml: No such file" in capsys.readouterr().err


def test_progress_shows_the_rate_and_the_remaining_time() -> None:
    assert progress_text(0, 8, 0, 0.0) == f"[{'-' * 20}]   0 %, 0 of 8 cases".replace("%,", "% ")
    progress = progress_text(2, 8, 1, 6 / 3723.4)
    assert progress.endswith("25 %  2 of 8 cases, 1 failed, 0.00161 a second, 1:02:03 left")


class Terminal(StringIO):
    """A stream that reports being a terminal."""

    def isatty(self) -> bool:
        return True


def test_on_a_terminal_one_line_is_rewritten_and_taken_off(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("steerageway.launcher.sweep.command.EVERY", 0.0)
    stream = Terminal()
    status = SweepStatus(stream, 4, 0)
    status.show(1, 0)
    status.show(2, 1)
    status.clear()
    *_, first, second, last = stream.getvalue().split("\r\033[2K")
    assert "1 of 4 cases" in first
    assert re.search(r"2 of 4 cases, 1 failed, \S+ a second, 0:00:0", second)
    assert last == ""
    kept = StringIO()
    SweepStatus(kept, 4, 0).show(1, 0)
    assert kept.getvalue() == ""


@pytest.mark.parametrize(("stream", "every"), [(Terminal(), 0.5), (StringIO(), 20.0)])
def test_progress_is_reported_periodically_at_the_present_pace(
    stream: StringIO, every: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    monkeypatch.setattr("steerageway.launcher.sweep.command.wall", lambda: now[0])
    status = SweepStatus(stream, 10, 4)  # four were done before, however long that took
    for step, done in enumerate((4, 5, 5, 6, 6), 1):
        now[0] = 100.0 + step * every / 2
        status.show(done, 0)
    first, second = [text for text in stream.getvalue().splitlines() if "cases" in text]
    assert first.endswith(
        f"5 of 10 cases, {1 / every:g} a second, 0:{'00:02' if every < 1 else '01:40'} left"
    )
    assert second.endswith(
        f"6 of 10 cases, {1 / every:g} a second, 0:{'00:02' if every < 1 else '01:20'} left"
    )
    assert stream.getvalue().endswith("left" if stream.isatty() else "left\n")
    assert status.elapsed == 2.5 * every


def test_a_junit_report_distinguishes_failures_and_errors(tmp_path: Path) -> None:
    rows = [
        {"case": 1, "exit_code": 0, "exit_reason": "until", "seconds": 12.5, "failure": ""},
        {"case": 2, "exit_code": 1, "exit_reason": "app_failed", "failure": "A: \x1b[1m<oops>"},
        {"case": 3, "exit_code": 3, "exit_reason": "for", "seconds": 60.0, "failure": ""},
        {"case": 4, "exit_code": 2, "exit_reason": "wrong", "failure": "pace = x"},
        {"case": 5, "exit_code": 3, "exit_reason": "wall_limit", "seconds": 9.0, "failure": ""},
    ]
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "00002.txt").write_text("a traceback\n")
    rows[2]["values"] = "NAV_X > 9: NAV_X = 3 at 60 s"
    again = "steerageway run duet --case {}".format
    gains = [row | {"gain": 2} for row in rows]
    write_junit(tmp_path / "junit.xml", "duet-sweep", gains, ["gain"], again)
    suite = ElementTree.parse(tmp_path / "junit.xml").getroot()
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("5", "2", "2")
    found = [(case.get("name"), case.get("time"), [p.tag for p in case[1:]]) for case in suite]
    assert found == [
        ("case 1", "12.5", []),
        ("case 2", "0.0", ["error"]),
        ("case 3", "60.0", ["failure"]),
        ("case 4", "0.0", ["error"]),
        ("case 5", "9.0", ["failure"]),
    ]
    assert [problem.get("message") for case in suite for problem in case[1:]] == [
        "A: \N{REPLACEMENT CHARACTER}[1m<oops>",
        *(
            "--until never held: NAV_X > 9: NAV_X = 3 at 60 s",
            "pace = x",
            "--wall-limit came first",
        ),
    ]
    texts = [problem.text or "" for case in suite for problem in case[1:]]
    assert ["runs/" in text for text in texts] == [True, False, False, False]
    assert texts[0].endswith("runs/00002.txt:\na traceback")


@pytest.mark.parametrize(
    ("by", "worst"), [("max X", [2, 4, 1]), ("min X", [1, 4, 2]), ("", [3, 1, 2])]
)
def test_the_worst_cases_are_ranked_by_an_outcome_or_by_how_they_ended(
    by: str, worst: list[int]
) -> None:
    """Of two communities the worse counts; a case without the outcome comes last."""
    values = {1: (3.0, 1.0), 2: (9.0, 9.0), 3: (None, None), 4: (8.0, 2.0)}
    rows = [
        {"case": n, "exit_code": 4 * (n == 3), "seconds": 9.0 - n, f"a:{by}": one, f"b:{by}": two}
        for n, (one, two) in values.items()
    ]
    assert [row["case"] for row in worst_cases(rows, 3, by)] == worst


def test_cases_that_fail_alike_are_reported_together() -> None:
    whys = {number: "too dark" if number % 2 else f"{number} is even" for number in range(1, 41)}
    rows = {
        number: {"case": number, "exit_code": 1, "exit_reason": "app_failed", "failure": why}
        for number, why in whys.items()
    }
    values = list(text(summary(rows, Table(rows.values(), []), []), rows, {}))
    odd = "1, 3, 5, 7, 9, 11, 13, 15, 17, 19"
    assert f"case {odd} and 10 more failed: too dark" in values
    assert "case 2 failed: 2 is even" in values
    assert "and 11 more failed" in values


def summary_of(cases: int, **columns: Callable[[int], Any]) -> tuple[dict[str, Any], list[str]]:
    """Return the summary of runs and its lines; a column's function returns the value of a case."""
    usual = {"pace": str, "seed": int, "exit_code": lambda n: 0, "exit_reason": lambda n: "for"}
    usual |= {"run_warning": lambda n: "", "failure": lambda n: ""}
    rows = {
        n: {"case": n, **{name: of(n) for name, of in (usual | columns).items()}}
        for n in range(1, cases + 1)
    }
    values = summary(rows, Table(rows.values(), ["pace"]), ["pace"])
    return values, list(text(values, rows, {"for": "6 s"}))


def test_the_summary_contains_the_spread_and_correlations_of_varying_columns() -> None:
    summary, lines = summary_of(6, x=lambda n: 49.0 - n * n, y=lambda n: 2.0, name="ben{}".format)
    assert list(summary["outcomes"]) == ["x"]
    of = summary["outcomes"]["x"]
    assert of.pop("rank_correlation") == {"pace": pytest.approx(-1.0)}
    assert of == pytest.approx({"min": 13, "median": 36.5, "mean": 49 - 91 / 6, "max": 48})
    assert lines[0] == "6 cases: 6 passed, 0 failed: 6 for (6 s)"
    assert " ".join(lines[1].split()) == "x 13 to 48, median 36.5 correlates with pace (-1.00)"
    assert len(lines) == 2
    assert list(summary_of(6, x=lambda n: n % 2.0)[0]["outcomes"]) == ["x"]
    fewer, lines = summary_of(5, x=lambda n: float(n) if n > 1 else None)
    assert fewer["outcomes"]["x"]["min"] == 2.0
    assert lines[1].endswith("median         3.5")


@pytest.mark.parametrize("name", ["heading", "ben:heading", "NAV_HEADING", "mean NAV_HEADING"])
def test_headings_are_summarised_on_the_circle(name: str) -> None:
    headings = [359.5, 0.25, 0.5, 358.0, 0.75, 1.0]
    summary, lines = summary_of(6, **{name: lambda n: headings[n - 1]})
    of = summary["outcomes"][name]
    assert of["mean"] == pytest.approx(circmean(headings, high=360), abs=1e-9)
    assert (of["min"], of["max"]) == pytest.approx((358.0, 1.0))
    assert of["median"] == pytest.approx(0.375)
    assert of["rank_correlation"]["pace"] == pytest.approx(
        spearmanr(range(6), [-0.5, 0.25, 0.5, -2.0, 0.75, 1.0]).statistic
    )
    assert " ".join(lines[1].split()).startswith(f"{name} 358 to 1, median 0.375")


@pytest.mark.parametrize(
    "factor",
    ["--config uSimMarine.start_heading", "--set @0:DESIRED_HEADING", "--vary a.direction_from"],
)
def test_a_factor_of_angles_has_its_effect_across_north(factor: str) -> None:
    """Headings around north, and an outcome that grows by each degree to starboard."""
    turns = np.random.default_rng(3).permutation(np.arange(-100, 100) / 2.0).tolist()
    rows = {
        n: {"case": n, "exit_code": 0, "exit_reason": "for", factor: f"{turn % 360.0}", "y": turn}
        | {"heading": (2.0 * turn + 5.0) % 360.0}  # over more than half a circle
        for n, turn in enumerate(turns, 1)
    }
    values = summary(rows, Table(rows.values(), [factor]), [factor])
    assert values["outcomes"]["y"]["rank_correlation"][factor] == pytest.approx(1.0)
    assert values["outcomes"]["heading"]["rank_correlation"][factor] == pytest.approx(1.0)
    assert values["main_effects"]["y"][factor] > 0.98


def test_headings_all_around_have_no_rank_but_a_main_effect() -> None:
    """The outcome is the factor's heading and a quarter of a turn of noise of no mean.

    The share of the variance of unit vectors that eight arcs explain is 1 - (1 - s² c²) in which
    s = sin(a)/a with a = 22.5 degrees and c = cos 45 degrees: 0.475.
    """
    headings, name = [0.25 * k for k in range(1440)], "--config uSimMarine.start_heading"
    rows = {
        n: {"case": n, "exit_code": 0, "exit_reason": "for", name: f"{angle}"}
        | {"heading": (angle + (45.0 if n % 2 else -45.0)) % 360.0}
        for n, angle in enumerate(headings, 1)
    }
    values = summary(rows, Table(rows.values(), [name]), [name])
    assert values["outcomes"]["heading"]["rank_correlation"][name] is None
    assert values["main_effects"]["heading"][name] == pytest.approx(0.475, abs=0.004)


@pytest.mark.parametrize("name", ["std NAV_HEADING", "count NAV_HEADING", "x"])
def test_deviations_and_counts_of_headings_are_no_headings(name: str) -> None:
    numbers = [1.0, 359.0, 10.0]
    of = summary_of(3, **{name: lambda n: numbers[n - 1]})[0]["outcomes"][name]
    assert (of["min"], of["median"], of["max"]) == (1.0, 10.0, 359.0)


def test_headings_that_cancel_out_have_no_mean() -> None:
    of = summary_of(2, heading=lambda n: 90.0 * n * n)[0]["outcomes"]["heading"]
    assert of["mean"] is not None  # 90 and 360
    of = summary_of(2, heading=lambda n: 180.0 * n - 90.0)[0]["outcomes"]["heading"]
    assert of["mean"] is None
    json.dumps(of, allow_nan=False)


def test_the_summary_lists_ten_cases_or_reasons_and_counts_the_others() -> None:
    broke: dict[str, Callable[[int], Any]] = {
        "exit_code": lambda n: 1,
        "exit_reason": lambda n: "died",
    }
    assert summary_of(10, **broke)[1][1] == "case 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 failed: died"
    assert summary_of(11, **broke)[1][1].endswith(" 9, 10 and 1 more failed: died")
    ends = summary_of(
        3, exit_reason=lambda n: "for" if n > 1 else "died", exit_code=lambda n: int(n < 3)
    )
    assert ends[1][0] == "3 cases: 1 passed, 2 failed: 1 died, 2 for (6 s)"
    assert [line for line in ends[1] if "--case" in line] == [
        "to repeat one of them, with logs: the same command and --case 1"
    ]
    ten, eleven = (summary_of(n, failure="no {}".format, **broke)[1] for n in (10, 11))
    assert ten[10] == eleven[10] == "case 10 failed: no 10"
    assert eleven[11] == "and 1 more failed"
    assert not any("more failed" in line for line in ten)
    summary, lines = summary_of(
        3, exit_code=lambda n: 3 if n > 1 else 0, run_warning="hot {}".format
    )
    assert (summary["failed"], summary["too_soon"]) == ([], [2, 3])
    assert lines[1:] == [
        "3 with run warnings: case 1: hot 1",
        "2 ended before --until held or --for was over: case 2, 3",
    ]


def test_rank_correlation_is_the_textbooks() -> None:
    quotient = [106.0, 86, 100, 101, 99, 103, 97, 113, 112, 110]
    hours = [7.0, 2, 27, 50, 28, 29, 20, 12, 6, 17]
    assert rank_correlation(quotient, hours) == pytest.approx(-29 / 165, abs=1e-12)
    assert rank_correlation([*quotient, None], [*hours, 4.0]) == pytest.approx(-29 / 165, abs=1e-12)
    assert rank_correlation([1.0, 2, 2, 3], [1.0, 2, 3, 4]) == pytest.approx(0.9**0.5, abs=1e-12)
    assert rank_correlation([1.0, 1.0, 1.0], [1.0, 2.0, 3.0]) is None
    assert rank_correlation([1.0, 2.0], [1.0, 2.0]) is None
    assert rank_correlation([1.0, 2.0, 4.0], [3.0, 2.0, 1.0]) == pytest.approx(-1.0, abs=1e-12)


def test_columns_of_some_rows_are_empty_in_the_others() -> None:
    rows = [{"case": 1, "A": "2", "failure": "broke"}, {"case": 2, "x": 1.5, "failure": ""}]
    made = Table(rows, ())
    assert made.columns == ["case", "A", "x", "run_warning", "failure"]
    assert made.column("x") == [None, 1.5]
    assert len(made) == 2


@pytest.mark.slow
def test_a_table_is_written_as_typed_and_as_numbers(tmp_path: Path) -> None:
    rows = [
        {"case": 1, "pace": "02", "place": "3", "ECHO": "none", "failure": ""},
        {"case": 2, "pace": "1e1", "place": "bay", "x": 0.1, "ECHO": 4.0, "failure": "größer"},
    ]
    made = Table(rows, ("pace", "place"))
    assert (made.column("pace"), made.column("place")) == ([2.0, 10.0], ["3", "bay"])
    made.write_csv(tmp_path / "results.csv")
    assert (tmp_path / "results.csv").read_bytes().decode() == (
        "case,pace,place,ECHO,x,run_warning,failure\n1,02,3,none,,,\n2,1e1,bay,4.0,0.1,,größer\n"
    )
    assert made.write_parquet(tmp_path / "results.parquet")
    assert read_table(tmp_path / "results.parquet").to_pydict() == {
        "case": [1, 2],
        "pace": [2.0, 10.0],
        "place": ["3", "bay"],
        "x": [None, 0.1],
        "ECHO": ["none", "4.0"],
        "run_warning": [None, None],
        "failure": ["", "größer"],
    }
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["results.csv", "results.parquet"]


def blocks_in(folder: Path) -> list[str]:
    """Return the processes of a cluster's blocks, for a sweep that was started in a folder."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            here = (process / "cwd").readlink() == folder
            if here and b"launcher.sweep.block" in (process / "cmdline").read_bytes():
                found.append(process.name)
    return found


@forks
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_sweep_that_ends_takes_its_blocks_from_the_cluster(
    duet: Path, cluster: str, number: int
) -> None:
    here = Path.cwd().resolve()
    options = ("--scheduler", cluster, "--results", "out", "--for", "999999")
    with sweeping(duet, *options) as running:
        while len(blocks_in(here)) < 2:
            assert running.poll() is None
            sleep(0.05)
        running.send_signal(number)
    deadline = wall() + 60
    while blocks_in(here):
        assert wall() < deadline
        sleep(0.05)


ALTERED: tuple[Callable[[bytes], bytes], ...] = (
    lambda line: line.replace(b'"case": 2', b'"case": 3'),
    lambda line: line.replace(b'"exit_code": 0', b'"exit_code": 3'),
    lambda line: line.replace(b'"Walker.pace": "1"', b'"Walker.pace": "9"'),
    lambda line: re.sub(rb"\d\.\d", b"7.7", line, count=1),
    lambda line: line[: len(line) // 2] + b"\n",
    lambda line: b"[" * 10**5 + b"\n",
    lambda line: b"7\n",
    lambda line: b"\n",
    lambda line: b"\xff\xfe\n",
)


@forks
def test_a_row_that_was_altered_is_refused_and_its_case_repeated_without_it(
    sweep: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = (FILE, "--results", "out", "--no-log")
    assert sweep(*arguments, jobs="1") == 0
    file = Path("out/rows.jsonl")
    rows = file.read_bytes().splitlines(keepends=True)
    capsys.readouterr()
    for altered in ALTERED:
        changed = altered(rows[1])
        assert changed != rows[1]
        file.write_bytes(b"".join([rows[0], changed, *rows[2:]]))
        assert sweep(*arguments) == 2
        errors = capsys.readouterr().err
        assert errors.startswith("out/rows.jsonl:2: expected a row as this sweep wrote it")
        assert errors.count("\n") == 1
    file.write_bytes(b"".join([rows[0], *rows[2:]]))
    assert sweep(*arguments) == 0
    assert sorted(file.read_bytes().splitlines(keepends=True)) == sorted(rows)


@forks
def test_a_damaged_file_of_a_sweep_is_no_sweep_to_continue(
    sweep: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    assert sweep(FILE, "--results", "out", "--no-log") == 0
    for content in (b"", b"{", b"[]", b"\xff"):
        Path("out/sweep.json").write_bytes(content)
        assert sweep(FILE, "--results", "out", "--no-log") == 2
        assert "contains another sweep" in capsys.readouterr().err


@forks
def test_a_sweep_whose_cases_have_no_end_is_not_started(
    sweep: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    for file, options, expected in (
        ("", ("--for", "1"), "sweep.yml: expected vary:"),
        ("# nothing\n", ("--for", "1"), "sweep.yml: expected vary:"),
        ("vary: {}", (), "--sweep: its cases have no end"),
        ("vary: {--set GO: [true]}", (), "--sweep: its cases have no end"),
    ):
        assert sweep(file, "--results", "out", "--no-log", *options) == 2
        errors = capsys.readouterr().err
        assert expected in errors
        assert errors.count("\n") == 1
    for end in ("--wall-limit=1", "--fail-if=NAV_X>3"):
        assert sweep("vary: {--set GO: [true]}", "--results", end[2:5], "--no-log", end) != 2
