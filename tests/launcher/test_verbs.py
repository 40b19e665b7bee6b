"""The ``steerageway`` command and its subcommands."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from steerageway.launcher.mission_names import SHIPPED
from steerageway.launcher.pages import PLACES
from steerageway.launcher.verbs import VERBS, help_text, main, with_sweep_file

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Be in an empty folder, as after an installation."""
    monkeypatch.chdir(tmp_path)


def test_help_lists_every_command_and_every_shipped_mission() -> None:
    output = help_text()
    assert all(f"\n  {name} " in output for name in VERBS)
    assert "alpha" in output


@pytest.mark.parametrize("name", VERBS)
def test_a_command_prints_its_own_name_in_its_help(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        code: object = main([name, "--help"])
    except SystemExit as ended:  # argparse's way
        code = ended.code
    assert code == 0
    assert capsys.readouterr().out.startswith(f"usage: steerageway {name}")


def completed(line: str, folder: Path) -> list[str]:
    """Return the words that a shell is offered, as argcomplete's function of bash asks for them."""
    asked = {"_ARGCOMPLETE": "1", "COMP_LINE": line, "COMP_POINT": str(len(line))}
    told = {"_ARGCOMPLETE_STDOUT_FILENAME": str(folder / "words"), "_ARGCOMPLETE_IFS": "\n"}
    command = [sys.executable, "-m", "steerageway"]
    subprocess.run(command, env=os.environ | asked | told, check=True, timeout=60)
    return [word.strip() for word in (folder / "words").read_text().split("\n")]


@pytest.mark.process
@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("steerageway colr", ["colregs"]),
        ("steerageway run otter_l", ["otter_lane"]),
        ("steerageway alog plot --over", ["--over-time"]),
        ("steerageway help launch", ["launching"]),
    ],
)
def test_a_shell_completes_commands_missions_options_and_topics(
    line: str, words: list[str], tmp_path: Path
) -> None:
    assert completed(line, tmp_path) == words


def test_the_version_is_that_of_the_installation(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("steerageway 0.")


def test_a_shipped_mission_runs_by_its_name_with_and_without_the_verb_run(
    capsys: pytest.CaptureFixture[str],
) -> None:
    arguments = ["alpha", "--placement", "one", "--warp", "max", "--for", "3", "--no-log"]
    assert main(["run", *arguments]) == 0
    assert main(arguments) == 0
    assert capsys.readouterr().out.count("ended: for") == 2


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["scpoe"], "scope"),
        (["veiw"], "view"),
        (["rnu", "alpha"], "run"),
        (["alhpa"], "alpha"),
        (["survy"], "survey"),  # a folder beside, with a mission
        (["sweep", "monte_alhpa"], "monte_alpha"),
    ],
)
def test_a_misspelt_command_or_mission_is_reported_with_the_nearest(
    words: list[str], meant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["new", "mission", "survey"]) == 0
    assert main(words) == 2
    assert f"the nearest is {meant}; " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["alog", "hsah", "x.alog"], "hash"),
        (["vessel", "shwo", "otter"], "show"),
        (["new", "mision", "survey"], "mission"),
        (["vessel", "tune", "otter", "--controller", "posse"], "pose"),
    ],
)
def test_a_misspelt_word_among_a_commands_choices_is_reported_with_the_nearest(
    words: list[str], meant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(words)
    assert capsys.readouterr().err.endswith(f"; the nearest is {meant}\n")


def test_help_prints_a_page_or_the_help_of_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", "sweeps"]) == 0
    assert capsys.readouterr().out == (ROOT / "docs" / "sweeps.md").read_text()
    assert main(["help"]) == 0
    assert "first_mission" in capsys.readouterr().out
    with pytest.raises(SystemExit, match="0"):
        main(["help", "view"])
    assert capsys.readouterr().out.startswith("usage: steerageway view")
    assert main(["help", "sweep_s"]) == 2
    assert "no such page; did you mean sweeps?" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("topic", "where"),
    [
        ("uSimMarineV22", "steerageway app uSimMarineV22 --example prints its parameters"),
        ("BHV_Waypoint", "steerageway behaviors BHV_Waypoint prints its parameters"),
        ("variables", "steerageway app NAME --interface prints those of an app"),
        ("tutorials", "see first_mission, first_vessel and first_code"),
    ],
)
def test_help_with_what_is_no_page_names_the_command_that_describes_it(
    topic: str, where: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["help", topic]) == 2
    assert capsys.readouterr().err == f"steerageway help: {topic}: no such page; {where}\n"


def test_the_vessel_tools_include_identify(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["vessel", "identifi"])
    assert capsys.readouterr().err.endswith("; the nearest is identify\n")


