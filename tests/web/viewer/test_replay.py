"""Logs in the viewer: seeking, variables, comparison of two runs."""

from __future__ import annotations

import csv
import gzip
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from viewer_stage import ROOT, Page, Stage, Viewer, stand

from steerageway.moos.alog import read_entries

pytestmark = pytest.mark.process

ALPHA = ROOT / "missions" / "alpha"


@pytest.fixture(scope="module")
def viewer(tmp_path_factory: pytest.TempPathFactory, finished: Path) -> Iterator[Viewer]:
    """Return a viewer of a run that has ended."""
    with stand(tmp_path_factory.mktemp("replay")) as stage:
        viewer = stage.view(finished)
        viewer.handshake()
        yield viewer


@pytest.fixture
def page(viewer: Viewer) -> Page:
    """Return a separate page."""
    return viewer.page()


def log_in(folder: Path) -> Path:
    """Return the log of a run of one community."""
    (log,) = folder.rglob("*.alog")
    return log


def sought(page: Page, time: float) -> None:
    """Bring a page to a time."""
    page.ask("seek", t=time)
    page.wait(lambda p: p.scene is not None and abs(p.scene.time - time) < 1e-6)


def test_a_position_is_that_of_the_log(page: Page, finished: Path) -> None:
    shift = 0.2  # of the logger's start after the run's
    for time in (10.0, 77.7):
        sought(page, time)
        assert page.scene is not None
        ((x, y, *_),) = page.scene.rows
        last = {e.name: e.value for e in read_entries(log_in(finished)) if e.time + shift <= time}
        assert (x, y) == pytest.approx((last["NAV_X"], last["NAV_Y"]), abs=1e-3)


def test_a_replay_opens_where_the_vessel_is_there(page: Page, finished: Path) -> None:
    page.wait(lambda p: p.scene is not None)
    assert page.scene is not None
    ((x, y, *_),) = page.scene.rows
    first = {e.name: e.value for e in reversed(list(read_entries(log_in(finished))))}
    assert (x, y) == pytest.approx((first["NAV_X"], first["NAV_Y"]), abs=1e-3)


def test_time_advances_at_the_requested_speed_in_both_directions(page: Page) -> None:
    sought(page, 60.0)
    page.ask("play", speed=20)
    page.wait(lambda p: p.scene.time > 65)
    page.ask("play", speed=-20)
    page.wait(lambda p: p.scene.time < 62)
    page.ask("play", speed=500)
    page.wait(lambda p: p.last["status"]["time"] == p.last["status"]["span"][1])
    page.wait(lambda p: not p.last["status"]["playing"])


def test_a_helms_iterations_are_stepped_through(page: Page, finished: Path) -> None:
    sought(page, 50.0)
    times = [e.time + 0.2 for e in read_entries(log_in(finished)) if e.name == "IVPHELM_ITER"]
    after = [time for time in times if time > 50.0001]
    page.ask("step", unit="helm", count=2)
    page.wait(lambda p: p.scene.time > 50.2)
    assert page.scene is not None
    assert page.scene.time == pytest.approx(after[1])
    page.ask("step", unit="helm", count=-1)
    page.wait(lambda p: p.scene.time < after[1] - 0.01)
    assert page.scene.time == pytest.approx(after[0])
    page.ask("step", unit="second", count=-10)
    page.wait(lambda p: p.scene.time < 45)
    assert page.scene.time == pytest.approx(after[0] - 10)


def test_two_pages_have_separate_times(viewer: Viewer) -> None:
    one, other = viewer.page(), viewer.page()
    sought(one, 20.0)
    sought(other, 90.0)
    one.read_for(0.5)
    assert one.scene is not None
    assert other.scene is not None
    assert (one.scene.time, other.scene.time) == (20.0, 90.0)


def test_values_and_names_are_those_at_the_time(page: Page, finished: Path) -> None:
    sought(page, 40.0)
    page.ask("watch", patterns=["NAV_*", "alpha:MODE*"])
    page.wait(lambda p: ("alpha", "NAV_X") in p.values)
    last = {e.name: e.value for e in read_entries(log_in(finished)) if e.time + 0.2 <= 40.0}
    assert page.values["alpha", "NAV_X"] == last["NAV_X"]
    names = {name: kind for _, name, kind, _ in page.ask("names")}
    assert (names["NAV_X"], names["IVPHELM_STATE"]) == ("number", "text")


def test_a_thinned_curve_keeps_minimum_and_maximum(page: Page, finished: Path) -> None:
    values = [e.value for e in read_entries(log_in(finished)) if e.name == "NAV_X"]
    whole = page.ask("history", var="alpha:NAV_X")
    assert whole["v"] == values
    thin = page.ask("history", var="alpha:NAV_X", points=10)
    assert len(thin["t"]) == 10
    assert (min(thin["low"]), max(thin["high"])) == (min(values), max(values))
    assert "expected one of the communities" in page.ask("history", var="nobody:NAV_X")


