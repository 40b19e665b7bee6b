"""``steerageway colregs``: suites of encounters, their results, and mistakes."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from xml.etree.ElementTree import parse

import pytest

from steerageway.apps.shared.encounters import ship_of
from steerageway.launcher.colregs.command import main
from steerageway.launcher.colregs.mission import write_mission
from steerageway.launcher.colregs.summary import mean, share

OUTPUTS = (("json", "json"), ("junit", "xml"), ("report", "html"))
SCENARIOS = """\
own: {length: 122, speed: 5, to: [0, 5000]}
scenarios:
  - name: meeting
    targets:
      - {at: [0, 6000], heading: 180, speed: 5}
"""


@pytest.fixture
def scenarios(tmp_path: Path) -> Path:
    """Return a file with one scenario."""
    path = tmp_path / "meeting.yml"
    path.write_text(SCENARIOS)
    return path


@pytest.mark.process
@pytest.mark.slow
def test_a_suite_says_who_collides_and_gives_the_same_numbers_again(
    scenarios: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def suite(helm: str, again: str = "") -> tuple[str, dict[str, object]]:
        out = tmp_path / f"{helm}{again}"
        words = ["--scenario", str(scenarios), "--helm", helm, "--seeds", "2", "--noise", "ais"]
        files = [f"--{kind}={out}.{end}" for kind, end in OUTPUTS] + [f"--results={out}"]
        assert main([*words, *files]) == 0
        found = json.loads(Path(f"{out}.json").read_text())
        return capsys.readouterr().out, found

    shown, none = suite("none")
    assert none["all"]["events"]["collision"]["value"] == 1.0  # type: ignore[index]
    assert len(parse(tmp_path / "none.xml").findall(".//failure")) == 2
    assert "worst: meeting, variation 0: --case 1" in shown
    page = (tmp_path / "none.html").read_text()
    assert "not kept: early 0.00" in page
    assert page.count("<svg") == 3  # two worst cases, and the scenario
    assert re.findall(r"""(?:src|href)=["'](?!file:)""", page) == []  # needs no network
    (first_log, *_) = re.findall(r"steerageway view ([^<]+)", page)
    assert list(Path(first_log).rglob("*.alog"))
    _, first = suite("v22")
    _, second = suite("v22", "again")
    assert first["all"]["events"]["collision"]["value"] == 0.0  # type: ignore[index]
    assert first["all"]["rules"]["14"]["value"] > 0.6  # type: ignore[index]
    of_machine = {"wall_seconds": 0, "share_of_runs": 0}
    assert {**first, **of_machine} == {**second, **of_machine}


BANKS = """\
own: {length: 122, speed: 5, at: [0, 0], to: [0, 9260]}
scenarios:
  - name: banks
    targets: [{at: [-488, 9760], heading: 180, speed: 5}]
    shallow:
      - points: [[488, -2000], [3000, -2000], [3000, 16000], [488, 16000]]
"""


@pytest.mark.slow
def test_the_helm_for_confined_waters_keeps_off_a_bank_on_which_the_other_one_strands(
    tmp_path: Path,
) -> None:
    file, result = tmp_path / "banks.yml", tmp_path / "result.json"
    file.write_text(BANKS)
    found = {}
    for helm in ("both", "ground"):
        words = [f"--scenario={file}", f"--helm={helm}", f"--results={tmp_path / helm}"]
        assert main([*words, "--seeds=1", f"--json={result}"]) == 0
        events = json.loads(result.read_text())["all"]["events"]
        found[helm] = tuple(events[name]["value"] for name in ("aground", "collision"))
    assert found == {"both": (1.0, 0.0), "ground": (0.0, 0.0)}


POLICY = """
from steerageway.bus import App


class Starboard(App):
    publishes = ("DESIRED_HEADING", "DESIRED_SPEED")

    def iterate(self):
        self.post("DESIRED_HEADING", 45.0)
        self.post("DESIRED_SPEED", 2.0)
"""


@pytest.mark.process
@pytest.mark.slow
def test_a_policy_of_ones_own_replaces_the_helm(
    scenarios: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "policy_of_test.py").write_text(POLICY)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    words = ["--scenario", str(scenarios), "--seeds=1", "--app=pHelmIvP=policy_of_test:Starboard"]
    assert main([*words, "--results=out", "--json=out.json"]) == 0
    found = json.loads(Path("out.json").read_text())["scenarios"]["meeting"]
    assert found["events"]["collision"]["value"] == 0.0
    assert found["cpa_lengths"]["least"] > 12.0
    assert main([*words, "--results=out", "--case=1", "--log=case"]) == 0
    assert list(Path("case").rglob("*.alog"))


