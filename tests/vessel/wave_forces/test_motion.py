"""Wave motion of vessels in the horizontal plane, and drift by tables."""

from __future__ import annotations

from math import pi
from pathlib import Path

import numpy as np
import pytest
from references import WAVES, columns, data, rows

from steerageway.vessel.craft import Craft
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.craft import FossenModel
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.folder import load
from steerageway.vessel.fossen.in_sea import in_sea, sea_loads
from steerageway.vessel.wave_forces import wamit
from steerageway.vessel.wave_forces.motion import WaveMotion
from steerageway.vessel.wave_forces.table import ForceRao
from steerageway.world.sea import Sea
from steerageway.world.sea_state import SeaState

pytestmark = pytest.mark.slow  # they compile

INPUTS = Path(__file__).parents[3] / "inputs"
SHIP = {
    "vessel.wave_motion.length": 160.93,
    "vessel.wave_motion.breadth": 23.17,
    "vessel.wave_motion.draft": 8.2,
    "vessel.wave_motion.block": 0.6,
    "vessel.wave_motion.GM_T": 1.0,
    "vessel.wave_motion.roll_period": 12.0,
}


def mariner(**more: object) -> Dynamics:
    return load(INPUTS / "mariner", overrides=SHIP | more)


def s175(kind: str) -> ForceRao:
    reference = data(WAVES / "rao_s175.json")
    X = np.array(reference[f"{kind}_amp"]) * np.exp(1j * np.array(reference[f"{kind}_phase"]))
    headings = np.radians(np.array(reference["headings_deg"], float))
    return ForceRao(np.array(reference["w"]), headings, np.moveaxis(X, 0, 2))


@pytest.mark.parametrize("name", ["uni", "spread"])
def test_motions_by_raos_are_the_reference_series(name: str) -> None:
    case = data(WAVES / f"rao_series_s175_{name}.json")
    table = rows(WAVES / f"rao_series_s175_{name}.csv")
    found = []
    amplitudes, phases = np.array(case["amplitude"]), np.array(case["phase"])
    directions = case["beta_wave"] + np.array(case["mu"])
    count = len(case["Omega"])
    w, beta = np.repeat(case["Omega"], len(directions)), np.tile(directions, count)
    a, eps = amplitudes.ravel(), phases.ravel()
    k = w**2 / 9.81
    motion = WaveMotion(9.5, rao=s175("motion"), sea=_sea(a, w, k, beta, eps))
    speed = np.array([case["U"], 0, 0, 0, 0, 0])
    for t in columns(table, "t")[:, 0]:
        ahead = case["U"] * t * np.array([np.cos(case["psi"]), np.sin(case["psi"])])
        found.append(motion.at(np.array([*ahead, 0, 0, 0, case["psi"]]), speed, float(t)))
    got = np.array(found)
    for place, what in enumerate(("eta", "nu", "nudot")):
        expected = columns(table, *(f"{what}{i}" for i in range(1, 7)))
        difference = np.abs(got[:, place] - expected).max(0)
        assert (difference < 2e-5 * np.abs(expected).max(0)).all()


def _sea(a, w, k, beta, eps) -> Sea:
    always = np.full_like(a, np.inf)
    table = [a, w, k, k * np.cos(beta), k * np.sin(beta), eps, -always, always]
    return Sea(np.ascontiguousarray(np.array(table).T), np.array([np.inf, 9.81, 1025.0, 0.0]))


@pytest.mark.parametrize("direction", [0.0, 180.0, 90.0])
def test_in_long_waves_a_ship_in_closed_form_goes_with_the_surface(direction: float) -> None:
    sea = Sea.of([SeaState("regular", 2.0, 60.0, direction=direction)], 0)
    vessel = in_sea(mariner(), sea)
    assert vessel.wave_motion is not None
    for t in np.linspace(0.0, 60.0, 13).tolist():
        moved = vessel.wave_motion.at(np.zeros(6), np.zeros(6), t)[0]
        zeta, slope_north, _ = sea.motions(np.zeros((1, 3)), t)[0][:3]
        assert moved[2] == pytest.approx(-zeta, abs=0.04)
        assert moved[4] == pytest.approx(slope_north, abs=1e-4)


