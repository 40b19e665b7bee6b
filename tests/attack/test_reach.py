"""Posts of clients, mission files, logs and vessels reach no file outside the run's folder."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from argparse import Namespace
from contextlib import suppress
from pathlib import Path
from time import process_time

import pytest
import yaml
from changes import changed_files, outside
from launches import ROOT

from steerageway.apps.helm import Helm
from steerageway.apps.logs.dataset.command import main as export
from steerageway.apps.logs.logger.copies import LARGEST_COPY, Copies, CopyRefused
from steerageway.apps.shared.registry import APPS
from steerageway.apps.shared.replay import replay
from steerageway.apps.shared.user_code import program
from steerageway.launcher.command import main
from steerageway.launcher.options import parse_options
from steerageway.launcher.plan import plan_launch
from steerageway.peers.launch_script.commands import Commands
from steerageway.peers.launch_script.mission_copy import mission_copy
from steerageway.web.configurator.vessel_library import VesselLibrary


@pytest.fixture
def mission(tmp_path: Path) -> Path:
    """Return a mission's folder, next to a folder that must stay unread."""
    folder = tmp_path / "mission"
    folder.mkdir()
    (folder / "alpha.bhv").write_text("a behavior")
    (folder / "alpha.bhv").chmod(0o640)
    (tmp_path / "secret").write_text("a secret")
    (folder / "link").symlink_to(tmp_path / "secret")
    os.mkfifo(folder / "pipe")
    with (folder / "large").open("wb") as file:
        file.truncate(LARGEST_COPY + 1)
    (tmp_path / "kept").mkdir()
    return folder


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("../secret", "not below"),
        ("link", "not below"),
        ("/etc/passwd", "not below"),
        ("/dev/zero", "not below"),
        ("pipe", "not a file"),
        (".", "not a file"),
        ("large", "more than"),
        ("none", "No such file"),
        ("\0", "no file's name"),
        ("x" * 5000, "File name too long"),
    ],
)
def test_files_outside_the_mission_are_not_copied(mission: Path, name: str, expected: str) -> None:
    copies = Copies([mission], ["alpha.bhv"])
    with pytest.raises(CopyRefused, match=expected):
        copies.keep(mission, name, mission.parent / "kept")
    assert list((mission.parent / "kept").iterdir()) == []


def test_a_copy_keeps_its_mode_and_is_made_once(mission: Path) -> None:
    kept = mission.parent / "kept"
    copies = Copies([mission], [])
    copy = copies.keep(mission, "alpha.bhv", kept)
    assert (copy.name, copy.read_text()) == ("alpha._bhv", "a behavior")
    assert copy.stat().st_mode & 0o777 == 0o640
    made = copy.stat().st_ino
    assert copies.keep(mission, "alpha.bhv", kept).stat().st_ino == made
    (mission / "alpha.bhv").write_text("another")
    os.utime(mission / "alpha.bhv", (1, 1))
    assert copies.keep(mission, "alpha.bhv", kept).read_text() == "another"


def test_a_file_that_the_mission_names_may_be_in_another_folder(mission: Path) -> None:
    copies = Copies([mission], ["../secret"])
    assert copies.keep(mission, "../secret", mission.parent / "kept").read_text() == "a secret"