@pytest.mark.process
@pytest.mark.slow
def test_the_command_and_the_file_of_the_page_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = (Path(__file__).parents[2] / "docs" / "colregs.md").read_text()
    monkeypatch.chdir(tmp_path)
    (command,) = re.findall(r"```sh\nsteerageway colregs (.*)\n```", page)
    assert main([*command.split(), "--case=1"]) == 0
    (example,) = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)
    Path("ferry.yml").write_text(example)
    assert main(["--scenario=ferry.yml", "--seeds=1", "--case=1", "--helm=none"]) == 0


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["--scenario", "gone.yml"], "gone.yml"),
        (
            ["--helm", "bold"],
            "--helm bold: expected v22, v19, avoid, both, none, or a behavior file",
        ),
        (["--scenario", "{}", "--report", "no/where.html"], "--report no/where.html: expected a"),
        (["--scenario", "{}", "--junit", "no/where.xml"], "--junit no/where.xml: expected a file"),
        (["--scenario", "{}", "--helm", "{}.bhv"], "meeting.yml.bhv:3: "),
        (["--speed", "3"], "--speed: expected together with --vessel"),
        (["--vessel", "otters"], "--vessel otters: "),
        (["--scenario", "{}", "--case", "99"], "--case 99: expected 1 to 10"),
    ],
)
def test_a_wrong_option_is_refused_in_a_sentence(
    arguments: list[str], error: str, scenarios: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [word.format(scenarios) for word in arguments]
    Path(f"{scenarios}.bhv").write_text("Behavior = BHV_Waypoint\n{\n  bold = yes\n}\n")
    assert main([*words, "--results", str(scenarios.parent / "out")]) == 2
    assert error in capsys.readouterr().err


def test_a_wrong_scenario_is_refused_with_file_line_and_key(
    scenarios: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scenarios.write_text(SCENARIOS.replace("heading: 180", "heading: south"))
    assert main(["--scenario", str(scenarios), "--results", str(scenarios.parent / "out")]) == 2
    error = capsys.readouterr().err
    assert f"{scenarios}:5: scenarios.1.targets.1.heading = south: expected a number" in error


def test_a_vessel_brings_its_length_its_gains_and_the_ranges_of_the_behaviors(
    tmp_path: Path,
) -> None:
    otter = ship_of("otter", 1.2)
    mission = write_mission(otter, "v22", tmp_path)
    text = mission.read_text()
    assert (otter.length, otter.speed) == (2.0, 1.2)
    assert "yaw_pid_kp = 2.33" in text
    assert f"vessel = {otter.path}" in text
    assert "speed:0:1.2:11" in text
    assert "length = 2\n" in text
    write_mission(ship_of("", None), "v22", tmp_path / "own")
    ranges = [
        float(line.split("=")[1])
        for folder in (tmp_path, tmp_path / "own")
        for line in (folder / "helm.bhv").read_text().splitlines()
        if "pwt_outer_dist" in line
    ]
    assert ranges[0] == ranges[1] / 2
    dive = write_mission(ship_of("remus100", None), "avoid", tmp_path / "auv").read_text()
    assert "depth_control     = false" in dive


@pytest.mark.process
def test_a_mission_without_scenarios_loads_nothing_of_them() -> None:
    program = (
        "import sys\nfrom steerageway.launcher.command import main\n"
        "main('alpha --placement one --warp max --no-log --for 5 --quiet'.split())\n"
        "print([name for name in sys.modules if 'colregs' in name or 'encounters' in name])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_intervals_are_those_of_the_textbooks() -> None:
    # Wilson's interval of 1 in 10: Newcombe (1998), Statistics in Medicine 17, method 3
    found = share([True] + [False] * 9)
    assert found is not None
    assert (found.low, found.high) == pytest.approx((0.0179, 0.4042), abs=5e-4)
    middle = mean([1.0, 2.0, 3.0, 4.0])
    assert middle is not None
    assert middle[:3] == pytest.approx((2.5, 2.5 - 1.265, 2.5 + 1.265), abs=1e-3)
    assert share([]) is mean([]) is None
