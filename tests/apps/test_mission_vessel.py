"""A mission's vessel is that of its simulator's block, in tools, policies and environments."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from steerageway.envs.vector import VesselVectorEnv
from steerageway.launcher import Mission
from steerageway.launcher.verbs import main
from steerageway.vessel.fossen.folder import load
from steerageway.vessel.fossen.orders import orders_of
from steerageway.vessel.tools.place import SHIPPED

pytestmark = pytest.mark.slow  # they compile
MISSION = """Community = x
LatOrigin = 0
LongOrigin = 0
ProcessConfig = ANTLER
{
  Run = MOOSDB
  Run = uSimMarineV22
  Run = pPolicy
}
ProcessConfig = uSimMarineV22
{
  AppTick = 10
  time_step = 0.1
  prefix = NAV
  model = fossen
  vessel = boat
  LINES
}
ProcessConfig = pPolicy
{
  AppTick = 10
  policy = straight_on:act
  goal = 0,900
}
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Return a folder with an Otter with a map of its own, and a policy."""
    shutil.copytree(SHIPPED / "otter", tmp_path / "boat")
    with (tmp_path / "boat/vessel.yml").open("a") as file:
        file.write('actuator_map: "th_1:thrust-rudder, th_2:0.5*thrust+rudder"\n')
    (tmp_path / "straight_on.py").write_text("def act(observation):\n    return 0.0, 1.0\n")
    return tmp_path


def written(place: Path, lines: str) -> Path:
    """Write the mission, with more lines of the simulator's block."""
    (place / "x.moos").write_text(MISSION.replace("LINES", lines))
    return place / "x.moos"


def test_the_map_of_a_block_is_in_force_before_that_of_the_files_everywhere(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(place, "actuator_map = th_1:0.5*thrust+0.2*rudder")
    expected = [[0.2, 0.5], [1.0, 0.5]]  # of rudder and thrust, as the two lines say
    env = VesselVectorEnv("PathFollowing", vessel=str(place / "boat"), engine="mission",
                          mission=path, mission_options={"skip": ["pPolicy"]})  # fmt: skip
    engine: Any = env._engine
    assert orders_of(engine.vessel).weights[:, :2].tolist() == expected
    env.close()
    with Mission(path) as run:
        assert orders_of(run.vessel()).weights[:, :2].tolist() == expected
        run.register("NAV_SPEED", "DESIRED_THRUST")
        run.post("MOOS_MANUAL_OVERRIDE", "false")
        run.run_until(40.0)
        assert run.get("DESIRED_THRUST") == 100.0
        sailed = run.get("NAV_SPEED")
    assert main(["vessel", "trials", "--only", "stop", str(path)]) == 0
    told = re.search(r"from_speed ([0-9.]+)", capsys.readouterr().out)
    assert told is not None
    assert float(told[1]) == pytest.approx(sailed, rel=0.01)


@pytest.mark.parametrize(
    ("lines", "changes"),
    [
        ("vessel_override = inertia.mass = 60", {"overrides": {"inertia.mass": 60}}),
        ("peer_compat = pvs", {"peer_compat": "pvs"}),
        ("vessel_file = inertia = heavy.yml", {"elsewhere": {"inertia": Path("heavy.yml")}}),
    ],
)
def test_a_missions_vessel_has_the_changes_of_its_block(
    lines: str, changes: dict[str, Any], place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(place)
    text = (place / "boat/inertia.yml").read_text()
    (place / "heavy.yml").write_text(text.replace("mass: 55", "mass: 70"))
    x = [0.0, 0.0, 0.1, 0.1, 0.05, 0.3, 1.0, 0.2, 0.1, 0.1, 0.1, 0.1, 50.0, 60.0]
    with Mission(written(place, lines), skip=["pPolicy"]) as run:
        plain, changed, found = (
            one.derivative(x, [50.0, 60.0], one.surroundings())
            for one in (load("boat"), load("boat", **changes), run.vessel())
        )
    assert found.tolist() == changed.tolist() != plain.tolist()


def test_a_wrong_map_is_told_at_its_line_by_run_and_tools(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(place, "actuator_map = th_9:thrust")
    for command in (["run", str(path), "--check"], ["vessel", "show", str(path)]):
        assert main(command) == 2
        told = capsys.readouterr().err
        assert "x.moos:17: actuator_map" in told
        assert "th_9: no such actuator; did you mean th_2?" in told