@pytest.mark.parametrize("name", ["../../pwned", "/tmp/x", "..", ".x", "~root", "a\\b", "n" * 300])
def test_community_names_keep_logs_inside_the_folder(
    tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    mission = tmp_path / "one.moos"
    mission.write_text(f"Community = {name}\nProcessConfig = ANTLER\n{{\nRun = pLogger\n}}\n")
    assert main([str(mission), "--check"]) == 2
    assert f"one.moos:1: Community = {name}: expected a name" in capsys.readouterr().err


ONE = """\
Community = one
ProcessConfig = ANTLER
{{
  Run = {name}
}}
ProcessConfig = {name}
{{
{lines}
}}
"""
LEADS_OUT = ("../out", "{outside}/out", "sub/../../out", "link/out", "..", "a/..", "n" * 300)
WRITERS = {
    "pLogger": ("File = {}", "Path = {}", "LoggingDirectorySummaryFile = {}"),
    "pMissionEval": ("report_file = {}\nreport_column = a\nlead_condition = A = 1",),
    "uSweep": ("cases = cases.yml\ntable = {}",),
    "pMcapLogger": ("file = {}",),
}
"""The apps that write files, and the lines that name these."""
UNNAMED = {"pArduPilot"}  # writes a file that no line names


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a mission's folder with a link that leads out of it."""
    mission = tmp_path / "mission"
    (mission / "sub").mkdir(parents=True)
    (mission / "sub" / "beside.txt").write_text("")
    (tmp_path / "outside").mkdir()
    (tmp_path / "own").mkdir()
    (mission / "link").symlink_to(tmp_path / "outside")
    (mission / "cases.yml").write_text("limit: 1\nstate: {x: 1}\n")
    monkeypatch.chdir(mission)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "own"))
    return mission


@pytest.mark.slow
@pytest.mark.parametrize("target", LEADS_OUT)
def test_commands_of_a_launch_script_make_files_in_the_cache_alone(
    folder: Path, target: str, capsys: pytest.CaptureFixture[str]
) -> None:
    target = target.format(outside=folder.parent / "outside")
    (folder / "meta.moos").write_text(ONE.format(name="pXRelay", lines=""))
    (folder / "launch.sh").write_text(
        f"nsplug meta.moos {target}\npickpos --amt=1 --vnames --file={target}\npAntler {target}\n"
    )
    before = sorted(folder.parent.rglob("*"))
    with changed_files() as found:
        code = main([".", "--for", "1", "--no-log", "--placement", "one", "--quiet"])
    assert outside(found, folder.parent / "own") == []
    made = set(folder.parent.rglob("*")) - set(before)
    assert [path for path in made if not path.is_relative_to(folder.parent / "own")] == []
    errors = capsys.readouterr().err
    assert code == 2, errors
    assert f"pAntler {target}: there is no such file" in errors or ".." in target
    assert "Traceback" not in errors
    assert not any((folder.parent / "own" / "steerageway" / "scripts").iterdir())


@pytest.mark.slow
def test_commands_of_a_launch_script_replace_links_and_leave_their_targets(folder: Path) -> None:
    (folder / "meta.moos").write_text(ONE.format(name="pXRelay", lines=""))
    victim = folder.parent / "outside" / "victim"
    victim.write_text("mine")
    (folder / "targ.moos").symlink_to(victim)
    (folder / "launch.sh").write_text("nsplug meta.moos targ.moos -f\npAntler targ.moos\n")
    (launch,) = plan_launch(parse_options([".", "--check"])).communities
    assert launch.name == "one"
    assert victim.read_text() == "mine"


@pytest.mark.slow
def test_a_launch_script_may_make_files_in_inner_folders(folder: Path) -> None:
    lines = "  OUTGOING_VAR = ../../one.txt"
    (folder / "meta.moos").write_text(ONE.format(name="pXRelay", lines=lines))
    (folder.parent / "one.txt").write_text("")
    (folder / "launch.sh").write_text("nsplug meta.moos ./sub/a.moos\npAntler sub/a.moos\n")
    (launch,) = plan_launch(parse_options([".", "--check"])).communities
    place = launch.mission.path.parent
    assert (place / "sub" / "beside.txt").samefile(folder / "sub" / "beside.txt")
    assert (place / "../one.txt").samefile(folder.parent / "one.txt")
    assert (place / "sub" / "a.moos").is_file()
    assert sorted(path.name for path in (folder / "sub").iterdir()) == ["beside.txt"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "asked",
    [
        *(b"", b"x", b"1\0/\0rm\0-rf", b"1 x\0/\0nsplug\0a\0b", b"\xff\0\xff\0nsplug\0\xff"),
        *(b"1\0/\0shuf\0-i", b"1\0/\0shuf\0-i\x000-99999999999", b"1\0/\0shuf\0-n"),
        *(b"1\0/\0shuf\0-i\x000-" + b"9" * count for count in (40, 5000)),
        *(b"1\0/\0pickpos\0--amt=999999999", b"1\0/\0pickpos\0--poly=0,0:0,0:0,0"),
        *(b"1\0/\0pickpos\0--amt=1000\0--maxtries=999999999\0--poly=0,0:1,0:1,1",),
        *(b"1\0/\0nsplug\0/dev/zero\0a", b"1\0/\0nsplug\0meta.moos\0" + b"x" * 100_000),
    ],
    ids=range(15),
)
def test_whatever_a_script_asks_for_is_answered(folder: Path, asked: bytes) -> None:
    began = process_time()
    with mission_copy(folder) as copy:
        answer = Commands(copy, lambda name: {}, [], 0).answer(asked)
    code, out, err = answer.split(b"\0")
    assert (code, out, err.endswith(b"\n")) == (b"2", b"", True)
    assert process_time() - began < 20.0


