"""Live runs in the viewer: the frames that pages receive, and their requests."""

from __future__ import annotations

import json
import os
import signal
from itertools import pairwise
from math import hypot
from pathlib import Path
from threading import Timer
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from viewer_stage import PATIENCE, ROOT, Page, Stage

from steerageway.apps.shared.run_files import runs_under_way
from steerageway.apps.shared.runs import run_at
from steerageway.bus import sleep, wall
from steerageway.web.viewer.live import LiveRun

pytestmark = pytest.mark.process

ALPHA = ROOT / "missions" / "alpha"
BLOCK = """
ProcessConfig = pMarineViewer
{
  button_one = DEPLOY # DEPLOY=true # RETURN=false
  button_one = MOOS_MANUAL_OVERRIDE=false
  left_context[go] = STATION_UPDATE=x=$(XPOS),y=$(YPOS),near=$(VNAME_CLOSEST)
  scope = RETURN
  button_two = A=1
}
"""


@pytest.fixture
def mission(tmp_path: Path) -> Path:
    """Return alpha with a viewer's block, the viewer in its launch list as in MOOS-IvP."""
    folder = tmp_path / "mine"
    folder.mkdir()
    text = (ALPHA / "alpha.moos").read_text().partition("// For viewers")[0]
    text = text.replace("  Run = pRealm\n", "  Run = pRealm\n  Run = pMarineViewer\n")
    (folder / "alpha.moos").write_text(text + BLOCK)
    (folder / "alpha.bhv").write_text((ALPHA / "alpha.bhv").read_text())
    return folder


def hashes(summary: Path) -> dict[str, str]:
    """Return the hash of each community's log."""
    communities = json.loads(summary.read_text())["communities"]
    return {name: one["log_sha256"] for name, one in communities.items()}


def stand_at(page: Page, time: float) -> None:
    """Let a run come to a time and stand there, and see that on a page."""
    page.ask("run_until", time=time)
    page.wait(lambda p: p.last["status"]["paused"] and p.last["status"]["time"] >= time)
    page.read_for(1.5)


def near(one: Any, other: Any) -> bool:
    """Whether two rows are the same but for the digits that a log leaves out."""
    return all((a != a and b != b) or abs(a - b) < 1e-4 for a, b in zip(one, other, strict=True))


def same(one: dict[str, Any], other: dict[str, Any]) -> None:
    """Check that two pages show the same."""
    assert one["vessels"] == other["vessels"]
    assert one["shapes"] == other["shapes"]
    assert all(map(near, one["rows"], other["rows"]))


def test_watching_changes_no_log(stage: Stage) -> None:
    options = (*("--for", 40, "--warp", 20, "--placement", "one"), "--log")
    plain, seen = stage.folder / "plain.json", stage.folder / "seen.json"
    stage.run_to_end(ALPHA, *options, stage.folder / "plain", "--json", plain)
    paused = ("--json", seen, "--attach", "--paused")
    run = stage.launch(ALPHA, *options, stage.folder / "seen", *paused)
    viewer = stage.view("alpha")
    pages = [viewer.page(), viewer.page()]
    pages[0].ask("resume")
    pages[0].ask("watch", patterns=["*"])
    pages[1].ask("plot", vars=["alpha:NAV_X"])
    while run.poll() is None:
        for page in pages:
            page.read(0.05)
    assert hashes(seen) == hashes(plain)
    assert not (stage.folder / "seen" / "inputs.jsonl").exists()