def test_modes_and_active_behaviors_over_time(page: Page) -> None:
    reply = page.ask("helm_history", community="alpha")
    assert reply["mode"][-1].startswith("DRIVE")
    assert ["survey"] in reply["active"]
    assert reply["t"] == sorted(reply["t"])
    assert reply["iterations"] > 400


def test_curves_are_exported_as_csv(viewer: Viewer, finished: Path) -> None:
    answer = viewer.request(
        "GET", "/api/source/1/csv?var=alpha:NAV_X&var=alpha:IVPHELM_STATE", Cookie=viewer.cookie
    )
    rows = list(csv.DictReader(answer.body.decode().splitlines()))
    values = [e.value for e in read_entries(log_in(finished)) if e.name == "NAV_X"]
    assert [float(row["value"]) for row in rows if row["variable"] == "NAV_X"] == values
    assert "attachment" in answer.headers["content-disposition"]


def test_different_alphas_diverge_where_the_log_tool_reports_it(
    stage: Stage, finished: Path
) -> None:
    other = stage.folder / "slow"
    stage.run_to_end(
        *(ALPHA, "--for", "120", "--warp", "max", "--placement", "one", "--log", other),
        *("--config", "uSimMarineV22.turn_rate=35"),
    )
    viewer = stage.view(finished, other)
    page = viewer.page()
    (another,) = [one["id"] for one in viewer.get("/api/home")["sources"] if one["title"] == "slow"]
    page.wait(lambda p: not str(p.ask("compare", **{"with": another})).startswith("error"))
    reply = page.ask("compare", **{"with": another})
    assert reply["first"]["log_time"] == pytest.approx(1.7)
    first = reply["first"]
    assert first["community"] == "alpha"
    for side, log in (("here", finished), ("there", other)):  # each names its own variable
        entries = list(read_entries(log_in(log)))
        assert any(
            (one.name, one.value) == (first[f"{side}_variable"], first[side])
            and one.time == pytest.approx(first["log_time"], abs=0.3)
            for one in entries
        )
    (alpha,) = reply["vessels"]
    assert alpha["distance"][0] == 0
    assert max(alpha["distance"]) > 5
    assert len(alpha["t"]) == len(alpha["distance"]) == len(alpha["x"])
    same = page.ask("compare", **{"with": "1"})
    assert same["first"] is None
    assert max(same["vessels"][0]["distance"]) == 0


def test_objective_functions_are_shown_where_the_helm_posts_them(stage: Stage) -> None:
    folder = stage.folder / "log"
    stage.run_to_end(
        *(ALPHA, "--for", "20", "--warp", "max", "--placement", "one", "--log", folder),
        *("--config", "pHelmIvP.post_ipf=true"),
    )
    page = stage.view(folder).page()
    sought(page, 15.0)
    reply = page.ask("ipf", community="alpha", behavior="")
    assert reply["behaviors"] == ["survey"]
    assert (len(reply["course"]), len(reply["speed"])) == (360, 41)
    assert (len(reply["values"]), len(reply["values"][0])) == (41, 360)
    rows = reply["values"]
    best = max(((v, s, c) for s, row in enumerate(rows) for c, v in enumerate(row)))
    speed, course = reply["speed"][best[1]], reply["course"][best[2]]
    assert abs((course - reply["chosen"]["course"] + 180) % 360 - 180) <= 2
    assert speed == pytest.approx(reply["chosen"]["speed"], abs=0.1)
    assert "expected one of survey" in page.ask("ipf", community="alpha", behavior="none")


def computed(page: Page, verb: str, **about: str) -> Any:
    """Ask for what a worker computes, until it has; give the error as ``Page.ask`` does."""
    while isinstance(reply := page.ask(verb, **about), dict) and "working" in reply:
        page.read_for(0.1)
    return reply


def test_functions_that_were_not_posted_are_computed_and_equal_posted_ones(stage: Stage) -> None:
    folder = stage.folder / "log"
    stage.run_to_end(
        *(ROOT / "missions" / "colregs", "--for", "40", "--warp", "max", "--placement", "one"),
        *("--log", folder, "--config", "abe:pHelmIvP.post_ipf=true"),
        *("--config", "pLogger.DoublePrecision=16"),  # else mail is rounded
    )
    silent = stage.folder / "silent"
    shutil.copytree(folder, silent)
    (log,) = [one for one in silent.rglob("*.alog") if " BHV_IPF " in one.read_text()]
    lines = log.read_text().splitlines(keepends=True)
    log.write_text("".join(line for line in lines if " BHV_IPF " not in line))
    pages = [stage.view(folder).page(), stage.view(silent).page()]
    for time in (12.0, 39.0, 25.5):
        replies = []
        for page, recomputed in zip(pages, (False, True), strict=True):
            sought(page, time)
            reply = computed(page, "ipf", community="abe", behavior="")
            assert reply.pop("recomputed") is recomputed
            replies.append(reply)
        assert replies[0].pop("t") == pytest.approx(replies[1].pop("t"), abs=1e-5)
        assert replies[0] == replies[1]
        assert replies[0]["behaviors"]


