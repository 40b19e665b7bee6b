"""Finding a run by a mission file, its folder, an address, or as the only one."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from house import House
from networks import app_plan
from stage import mission

from steerageway.apps.shared.runs import NoSuchRun, find_run, mission_file
from steerageway.bus import App, NoAnswer, sleep

Written = Callable[..., Path]


class Quiet(App):
    """Does nothing."""


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Written:
    """Return a function that writes a run file, in the runtime folder or elsewhere."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    runtime = tmp_path / "steerageway"
    runtime.mkdir()

    def write(
        address: str,
        *communities: str,
        pid: int = 0,
        file: Path | None = None,
        of: Path | None = None,
        logs: Path | None = None,
    ) -> Path:
        about = {"address": address, "communities": communities, "pid": pid or os.getpid()}
        if of is not None:
            about["files"] = {name: str(of.resolve()) for name in communities}
        if logs is not None:
            about["folder"] = str(logs)
        path = file or runtime / f"{len(list(runtime.iterdir()))}.json"
        path.write_text(json.dumps(about))
        return path

    return write


@pytest.fixture
def house() -> Any:
    with House(mission(app_plan(Quiet, "pQuiet", 0.0, "1"))) as open_house:
        yield open_house


def _mission(folder: Path, community: str, port: int) -> Path:
    file = folder / f"{community}.moos"
    file.write_text(f"ServerHost = localhost\nServerPort = {port}\nCommunity = {community}\n")
    return file


@pytest.mark.process
def test_a_run_is_found_in_every_way_it_can_be_named(
    house: House, written: Written, tmp_path: Path
) -> None:
    address, port = house.address, house.server.port
    assert port is not None
    file = _mission(tmp_path, "alpha", port)
    for target in (f"localhost:{port}", address, str(file), str(tmp_path)):
        assert find_run(target).communities == ["alpha"]
        assert find_run(target).community == "alpha"
    folder = tmp_path / "run"
    folder.mkdir()
    written(address, "alpha", file=folder / "run.json")
    assert find_run(str(folder)).address == address
    written(address, "alpha")
    assert find_run().address == address
    assert find_run("alpha").address == address  # by the community's name
    elsewhere = _mission(folder, "alpha", 1)
    assert find_run(str(elsewhere)).address == address  # by its community
    with find_run().connect("pScope") as client:
        assert client.community == "alpha"


@pytest.mark.process
def test_a_missing_run_is_reported_with_the_running_ones(
    house: House, written: Written, tmp_path: Path
) -> None:
    with pytest.raises(
        NoSuchRun, match=r"found; expected a mission file.*steerageway run MISSION starts"
    ):
        find_run()
    written("tcp://127.0.0.1:1", "gone", pid=2**22 + 1)
    with pytest.raises(NoSuchRun, match="no running mission found"):
        find_run()
    written(house.address, "alpha")
    with pytest.raises(NoSuchRun, match=r"community bravo .*; running: .*\(alpha"):
        find_run(community="bravo")
    with pytest.raises(NoSuchRun, match=r"community alhpa .*, the nearest is alpha"):
        find_run(community="alhpa")
    with pytest.raises(NoSuchRun, match="no community alhpa; the nearest is alpha"):
        find_run(house.address, community="alhpa")
    written(house.address, "bravo")
    with pytest.raises(
        NoSuchRun,
        match=r"several missions are running; select one by its .*: 127.0.0.1:\d+ \(alpha",
    ):
        find_run()
    folder = tmp_path / "over"
    folder.mkdir()
    with pytest.raises(NoSuchRun, match=r"over: expected a run's folder, or one with one .moos"):
        find_run(str(folder))
    written(house.address, "alpha", pid=2**22 + 1, file=folder / "run.json")
    with pytest.raises(NoSuchRun, match="over: this run has ended"):
        find_run(str(folder))