@pytest.mark.slow
def test_two_pages_on_twenty_vessels_change_none_of_their_logs(stage: Stage) -> None:
    mission = ROOT / "missions" / "fleet"
    options = ("--vessels", 20, "--for", 8, "--placement", "one", "--warp", "max", "--log")
    plain, seen = stage.folder / "plain.json", stage.folder / "seen.json"
    stage.run_to_end(mission, *options, stage.folder / "plain", "--json", plain)
    paused = ("--json", seen, "--attach", "--paused")
    run = stage.launch(mission, *options, stage.folder / "seen", *paused)
    viewer = stage.view("abe")
    pages = [viewer.page(), viewer.page()]
    pages[0].ask("watch", patterns=["*:NAV_*"])
    pages[0].ask("resume")
    while run.poll() is None:
        for page in pages:
            page.read(0.02)
    assert len(hashes(plain)) == 21
    assert hashes(seen) == hashes(plain)
    assert len(pages[1].vessels) == 20
    assert not list((stage.folder / "seen").rglob("inputs.jsonl"))


def test_a_button_posts_once_and_the_run_can_be_repeated(stage: Stage, mission: Path) -> None:
    first, again = stage.folder / "first", stage.folder / "again"
    options = ("--for", 30, "--warp", "max")
    summary, repeated = stage.folder / "first.json", stage.folder / "again.json"
    run = stage.launch(
        mission, *options, "--paused", "--log", first, "--json", summary, "--set", "DEPLOY=false"
    )
    page = stage.view(mission).page()
    (block,) = page.last["hello"]["viewer"]
    (deploy,) = block["buttons"][:1]
    assert (deploy["label"], block["scopes"]) == ("DEPLOY", ["RETURN"])
    assert any("button_two" in note for note in page.last["hello"]["notes"])
    page.ask("run_until", time=5)
    page.wait(lambda p: p.last["status"]["paused"] and p.last["status"]["time"] >= 5)
    reply = page.ask("press", community="alpha", menu="button", n=deploy["n"])
    assert "DEPLOY" in reply
    page.ask("resume")
    run.wait()
    posts = [json.loads(line) for line in (first / "inputs.jsonl").read_text().splitlines()]
    assert [post["name"] for post in posts] == ["DEPLOY", "RETURN", "MOOS_MANUAL_OVERRIDE"]
    stage.run_to_end(
        *(mission, *options, "--log", again, "--json", repeated),
        *("--inputs", first, "--set", "DEPLOY=false"),
    )
    assert hashes(repeated) == hashes(summary)


def test_a_late_page_shows_the_same_as_one_open_from_the_start(stage: Stage) -> None:
    options = ("--for", 300, "--paused", "--warp", 4, "--log", stage.folder / "log")
    stage.launch(ROOT / "missions" / "fleet", "--vessels", 2, *options)
    early = stage.view("abe").page()
    stand_at(early, 20.0)
    late = stage.view("abe").page()
    stand_at(early, 21.0)  # the log reaches the instant at which the late one came
    late.read_for(2.0)
    assert len(early.shapes) >= 4
    same(late.picture(), early.picture())
    for row, trail in early.trails.items():
        for time, x, y in trail:
            assert distance(late.trails[row], time, x, y) < 0.5


def distance(trail: list[tuple[float, float, float]], time: float, x: float, y: float) -> float:
    """Return how far a place is from a trail at a time."""
    for (t0, x0, y0), (t1, x1, y1) in pairwise(trail):
        if t0 <= time <= t1:
            share = (time - t0) / (t1 - t0) if t1 > t0 else 0.0
            return hypot(x0 + share * (x1 - x0) - x, y0 + share * (y1 - y0) - y)
    return min(hypot(x0 - x, y0 - y) for _, x0, y0 in trail)


def test_a_live_picture_and_that_of_its_log_are_equal(stage: Stage) -> None:
    folder = stage.folder / "log"
    run = stage.launch(ALPHA, "--for", 60, "--paused", "--warp", 4, "--log", folder)
    page = stage.view("alpha").page()
    stand_at(page, 30.0)
    live, time = page.picture(), page.scene.time if page.scene else 0.0
    page.ask("warp", factor="max")
    page.ask("resume")
    run.wait()
    replay = stage.view(folder).page()
    replay.ask("seek", t=time)
    replay.until("scene")
    same(replay.picture(), live)