@pytest.mark.parametrize("target", LEADS_OUT)
@pytest.mark.parametrize("name", WRITERS)
def test_an_app_writes_into_the_folder_of_its_run_alone(
    folder: Path, name: str, target: str, capsys: pytest.CaptureFixture[str]
) -> None:
    target = target.format(outside=folder.parent / "outside")
    for number, lines in enumerate(WRITERS[name]):
        (folder / "one.moos").write_text(ONE.format(name=name, lines=lines.format(target)))
        log = folder.parent / f"log{number}"
        options = ["--log", str(log), "--set", "A=1", "--for", "2", "--warp", "max", "--quiet"]
        with changed_files() as found:
            code = main(["one.moos", *options, "--placement", "one"])
        assert outside(found, log, folder.parent / "own") == []
        assert code in (0, 1, 2)
    assert list((folder.parent / "outside").iterdir()) == []
    assert "Traceback" not in capsys.readouterr().err


def test_the_apps_that_write_files_are_all_tested() -> None:
    writing = set()
    for name, target in APPS.items():
        place = ROOT.joinpath(*target.partition(":")[0].removesuffix(".app").split(".")[1:])
        files = place.glob("*.py") if place.is_dir() else [place.with_suffix(".py")]
        if any("log_folder" in file.read_text() for file in files):
            writing.add(name)
    assert writing == set(WRITERS) | UNNAMED


