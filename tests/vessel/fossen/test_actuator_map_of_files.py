"""The key ``actuator_map`` of a vessel's files, in all programs that use it."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from steerageway.vessel.__main__ import main
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.folder import load
from steerageway.vessel.fossen.orders import orders_of
from steerageway.vessel.tools.place import SHIPPED

pytestmark = pytest.mark.slow  # they compile
SIDES = "th_1:thrust-rudder, th_2:thrust+rudder"  # the Otter's the other way round


@pytest.fixture
def otter(tmp_path: Path) -> Path:
    """Return a copy of the Otter's folder."""
    return Path(shutil.copytree(SHIPPED / "otter", tmp_path / "otter"))


def with_map(folder: Path, text: str) -> Path:
    """Set a map in its files."""
    with (folder / "vessel.yml").open("a") as file:
        file.write(f'actuator_map: "{text}"\n')
    return folder


def test_orders_and_map_take_it_from_the_files(otter: Path) -> None:
    found = orders_of(load(otter))
    assert found.rudder.tolist() == [1.0, -1.0]
    vessel = load(with_map(otter, SIDES))
    assert orders_of(vessel).rudder.tolist() == [-1.0, 1.0]
    assert orders_of(vessel).thrust.tolist() == [1.0, 1.0]
    assert orders_of(vessel).weights[:, 0].tolist() == [-1.0, 1.0]


def test_thrusts_of_two_sides_steer_and_drive(otter: Path) -> None:
    orders = orders_of(load(with_map(otter, "th_1:thrust_l, th_2:thrust_r")))
    assert orders.rudder.tolist() == [1.0, -1.0]
    assert orders.thrust.tolist() == [1.0, 1.0]


def test_show_and_tune_know_it(otter: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(otter)]) == 0
    before = capsys.readouterr().out
    assert main(["show", str(with_map(otter, "th_1:thrust, th_2:0.5*thrust"))]) == 0
    after = capsys.readouterr().out
    speeds = [float(line.split()[2]) for text in (before, after) for line in text.splitlines()
              if line.startswith("top speed")]  # fmt: skip
    assert speeds[1] < speeds[0]
    assert main(["tune", str(otter)]) in (0, 2)
    assert "yaw_pid_kp" not in capsys.readouterr().out, "nothing steers it"


def test_an_invalid_name_is_reported_with_the_file_and_the_line(otter: Path) -> None:
    with pytest.raises(
        InvalidValue, match=r"vessel\.yml:\d+: actuator_map.*th_3: no such actuator"
    ):
        load(with_map(otter, "th_3:thrust"))
    assert np.isfinite(load(SHIPPED / "otter").initial).all()