def test_two_runs_of_one_mission_are_told_apart_by_their_log_folders(
    written: Written, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = _mission(tmp_path, "alpha", 9000)
    for number in (1, 2):
        written(
            f"tcp://127.0.0.1:{number}", "alpha", of=file, logs=tmp_path / f"logs/alpha-{number}"
        )
    with pytest.raises(NoSuchRun) as refused:
        find_run()
    assert str(refused.value) == (
        "several missions are running; select one by its address, log folder or file: "
        "127.0.0.1:1 (alpha of alpha.moos, in logs/alpha-1), "
        "127.0.0.1:2 (alpha of alpha.moos, in logs/alpha-2)"
    )


def test_a_missing_target_is_reported_with_the_running_missions(written: Written) -> None:
    with pytest.raises(NoSuchRun, match=r"or a community; no mission is running$"):
        find_run("alpha")
    written("tcp://127.0.0.1:1", "alpha")
    with pytest.raises(
        NoSuchRun, match=r"existing file or folder, or a community, the nearest is alpha$"
    ):
        find_run("alhpa")
    with pytest.raises(NoSuchRun, match=r"or a community; running: 127.0.0.1:1 \(alpha\)$"):
        find_run("missions/nowhere")


@pytest.mark.parametrize("damaged", ["", "{", "[]", '{"pid": 1}', '"\udc80"', "\x00"])
def test_a_damaged_run_file_is_ignored(written: Written, tmp_path: Path, damaged: str) -> None:
    data = damaged.encode("utf-8", "surrogateescape")
    written("tcp://127.0.0.1:1", "alpha").write_bytes(data)
    with pytest.raises(NoSuchRun, match="no running mission found"):
        find_run()
    (tmp_path / "run.json").write_bytes(data)
    with pytest.raises(NoSuchRun, match=r"run\.json: expected address, communities, pid as a run"):
        find_run(str(tmp_path))


@pytest.mark.process
def test_an_address_without_an_answer_names_the_running_missions(
    house: House, written: Written, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("steerageway.bus.processes.standalone.TIMEOUT", 0.1)
    written(house.address, "alpha")
    with pytest.raises(NoAnswer, match=r"localhost:1: no broker .* Running missions: .*\(alpha\)"):
        find_run("localhost:1")


@pytest.mark.process
def test_a_file_finds_the_run_that_was_launched_from_it_and_no_other(
    house: House, written: Written, tmp_path: Path
) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "theirs").mkdir()
    assert house.server.port is not None
    mine = _mission(tmp_path / "mine", "alpha", house.server.port)
    reference = _mission(tmp_path / "theirs", "alpha", house.server.port)
    written("tcp://127.0.0.1:1", "alpha", of=reference)
    expected = r"no running mission was launched from it; running: 127.0.0.1:1 \(alpha of .*theirs"
    elsewhere = _mission(tmp_path / "mine", "bravo", 1)
    with pytest.raises(NoSuchRun, match=expected):
        find_run(str(elsewhere))  # somebody else's run listens at its port
    written(house.address, "alpha", of=mine)
    assert find_run(str(mine)).address == house.address
    assert find_run(f"{mine}@alpha").community == "alpha"
    assert mission_file(f"{mine}@alpha") == mine
    with pytest.raises(
        NoSuchRun, match=rf"bravo.moos: no running mission .*{house.server.port} \(alpha of"
    ):
        find_run(str(_mission(tmp_path / "mine", "bravo", house.server.port)))
    (tmp_path / "link.moos").symlink_to(mine)
    assert find_run(str(tmp_path / "link.moos")).address == house.address
    assert find_run(str(tmp_path / "mine")).address == house.address


def test_a_template_or_vessel_file_that_was_not_launched_is_reported(
    written: Written, tmp_path: Path
) -> None:
    template = tmp_path / "meta_vehicle.moos"
    template.write_text("ServerHost = localhost\nServerPort = $(MOOS_PORT)\n")
    panisim = tmp_path / "simulation_input.yml"
    panisim.write_text("sim_time: 1\n")
    for file in (template, panisim):
        with pytest.raises(
            NoSuchRun, match=f"{file.name}: no running mission was launched from it"
        ):
            find_run(str(file))


@pytest.mark.process
def test_two_runs_of_two_files_of_one_community_are_distinguished(stage: Any) -> None:
    files = []
    for folder in ("first", "second"):
        (stage.folder / folder).mkdir()
        file = stage.mission()
        files.append(stage.folder / folder / file.name)
        for name in (file.name, "busy.py"):
            (stage.folder / name).rename(stage.folder / folder / name)
    runs = [stage.launch(file, "--warp", 1, "--no-log") for file in files]
    folder = stage.folder / "runtime" / "steerageway"
    while len(list(folder.glob("*.json"))) < len(runs):
        sleep(0.01)
    for file in files:
        poked = stage.call("apps.poke", file, f"OF={file.parent.name}")
        assert poked.returncode == 0, poked.stderr
    for file in files:
        stage.wait_for(f"OF = {file.parent.name}", file)
        scoped = stage.call("apps.scope", file, "OF", "--once")
        assert file.parent.name in scoped.stdout
    never = _mission(stage.folder, "alpha", 1)
    result = stage.call("apps.poke", never, "OF=third")
    assert result.returncode == 2
    assert "no running mission was launched from it" in result.stderr
    assert all(f"alpha of {folder}/alpha.moos" in result.stderr for folder in ("first", "second"))