@pytest.mark.parametrize("name", ["../../../out", "{outside}/out", "a/../../out", ".x", "a\nb"])
def test_a_world_of_panisim_makes_files_in_the_cache_alone(
    folder: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    name = name.format(outside=folder.parent / "outside")
    agent = {"name": name, "geometry": str(ROOT / "inputs" / "otter" / "geometry.yml")}
    world = {"sim_time": 1, "time_step": 0.1, "gps_datum": [13, 80, 0], "agents": [agent]}
    (folder / "world.yml").write_text(yaml.safe_dump(world))
    with changed_files() as found:
        code = main(["world.yml", "--check"])
    assert (code, outside(found, folder.parent / "own")) == (2, [])
    assert "expected a name without / and" in capsys.readouterr().err


def test_a_log_exports_no_file_outside_the_datasets_folder(folder: Path) -> None:
    info = json.dumps(
        dict.fromkeys(("width", "height", "distortion_model"), 1)
        | dict.fromkeys("dkr")
        | {"p": [1.0]}
    )
    for name in ("../../out", "/out", "..", "a/b"):
        (folder / "one.alog").write_text(
            f"%% LOGSTART 1\n0.5 CAMERA_INFO_{name} uSceneSensors {info.replace(' ', '')}\n"
        )
        with changed_files() as found:
            code = export(["one.alog", "-o", "set"])
        assert (code, outside(found, folder / "set")) == (2, [])
        shutil.rmtree("set", ignore_errors=True)


def test_logs_go_to_no_folder_that_the_mission_links_to(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "one.moos").write_text(ONE.format(name="pXRelay", lines=""))
    (folder / "logs").symlink_to(folder.parent / "outside")
    with changed_files() as found:
        code = main(["one.moos", "--for", "1", "--placement", "one", "--quiet"])
    assert (code, outside(found, folder.parent / "own")) == (2, [])
    assert "logs: a link in the mission's folder" in capsys.readouterr().err


@pytest.mark.slow
def test_a_sweep_overwrites_nothing_that_its_folder_links_to(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "one.moos").write_text(ONE.format(name="pXRelay", lines=""))
    (folder / "sweep.yml").write_text("vary: {--for: [1, 2]}\n")
    command = ["one.moos", "--sweep", "sweep.yml", "--no-log", "--results", "out"]
    assert main(command) == 0
    victim = folder.parent / "outside" / "victim"
    victim.write_text("mine")
    for name in ("summary.txt", "results.new", "junit.xml", "rows.jsonl", "runs/00001.txt"):
        path, before = folder / "out" / name, folder / "before"
        before.write_bytes(path.read_bytes() if path.exists() else b"")
        path.unlink(missing_ok=True)
        path.symlink_to(victim)
        assert main(command) == 2
        assert f"expected no links; out/{name} is one" in capsys.readouterr().err
        assert victim.read_text() == "mine"
        path.unlink()
        before.replace(path)


@pytest.mark.parametrize("file", ["notes.txt", "meshes/hull.stl"])
def test_a_vessel_is_saved_into_its_own_folder_alone(folder: Path, file: str) -> None:
    vessel, elsewhere = folder.parent / "boat", folder.parent / "outside"
    shutil.copytree(ROOT / "inputs" / "otter", vessel)
    (vessel / "meshes").symlink_to(elsewhere)
    (vessel / "notes.txt").symlink_to(elsewhere / "notes.txt")
    library = VesselLibrary(folder.parent / "own" / "drafts", [folder.parent])
    draft = library.folder(str(vessel))
    draft.put(draft.journal.revision, "put", {file: b"mine"})
    with changed_files() as found, suppress(PermissionError):
        library.save(draft, draft.name)
    assert outside(found, vessel, folder.parent / "own") == []
    assert list(elsewhere.iterdir()) == []


@pytest.mark.process
def test_a_folder_that_is_entered_executes_nothing(folder: Path) -> None:
    """Neither modules that lie in the current folder nor a cache that numba is pointed to."""
    for module in ("numpy", "json", "steerageway", "runpy", "sitecustomize"):
        (folder / f"{module}.py").write_text("open('ran', 'w')\n")
    (folder / ".numba_config.yaml").write_text(
        "cache_dir: cache\ncache_locator_classes: json.Locator\n"
    )
    alpha = str(ROOT / "missions" / "alpha" / "alpha.moos")
    options = ["--config", "uSimMarineV22.model=fossen", "--config", "uSimMarineV22.vessel=otter"]
    launch = [sys.executable, str(ROOT / "launch.py"), alpha, "--check", "--no-code", *options]
    children = [[*program("steerageway.launcher"), alpha, "--check"], launch]
    for command in children:
        ended = subprocess.run(command, capture_output=True, text=True, timeout=100)
        assert ended.returncode == 0, ended.stderr
    assert not (folder / "ran").exists()
    assert not (folder / "cache").exists()


def test_reading_a_log_again_runs_no_python_beside_it(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = folder / "log"
    assert (
        main(
            [
                str(ROOT / "missions/alpha"),
                "--log",
                str(log),
                "--for",
                "3",
                "--warp",
                "max",
                "--placement",
                "one",
                "--quiet",
            ]
        )
        == 0
    )
    (copy,) = log.rglob("*._moos")
    text = copy.read_text().replace("behaviors", "behavior_path = evil.py\n  behaviors", 1)
    copy.write_text(text)
    (copy.parent / "evil._py").write_text("open('ran', 'w')\n")
    (copy.parent / "large._bhv").symlink_to("/dev/zero")
    os.mkfifo(copy.parent / "pipe._bhv")
    assert replay(Helm, Namespace(replay=log, mission=None, name="pHelmIvP", seed=0)) == 2
    assert "behavior_path = evil.py: Python that a log names is not run" in capsys.readouterr().err
    assert not (folder / "ran").exists()
