"""The page of measured vessels prints what is computed, and what the recorded runs have."""

from __future__ import annotations

import re
from math import radians
from pathlib import Path

import numpy as np
import pytest

from docs import validate

PAGE = (Path(__file__).parents[1] / "docs/validation.md").read_text()
NUMBER = re.compile(r"-?\d+\.\d+|(?<=\| )-?\d+(?= \|)")
pytestmark = pytest.mark.slow


@pytest.mark.parametrize("table", validate.TABLES)
def test_every_row_of_the_page_is_computed(table: str) -> None:
    """Word for word, but for one unit of the last digit: other processors round otherwise."""
    printed = {NUMBER.sub("#", line): line for line in PAGE.splitlines() if line.startswith("| ")}
    for row in validate.TABLES[table]():
        line = printed.get(NUMBER.sub("#", row))
        assert line is not None, f"missing, or another miss: {row}"
        for found, shown in zip(NUMBER.findall(row), NUMBER.findall(line), strict=True):
            digits = len(shown.partition(".")[2])
            assert float(found) == pytest.approx(float(shown), abs=1.1 * 10**-digits), row


def test_the_measured_turn_is_that_of_the_recorded_run() -> None:
    run = validate.recorded("turn_delta_plus35")
    order = validate.ordered(run)
    after = run["t_s"] > order
    start = [np.interp(order, run["t_s"], run[name]) for name in ("x_m", "y_m")]
    place = np.column_stack([run["x_m"], run["y_m"]])[after] - start
    heading = np.radians(run["psi_deg"] - run["psi_deg"][0])[after]
    turned = np.argmax(np.abs(heading) > radians(200))
    found = validate.advance_and_diameter(heading[:turned], place[:turned] / 320)
    places = 0.035  # in lengths: they are in steps of 1 to 10 m
    assert found == pytest.approx(validate.TURNS[-1.0], abs=places)


@pytest.mark.parametrize("angle", [10.0, 20.0])
def test_the_measured_overshoots_are_those_of_the_recorded_runs(angle: float) -> None:
    run = validate.recorded(f"zigzag_delta_plus{angle:.0f}")
    psi = run["psi_deg"] - run["psi_deg"][0]
    first = int(np.argmin(psi[: np.argmax(psi > 1.0)]))
    second = first + int(np.argmax(psi[first:]))
    found = (-psi[first] - angle, psi[second] - angle)
    assert found == pytest.approx(validate.ZIGZAGS[angle, -1.0], abs=0.1)


def test_the_speeds_on_the_lake_are_the_means_of_the_recorded_runs() -> None:
    runs = np.genfromtxt(validate.SEA_TRIALS / "kingfisher_speeds.csv", delimiter=",", names=True)
    for order, speed in validate.LAKE.items():
        near = abs(runs["command"] - order) < 0.05
        assert np.mean(runs["command"][near]) == pytest.approx(order, abs=1e-3)
        assert np.mean(runs["speed_mps"][near]) == pytest.approx(speed, abs=1e-3)


@pytest.mark.parametrize("name", validate.PICTURES)
def test_pictures_of_the_page_are_small_and_shown(name: str) -> None:
    assert f"({name})" in PAGE
    assert (validate.ROOT / "docs" / name).stat().st_size < 120_000
