"""Force RAOs of Capytaine and WAMIT against the same data in BODY."""

from __future__ import annotations

from math import inf
from pathlib import Path

import h5py
import numpy as np
import pytest
from references import WAVES, data

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.folder import load
from steerageway.vessel.fossen.in_sea import in_sea, sea_loads
from steerageway.vessel.wave_forces import capytaine, wamit
from steerageway.vessel.wave_forces.table import ForceRao
from steerageway.world.sea import Sea
from steerageway.world.sea_state import SeaState

BARGE = WAVES / "bem_box_barge"
TOLD = data(BARGE / "box_barge_frd.json")
WEIGHT = 1025.0 * 9.81


def expected_excitation() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    parts = np.array(TOLD["excitation_re_im"])
    return (
        np.array(TOLD["finite_omega"]),
        np.array(TOLD["heading_rad"]),
        parts[..., 0] + 1j * parts[..., 1],
    )


def check(rao: ForceRao) -> None:
    omega, headings, X = expected_excitation()
    for i, w in enumerate(omega):
        found = rao.at(np.full(len(headings), w), headings)
        assert np.abs(found - X[i]).max() < 1e-5 * np.abs(X).max()


def test_capytaines_file_is_read() -> None:
    read = capytaine.read(BARGE / "box_barge.nc")
    check(read.excitation)
    for matrices, key in ((read.A, "added_mass"), (read.B, "radiation_damping")):
        reference = np.array(TOLD[key])
        assert np.abs(matrices - reference).max() < 1e-5 * np.abs(reference).max()


@pytest.mark.parametrize("place", [0, 7131, 7665, 49298])  # where h5py has errors of its own
def test_a_damaged_file_of_capytaines_is_refused(tmp_path: Path, place: int) -> None:
    raw, path = bytearray((BARGE / "box_barge.nc").read_bytes()), tmp_path / "barge.nc"
    raw[place] ^= 0x51
    path.write_bytes(raw)
    with pytest.raises(InvalidValue, match=r"barge\.nc: expected a netCDF-4 file"):
        capytaine.read(path)


def test_a_dataset_that_claims_more_than_is_in_the_file_is_refused(tmp_path: Path) -> None:
    with h5py.File(tmp_path / "barge.nc", "w") as file:
        for name in capytaine.NEEDED:
            file.create_dataset(name, (1 << 40,), "f8", chunks=(1 << 10,))
    with pytest.raises(InvalidValue, match=r"barge\.nc: .*/omega of 8796093022208 bytes"):
        capytaine.read(tmp_path / "barge.nc")


def test_wamits_files_are_read() -> None:
    check(wamit.excitation(BARGE / "box_barge.3", WEIGHT))
    omega, A, B = wamit.radiation(BARGE / "box_barge.1", 1025.0)
    reported = np.array([float(w) for w in TOLD["omega"]])
    order = [int(np.abs(omega - w).argmin()) if w < inf else len(omega) - 1 for w in reported]
    assert np.abs(A[order] - np.array(TOLD["added_mass"])).max() < 1e-5 * np.abs(A).max()
    expected = np.array(TOLD["radiation_damping"])
    assert np.abs(B[order] - expected).max() < 1e-5 * np.abs(expected).max()


def test_beyond_the_last_frequency_there_is_no_force() -> None:
    rao = wamit.excitation(BARGE / "box_barge.3", WEIGHT)
    assert (rao.at(np.array([50.0]), np.array([0.3])) == 0).all()


def test_headings_are_a_circle() -> None:
    rao = wamit.excitation(BARGE / "box_barge.3", WEIGHT)
    one, other = (rao.at(np.array([1.3]), np.array([h])) for h in (0.2, 0.2 + 2 * np.pi))
    assert one == pytest.approx(other, rel=1e-9)
    port, starboard = (rao.at(np.array([1.3]), np.array([h])) for h in (-0.7, 0.7))
    assert port[0, 2] == pytest.approx(starboard[0, 2], rel=1e-4)
    assert port[0, 1] == pytest.approx(-starboard[0, 1], rel=1e-4)


@pytest.mark.slow
def test_a_vessel_with_tables_gets_the_force_of_the_tables() -> None:
    overrides = {
        "hydrodynamics.loads.waves": "rao",
        "hydrodynamics.loads.drift": "none",
        "hydrodynamics.rao.file": str(BARGE / "box_barge.3"),
    }
    vessel = load(Path(__file__).parents[3] / "inputs" / "box_barge", overrides=overrides)
    sea = Sea.of([SeaState("regular", 2.0, 2 * np.pi / 1.4, direction=45.0)], 0)
    moved = in_sea(vessel, sea)
    still = sea_loads(vessel, vessel.initial, 0.0)[0]
    rao = wamit.excitation(BARGE / "box_barge.3", WEIGHT)
    X = rao.at(np.array([1.4]), np.radians([45.0]))[0]
    for t in (0.0, 0.7, 2.9):
        force = sea_loads(moved, moved.initial, t)[0] - still
        assert force == pytest.approx((X * np.exp(1.4j * t)).real, rel=1e-6, abs=1e-3)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("1 0 1 1 0 1\n", "expected 7 numbers"), ("1 0 1 1 0 1 1\nx 2 3\n", "expected a number")],
)
def test_an_invalid_line_is_refused(tmp_path: Path, text: str, expected: str) -> None:
    path = tmp_path / "a.3"
    path.write_text(text)
    with pytest.raises(InvalidValue, match=expected):
        wamit.excitation(path, WEIGHT)
