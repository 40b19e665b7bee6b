"""Missions in a sea: the same log in every placement, one sea for all, replay of changes."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from steerageway.bus import Input, Phase, dump_input
from steerageway.launcher import Mission
from steerageway.moos.alog import read_entries
from tests.missions.conftest import Ended, launching

MISSIONS = Path(__file__).parents[2] / "missions"
DRIFTING = MISSIONS / "drifting"
CHANGE = ("--set", "@8:WAVE_HEIGHT=1.1", "--set", "@9:WIND_CONDITIONS=spd=11,dir=180")
RUN = ("--for", "12", "--warp", "max", *CHANGE)
WAVES = """
waves: {spectrum: pm, Hs: 0.6, Tp: 4, direction_from: 270, components: 20, ramp: 4}
wind: {speed: 5, direction_from: 270, gust: {spectrum: npd}}
"""


def digest(ended: Any, name: str = "barge") -> str:
    assert ended.code in (0, 3), ended.said
    found: str = ended.summary["communities"][name]["log_sha256"]
    assert found
    return found


@pytest.fixture(scope="module")
def changed(tmp_path_factory: pytest.TempPathFactory) -> Ended:
    """Return a run whose sea and wind have changed."""
    launch = launching(tmp_path_factory.mktemp("changed"))
    return launch(DRIFTING, *RUN, "--placement", "one")


@pytest.mark.process
@pytest.mark.parametrize("how", [("max", "--placement", "process"), ("30",)])
def test_a_ship_adrift_leaves_the_same_log_however_it_runs(
    changed: Ended, launch: Callable[..., Any], how: tuple[str, ...]
) -> None:
    ended = launch(DRIFTING, "--for", "12", *CHANGE, "--warp", *how)
    assert digest(ended) == digest(changed)


@pytest.mark.slow
def test_a_change_of_the_sea_is_logged_and_acts(changed: Ended, launch: Callable[..., Any]) -> None:
    plain = launch(DRIFTING, *RUN[:4], "--placement", "one")
    assert digest(changed) != digest(plain)
    values = [entry.value for entry in changed.entries() if entry.name == "WORLD_CHANGE"]
    assert [text.split(",")[0] for text in values] == ["number=1", "number=2"]
    assert "time=10," in values[0]
    places = [
        [entry.value for entry in ended.entries() if entry.name == "NAV_X" and entry.time < 10]
        for ended in (changed, plain)
    ]
    assert [float(x) for x in places[0]] == pytest.approx([float(x) for x in places[1]], abs=1e-4)


@pytest.mark.slow
def test_another_seed_makes_another_sea(changed: Ended, launch: Callable[..., Any]) -> None:
    other = launch(DRIFTING, *RUN, "--placement", "one", "--seed", "2")
    assert digest(other) != digest(changed)


def two_barges(folder: Path, *others: str) -> list[Path]:
    """Write two communities with a barge each at one place, the second perhaps in another sea."""
    text = (DRIFTING / "drifting.moos").read_text()
    (folder / "environment.yml").write_text(WAVES)
    found = []
    for name in ("barge", "twin"):
        lines = "".join(f"  {line}\n" for line in others) if name == "twin" else ""
        own = text.replace("= barge\n", f"= {name}\n").replace("  prefix ", f"{lines}  prefix ")
        path = folder / f"{name}.moos"
        path.write_text(own)
        found.append(path)
    return found


@pytest.mark.slow
def test_two_vessels_at_one_place_get_the_same_wave(
    launch: Callable[..., Any], tmp_path: Path
) -> None:
    one, twin = two_barges(tmp_path)
    ended = launch(one, str(twin), "--for", "15", "--warp", "max", "--placement", "one")
    assert ended.code in (0, 3), ended.said
    places = [ended.summary["communities"][name] for name in ("barge", "twin")]
    for key in ("x", "y", "heading"):
        assert places[0][key] == places[1][key]


@pytest.mark.process
def test_a_change_sent_to_one_community_reaches_all_in_every_placement(
    launch: Callable[..., Any], tmp_path: Path
) -> None:
    one, twin = two_barges(tmp_path)
    run = (str(twin), "--for", "12", "--set", "@7.3:barge:WAVE_HEIGHT=1.2", "--warp")
    digests = set()
    for how in (
        ("20", "--placement", "one"),
        ("max", "--placement", "process"),
    ):
        ended = launch(one, *run, *how)
        digests.add((digest(ended), digest(ended, "twin")))
        places = [ended.summary["communities"][name] for name in ("barge", "twin")]
        assert [places[0][key] for key in ("x", "y")] == [places[1][key] for key in ("x", "y")]
        for log in ended.folder.rglob("*.alog"):
            values = [e.value for e in read_entries(log) if e.name == "WORLD_CHANGE"]
            assert values == ["number=1,time=9,ramp=4,Hs=1.2,source=uPokeDB"]
    assert len(digests) == 1


@pytest.mark.process
def test_in_free_run_too_a_change_is_one_event_of_all_communities(
    launch: Callable[..., Any], tmp_path: Path
) -> None:
    """The arrival of mail depends on the machine; the change is the same for all."""
    one, twin = two_barges(tmp_path)
    run = ("--for", "16", "--set", "@5:barge:WAVE_HEIGHT=1.2", "--free-run", "--warp", "4")
    ended = launch(one, str(twin), *run)
    assert ended.code == 0, ended.said
    reported: dict[str, list[Any]] = {"WAVE_HEIGHT": [], "WORLD_CHANGE": []}
    logs = list(ended.folder.rglob("*.alog"))
    for log in logs:
        for entry in read_entries(log):
            if entry.name in reported:
                reported[entry.name].append(entry)
    assert len(logs) == len(reported["WORLD_CHANGE"]) == 2
    (requested,), (change, same) = reported["WAVE_HEIGHT"], reported["WORLD_CHANGE"]
    assert change.value == same.value
    begins = float(re.search(r"time=([\d.]+),ramp=4,Hs=1.2,", str(change.value))[1])
    assert begins == int(begins)
    assert 1.0 < begins - requested.time <= 2.5


@pytest.mark.slow
def test_a_change_and_its_replay_leave_the_same_log(
    changed: Ended, launch: Callable[..., Any], tmp_path: Path
) -> None:
    inputs = tmp_path / "inputs.jsonl"
    posts = (
        Input(8_000_000_000, Phase.INPUT, "barge", "WAVE_HEIGHT", 1.1),
        Input(9_000_000_000, Phase.INPUT, "barge", "WIND_CONDITIONS", "spd=11,dir=180"),
    )
    inputs.write_text("".join(dump_input(post) + "\n" for post in posts))
    again = launch(DRIFTING, *RUN[:4], "--placement", "one", "--inputs", str(inputs))
    assert digest(again) == digest(changed)


@pytest.mark.slow
def test_after_a_reset_the_sea_is_as_at_the_start() -> None:
    with Mission(DRIFTING) as adrift:
        tracks = []
        for case in range(4):
            if case:
                adrift.reset()
            adrift.run_until(4.0)
            if case < 2:
                adrift.post("WAVE_HEIGHT", 1.3)
            adrift.run_until(8.0)
            tracks.append([adrift.get(name) for name in ("NAV_X", "NAV_Y", "USM_SEA")])
    assert tracks[0] == tracks[1]
    assert tracks[2] == tracks[3] != tracks[0]


@pytest.mark.slow
def test_communities_in_different_seas_are_refused(
    launch: Callable[..., Any], tmp_path: Path
) -> None:
    one, twin = two_barges(tmp_path, "environment_key = waves.Hs = 0.7")
    ended = launch(one, str(twin), "--for", "15", "--warp", "max", logs=False)
    assert ended.code == 2
    assert "different worlds (environment)" in ended.said
    assert "Hs 0.7 m" in ended.said


@pytest.mark.slow
def test_the_sea_trials_come_to_their_end(launch: Callable[..., Any]) -> None:
    trials = MISSIONS / "sea_trials"
    until = ("--until", "MISSION = complete", "--for", "300", "--warp", "max", "--placement", "one")
    rolls = []
    for sea in ("sea_state_4.yml", "calm.yml"):
        ended = launch(trials, *until, "--config", f"uSimMarineV22.environment={sea}")
        assert ended.code == 0, ended.said
        rolls.append(max(abs(float(e.value)) for e in ended.entries() if e.name == "NAV_ROLL"))
    assert rolls[0] > 2 * rolls[1]
