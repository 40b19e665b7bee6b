"""Repetition of all recorded runs of the reference programs, see tests/reference/vessels."""

from __future__ import annotations

import numpy as np
import pytest
from reference_cases import FOLDER, ROOT, case, loaded_otter, names

from steerageway.vessel.fossen.folder import load
from steerageway.world.document import leaves, read


@pytest.mark.slow
@pytest.mark.parametrize("name", names())
def test_a_run_of_the_reference_is_reproduced(name: str) -> None:
    run = case(name)
    errors = run.errors(run.simulate())
    worst = max(errors, key=lambda column: errors[column])
    assert errors[worst] < run.tolerance, f"{worst}: {errors[worst]:.2g}"


def test_every_run_that_is_kept_is_among_them() -> None:
    runs = [path.name.removesuffix(".csv.gz") for path in FOLDER.glob("*.csv.gz")]
    assert names() == sorted(runs)
    assert len(runs) == 41
    assert {name.split("_")[0] for name in runs} == {"mss", "pvs", "tb"}


def test_the_otters_files_are_its_figures_with_25_kg_of_payload() -> None:
    """Its coefficients follow from hull, payload and its place; here all of them again."""
    for key, figure in loaded_otter(25.0, np.array([0.05, 0.0, -0.35])).items():
        file, *path = key.split(".")
        known = dict(leaves(read(ROOT / "inputs" / "otter" / f"{file}.yml")))[tuple(path)]
        assert figure == pytest.approx(float(known), rel=1e-12), key


@pytest.mark.slow
@pytest.mark.parametrize("payload", [0.0, 45.0])
def test_the_draught_of_the_otter_follows_from_its_payload(payload: float) -> None:
    """In MSS's manner z = 0 is the water plane without payload; the trim is about flotation."""
    place = np.array([0.05, 0.0, -0.35])
    otter = load(ROOT / "inputs" / "otter", "mss", loaded_otter(payload, place))
    x = np.zeros_like(otter.initial)
    x = otter.step(x, np.zeros(2), otter.surroundings(), 0.02, steps=3000)
    sunk = x[2] + 0.2 * x[4]  # at the centre of flotation, 0.2 m aft
    assert sunk == pytest.approx(payload / (1025 * 0.75), rel=0.02, abs=1e-9)
