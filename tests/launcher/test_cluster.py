"""Placement ``cluster``: one mission on the workers of a real Dask cluster."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from steerageway.apps.shared.run_files import begun_by
from steerageway.bus import Client, sleep, wall
from steerageway.bus.transport.connection import Connection
from steerageway.bus.transport.remote import RemoteChannel, RemoteListener
from steerageway.bus.transport.wire import LARGEST_FRAME
from steerageway.launcher.cluster.travel import absolute, moved, packed, unpacked
from steerageway.launcher.command import main
from steerageway.launcher.files_read import files_read
from steerageway.launcher.options import parse_options
from steerageway.launcher.plan import plan_launch
from steerageway.launcher.sources import OWN
from tests.launcher.clusters import PATIENCE, DaskProcesses

ROOT = Path(__file__).parents[2]
NOWHERE = "tcp://127.0.0.1:9"
forks = pytest.mark.process
FLEET = ("--vessels", "4", "--warp", "max", "--seed", "3", "--quiet")


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaskProcesses]:
    with DaskProcesses(tmp_path_factory.mktemp("cluster")) as started:
        yield started


def begun(*options: str) -> subprocess.Popen[str]:
    """Start the fleet in a process of its own."""
    command = [sys.executable, str(ROOT / "launch.py"), *options]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True)


def on(cluster: DaskProcesses) -> tuple[str, ...]:
    """Return the options that select a cluster."""
    return "--placement", "cluster", "--scheduler", cluster.address


@pytest.mark.slow
@forks
def test_a_fleet_on_a_cluster_gives_the_logs_of_one_process(
    cluster: DaskProcesses, tmp_path: Path
) -> None:
    mission = tmp_path / "fleet"
    shutil.copytree(ROOT / "missions/fleet", mission)
    figures = {}
    for name, placement in (("here", ("--placement", "one")), ("there", on(cluster))):
        file = tmp_path / f"{name}.json"
        ends = ("--for", "8", "--log", str(tmp_path / name), "--json", str(file))
        run = begun(str(mission), *FLEET, *ends, *placement)
        assert (run.communicate(timeout=PATIENCE)[1], run.returncode) == ("", 0)
        figures[name] = json.loads(file.read_text())
    for key in ("posted", "delivered", "refused", "communities", "complaints"):
        assert figures["here"][key] == figures["there"][key]
    assert all(one["log_sha256"] for one in figures["there"]["communities"].values())


@pytest.mark.slow
@forks
def test_a_worker_that_dies_ends_the_run_with_its_name(
    cluster: DaskProcesses, tmp_path: Path
) -> None:
    file = tmp_path / "told.json"
    ends = ("--for", "99999", "--no-log", "--json", str(file), "--port", "auto")
    run = begun("fleet", *FLEET, *ends, *on(cluster))
    deadline = wall() + PATIENCE
    while not (address := begun_by(run.pid)):
        assert wall() < deadline
        assert run.poll() is None
        sleep(0.1)
    with Client.connect(address, "test", community="abe") as client:
        client.register("NAV_X")
        assert client.fetch(PATIENCE)  # the vessel is under way
    addresses = cluster.addresses()
    cluster.kill("b")
    run.communicate(timeout=PATIENCE)
    assert run.returncode == 1
    failures = json.loads(file.read_text())["failures"]
    assert [failed["app"] for failed in failures] == [f"worker {addresses['b']}"]
    assert "; it ran " in failures[0]["reason"]
    cluster.add("b")
    cluster.addresses()


@pytest.mark.slow
@forks
def test_a_worker_with_other_sources_is_refused_before_anything_starts(
    cluster: DaskProcesses, tmp_path: Path
) -> None:
    other, log = tmp_path / "other", tmp_path / "log"
    other.mkdir()
    for part in (path for path in ROOT.iterdir() if path.is_dir()):
        (other / part.name).symlink_to(part)
    (other / "moos").unlink()
    shutil.copytree(ROOT / "moos", other / "moos")
    with (other / "moos/values.py").open("a") as file:
        file.write("# changed\n")
    cluster.add("odd", PYTHONPATH=str(other))
    odd = cluster.addresses()["odd"]
    run = begun("fleet", *FLEET, "--for", "8", "--log", str(log), *on(cluster))
    errors = run.communicate(timeout=PATIENCE)[1]
    cluster.kill("odd")
    assert run.returncode == 2
    assert f": worker {odd} has sources " in errors
    assert errors.count("worker") == 1
    assert not log.exists()


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ((), "--placement cluster: expected --scheduler tcp://HOST:PORT as well"),
        (("--scheduler", NOWHERE, "--restarts", "1"), "--restarts: not with --placement cluster"),
        (("--scheduler", NOWHERE, "--external", "pEcho"), "--external: not with --placement"),
        (("--scheduler", NOWHERE), f"--scheduler {NOWHERE}: no Dask scheduler answers there"),
    ],
)
@forks
def test_what_a_cluster_cannot_do_is_an_error(
    options: tuple[str, ...],
    told: str,
    duet: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("steerageway.launcher.cluster.scheduler.TIMEOUT", 0.3)
    assert main([str(duet), "--for", "1", "--log", "out", "--placement", "cluster", *options]) == 2
    assert told in capsys.readouterr().err
    assert not Path("out").exists()


def test_the_files_of_a_mission_travel(duet: Path, tmp_path: Path) -> None:
    """What lies outside its folder, too, and a module of its own; the originals are gone then."""
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared/echo.moos").write_text("ProcessConfig = pEcho\n{\n  word = far\n}\n")
    with duet.open("a") as mission:
        mission.write("#include ../shared/echo.moos\n")
    options = parse_options([str(duet), "--no-log", "--placement", "one"])
    with files_read() as read:
        plan_launch(options)
    archive, options = packed(options, read), absolute(options)
    for folder in (duet.parent, tmp_path / "shared"):
        shutil.rmtree(folder)
    sys.modules.pop("duet")
    there = tmp_path / "there"
    unpacked(archive, there)
    found = plan_launch(moved(options, str(OWN), there)).plan.apps
    assert [app.app.word for app in found if app.name == "pEcho"] == ["far"]  # type: ignore[attr-defined]
    ours = moved(absolute(parse_options(["alpha"])), "/elsewhere", there)
    assert ours.missions == (f"{there}{ROOT / 'missions/alpha'}",)


@pytest.mark.slow
def test_a_group_elsewhere_sends_frames_of_any_size_and_its_end_is_noticed(tmp_path: Path) -> None:
    listener = RemoteListener("127.0.0.1", tmp_path)
    keys = tmp_path / "key"
    keys.write_text(listener.keys)
    large = b"0" * (LARGEST_FRAME + 10_000)
    stranger, channel = (
        Connection(listener.address, None),
        RemoteChannel(listener.address, keys, os.getppid()),
    )
    stranger.send("host", "stranger")
    channel.send("host", large)
    arrived: list[tuple[bytes, Any]] = []
    deadline = wall() + PATIENCE
    while not arrived and wall() < deadline:
        arrived += listener.receive(0.1)
    ((peer, frame),) = arrived
    assert frame == ("host", large)
    listener.send(peer, "windows", 1)
    assert next(channel.frames()) == ("windows", 1)
    channel.send("ran", 1)
    channel.close()
    while len(arrived) < 3 and wall() < deadline:
        arrived += listener.receive(0.1)
    assert arrived[1:] == [(peer, ("ran", 1)), (peer, None)]
    listener.send(peer, "windows", 2)
    orphan = RemoteChannel(listener.address, keys, os.getppid() + 1)
    assert list(orphan.frames()) == []  # its parent ended before it was connected
    orphan.close()
    stranger.close(0)
    listener.close()
