"""Vessels that float by a mesh, in calm water and in waves."""

from __future__ import annotations

import shutil
from dataclasses import replace
from math import inf
from pathlib import Path

import numpy as np
import pytest

from steerageway.geometry.marine import components
from steerageway.vessel.craft import Craft
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.craft import FossenModel
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.folder import load
from steerageway.vessel.fossen.in_sea import in_sea, sea_loads
from steerageway.vessel.fossen.state import TIME
from steerageway.vessel.tools.inertia import mass_of
from steerageway.world.environment import Environment, Water
from steerageway.world.kinematics import NUMBER
from steerageway.world.sea import Sea
from steerageway.world.sea_state import SeaState

INPUTS = Path(__file__).parents[3] / "inputs"
pytestmark = pytest.mark.slow  # they compile
UNDAMPED = {
    "hydrodynamics.radiation.zeta.heave": 0,
    "hydrodynamics.radiation.zeta.roll": 0,
    "hydrodynamics.radiation.zeta.pitch": 0,
    "hydrodynamics.radiation.quadratic.roll": 0,
    "hydrodynamics.cross_flow_drag": "false",
    "hydrodynamics.X_u": 0,
    "hydrodynamics.X_au_u": 0,
    "hydrodynamics.N_r": 0,
}


def barge(**overrides: object) -> Dynamics:
    return load(INPUTS / "box_barge", overrides=overrides)


def test_a_barge_rests_where_its_weight_is_displaced() -> None:
    vessel = barge()
    floating = vessel.floating
    assert floating is not None
    assert floating.stability is not None
    assert floating.stability.volume == pytest.approx(4100 / 1025)
    assert pytest.approx(0.25 + 2 / 3 - 0.45, abs=1e-9) == floating.stability.GM_T
    rate = vessel.derivative(vessel.initial, [], vessel.surroundings())
    assert np.abs(rate).max() < 1e-9


def test_heave_has_capytaines_natural_period() -> None:
    vessel = barge(**UNDAMPED)
    x, around = vessel.initial.copy(), vessel.surroundings()
    x[2] += 0.05
    track = []
    for _ in range(1000):
        x = vessel.step(x, [], around, 0.01)
        track.append(x[2])
    z = np.array(track)
    crossings = np.flatnonzero((z[1:] > 0) != (z[:-1] > 0)) * 0.01
    assert 2 * np.diff(crossings).mean() == pytest.approx(2.16, abs=0.01)