def test_velocities_are_the_motions_rates_at_speed() -> None:
    state = SeaState("jonswap", 4.0, 9.0, direction=30.0, spreading="cosn", components=30)
    vessel = in_sea(mariner(), Sea.of([state], 5))
    motion, h = vessel.wave_motion, 1e-3
    assert motion is not None
    nu = np.array([7.0, 0, 0, 0, 0, 0])

    def at(t: float) -> np.ndarray:
        return motion.at(np.array([7.0 * t, 0, 0, 0, 0, 0]), nu, t)

    for t in (3.0, 40.0):
        rates = (at(t + h) - at(t - h)) / (2 * h)
        assert rates[0] == pytest.approx(at(t)[1], abs=1e-5)
        assert rates[1] == pytest.approx(at(t)[2], abs=1e-5)


def test_wave_motion_is_displayed_and_changes_no_track() -> None:
    state = SeaState("jonswap", 4.0, 9.0, direction=200.0)
    plain, moved = mariner(), in_sea(mariner(), Sea.of([state], 5))
    tracks, seen = [], []
    for vessel in (plain, moved):
        craft = Craft(FossenModel(vessel, 0.1), FossenModel(vessel, 0.1).start)
        craft.inputs.rudder = 20.0
        for k in range(1, 41):
            craft.advance(0.5 * k)
            seen.append(craft.truth.trail[:, 0, 2:5])
        tracks.append(craft.truth.x)
        assert (craft.truth.trail[-1, 0] == craft.truth.seen).all()
    assert (tracks[0] == tracks[1]).all()
    assert np.abs(np.concatenate(seen[:40])).max() == 0.0
    heave, roll, pitch = np.abs(np.concatenate(seen[40:])).max(0)
    assert 0.1 < heave < 3.0
    assert roll > 1e-3
    assert pitch > 1e-3


def test_waves_motions_do_not_depend_on_how_time_is_cut() -> None:
    vessel = in_sea(mariner(), Sea.of([SeaState("pm", 3.0, 8.0)], 5))
    ends = []
    for step in (0.3, 2.5):
        craft = Craft(FossenModel(vessel, 0.1), FossenModel(vessel, 0.1).start)
        for k in range(1, round(15.0 / step) + 1):
            craft.advance(round(step * k, 9))
        ends.append(craft.truth.seen)
    assert ends[0] == pytest.approx(ends[1], abs=1e-12)


@pytest.mark.parametrize(
    ("overrides", "expected"),
    [
        ({"vessel.wave_motion.breadth": 80}, "a ship of at least 3 breadths"),
        ({"vessel.wave_motion.method": "guess"}, "one of closed_form, rao"),
        ({"vessel.wave_motion.method": "rao"}, "expected a .4 file of WAMIT's, or HydRA's .json"),
        ({"vessel.wave_motion.colour": "red"}, "colour: unknown key"),
    ],
)
def test_an_invalid_key_is_refused(overrides: dict[str, object], expected: str) -> None:
    with pytest.raises(InvalidValue, match=expected):
        mariner(**overrides)


def test_waves_count_once() -> None:
    with pytest.raises(InvalidValue, match="a vessel without wave loads"):
        load(INPUTS / "box_barge", overrides=SHIP)
    with pytest.raises(InvalidValue, match="a vessel held in heave, roll and pitch"):
        load(INPUTS / "otter", overrides=SHIP)
    with pytest.raises(InvalidValue, match=r"water of 5 m for a draught of 8.2 m"):
        in_sea(mariner(), Sea.of([], 0, depth=5.0))


