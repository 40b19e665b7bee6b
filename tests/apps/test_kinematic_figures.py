"""Figures of a kinematic vessel's block, compared with figures and formulas of the manual."""

from __future__ import annotations

from pathlib import Path

import pytest

from steerageway.apps.vessels.usim_marine.figures import depth_rate, read_block, turn
from steerageway.launcher.verbs import main

MAP = "-100:-3.5, -75:-3.2, -10:-2, 20:2.4, 50:4.2, 80:4.8, 100:5"


def mission(folder: Path, *block: str) -> Path:
    """Write a mission with only a simulator."""
    path = folder / "one.moos"
    lines = ["Community = abe", "ProcessConfig = ANTLER", "{", "  Run = uSimMarineV22", "}"]
    path.write_text("\n".join([*lines, "ProcessConfig = uSimMarineV22", "{", *block, "}", ""]))
    return path


@pytest.mark.slow
def test_the_manuals_thrust_map_and_its_inverse_are_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Figure 4 of the manual, and its text about 4.8 and -3.2 m/s."""
    path, picture = mission(tmp_path, f"thrust_map = {MAP}"), tmp_path / "one.png"
    assert main(["vessel", "show", str(path), "--output", str(picture)]) == 0
    output = capsys.readouterr().out
    assert "20: 2.4, 40: 3.6" in output
    assert "4.8: 80, 5: 100" in output
    assert picture.read_bytes().startswith(b"\x89PNG")
    block = read_block(path)
    assert block.parameters.thrust_map.thrust(-3.2) == pytest.approx(-75.0)


def test_the_default_map_is_a_line_to_5_metres_a_second(tmp_path: Path) -> None:
    chart = read_block(mission(tmp_path)).parameters.thrust_map
    assert [chart.speed(thrust) for thrust in (-50, 0, 50, 100)] == [0.0, 0.0, 2.5, 5.0]


@pytest.mark.parametrize("elevator", [25.0, 100.0])
@pytest.mark.parametrize("speed", [0.5, 1.5, 4.0])
def test_diving_follows_the_manuals_equation(tmp_path: Path, elevator: float, speed: float) -> None:
    """Figure 2: (v / max_depth_rate_speed)^2 elevator max_depth_rate, less the buoyancy."""
    block = read_block(mission(tmp_path, "max_depth_rate = 0.8", "max_depth_rate_speed = 3"))
    expected = min(1.0, speed / 3.0) ** 2 * elevator / 100.0 * 0.8 - 0.025
    assert depth_rate(block, speed, elevator) == pytest.approx(expected, abs=1e-9)


def test_turning_goes_with_rudder_and_thrust(tmp_path: Path) -> None:
    block = read_block(mission(tmp_path, "turn_rate = 70"))
    assert turn(block, 50.0, 20.0)[0] == pytest.approx(20 * 0.7, abs=1e-9)
    assert turn(block, 100.0, 20.0)[0] == pytest.approx(40 * 0.7, abs=1e-9)


@pytest.mark.slow
def test_a_picture_in_a_missing_folder_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = mission(tmp_path, "turn_rate = 70")
    assert main(["vessel", "show", str(path), "--output", str(tmp_path / "no" / "a.png")]) == 2
    assert "expected a picture's file, as a.png" in capsys.readouterr().err


def test_a_mission_without_such_figures_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = mission(tmp_path, "turn_rate = 70")
    assert main(["vessel", "trials", str(path)]) == 2
    assert "model = documented: expected model = fossen" in capsys.readouterr().err
    path.write_text("Community = abe\nProcessConfig = ANTLER\n{\n  Run = pLogger\n}\n")
    assert main(["vessel", "show", str(path)]) == 2
    assert "expected one of uSimMarine, uSimMarineV22" in capsys.readouterr().err