def test_help_names_every_tutorial() -> None:
    tutorials = sorted(page.stem for page in (ROOT / "docs" / "tutorials").glob("*.md"))
    assert sorted(re.findall(r"first_\w+", PLACES["tutorials"])) == tutorials


def test_an_existing_folder_is_a_mission_whatever_its_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "pokes").mkdir()
    assert main(["pokes"]) == 2
    assert "pokes: expected one mission file in the folder" in capsys.readouterr().err


def test_help_of_a_sweep_is_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["sweep", "--help"], ["sweep", "alpha", "-h"]):
        assert main(words) == 0
        text = capsys.readouterr().out
        assert text.startswith("usage: steerageway sweep MISSION [FILE.yml] [options]")
        assert "sweep.yml in the mission's folder" in text
        for option in ("--case", "--jobs", "--results", "--scheduler", "--until", "--set"):
            assert option in text
        for option in ("--sweep", "--attach", "--port", "--view", "--free-run"):
            assert option not in text


@pytest.mark.parametrize("wrong", [["--bogus"], ["--jobs", "x"], ["--log", "--no-log"], ["b.moos"]])
def test_a_wrong_option_of_a_sweep_shows_the_usage_of_a_sweep(
    wrong: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["sweep", "monte_alpha", *wrong, "--graph"])
    text = capsys.readouterr().err
    assert text.startswith("usage: steerageway sweep MISSION [FILE.yml] [options]\n")


def test_a_sweep_finds_the_file_next_to_its_mission() -> None:
    file = str(SHIPPED / "monte_alpha" / "sweep.yml")
    assert with_sweep_file(["monte_alpha", "--check"]) == [
        *("monte_alpha", "--sweep", file, "--check")
    ]
    assert with_sweep_file(["alpha", "mine.yml"]) == ["alpha", "--sweep", "mine.yml"]
    there = str(SHIPPED / "sea_trials" / "sea_states.yml")
    assert with_sweep_file(["sea_trials", "sea_states.yml"]) == ["sea_trials", "--sweep", there]
    Path("sea_states.yml").touch()
    mine = with_sweep_file(["sea_trials", "sea_states.yml"])
    assert mine == ["sea_trials", "--sweep", "sea_states.yml"]
    assert with_sweep_file(["alpha"]) is None


@pytest.mark.process
def test_a_reader_that_closes_early_ends_help_quietly(tmp_path: Path) -> None:
    text = f"{sys.executable} -m steerageway poke help | head -n 1; echo ${{PIPESTATUS[0]}}"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    for _ in range(5):
        ended = subprocess.run(
            ["bash", "-c", text], env=environment, capture_output=True, text=True, check=True
        )
        assert ended.stderr == ""
        assert ended.stdout.splitlines()[-1] == "0"


@pytest.mark.process
def test_help_into_a_closed_pipe_ends_quietly(tmp_path: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "steerageway", "poke", "help"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with os.fdopen(writer, "w") as pipe:
        ended = subprocess.run(
            command, env=environment, stdout=pipe, stderr=subprocess.PIPE, check=False
        )
    assert (ended.returncode, ended.stderr) == (0, b"")


@pytest.mark.parametrize("name", ["pMarinePIDV22", "marine_pid"])
def test_an_app_is_found_by_its_name_in_a_launch_list_and_by_its_modules(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["app", name, "--example"]) == 0
    assert "ProcessConfig = pMarinePIDV22" in capsys.readouterr().out


def test_an_app_of_the_folder_is_found_by_module_and_class(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path])
    (tmp_path / "depth_gauge.py").write_text(
        "from steerageway import App\nclass DepthGauge(App):\n    publishes = ('DEPTH_SEEN',)\n"
    )
    assert main(["app", "depth_gauge:DepthGauge", "--interface"]) == 0
    assert "DEPTH_SEEN" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["app", "pMarinePIDV2"], "the nearest is pMarinePIDV22"),
        (["app", "odometer:Odometer"], "expected a module that can be imported"),
        (["behaviors", "BHV_Loite"], "did you mean BHV_Loiter?"),
    ],
)
def test_a_wrong_name_is_an_error_that_says_what_is_right(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    assert said in capsys.readouterr().err


@pytest.mark.slow
def test_an_app_takes_part_in_a_shipped_mission_by_its_name(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["app", "pMarinePIDV22", "alpha", "--moos_port", "1"]) == 2
    assert "localhost:1: no broker answers there" in capsys.readouterr().err


def test_keys_are_made_for_a_broker_and_its_clients(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["keys", str(tmp_path / "keys"), "--add", "abe"]) == 0
    assert "allowed=abe" in capsys.readouterr().out
    assert (tmp_path / "keys" / "clients" / "abe.key").stat().st_mode & 0o077 == 0