def test_without_damping_energy_is_kept() -> None:
    vessel = barge(**UNDAMPED)
    floating = vessel.floating
    assert floating is not None
    assert floating.mesh is not None
    from steerageway.vessel.mesh import hydrostatics
    from steerageway.vessel.tools.inertia import mass_of

    M = mass_of(vessel).M
    weight, W = 1025 * 9.81, 4100 * 9.81

    def energy(x: np.ndarray) -> float:
        from steerageway.vessel.kinematics import eul_to_rotm

        R = eul_to_rotm(np.array([x[3], x[4], 0.0]))
        assert floating is not None
        assert floating.mesh is not None
        water = hydrostatics.afloat(floating.mesh, x[2], x[3], x[4])
        height = x[2] + float(R[2] @ floating.r_bg)
        lifted = weight * water.volume * float(water.centre_ned[2])
        return float(0.5 * x[6:12] @ M @ x[6:12] + lifted - W * height)

    x, around = vessel.initial.copy(), vessel.surroundings()
    rest = energy(x)
    x[2], x[3], x[4] = 0.12, 0.15, 0.04
    start = energy(x) - rest
    dt = 2.11 / 200
    for _ in range(int(60 / dt) // 50):
        x = vessel.step(x, [], around, dt, 50)
    assert (energy(x) - rest) / start == pytest.approx(1.0, abs=1e-5)


def test_a_damped_body_never_gains_energy() -> None:
    vessel = barge()
    x, around = vessel.initial.copy(), vessel.surroundings()
    x[2], x[3] = 0.2, 0.3
    largest = inf
    for _ in range(12):
        swing = 0.0
        for _ in range(100):
            x = vessel.step(x, [], around, 0.02)
            swing = max(swing, abs(x[3]))
        assert swing < largest
        largest = swing
    assert largest < 0.12


def test_a_free_sphere_follows_long_waves() -> None:
    sphere = load(INPUTS / "sphere")
    sea = Sea.of([SeaState("regular", 1.0, 20.0)], 3)
    vessel, around = in_sea(sphere, sea), sphere.surroundings()
    x = vessel.initial.copy()
    x[2] = -sea.elevation(0.0, 0.0, 0.0)
    away = []
    for k in range(1500):
        around[TIME] = k * 0.02
        x = vessel.step(x, [], around, 0.02)
        away.append(x[2] + float(sea.elevation(x[0], x[1], (k + 1) * 0.02)))
    assert np.abs(away[500:]).max() < 0.01


def test_time_continues_within_a_step_and_is_absolute() -> None:
    sea = Sea.of([SeaState("jonswap", 0.4, 4.0, components=12)], 3)
    vessel, around = in_sea(barge(), sea), barge().surroundings()
    around[TIME] = 1000.0
    whole = vessel.step(vessel.initial, [], around, 0.02, 20)
    parts = vessel.initial
    for k in range(20):
        around[TIME] = 1000.0 + k * 0.02
        parts = vessel.step(parts, [], around, 0.02)
    assert whole == pytest.approx(parts, rel=1e-9, abs=1e-12)
    assert around[TIME] == 1000.0 + 19 * 0.02


def test_nodal_and_exact_loads_move_a_barge_equally() -> None:
    sea = Sea.of([SeaState("jonswap", 0.4, 4.0, components=12, direction=70.0)], 3)
    found = []
    for evaluator in ("nodal", "exact"):
        vessel = in_sea(barge(**{"hydrodynamics.loads.evaluator": evaluator}), sea)
        around = vessel.surroundings()
        found.append(vessel.step(vessel.initial, [], around, 0.02, 250))
    assert np.abs(found[0] - found[1])[:6].max() < 2e-3
    assert np.abs(found[0]).max() > 0.05


def test_a_ship_adrift_goes_with_the_waves_reflection() -> None:
    sea = Sea.of([SeaState("regular", 0.2, 2.0, direction=90.0)], 1)
    drifts = []
    for mean in ("auto", "none"):
        vessel = in_sea(barge(**{"hydrodynamics.loads.drift": mean}), sea)
        x = vessel.step(vessel.initial, [], vessel.surroundings(), 0.02, 1500)
        drifts.append(x[1])
    k = float(sea.rows[0, 2])
    force = 0.5 * 1025 * 9.81 * 4.0 * 0.1**2 * (1.0 - np.exp(-2 * k * 0.5))
    assert drifts[0] > drifts[1] + 0.5
    assert 50.0 < force < 200.0


@pytest.mark.parametrize("waves", ["none", "mesh"])
def test_a_dead_ship_drifts_with_the_current_and_the_stokes_drift_of_half_its_draught(
    waves: str,
) -> None:
    """What waves press on its hull, which is at rest when they begin, moves it besides."""
    state = SeaState("regular", 0.2, 4.0, direction=60.0)
    environment = Environment(
        waves=(state,), stokes=True, current=components(120.0, 0.4), depth=60.0, seed=1
    )
    still = {"hydrodynamics.loads.drift": "none", "hydrodynamics.loads.waves": waves}
    drifted = []
    for stokes in (True, False):
        here = replace(environment, stokes=stokes)
        vessel = in_sea(barge(**still), here.sea())
        craft = Craft(FossenModel(vessel, 0.02), FossenModel(vessel, 0.02).start)
        craft.field, craft.field_active = Water(here, here.sea(), below=0.25), True
        places = []
        for k in range(1, 181):
            craft.advance(0.5 * k)
            places.append((craft.true_motion.x, craft.true_motion.y))
        # means over whole periods of the waves, ten periods apart
        ends = [np.mean(places[i : i + 8], axis=0) for i in (80, 160)]
        drifted.append((ends[1] - ends[0]) / 40.0)
    north, east = environment.sea().stokes_drift(0.25, 0.0)
    a, w = 0.1, 2 * np.pi / 4.0
    k = w**2 / 9.81
    assert np.hypot(north, east) == pytest.approx(a * a * w * k * np.exp(-0.5 * k), rel=1e-3)
    close = (0.01 if waves == "none" else 0.15) * np.hypot(east, north)
    assert drifted[0] - drifted[1] == pytest.approx([east, north], abs=close)
    pushed = np.hypot(*(drifted[1] - environment.current))
    assert pushed < (0.005 * 0.4 if waves == "none" else 0.1)


def test_without_reflection_waves_that_rise_slowly_hardly_move_a_barge() -> None:
    """Beam seas of 0.1 m: less than twice the Stokes drift of the surface, 0.004 m/s."""
    sea = Sea.of([SeaState("regular", 0.2, 4.0, direction=90.0)], 1, ramp=40.0)
    vessel = in_sea(barge(**{"hydrodynamics.loads.drift": "none"}), sea)
    x, around, places = vessel.initial.copy(), vessel.surroundings(), []
    for period in range(70):
        around[TIME] = 4.0 * period
        x = vessel.step(x, [], around, 0.02, 200)
        places.append(x[1])
    stokes = 0.1**2 * (2 * np.pi / 4.0) ** 3 / 9.81
    assert abs(places[-1] - places[35]) / (4.0 * 34) < 2.0 * stokes < 0.01


def test_the_momentum_of_added_mass_in_orbital_motion_turns_with_the_hull() -> None:
    """d/dt (R A R^T u) is R (A R^T du/dt + omega x A u - A (omega x u)), by vectors of BODY."""
    sea = Sea.of([SeaState("regular", 0.2, 4.0, direction=60.0)], 1)
    with_it, without = (
        in_sea(barge(**{"hydrodynamics.loads.diffraction": value}), sea)
        for value in ("true", "false")
    )
    around = with_it.surroundings()
    around[TIME] = 41.0
    still = with_it.initial.copy()
    still[3:5] = 0.1, -0.05
    turning = still.copy()
    turning[9:12] = 0.3, -0.2, 0.1
    forces = [
        mass_of(with_it).M
        @ (with_it.derivative(x, [], around) - without.derivative(x, [], around))[6:]
        for x in (still, turning)
    ]
    u, A = with_it.parameters.scratch.orbital[:3], np.diag([900.0, 2000.0, 5330.0])
    omega = turning[9:12]
    expected = np.cross(omega, A @ u) - A @ np.cross(omega, u)
    share = forces[0][:3] @ (A @ with_it.parameters.scratch.orbital[3:])
    share /= np.sum((A @ with_it.parameters.scratch.orbital[3:]) ** 2)
    assert 0.5 < share < 1.0 + 1e-9  # what of the hull is in the water
    assert np.abs(expected).min() > 1.0
    assert (forces[1] - forces[0])[:3] == pytest.approx(share * expected, rel=1e-6)


def test_a_propeller_meets_the_waves_orbital_velocity_at_its_own_place(tmp_path: Path) -> None:
    """Two of one kind, 1.9 m ahead and 1.2 m deep, aft and 0.3 m deep: Airy's flow at each."""
    folder = Path(shutil.copytree(INPUTS / "box_barge", tmp_path / "barge"))
    places, screw = ([1.9, 0.0, 1.2], [-1.9, 0.0, 0.3]), "D_prop: 0.3, KT_at_J0: 0.4, n_max: 2000"
    rows = "".join(f"- {{thruster_location: {place}, {screw}}}\n" for place in places)
    (folder / "thrusters.yml").write_text(f"thrusters:\n{rows}")
    sea = Sea.of([SeaState("regular", 0.2, 3.0)], 1)
    vessel = in_sea(load(folder), sea)
    M, n = mass_of(vessel).M, 5.0
    around = vessel.surroundings()
    around[TIME] = 40.0
    x = vessel.initial.copy()
    x[6] = 1.0
    at_rest = vessel.derivative(x, [0.0, 0.0], around)
    k = float(sea.rows[0, NUMBER])
    for i, (ahead, _, deep) in enumerate(places):
        command = np.zeros(2)
        command[i] = 2 * np.pi * n
        state = x.copy()
        state[12:] = command
        force = (M @ (vessel.derivative(state, command, around) - at_rest)[6:12])[0]
        point = (x[0] + ahead, x[1], x[2] + deep)
        zeta = float(sea.elevation(point[0], point[1], 40.0))
        flow = 2 * np.pi / 3.0 * zeta * np.exp(-k * (point[2] + zeta))
        J = (1.0 - flow) / (n * 0.3)
        assert abs(flow) > 0.02
        assert force == pytest.approx(1025 * 0.3**4 * 0.4 * (1 - J) * n**2, rel=1e-6)


def test_the_mean_wave_force_is_marous() -> None:
    sea = Sea.of([SeaState("regular", 0.2, 2.0, direction=90.0)], 1)
    with_drift, without = (
        in_sea(barge(**{"hydrodynamics.loads.drift": value}), sea) for value in (1.0, "none")
    )
    added = sea_loads(with_drift, with_drift.initial, 3.0)[0]
    added = added - sea_loads(without, without.initial, 3.0)[0]
    assert added == pytest.approx([0, 0.5 * 1025 * 9.81 * 4.0 * 0.1**2, 0, 0, 0, 0], abs=1e-6)


def test_voxels_float_as_the_mesh_does_but_coarsely() -> None:
    cubes = barge(**{"hydrodynamics.hydrostatics": "voxels", "hydrodynamics.voxels.edge": 0.1})
    wrench, volume, _ = sea_loads(cubes, cubes.initial, 0.0)
    assert volume == pytest.approx(4.0, rel=0.2)
    assert abs(wrench[3]) < 1e-6
    assert wrench[2] == pytest.approx(4100 * 9.81 - 1025 * 9.81 * volume)


def test_kerners_drag_slows_a_hull() -> None:
    keys = {f"hydrodynamics.drag.kerner.{key}": 100.0 for key in ("P1", "S1")}
    vessel, plain = barge(**keys, **UNDAMPED), barge(**UNDAMPED)
    speeds = []
    for one in (vessel, plain):
        x = one.initial.copy()
        x[6] = 1.0
        speeds.append(one.step(x, [], one.surroundings(), 0.02, 100)[6])
    assert speeds[0] < speeds[1] - 0.02


def test_the_documents_state_space_drag_is_in_the_grammar() -> None:
    """D_V by v|v|, where the document has Y_rr; D_R with its coupling N_v v, and N_r r besides."""
    terms = {"Y_v": -10.0, "Y_av_v": -20.0, "Y_vvv": -5.0}
    terms |= {"N_v": -2.0, "N_ar_r": -3.0, "N_rrr": -4.0, "N_r": -7.0}
    keys = {f"hydrodynamics.{key}": value for key, value in terms.items()}
    one, none = barge(**{**UNDAMPED, **keys}), barge(**UNDAMPED)
    x = one.initial.copy()
    x[7], x[11] = 0.8, 0.3
    rates = [vessel.derivative(x, [], vessel.surroundings())[6:12] for vessel in (one, none)]
    from steerageway.vessel.tools.inertia import mass_of

    force = mass_of(one).M @ (rates[0] - rates[1])
    v, r = 0.8, 0.3
    expected = [0, -10 * v - 20 * v * v - 5 * v**3, 0, 0, 0, -2 * v - 3 * r * r - 4 * r**3 - 7 * r]
    assert force == pytest.approx(expected, abs=1e-8)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(INPUTS / "box_barge", tmp_path / "boat"))