DRIFT = {  # D/(rho g) by period and heading [deg], WAMIT's axes
    (6.0, 0.0): (0.4, 0.0, 0.0, 0.0, 0.0, 0.0),
    (6.0, 90.0): (0.0, 0.9, 0.0, 0.0, 0.0, 0.02),
    (6.0, 180.0): (-0.5, 0.0, 0.0, 0.0, 0.0, 0.0),
    (3.0, 0.0): (0.8, 0.0, 0.0, 0.0, 0.0, 0.0),
    (3.0, 90.0): (0.0, 1.6, 0.0, 0.0, 0.0, 0.03),
    (3.0, 180.0): (-0.9, 0.0, 0.0, 0.0, 0.0, 0.0),
}


@pytest.fixture
def drifting(tmp_path: Path):
    """Return a barge with drift by a WAMIT table, in a sea."""
    path = tmp_path / "barge.8"
    lines = [
        f"{period} {beta} {beta} {mode} {abs(value)} 0 {value} 0"
        for (period, beta), values in DRIFT.items()
        for mode, value in enumerate(values, 1)
    ]
    lines.append("6.0 0.0 90.0 1 9 0 9 0")  # of two seas at once: not for one
    path.write_text("\n".join(lines) + "\n")

    def make(kind: str, sea: Sea) -> Dynamics:
        overrides = {"hydrodynamics.rao.drift_file": str(path), "hydrodynamics.loads.drift": kind}
        return in_sea(load(INPUTS / "box_barge", overrides=overrides), sea)

    return make


def drift_of(vessel: Dynamics, sea: Sea, t: float) -> np.ndarray:
    overrides = {"hydrodynamics.loads.drift": "none"}
    without = in_sea(load(INPUTS / "box_barge", overrides=overrides), sea)
    loaded, plain = (sea_loads(one, vessel.initial, t)[0] for one in (vessel, without))
    return loaded - plain


def test_wamits_drift_is_read_and_loads_a_hull(drifting) -> None:
    rho_g, a = 1025.0 * 9.81, 0.25
    for period, direction in ((6.0, 0.0), (3.0, 180.0), (6.0, 90.0)):
        sea = Sea.of([SeaState("regular", 2 * a, period, direction=direction)], 0)
        for kind in ("auto", "mean", "newman"):  # one wave has no slow part
            force = drift_of(drifting(kind, sea), sea, 4.0)
            X, Y, *_, N = DRIFT[period, direction]
            # to starboard in BODY is to the file's other side
            expected = rho_g * a * a * np.array([X, Y, 0, 0, 0, N])
            assert force == pytest.approx(expected, rel=1e-6, abs=1e-6)


def test_newmans_force_varies_about_the_tables_mean(drifting) -> None:
    state = SeaState("jonswap", 0.5, 4.5, components=25)
    sea = Sea.of([state], 2)
    mean = drift_of(drifting("mean", sea), sea, 0.0)
    slow, calm = (
        drifting("newman", sea),
        in_sea(load(INPUTS / "box_barge", overrides={"hydrodynamics.loads.drift": "none"}), sea),
    )
    times = np.arange(0.0, 3000.0, 1.5)
    X = [
        sea_loads(slow, slow.initial, t)[0][0] - sea_loads(calm, slow.initial, t)[0][0]
        for t in times.tolist()
    ]
    assert np.mean(X) == pytest.approx(mean[0], rel=0.05)
    assert np.std(X) > 0.5 * mean[0]
    assert np.min(X) > -1e-9  # of one sign, as the drift data
    # no wave frequencies: it changes little within a second
    assert np.corrcoef(X[1:], X[:-1])[0, 1] > 0.8


def test_drift_by_a_table_needs_one() -> None:
    with pytest.raises(InvalidValue, match="newman: expected a drift_file in rao"):
        load(INPUTS / "box_barge", overrides={"hydrodynamics.loads.drift": "newman"})


def test_wamits_motions_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.4"
    path.write_text(
        "".join(f"{2 * pi} {b} {m} 1 0 0.5 0.25\n" for b in (0, 90, 180) for m in range(1, 7))
    )
    X = wamit.motions(path, 2.0).at(np.ones(1), np.zeros(1))[0]
    linear, angular = 0.5 + 0.25j, 0.25 + 0.125j
    expected = [linear, -linear, -linear, angular, -angular, -angular]
    assert pytest.approx(expected) == X
