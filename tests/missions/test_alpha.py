"""The alpha mission as a whole, in every way of running it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from math import dist
from pathlib import Path
from random import Random
from typing import Any

import pytest

from steerageway.bus import (
    Answer,
    Input,
    Kind,
    Message,
    Phase,
    Placement,
    Runner,
    dump_input,
    run,
    sleep,
)
from steerageway.launcher.options import parse_options
from steerageway.launcher.plan import plan_launch
from steerageway.launcher.summary import log_sha256
from steerageway.moos.alog import read_entries

ROOT = Path(__file__).parents[2]
ALPHA = ROOT / "missions" / "alpha"
COMPLETE = ("--until", "MISSION = complete")
SURVEY = ((60, -40), (60, -160), (150, -160), (180, -100), (150, -40))
CAPTURE_RADIUS = 5.0
Reference = tuple[Any, str, Path]


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Reference:
    """Return the outcome, the log's hash and its folder of alpha in one process, at full warp."""
    folder = tmp_path_factory.mktemp("alpha") / "log"
    options = [str(ALPHA), *COMPLETE, "--placement", "one", "--warp", "max", "--log", str(folder)]
    launch = plan_launch(parse_options(options))
    outcome = run(launch.plan, lambda progress: None)
    digest = log_sha256(folder)
    assert digest is not None
    return outcome, digest, folder


@pytest.mark.slow
def test_alpha_completes_without_manual_input(reference: Reference) -> None:
    outcome, *_ = reference
    assert outcome.exit_reason == "until"
    assert outcome.values["alpha"]["MISSION"] == "complete"
    assert outcome.failures == []
    assert outcome.refused == 0
    assert outcome.lost == 0


@pytest.mark.slow
def test_no_app_of_alpha_warns_of_anything(reference: Reference) -> None:
    outcome, *_ = reference
    warnings = {app.name: (app.config_warnings, app.run_warnings) for app in outcome.apps}
    assert warnings == {name: ((), {}) for name in warnings}


@pytest.mark.slow
def test_alpha_visits_its_points_in_turn_and_comes_home(reference: Reference) -> None:
    (log,) = reference[2].rglob("*.alog")
    track: dict[str, list[float]] = {"NAV_X": [], "NAV_Y": []}
    for entry in read_entries(log):
        if entry.name in track:
            track[entry.name].append(float(entry.value))
    places = list(zip(track["NAV_X"], track["NAV_Y"], strict=True))
    passed = [
        next(k for k, place in enumerate(places) if dist(place, point) < CAPTURE_RADIUS + 3.0)
        for point in SURVEY
    ]
    assert passed == sorted(passed)
    assert dist(places[-1], (0, -20)) < CAPTURE_RADIUS


@pytest.mark.process
@pytest.mark.parametrize(
    ("placement", "warp"),
    [
        ("one", "100"),
        ("community", "max"),
        ("community", "100"),
        ("process", "max"),
        ("process", "100"),
    ],
)
def test_alpha_leaves_the_same_log_however_it_runs(
    placement: str, warp: str, reference: Reference, launch: Callable[..., Any]
) -> None:
    ended = launch(ALPHA, *COMPLETE, "--placement", placement, "--warp", warp)
    assert ended.code == 0, ended.said
    assert ended.summary["deterministic"]
    assert ended.summary["communities"]["alpha"]["log_sha256"] == reference[1]


@pytest.mark.slow
def test_a_poke_and_its_replay_leave_the_same_log(
    reference: Reference, launch: Callable[..., Any], tmp_path: Path
) -> None:
    flat_out = (*COMPLETE, "--placement", "one", "--warp", "max")
    poked = launch(ALPHA, *flat_out, "--set", "@30.1:SLOW=true")
    inputs = tmp_path / "inputs.jsonl"
    post = Input(30_100_000_000, Phase.INPUT, "alpha", "SLOW", "true")
    inputs.write_text(dump_input(post) + "\n")
    replayed = launch(ALPHA, *flat_out, "--inputs", str(inputs))
    digests = [run.summary["communities"]["alpha"]["log_sha256"] for run in (poked, replayed)]
    assert digests[0] == digests[1]
    assert digests[0] != reference[1]
    assert poked.summary["simulated_seconds"] > reference[0].simulated_seconds + 5.0


@contextmanager
def busy_machine(processes: int) -> Iterator[None]:
    """Keep the machine busy during the test."""
    program = [sys.executable, "-c", "while True: pass"]
    running = [subprocess.Popen(program) for _ in range(processes)]
    try:
        yield
    finally:
        for process in running:
            process.kill()
            process.wait()


@pytest.mark.process
@pytest.mark.wall
def test_alpha_leaves_the_same_log_on_a_busy_machine(
    reference: Reference, launch: Callable[..., Any]
) -> None:
    with busy_machine(4):
        ended = launch(ALPHA, *COMPLETE, "--warp", "max")
    assert ended.summary["communities"]["alpha"]["log_sha256"] == reference[1], ended.said


@pytest.mark.process
def test_alpha_leaves_the_same_log_with_an_app_started_by_hand(
    reference: Reference, tmp_path: Path
) -> None:
    command = [sys.executable, str(ROOT / "launch.py"), str(ALPHA), *COMPLETE, "--warp", "max"]
    command += ["--port", "auto", "--log", str(tmp_path / "log"), "--external", "pMarinePIDV22"]
    address = tmp_path / "log" / "run.json"
    with subprocess.Popen([*command, "--json", str(tmp_path / "summary.json")]) as running:
        while not address.exists():
            assert running.poll() is None
            sleep(0.02)
        port = json.loads(address.read_text())["address"].rpartition(":")[2]
        by_hand = [sys.executable, "-m", "apps.marine_pid", str(ALPHA / "alpha.moos")]
        subprocess.run([*by_hand, f"--moos_port={port}"], cwd=ROOT, check=True, timeout=300)
    assert running.returncode == 0
    summary = json.loads((tmp_path / "summary.json").read_text())
    assert summary["communities"]["alpha"]["log_sha256"] == reference[1]


class Dawdler(Runner):
    """Runs an app's grants after random wall-clock delays."""

    def __init__(self, runner: Runner) -> None:
        super().__init__(runner.app)
        self._random = Random(os.getpid())  # another order of answers in every run

    def run(self, kind: Kind, instant: int, mail: Sequence[Message]) -> Answer:
        """Wait, then run."""
        sleep(self._random.uniform(0.0, 0.02))
        return super().run(kind, instant, mail)


@pytest.mark.process
@pytest.mark.parametrize("placement", [Placement.PROCESS, Placement.COMMUNITY])
def test_alpha_leaves_the_same_log_when_apps_dawdle(placement: Placement, tmp_path: Path) -> None:
    digests = []
    for name, wrap in (("prompt", None), ("slow", Dawdler)):
        folder = tmp_path / name
        options = [str(ALPHA), "--for", "10", "--warp", "max", "--log", str(folder)]
        plan = plan_launch(parse_options([*options, "--port", "auto"])).plan
        outcome = run(replace(plan, placement=placement, wrap=wrap), lambda progress: None)
        assert outcome.exit_reason == "for"
        digests.append(log_sha256(folder))
    assert digests[0] is not None
    assert digests[0] == digests[1]
