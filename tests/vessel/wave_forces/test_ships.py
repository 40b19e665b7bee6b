"""Ships in waves by closed forms and tables, against Marine Systems Simulator."""

from __future__ import annotations

from math import radians

import numpy as np
import pytest
from references import WAVES, columns, data, rows

from steerageway.vessel.wave_forces.closed_form import Ship, response
from steerageway.vessel.wave_forces.table import ForceRao


def test_closed_forms_agree_with_the_reference() -> None:
    for row in rows(WAVES / "response345.csv"):
        keys = ("L", "B", "T", "Cb", "GM_T", "T4", "zeta4")
        ship = Ship(*(row[key] for key in keys))
        found = response(ship, row["a"], row["T0"], radians(row["beta_deg"]), row["U"])
        assert found.encounter == pytest.approx(row["we"], abs=1e-7)
        assert abs(found.heave) == pytest.approx(row["heave_amp_m"], abs=1e-7)
        assert abs(found.pitch) == pytest.approx(row["pitch_amp_rad"], abs=1e-8)
        assert abs(found.roll) == pytest.approx(row["roll_amp_rad"], abs=1e-8)
        if row["heave_amp_m"] > 1e-6:
            assert np.angle(found.heave) == pytest.approx(row["heave_phase"], abs=1e-6)


@pytest.mark.parametrize("name", ["uni", "spread"])
def test_a_table_of_force_raos_gives_the_reference_series(name: str) -> None:
    reference = data(WAVES / "rao_s175.json")
    X = np.array(reference["force_amp"]) * np.exp(1j * np.array(reference["force_phase"]))
    headings = np.radians(np.array(reference["headings_deg"], float))
    rao = ForceRao(np.array(reference["w"]), headings, np.moveaxis(X, 0, 2))
    case = data(WAVES / f"rao_series_s175_{name}.json")
    table = rows(WAVES / f"rao_series_s175_{name}.csv")
    w, t = np.array(case["Omega"]), columns(table, "t")[:, 0]
    amplitudes, phases = np.array(case["amplitude"]), np.array(case["phase"])
    found = np.zeros((len(t), 6))
    for j, mu in enumerate(case["mu"]):
        heading = case["beta_wave"] - case["psi"] + mu
        encounter = np.abs(w - w**2 * case["U"] * np.cos(heading) / 9.81)
        forces = rao.at(w, np.full(len(w), heading)) * amplitudes[:, j, None]
        found += (np.exp(1j * (np.outer(t, encounter) + phases[:, j])) @ forces).real
    expected = columns(table, *(f"tau{i}" for i in range(1, 7)))
    assert (np.abs(found - expected).max(0) < 2e-5 * np.abs(expected).max(0)).all()
