"""Actuator responses and hull resistance as printed by ``vessel show``."""

from pathlib import Path

import numpy as np
import pytest

from steerageway.vessel.__main__ import main
from steerageway.vessel.fossen.folder import load
from steerageway.vessel.tools.place import folder_of
from steerageway.vessel.tools.resistance import hull_speed, resistance, resistance_lines
from steerageway.vessel.tools.responses import REACHED, responses

pytestmark = pytest.mark.slow  # they compile


def test_a_rate_limiter_is_a_ramp_and_a_lag_an_exponential() -> None:
    ramp = responses(load(folder_of("tito_neri")))[0]
    assert ramp.time_to(0.5) == pytest.approx(0.5 * 3600 / 7200, abs=2e-3)
    lag = responses(load(folder_of("rexrov")))[0]
    assert lag.time_to(REACHED) == pytest.approx(0.05, rel=0.02)
    assert lag.end == pytest.approx(2540.0, rel=1e-2)


def test_responses_are_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "steps.png"
    assert main(["show", "tito_neri", "--actuators", "--output", str(picture)]) == 0
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert "th_1: a command of 377 brings 377 rad/s: 63 % after" in capsys.readouterr().out


def test_resistance_balances_the_thrust_it_takes() -> None:
    otter = load(folder_of("otter"))
    forces = resistance(otter, [0.5, 1.0, 2.0])
    assert forces is not None
    assert (np.diff(forces) > 0).all()


def test_a_top_speed_above_the_hull_speed_gives_a_warning() -> None:
    assert hull_speed(100 * 0.3048) == pytest.approx(13.4 * 0.5144, rel=1e-3)  # 100 ft: 13.4 kn
    otter = load(folder_of("otter"))
    assert "1.7 times its hull speed" in list(resistance_lines(otter, 3.09, 2.0))[-1]
    assert not any("warning" in line for line in resistance_lines(otter, 1.0, 2.0))


def test_a_model_with_internal_propulsion_reports_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "mariner", "--resistance"]) == 0
    assert "not apart from the propulsion" in capsys.readouterr().out