def test_time_is_steered_from_a_page(stage: Stage) -> None:
    stage.launch(ALPHA, "--paused", "--no-log")
    page = stage.view("alpha").page()
    (note,) = [note for note in page.last["hello"]["notes"] if "drawings since" in note]
    assert "leaves no log" in note
    stand_at(page, 3.0)
    before = page.last["status"]["time"]
    page.ask("step", count=2)
    page.wait(lambda p: p.last["status"]["time"] > before and p.last["status"]["paused"])
    page.ask("warp", factor=7)
    page.wait(lambda p: p.last["status"]["warp"] == 7)
    page.ask("resume")
    page.wait(lambda p: not p.last["status"]["paused"])
    page.ask("pause")
    page.ask("case", seed=3)
    page.ask("resume")
    page.wait(lambda p: p.last["status"]["case"] == 1)
    assert page.ask("warp", factor=-1).startswith("error: ")
    assert page.ask("seek", t=1) == "error: seek: not here"
    page.ask("stop")
    page.wait(lambda p: p.last["status"]["ended"])
    assert page.ask("pause").startswith("error: the run has ended")


def test_a_new_case_begins_with_an_empty_picture_and_is_drawn_whole(stage: Stage) -> None:
    stage.launch(ALPHA, "--paused", "--warp", 10, "--log", stage.folder / "log")
    page = stage.view("alpha").page()
    stand_at(page, 20.0)
    route = {"alpha VIEW_SEGLIST alpha_survey", "alpha VIEW_POINT alpha's nextpt"}
    assert page.shapes.keys() >= route
    page.ask("case", seed=None)
    page.ask("run_until", time=40)
    page.wait(lambda p: p.last["status"]["case"] == 1 and p.last["status"]["time"] > 39)
    page.read_for(3.0)
    assert page.shapes.keys() >= route
    assert all(shape["t"] >= 20 for shape in page.shapes.values())


def test_a_post_reports_the_present_value_and_the_reason_of_refusal(stage: Stage) -> None:
    stage.launch(ALPHA, "--paused", "--no-log")
    page = stage.view("alpha").page()
    stand_at(page, 3.0)
    reply = page.ask("post", community="alpha", name="SLOW", value="true")
    assert reply.startswith('SLOW = "true"')
    assert "error: " in page.ask("post", community="alpha", name="NAV_X", value="text")
    assert "error: " in page.ask("post", community="nobody", name="A", value="1")
    page.ask("watch", patterns=["SLOW"])
    page.ask("run_until", time=4)
    page.wait(lambda p: p.values.get(("alpha", "SLOW")) == "true")


def test_a_context_is_filled_in_where_the_click_was(stage: Stage, mission: Path) -> None:
    stage.launch(mission, "--paused", "--no-log")
    page = stage.view("alpha").page()
    stand_at(page, 3.0)
    page.ask("watch", patterns=["STATION_UPDATE"])
    click = {"community": "alpha", "side": "left", "x": 12.34, "y": -5}
    page.ask("click", context="go", **click)
    page.ask("run_until", time=4)
    page.wait(lambda p: ("alpha", "STATION_UPDATE") in p.values)
    assert page.values["alpha", "STATION_UPDATE"] == "x=12.3,y=-5.0,near=alpha"
    assert "no such context" in page.ask("click", context="other", **click)


