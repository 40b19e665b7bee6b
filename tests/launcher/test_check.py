"""``--check`` and ``--graph``: their text, and that nothing is started."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from steerageway.launcher.command import main

Edit = Callable[[str, str], Path]
ROOT = Path(__file__).parents[2]


def check(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> str:
    """Check a command line; return the output."""
    assert main([*map(str, arguments), "--check"]) == 0
    return capsys.readouterr().out


def section(text: str, title: str) -> list[str]:
    """Return the indented lines below a title."""
    lines = text[text.index(title) :].splitlines()[1:]
    found = []
    for line in lines:
        if not line.startswith("  "):
            break
        found.append(line.strip())
    return found


def test_a_check_lists_starts_rates_and_skipped_apps(
    duet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = check(capsys, duet)
    assert f"duet ({duet}): 2 apps\n" in output
    assert "0.200 s  Walker" in output
    assert "4 Hz      duet:Walker" in output
    assert "0.600 s  pEcho" in output
    assert "not started  pMarineViewer" in output


def test_a_check_leaves_no_folder(duet: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check(capsys, duet, "--graph")
    assert list(Path().iterdir()) == []


def test_the_graph_shows_publishers_and_subscribers(
    duet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = check(capsys, duet, "--graph")
    assert section(output, "duet: publishers -> subscribers") == ["NAV_X: Walker -> pEcho"]
    (unsubscribed,) = section(output, "posted, but not subscribed to by name")
    assert unsubscribed.startswith("ARRIVED, ECHO, NAV_Y")


def test_the_graph_shows_an_app_to_be_started_by_hand(
    duet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = check(capsys, duet, "--graph", "--external", "Walker")
    assert section(output, "duet: publishers -> subscribers") == ["NAV_X: Walker -> pEcho"]


@pytest.mark.slow
def test_the_graph_is_the_same_however_the_run_is_to_begin_or_end(
    duet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = check(capsys, duet, "--graph")
    assert check(capsys, duet, "--graph", "--paused", "--port", "auto") == output
    fleet = (ROOT / "missions" / "fleet", "--vessels", "8", "--start", "line", "--graph")
    assert check(capsys, *fleet, "--wall-limit", "1e-9") == check(capsys, *fleet)


def test_the_graph_shows_variables_without_a_publisher(
    duet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = check(capsys, duet, "--graph")
    unposted = "subscribed to in this mission, but not posted by any app"
    assert section(output, unposted) == ["GO: Walker", "NEVER: pEcho"]
    assert section(output, "decisions without a publisher") == ["DESIRED_DEPTH: pEcho"]
    with_poke = check(capsys, duet, "--graph", "--set", "GO=true")
    assert section(with_poke, unposted) == ["NEVER: pEcho"]


def test_the_graph_shows_apps_that_may_post_undeclared_variables(
    edit: Edit, capsys: pytest.CaptureFixture[str]
) -> None:
    mission = edit("Run = pMarineViewer", "Run = duet:Free")
    with (mission.parent / "duet.py").open("a") as program:
        program.write("\n\nclass Free(App):\n    def iterate(self):\n")
        program.write("        self.post('DESIRED_DEPTH', 0)\n")
    output = check(capsys, mission, "--graph")
    assert "DESIRED_DEPTH: Free -> pEcho" in section(output, "duet: publishers -> subscribers")
    unposted = "subscribed to in this mission, but not posted by any app"
    assert section(output, unposted) == [
        "GO: Walker (Free may post it)",
        "NEVER: pEcho (Free may post it)",
    ]


def test_the_graph_lists_common_subscriptions_of_apps_separately(
    capsys: pytest.CaptureFixture[str],
) -> None:
    output = check(capsys, ROOT / "missions" / "alpha", "--graph")
    requested = section(output, "subscribed to in this mission, but not posted by any app")
    assert "SURVEY_UPDATE: pHelmIvP" in requested
    assert not any("DRIFT_X" in row for row in requested)
    usual = " ".join(
        section(output, "subscribed to as in every mission, but not posted by any app")
    )
    assert "DRIFT_X" in usual


def test_the_graph_shows_conflicting_types(edit: Edit, capsys: pytest.CaptureFixture[str]) -> None:
    mission = edit("Run = pMarineViewer", "Run = duet:Walker ~ pTwin")
    output = check(capsys, mission, "--graph", "--set", "@0:NAV_X=here")
    assert any("NAV_X = 0.0: refused" in row for row in section(output, "type clashes"))


def test_a_block_that_is_misspelt_is_reported(
    edit: Edit, capsys: pytest.CaptureFixture[str]
) -> None:
    output = check(capsys, edit("ProcessConfig = Walker", "ProcessConfig = Walkr"))
    assert "ProcessConfig = Walkr: no app of the launch list; Walker has no block" in output


def test_an_end_condition_that_no_app_can_meet_is_reported(
    duet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = check(capsys, duet, "--until", "ARIVED = true", "--until", "DB_UPTIME > 3")
    assert "--until: no app declares that it posts ARIVED; the nearest is ARRIVED" in output
    assert "DB_UPTIME" not in output
    assert "no app says" not in check(capsys, duet, "--until", "ARRIVED = true")


def test_with_an_app_that_may_post_anything_only_misspelt_ends_are_reported(
    edit: Edit, capsys: pytest.CaptureFixture[str]
) -> None:
    mission = edit("Run = pMarineViewer", "Run = duet:Breaker")
    output = check(capsys, mission, "--until", "ARIVED = true", "--until", "STEAM = out")
    assert "--until: no app declares that it posts ARIVED; the nearest is ARRIVED" in output
    assert "STEAM" not in output


def test_a_method_that_is_misspelt_is_reported(
    duet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    apps = duet.parent / "duet.py"
    apps.write_text(apps.read_text().replace("def iterate(self)", "def itterate(self)"))
    output = check(capsys, duet)
    assert "Walker: itterate: this method is never called; the nearest is iterate" in output


def test_a_method_next_to_the_similar_one_is_not_reported(
    duet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    apps = duet.parent / "duet.py"
    more = "def iterates(self):\n        pass\n\n    def iterate(self)"
    apps.write_text(apps.read_text().replace("def iterate(self)", more))
    assert "never called" not in check(capsys, duet)


def test_a_failure_condition_that_no_app_can_meet_is_reported(
    duet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = check(capsys, duet, "--fail-if", "ARIVED = true")
    assert "--fail-if: no app declares that it posts ARIVED; the nearest is ARRIVED" in output
    assert "no app says" not in check(capsys, duet, "--fail-if", "ARRIVED = true")


@pytest.mark.slow
def test_identical_vessels_are_reported_once(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    fleet = (ROOT / "missions" / "fleet", "--vessels", "6", "--start", "line")
    output = check(capsys, *fleet, "--graph")
    assert "abe, ben, cal, deb and 2 more (" in output
    assert "meta_vehicle.moos): 7 apps each, which start in abe at" in output
    assert len(section(output, "abe, ben, cal, deb and 2 more (")) == 7
    assert output.count("NAV_X: uSimMarineV22 -> pContactMgrV20, pHelmIvP, pNodeReporter") == 1
    shore = section(output, "shoreside: publishers -> subscribers")
    assert shore == ["NODE_REPORT_<NAME>: uFldNodeComms -> pShare"]
    assert output.count("type clashes") == 1


@pytest.mark.slow
def test_a_different_vessel_is_reported_separately(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    fleet = (ROOT / "missions" / "fleet", "--vessels", "4", "--start", "line")
    output = check(capsys, *fleet, "--graph", "--set", "@0:cal:DESIRED_DEPTH=0")
    undecided = section(output, "abe, ben, deb: decisions without a publisher")
    assert "DESIRED_DEPTH: pMarinePIDV22" in undecided
    assert "DESIRED_DEPTH: pMarinePIDV22" not in section(
        output, "cal: decisions without a publisher"
    )
    assert "abe, ben, cal, deb: publishers -> subscribers" in output


def test_another_program_under_the_same_name_is_reported_separately(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    mission = tmp_path / "m.moos"
    launched = "ProcessConfig = ANTLER\n{\n  Run = $(KIND) ~ pMine\n}\n"
    mission.write_text(f"{launched}ProcessConfig = pMine\n{{\n  AppTick = 4\n}}\n")
    kinds = [f"--define={name}:KIND=steerageway.bus:App" for name in "ab"]
    output = check(capsys, *(f"{mission}@{n}" for n in "abc"), *kinds, "--define=c:KIND=pRealm")
    assert [line.partition(" (")[0] for line in output.splitlines()[::2]] == ["a, b", "c"]


def test_a_mission_without_a_community_is_told_its_name(
    edit: Edit, capsys: pytest.CaptureFixture[str]
) -> None:
    output = check(capsys, edit("Community", "// Community"))
    assert "Community: expected the vessel's name; without this line it is #1" in output