def test_an_app_shows_its_report_at_any_time_of_a_log(page: Page) -> None:
    for time in (90.0, 30.0):
        sought(page, time)
        lines = computed(page, "appcast", community="alpha", app="pHelmIvP")["lines"]
        page.ask("watch", patterns=["IVPHELM_ITER"])
        page.wait(lambda p: ("alpha", "IVPHELM_ITER") in p.values)
        iteration = page.values["alpha", "IVPHELM_ITER"]
        assert f"Iteration: {iteration:.0f} " in "\n".join(lines)
    assert "expected an app of the launch list" in computed(
        page, "appcast", community="alpha", app="pNothing"
    )


def test_places_have_latitudes_where_the_mission_has_a_datum(page: Page) -> None:
    reply = page.ask("latlon", x=0, y=0)
    assert (reply["lat"], reply["lon"]) == pytest.approx((59.9075, 10.72), abs=1e-7)
    assert "are these UTM coordinates" in page.ask("latlon", x=569e3, y=7032e3)


@pytest.mark.parametrize(
    "request_text",
    [
        *("not json", "[]", "{}", '{"do": 5}', '{"do": "seek"}', '{"do": "seek", "t": "x"}'),
        *('{"do": "seek", "t": NaN}', '{"do": "watch", "patterns": 3}', '{"do": "history"}'),
    ],
)
def test_an_invalid_request_is_answered_and_the_page_continues(
    page: Page, request_text: str
) -> None:
    page.socket.send(request_text)
    reply = page.until("reply")
    assert (reply["ok"], bool(reply["error"])) == (False, True)
    sought(page, 5.0)


def test_a_log_that_was_cut_off_is_shown(stage: Stage, finished: Path) -> None:
    cut = stage.folder / "cut.alog"
    cut.write_bytes(log_in(finished).read_bytes()[:300_001])
    page = stage.view(cut).page()
    first, last = page.last["hello"]["span"]
    assert last - first > 10
    sought(page, last)
    assert page.scene is not None
    assert len(page.scene.rows) == 1


def test_a_compressed_log_is_shown_and_leaves_nothing_behind(
    stage: Stage, finished: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed, scratch = stage.folder / "old" / "alpha.alog.gz", stage.folder / "scratch"
    packed.parent.mkdir()
    scratch.mkdir()
    packed.write_bytes(gzip.compress(log_in(finished).read_bytes()))
    monkeypatch.setitem(stage.env, "TMPDIR", str(scratch))
    viewer = stage.view(packed, "--root", stage.folder / "old")
    page = viewer.page()
    sought(page, 60.0)
    assert page.scene is not None
    assert len(page.scene.rows) == 1
    assert [log["title"] for log in viewer.get("/api/home")["logs"]] == ["alpha.alog.gz"]
    assert viewer.process is not None
    viewer.process.terminate()
    viewer.process.wait()
    assert list(scratch.iterdir()) == []


def test_all_logs_that_are_named_are_opened_and_the_first_is_shown(
    stage: Stage, finished: Path
) -> None:
    other = stage.folder / "other.alog"
    other.write_bytes(log_in(finished).read_bytes())
    viewer = stage.view(other, finished)
    viewer.handshake()
    home = viewer.get("/api/home")
    titles = {source["id"]: source["title"] for source in home["sources"]}
    assert sorted(titles.values()) == sorted(["other.alog", finished.name])
    assert titles[home["default"]] == "other.alog"


def test_invalid_starts_report_the_error_in_one_sentence(stage: Stage, finished: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert stage.refused("--port", port) == (
            f"port {port} is in use: expected a free one, or --port auto"
        )
    assert stage.refused("nowhere.alog") == "nowhere.alog: no such log"
    assert "expected an existing file or folder" in stage.refused("nobody")
    assert "expected together with --tls" in stage.refused("--host", "0.0.0.0")
    assert len(stage.refused(stage.folder).splitlines()) == 1


def test_without_the_extra_it_names_the_package_to_install(stage: Stage) -> None:
    program = (
        "import sys; from importlib import util; found = util.find_spec\n"
        "util.find_spec = lambda name, *more: None if name == 'uvicorn' else found(name, *more)\n"
        "import steerageway.web.viewer.command as command\n"
        "sys.exit(command.main([]))"
    )
    result = subprocess.run(
        [sys.executable, "-c", program], env=stage.env, capture_output=True, text=True, check=False
    )
    assert result.returncode == 2
    assert "pip install 'steerageway[web]'" in result.stderr
    assert len(result.stderr.splitlines()) == 1