def test_releasing_the_stick_stops_the_vessel(stage: Stage) -> None:
    stage.launch(ALPHA, "--warp", 1, "--no-log")
    page = stage.view("alpha").page()
    page.ask("watch", patterns=["DESIRED_THRUST", "DESIRED_RUDDER", "MOOS_MANUAL_OVERRIDE"])
    page.wait(lambda p: ("alpha", "MOOS_MANUAL_OVERRIDE") in p.values)
    before = page.values["alpha", "MOOS_MANUAL_OVERRIDE"]
    for _ in range(4):
        page.ask("drive", community="alpha", thrust=30, rudder=-20)
        page.read_for(0.2)
    page.wait(lambda p: p.values.get(("alpha", "DESIRED_THRUST")) == 30)
    assert page.values["alpha", "MOOS_MANUAL_OVERRIDE"] == "true"
    page.wait(lambda p: p.values["alpha", "DESIRED_THRUST"] == 0)  # nobody holds it any more
    page.ask("release", community="alpha")
    page.wait(lambda p: p.values["alpha", "MOOS_MANUAL_OVERRIDE"] == before)
    assert "expected -100 to 100" in page.ask("drive", community="alpha", thrust=300, rudder=0)


def test_an_apps_report_is_shown(stage: Stage) -> None:
    stage.launch(ALPHA, "--warp", 5, "--no-log")
    page = stage.view("alpha").page()
    page.wait(lambda p: p.last["status"]["time"] > 3)
    lines = page.ask("appcast", community="alpha", app="pHelmIvP")["lines"]
    assert any("Decision over" in line for line in lines)
    assert "error: " in page.ask("appcast", community="alpha", app="pNobody")


def test_plots_have_every_message(stage: Stage) -> None:
    stage.launch(ALPHA, "--paused", "--warp", 2, "--log", stage.folder / "log")
    page = stage.view("alpha").page()
    stand_at(page, 5.0)
    page.ask("plot", vars=["alpha:NAV_HEADING"])
    got: list[float] = []
    page.ask("run_until", time=10)
    deadline = wall() + 30
    while (not got or got[-1] < 9.9) and wall() < deadline:
        got += page.until("samples")["series"][0]["t"]
    reply = page.ask("history", var="alpha:NAV_HEADING")
    assert set(reply["t"]) >= {round(time, 5) for time in got if time <= reply["t"][-1]}
    assert len(got) >= 4 * 4


def test_a_running_mission_exports_as_csv_what_its_log_holds(stage: Stage) -> None:
    stage.launch(ALPHA, "--paused", "--log", stage.folder / "log")
    viewer = stage.view("alpha")
    page = viewer.page()
    source = viewer.get("/api/home")["default"]
    lengths = []
    for time in (5.0, 10.0):
        stand_at(page, time)
        path = f"/api/source/{source}/csv?var=alpha:NAV_X"
        answer = viewer.request("GET", path, Cookie=viewer.cookie)
        assert answer.status == 200, answer
        lengths.append(len(answer.body.splitlines()))
    assert lengths[0] > 1
    assert lengths[1] > 1.5 * lengths[0]


def test_a_reader_can_do_nothing_else(stage: Stage) -> None:
    stage.launch(ALPHA, "--paused", "--no-log")
    viewer = stage.view("alpha", "--read-only")
    page = viewer.page()
    assert page.last["hello"]["read_only"]
    assert not {"post", "pause", "drive", "press"} & set(page.last["hello"]["can"])
    for verb in ("pause", "stop", "post", "press", "click", "drive", "case"):
        assert page.ask(verb) == f"error: {verb}: this viewer is read-only"
    assert viewer.post("/api/start", mission=str(ALPHA), warp=1).status == 403
    assert viewer.post("/api/end").status == 403
    assert viewer.post("/api/configure", vessel="").status == 403


