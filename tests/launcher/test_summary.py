"""Summary of a run: figures, text, exit code."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path

import pytest

from steerageway.bus import AppOutcome, Failure, Outcome
from steerageway.launcher.options import parse_options
from steerageway.launcher.plan import Launch, plan_launch
from steerageway.launcher.summary import exit_code, figures, log_sha256, text
from steerageway.moos import alog

RELIED_ON = {
    *("simulated_seconds", "wall_seconds", "startup_seconds", "warp_achieved", "posted"),
    *("delivered", "thinned", "refused", "lost", "missed_ticks", "deterministic", "exit_reason"),
    *("seed", "apps", "communities"),
}
OF_A_COMMUNITY = {
    *("x", "y", "heading", "speed", "depth", "distance", "log_sha256"),
    *("helm", "all_stop"),
}


ENDS = ("wall_limit", "for", "finished")


@pytest.mark.parametrize(
    ("reason", "condition", "waited_for", "code"),
    [
        ("until", "X = 1", True, 0),
        ("for", "", False, 0),
        ("for", "", True, 3),
        ("wall_limit", "", False, 0),
        ("wall_limit", "", True, 3),
        ("finished", "", True, 3),
        ("stopped", "", True, 0),
        ("app_failed", "pHelmIvP", False, 1),
        ("broker_failed", "", False, 1),
        ("fail_if", "X = 1", True, 4),
        ("interrupted", "2", False, 130),
        ("interrupted", "15", True, 143),
    ],
)
def test_every_end_has_its_exit_code(
    reason: str, condition: str, waited_for: bool, code: int
) -> None:
    assert exit_code(Outcome(reason, condition), waited_for=waited_for) == code


def test_a_wall_limit_before_the_end_of_for_has_its_exit_code() -> None:
    codes = {why: exit_code(Outcome(why), waited_for=False, bounded=True) for why in ENDS}
    assert codes == {"wall_limit": 3, "for": 0, "finished": 0}


def ended() -> Outcome:
    """Make up an outcome."""
    return Outcome(
        "app_failed",
        "Walker",
        simulated_seconds=10.0,
        wall_seconds=4.0,
        posted=7,
        deterministic=False,
        apps=[AppOutcome("Walker", "duet", 8, 0.004, 1, {"odd": 3}, ())],
        failures=[Failure("Walker", "duet", 9.5, "RuntimeError: out of steam")],
        values={"duet": {"NAV_X": 3.0, "NAV_Y": 4.0}},
        taps={"duet": {"distance": 5.0}},
    )


def launch(duet: Path) -> Launch:
    """Plan the mission without logs."""
    return plan_launch(parse_options([str(duet), "--no-log", "--seed", "3"]))


def test_the_figures_contain_the_keys_scripts_rely_on(duet: Path) -> None:
    run = figures(ended(), launch(duet))
    assert set(run) >= RELIED_ON
    assert set(run["communities"]["duet"]) == OF_A_COMMUNITY
    assert run["warp_achieved"] == 2.5
    assert run["seed"] == 3
    assert run["apps"]["Walker"]["wall_us_per_tick"] == pytest.approx(500.0)
    assert run["communities"]["duet"]["distance"] == 5.0
    assert json.loads(json.dumps(run, allow_nan=False)) == run


def test_apps_of_several_communities_are_distinguished(duet: Path) -> None:
    both = plan_launch(parse_options([f"{duet}@duet", f"{duet}@b", "--no-log"]))
    assert list(figures(ended(), both)["apps"]) == ["duet:Walker"]


def test_the_text_shows_a_fleets_apps_together_with_the_source_of_a_warning(duet: Path) -> None:
    names = ("abe", "ben", "cal", "deb")
    fleet = plan_launch(parse_options([*(f"{duet}@{name}" for name in names), "--no-log"]))
    apps = [
        AppOutcome("Walker", name, 8, 0.004 * number, 0, {"odd": 1} if name == "cal" else {}, ())
        for number, name in enumerate(names, 1)
    ]
    apps += [replace(apps[0], name="pEcho"), replace(apps[1], name="pEcho")]
    run = figures(replace(ended(), apps=apps), fleet)
    assert list(run["apps"])[:4] == [f"{name}:Walker" for name in names]
    kinds = ("Walker ", "pEcho ", "odd")
    reported = [line for line in text(run).splitlines() if any(kind in line for kind in kinds)]
    assert [line.split() for line in reported] == [
        ["Walker", "32", "activations", "500.0", "to", "2000.0", "us,", "in", "4", "communities"],
        ["cal:", "run", "warning,", "once:", "odd"],
        ["pEcho", "16", "activations", "500.0", "to", "1000.0", "us,", "in", "2", "communities"],
    ]


def test_the_text_shows_apps_of_a_few_communities_separately(duet: Path) -> None:
    pair = plan_launch(parse_options([f"{duet}@abe", f"{duet}@ben", "--no-log"]))
    apps = [
        AppOutcome("Walker", name, 8, 0.004, 0, {"odd": 2} if name == "ben" else {}, ())
        for name in ("abe", "ben")
    ]
    lines = text(figures(replace(ended(), apps=apps), pair)).splitlines()
    place = next(n for n, line in enumerate(lines) if "abe:Walker" in line)
    assert [line.split() for line in lines[place : place + 3]] == [
        ["abe:Walker", "8", "activations", "500.0", "us"],
        ["ben:Walker", "8", "activations", "500.0", "us"],
        ["run", "warning,", "2", "times:", "odd"],
    ]


def test_the_text_gives_the_hash_of_each_communitys_log(duet: Path) -> None:
    run = figures(ended(), launch(duet))
    assert "sha256" not in text(run)
    run["communities"]["duet"]["log_sha256"] = "3db5"
    assert "\n  log sha256 3db5\n" in text(run)


def test_a_run_that_took_no_wall_time_has_no_warp(duet: Path) -> None:
    assert figures(Outcome("app_failed", "Walker"), launch(duet))["warp_achieved"] == 0.0


def test_the_text_shows_what_failed_and_why(duet: Path) -> None:
    summary = text(figures(ended(), launch(duet)))
    assert "not deterministic: the effects of a failure may vary" in summary
    assert "failed at 9.500 s: Walker: RuntimeError: out of steam" in summary
    assert "run warning, 3 times: odd" in summary


def test_the_text_shows_why_a_helm_has_stopped_its_vessel(duet: Path) -> None:
    outcome = Outcome("for", deterministic=True, values={"duet": {"NAV_X": 3.0}})
    assert "helm" not in text(figures(outcome, launch(duet)))
    outcome.values["duet"] |= {"IVPHELM_STATE": "DRIVE"}
    assert "helm DRIVE, no decision\n" in text(figures(outcome, launch(duet)))
    outcome.values["duet"] |= {"IVPHELM_ALLSTOP": "NothingToDo"}
    assert "helm DRIVE, all-stop NothingToDo" in text(figures(outcome, launch(duet)))


def test_the_text_shows_which_end_condition_was_not_met_where_and_why(duet: Path) -> None:
    outcome = Outcome("for", values={"duet": {"NAV_X": 3.0, "MODE": "idle"}})
    untils = ("NAV_X > 2", "NAV_X > 5", "*:MODE = away", "duet:MODDE = away")
    arguments = [argument for until in untils for argument in ("--until", until)]
    planned = plan_launch(parse_options([str(duet), "--no-log", *arguments]))
    summary = text(figures(outcome, planned))
    assert "NAV_X > 2" not in summary
    assert "NAV_X > 5: did not hold in duet at the end: NAV_X = 3" in summary
    assert "MODE = away: did not hold in duet at the end: MODE = 'idle'" in summary
    assert "MODDE was never posted; the nearest is MODE" in summary


def test_time_that_ran_free_is_no_failure(duet: Path) -> None:
    outcome = Outcome("for", deterministic=False)
    assert "not deterministic: free run" in text(figures(outcome, launch(duet)))


def test_the_hash_of_a_log_leaves_its_comments_out(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "a.alog").write_text("%% OPENED today\n1.0 X pA 3\n%% end\n2.0 X pA 4\n")
    expected = hashlib.sha256(b"1.0 X pA 3\n2.0 X pA 4\n").hexdigest()
    assert log_sha256(tmp_path) == expected


def test_without_a_log_there_is_no_hash(tmp_path: Path) -> None:
    assert log_sha256(tmp_path) is None
    assert log_sha256(None) is None


def test_a_log_with_a_line_too_long_to_read_is_named_in_the_summary(
    duet: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(alog, "LONGEST_LINE", 100)
    planned = plan_launch(parse_options([str(duet), "--log", str(tmp_path / "log"), "--seed", "3"]))
    assert planned.plan.run_folder is not None
    (planned.plan.run_folder / "duet.alog").write_text("1.0 LONG pLong " + "x" * 100 + "\n")
    run = figures(ended(), planned)
    assert run["communities"]["duet"]["log_sha256"] is None
    assert "duet.alog" in text(run)
    assert "more than 100 bytes" in text(run)
