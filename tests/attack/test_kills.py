"""A killed process changes nothing recorded before, and leaves nothing running."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from kills import ALL, ATTACKS, BROKER, LAUNCHER, disturb
from launches import Launch, Log, logs_of

pytestmark = [pytest.mark.process, pytest.mark.slow]
ALPHA = ("missions/alpha", "--for", "300", "--warp", "max", "--placement")
FLEET = ("missions/fleet", "--vessels", "2", "--for", "100", "--warp", "max")
MISSIONS = {
    "process": (*ALPHA, "process"),
    "community": (*ALPHA, "community"),
    "one": (*ALPHA, "one"),
    "windows": (*FLEET, "--placement", "community"),
}


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Log]]:
    """Return the logs of the missions that nothing disturbs."""
    found = {}
    for name, arguments in MISSIONS.items():
        launch = Launch(arguments, tmp_path_factory.mktemp(name))
        assert launch.end() == 0, launch.said.read_text()
        found[name] = logs_of(launch.log)
        assert all(log.lines for log in found[name].values())
    return found


@pytest.mark.parametrize(
    ("place", "attack"),
    [
        *(("process", attack) for attack in ATTACKS),
        *((place, "apps") for place in ("community", "windows")),
        *(("windows", attack) for attack in (BROKER, LAUNCHER, "interrupt")),
        *(("one", attack) for attack in (LAUNCHER, "interrupt", ALL)),
    ],
)
def test_files_left_after_a_kill_equal_those_of_the_undisturbed_run(
    place: str, attack: str, tmp_path: Path, undisturbed: dict[str, dict[str, Log]]
) -> None:
    rng = Random(f"{place} {attack}")
    assert disturb(MISSIONS[place], undisturbed[place], tmp_path, rng, attack).wrong == ""