def test_a_mission_is_started_from_a_page_and_ends_with_the_viewer(stage: Stage) -> None:
    viewer = stage.view("--root", ROOT / "missions")
    viewer.handshake()
    home = viewer.get("/api/home")
    (alpha,) = [one for one in home["missions"] if one["title"] == "alpha"]
    assert "surveys five points" in alpha["about"]
    assert home["default"] is None
    answer = viewer.post("/api/start", mission=alpha["path"], warp=5)
    assert answer.status == 200, answer
    page = viewer.page(answer.json["source"])
    page.wait(lambda p: p.last["status"]["time"] > 1)
    again = viewer.post("/api/start", mission=alpha["path"], warp=5)
    assert (again.status, "still running" in again.json["error"]) == (409, True)
    assert viewer.post("/api/start", mission="/etc", warp=5).status == 403
    assert viewer.post("/api/start", mission=alpha["path"], warp="fast").status == 409
    (run,) = viewer.get("/api/home")["runs"]
    assert run["communities"] == ["alpha"]
    assert viewer.process is not None
    viewer.process.terminate()
    viewer.process.wait(30)
    notes = stage.folder / "runtime" / "steerageway"
    deadline = wall() + 20
    while any(notes.glob("*.json")) and wall() < deadline:
        sleep(0.1)
    assert not any(notes.glob("*.json"))


def test_launch_shows_a_run_and_its_viewer_ends_with_it(stage: Stage) -> None:
    run = stage.launch(ALPHA, "--for", 20, "--warp", 5, "--view", "--no-log")
    assert run.stdout is not None
    line = run.stdout.readline()
    assert line.startswith("viewer: http://127.0.0.1:")
    assert run.wait(60) == 0


def test_a_run_that_does_not_answer_is_waited_for_on_the_page(stage: Stage) -> None:
    run = stage.launch(ALPHA, "--warp", 5, "--no-log", "--placement", "one", "--attach")
    run.send_signal(signal.SIGSTOP)
    page = stage.view("--of", run.pid).page(until="progress")
    assert "waiting for the run" in page.last["progress"]["text"]
    run.send_signal(signal.SIGCONT)
    page.wait(lambda page: [one["name"] for one in page.vessels] == ["alpha"])


def test_attaching_to_a_late_fleet_takes_little_of_its_time(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", stage.env["XDG_RUNTIME_DIR"])
    fleet = stage.launch(
        *(ROOT / "missions" / "fleet", "--vessels", 40, "--warp", 1000, "--no-log"),
        *("--placement", "one", "--attach"),
    )
    (about,) = runs_under_way()
    run = run_at(about["address"])
    with run.connect("clock", "shoreside", PATIENCE) as clock:
        while clock.control("status")["time"] < 1:
            sleep(0.1)
    before = _processor_time(fleet.pid)
    live = LiveRun(run)
    spent = _processor_time(fleet.pid) - before
    live.board.close()
    # 41 clients, each welcomed and registered, are 0.3 s of work: half of the time is theirs.
    assert spent < 3.0
    assert len(live.board.clients) == 41
    fleet.send_signal(signal.SIGSTOP)  # as one that has no time: longer than most answers take
    going_on = Timer(6.0, fleet.send_signal, (signal.SIGCONT,))
    going_on.start()
    with run.connect("console", "abe") as console:
        assert console.about["community"] == "abe"
    going_on.join()


def _processor_time(pid: int) -> float:
    """Return the processor time that a process has used [s]."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_a_listed_vessel_is_opened_in_one_configurator_that_ends_with_the_viewer(
    stage: Stage,
) -> None:
    viewer = stage.view("--root", ROOT / "inputs")
    viewer.handshake()
    (otter,) = [one["path"] for one in viewer.get("/api/home")["vessels"] if one["name"] == "otter"]
    assert viewer.post("/api/configure", vessel="/etc").status == 403
    answer = viewer.post("/api/configure", vessel=otter)
    assert answer.status == 200, answer
    page, _, requested = answer.json["address"].partition("?")
    assert requested.startswith(f"open={otter}#")
    with urlopen(page) as shown:
        assert b"Steerageway configurator" in shown.read()
    assert viewer.post("/api/configure", vessel="").json["address"].startswith(f"{page}#")
    assert viewer.process is not None
    viewer.process.terminate()
    viewer.process.wait(30)
    with pytest.raises(URLError):
        urlopen(page)