@pytest.mark.parametrize(
    ("overrides", "expected"),
    [
        ({"geometry.mesh.scale": 1000}, r"mesh of 4000 m for a hull of 4 m: expected scale: 1:"),
        ({"geometry.mesh.file": "no.stl"}, r"mesh.file: no.stl: no such file"),
        ({"geometry.mesh.colour": "red"}, r"mesh.colour: unknown key"),
        ({"hydrodynamics.loads.waves": "rao"}, r"rao.file: nothing: expected a .3 or .2 file"),
        ({"hydrodynamics.hydrostatics": "meshes"}, r"expected one of coefficients, mesh, voxels"),
        (
            {"hydrodynamics.radiation.zeta.heave": -1},
            r"zeta.heave = -1: expected a number at least 0",
        ),
        (
            {"geometry.mesh.volume": 3},
            r"mesh: box.stl: 4 m³ displaced by a mesh of 3",
        ),
    ],
)
def test_an_invalid_key_is_refused(
    folder: Path, overrides: dict[str, object], expected: str
) -> None:
    with pytest.raises(InvalidValue, match=expected):
        load(folder, overrides=overrides)


def test_water_must_be_deeper_than_the_draught() -> None:
    with pytest.raises(InvalidValue, match=r"water of 0.4 m for box_barge, whose draught is 0.5 m"):
        in_sea(barge(), Sea.of([], 0, depth=0.4))


def test_a_vessel_without_these_settings_is_unchanged() -> None:
    otter = load(INPUTS / "otter")
    assert otter.floating is None
    assert in_sea(otter, Sea.of([SeaState("regular", 1.0, 8.0)], 0)) is otter
    assert replace(otter).floating is None
