"""Published models: known results of their sources, and symmetries."""

from __future__ import annotations

from math import degrees, hypot, isinf, pi, radians
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.folder import load, read_folder
from steerageway.vessel.fossen.published import MODELS, npsauv, npsauv_forces
from steerageway.vessel.fossen.published.osv import add_coriolis
from steerageway.vessel.kinematics import eul_to_rotm
from steerageway.vessel.rigid_body import m2c
from steerageway.vessel.tools.energy import kinetic_energy
from steerageway.vessel.tools.inertia import inertia_of
from steerageway.world.arrays import Floats
from steerageway.world.document import leaves

INPUTS = Path(__file__).parents[3] / "inputs"
RPM = pi / 30
DEEP = 50.0  # where the surface is far [m]
VESSELS = (
    "clarke83",
    "container",
    "dsrv",
    "frigate",
    "kvlcc2_l7",
    "mariner",
    "npsauv",
    "osv",
    "semisub",
    "supply",
    "tanker",
    "zeefakkel",
)
MIRROR = np.array([1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1], float)
# What makes a vessel's two sides differ, and the values that would make them alike.
ASYMMETRIC = {
    "kvlcc2_l7": {"hydrodynamics.gamma_R_minus": 0.64, "hydrodynamics.C_2_minus": 1.6},
    "mariner": {f"hydrodynamics.{axis}_{term}": 0 for axis in "YN" for term in ("0", "0u", "0uu")},
    "tanker": {"hydrodynamics.Y_T": 0, "hydrodynamics.N_T": 0},
    "npsauv": {"inertia.I_xy": 0, "inertia.I_yz": 0},
    "osv": {"thrusters.thrusters.4.thrust_max": 420e3, "thrusters.thrusters.4.n_max": 150},
}
pytestmark = pytest.mark.slow


def vessel(name: str, **changed: float) -> Dynamics:
    return load(INPUTS / name, overrides={key.replace("__", "."): v for key, v in changed.items()})


def run(v: Dynamics, command: list[float], seconds: float, x: Floats | None = None) -> Floats:
    """Return the states every 0.05 s."""
    around = v.surroundings()
    states = [v.initial if x is None else x]
    for _ in range(round(seconds / 0.05)):
        states.append(v.step(states[-1], command, around, 0.05))
    return np.array(states)


def test_the_mariner_turns_by_herself() -> None:
    """Its single screw: 8.06 degrees to starboard in 100 s with the rudder amidships."""
    assert degrees(run(vessel("mariner"), [0.0], 100.0)[-1, 5]) == pytest.approx(8.06, abs=0.01)


def test_the_tanker_turns_wider_in_shallow_water() -> None:
    """In deep water 577 m and 4.04 m/s after 600 s with 10 degrees of rudder."""
    radii = []
    for depth in (200.0, 25.0):
        tanker = vessel("tanker", hydrodynamics__water_depth=depth)
        x = run(tanker, [radians(10), 80 * RPM], 600.0)[-1]
        radii.append(abs(hypot(x[6], x[7]) / x[11]))
        if depth == 200.0:
            assert hypot(x[6], x[7]) == pytest.approx(4.04, abs=0.01)
    assert radii[0] == pytest.approx(577, rel=0.01)
    assert radii[1] > 2 * radii[0]


def test_the_surroundings_give_the_tanker_the_depth() -> None:
    tanker = vessel("tanker", hydrodynamics__water_depth=25.0)
    deep = vessel("tanker")
    command, x = [radians(10), 80 * RPM], deep.initial + 0.01
    shallow = deep.derivative(x, command, deep.surroundings(water_depth=25.0))
    assert (shallow == tanker.derivative(x, command, tanker.surroundings())).all()


def test_the_container_ship_heels_in_a_turn() -> None:
    """80 rpm give 8.21 m/s in 100 s; 10 degrees of rudder a radius of 695 m and 5.0 of roll."""
    ship = vessel("container")
    ahead = run(ship, [0.0, 80 * RPM], 100.0)[-1]
    x = run(ship, [radians(10), 80 * RPM], 700.0, ahead)[-1]
    assert ahead[6] == pytest.approx(8.21, abs=0.02)
    assert hypot(x[6], x[7]) / x[11] == pytest.approx(695, rel=0.01)
    assert abs(degrees(x[3])) == pytest.approx(5.0, abs=0.1)


def test_the_auv_ends_at_the_speed_of_no_slip() -> None:
    """The propeller's law balances at u = 0.012 n: 1.2566 m/s at 1000 rpm."""
    v = vessel("npsauv")
    x = v.step(v.initial, [0, 0, 0, 0, 1000 * RPM], v.surroundings(), 0.05, steps=8000)
    assert x[6] == pytest.approx(0.012 * 1000 * RPM, abs=1e-3)


def eigenvalues(v: Dynamics, states: list[int], x: Floats) -> Floats:
    """Return the eigenvalues of the linearised motion in some states, by central differences."""
    around, command, columns = v.surroundings(), [0.0] * len(v.commands), []
    for i in states:
        step = np.zeros_like(x)
        step[i] = 1e-6
        slope = v.derivative(x + step, command, around) - v.derivative(x - step, command, around)
        columns.append(slope[states] / 2e-6)
    return np.sort_complex(np.linalg.eigvals(np.array(columns).T))


def test_the_rescue_vehicle_answers_in_prime_time() -> None:
    """Its roots are -0.415 and -1.730 +- 1.061i times U/L; without the scaling, plain."""
    prime = np.array([-1.730 - 1.061j, -1.730 + 1.061j, -0.415])
    for peer, scale in (("", 4.11 / 5.0), ("pvs", 1.0)):
        dsrv = load(INPUTS / "dsrv", peer)
        roots = eigenvalues(dsrv, [4, 8, 10], dsrv.initial)
        assert roots == pytest.approx(prime * scale, abs=1e-3)


def test_clarkes_ship_keeps_the_centripetal_force() -> None:
    """Sway and yaw: -0.104 and -0.008 with m U r (L = 50 m, U = 2 m/s), else -0.064 +- 0.042i."""
    x = np.zeros(14)
    x[6] = 2.0
    whole = eigenvalues(load(INPUTS / "clarke83"), [7, 11], x)
    without = eigenvalues(load(INPUTS / "clarke83", "pvs"), [7, 11], x)
    assert whole == pytest.approx([-0.104, -0.008], abs=1e-3)
    assert without == pytest.approx([-0.064 - 0.042j, -0.064 + 0.042j], abs=1e-3)


def test_clarkes_rudder_slows_the_ship() -> None:
    ship = vessel("clarke83")
    x = np.zeros(14)
    x[6] = 2.0
    straight = ship.derivative(x, [0.0, 0.0], ship.surroundings())[6]
    x[12] = 0.3
    assert ship.derivative(x, [0.3, 0.0], ship.surroundings())[6] < straight


def test_the_semisubmersible_has_its_known_periods() -> None:
    """Heave 17.77, roll 11.54 and pitch 9.54 s, from M_ii and G_ii."""
    semisub = vessel("semisub")
    M, G = np.linalg.inv(semisub.parameters[0]), semisub.parameters[2]
    periods = [2 * pi * np.sqrt(M[i, i] / G[i, i]) for i in (2, 3, 4)]
    assert periods == pytest.approx([17.77, 11.54, 9.54], abs=0.01)


def test_the_supply_vessel_has_its_known_roots() -> None:
    supply = vessel("supply")
    roots = eigenvalues(supply, [6, 7, 11], np.zeros(18))
    assert roots == pytest.approx([-0.0871, -0.0225, -0.0114], abs=1e-4)


def test_norrbins_ships_turn_as_known() -> None:
    """Frigate at 9 m/s and Zeefakkel at 4 m/s with 20 degrees: 0.0403 and 0.0734 rad/s at 29 s."""
    for name, rate in (("frigate", 0.0403), ("zeefakkel", 0.0734)):
        assert run(vessel(name), [radians(20)], 29.0)[-1, 11] == pytest.approx(rate, abs=1e-4)


def test_the_auvs_rigid_body_does_no_work() -> None:
    """With every hydrodynamic derivative zero, its forces are -C_RB(nu) nu, as m2c has them."""
    v = vessel("npsauv")
    p = v.parameters
    s = p.scalars.copy()
    M = npsauv.rigid_body(s["mass"], np.array([s["x_G"], s["y_G"], s["z_G"]]), s)
    for name in s.dtype.names:
        if name[:2] in ("X_", "Y_", "Z_", "K_", "M_", "N_", "C_"):
            s[name] = 0.0
    bare = p._replace(scalars=s, M_inv=np.linalg.inv(M))
    x, dx = np.zeros(17), np.zeros(17)
    x[2], nu = DEEP, np.array([1.2, -0.3, 0.4, 0.2, -0.5, 0.3])
    x[6:12] = nu
    npsauv.derivative(bare, x, np.zeros(5), v.surroundings(), dx)
    assert M @ dx[6:12] == pytest.approx(-m2c(M, nu) @ nu, rel=1e-9, abs=1e-6)


def test_the_supply_ships_coriolis_forces_are_those_of_its_mass() -> None:
    v = vessel("osv")
    p, x, force = v.parameters, np.zeros(18), np.zeros(6)
    nu = np.array([3.0, -0.5, 0.2, 0.01, -0.02, 0.03])
    x[6:12] = nu
    add_coriolis(p, x, 0.0, 0.0, 0.0, force)
    assert force == pytest.approx(-m2c(p.M_RB + p.M_A, nu) @ nu, rel=1e-9)


def mirrored(name: str, v: Dynamics, actuators: Floats) -> Floats:
    """Return a ship's actuators in a mirror: rudders reversed, port and starboard exchanged."""
    if name in ("semisub", "supply"):
        return np.array([*-actuators[:4], actuators[5], actuators[4]])
    if name == "osv":
        a = actuators
        return np.array([-a[0], -a[1], a[3], a[2], -a[5], -a[4]])
    if name == "npsauv":
        a = actuators
        return np.array([-a[0], a[1], a[3], a[2], a[4]])
    if name == "dsrv":
        return actuators
    return np.array([-actuators[0], *actuators[1:]])


def skew(name: str, v: Dynamics) -> float:
    """Return the relative difference of the mirrored motion and the mirror image of the motion."""
    rng = np.random.default_rng(7)
    scale = np.array([9, 9, 9, 0.1, 0.1, 1, 0, 0.3, 0.1, 0.01, 0.01, 0.02], float)
    x = np.concatenate((scale * rng.normal(size=12), 0.1 * rng.normal(size=len(v.actuators))))
    x[6] = 4.0
    if name in ("tanker", "container"):
        x[13] = 8.0
    if name == "osv":
        x[8], x[10] = 0.02, 0.005
    command = x[12:]
    twin = np.concatenate((MIRROR * x[:12], mirrored(name, v, command)))
    around = v.surroundings(current=(0.3, 0.0, 0.0))
    other = v.derivative(twin, twin[12:], around)[:12] * MIRROR
    own = v.derivative(x, command, around)[:12]
    return float((abs(own - other) / (abs(own) + 1e-9)).max())


@pytest.mark.parametrize("name", VESSELS)
def test_a_mirrored_vessel_moves_mirrored_except_for_documented_terms(name: str) -> None:
    if name in ASYMMETRIC:
        assert skew(name, vessel(name)) > 1e-6
    assert skew(name, load(INPUTS / name, overrides=ASYMMETRIC.get(name))) < 1e-9


@pytest.mark.parametrize("name", VESSELS)
@settings(max_examples=20)
@given(seed=st.integers(0, 2**32 - 1))
def test_a_uniform_current_does_no_more_than_carry_the_vessel(name: str, seed: int) -> None:
    """Seen from the water all is the same; in BODY the current turns as the vessel does."""
    rng, v = np.random.default_rng(seed), vessel(name)
    level = name not in ("npsauv", "osv", "semisub")
    x = np.concatenate((rng.normal(size=12), 0.1 * rng.normal(size=len(v.actuators))))
    x[3:5] = 0.0 if level else 0.2 * x[3:5]
    x[6:12] *= [1, 0.3, 0.0 if level else 0.3, 0.0, 0.0 if level else 0.05, 0.05]
    x[6] += 5.0
    if name in ("tanker", "container"):
        x[13] = 8.0
    current = np.array([*0.5 * rng.normal(size=2), 0.0 if level else 0.2 * rng.normal()])
    seen = eul_to_rotm(x[3:6]).T @ current
    carried = x.copy()
    carried[6:9] += seen
    command = x[12:]
    alone = v.derivative(x, command, v.surroundings())
    together = v.derivative(carried, command, v.surroundings(current))
    turning = -np.cross(x[9:12], seen)
    assert together[:3] - alone[:3] == pytest.approx(current, abs=1e-9)
    assert together[6:9] - alone[6:9] == pytest.approx(turning, abs=1e-9)
    assert together[9:] == pytest.approx(alone[9:], abs=1e-9)


@given(st.lists(st.floats(-3, 3), min_size=4, max_size=4))
@settings(max_examples=50)
def test_cross_flow_drag_dissipates(velocities: list[float]) -> None:
    v, w, q, r = velocities
    Y, Z, M, N = npsauv_forces.crossflow(vessel("npsauv").parameters, v, w, q, r)
    assert Y * v + Z * w + M * q + N * r >= 0


def test_the_supply_ship_resists_astern_as_ahead() -> None:
    v, x = vessel("osv"), np.zeros(18)
    ahead, astern = x.copy(), x.copy()
    ahead[6], astern[6] = 3.0, -3.0
    slowing = [v.derivative(y, [0.0] * 6, v.surroundings())[6] for y in (ahead, astern)]
    assert slowing[0] < 0
    assert slowing[1] == pytest.approx(-slowing[0])


def test_a_rudder_stops_at_its_stop() -> None:
    """Commanded 60 of its 30 degrees it comes to 30; PVS's goes a step beyond."""
    assert degrees(run(vessel("frigate"), [radians(60)], 30.0)[:, 12].max()) <= 30
    peer = load(INPUTS / "frigate", "pvs")
    x = peer.euler_step(peer.initial, [radians(60)], peer.surroundings(), 0.02, 1000)
    assert degrees(x[12]) == pytest.approx(30 + 0.02 * 10)


@pytest.mark.parametrize(
    "name", ["clarke83", "container", "npsauv", "osv", "semisub", "supply", "tanker"]
)
def test_a_dead_ship_that_drifts_with_the_current_keeps_drifting(name: str) -> None:
    v = vessel(name)
    x = np.zeros(12 + len(v.actuators))
    x[2] = DEEP if name == "npsauv" else 0.0
    x[5], heading = 0.7, 0.7
    north, east = 0.8, -0.3
    x[6] = np.cos(heading) * north + np.sin(heading) * east
    x[7] = np.cos(heading) * east - np.sin(heading) * north
    dx = v.derivative(x, [0.0] * len(v.commands), v.surroundings((north, east, 0.0)))
    assert dx[:2] == pytest.approx([north, east])
    assert abs(dx[6:12]).max() < 1e-9


@pytest.mark.parametrize("name", VESSELS)
def test_every_vessel_can_start_from_rest(name: str) -> None:
    v = vessel(name)
    around = v.surroundings(current=(0.2, -0.1, 0.0))
    x = v.step(np.zeros(12 + len(v.actuators)), [0.0] * len(v.commands), around, 0.05, 1200)
    assert np.isfinite(x).all()


@pytest.mark.parametrize("name", ["dsrv", "frigate", "mariner", "zeefakkel"])
def test_a_ship_of_constant_speed_is_carried_by_the_current(name: str) -> None:
    """The known asymmetry of these: they have no thrust, and never come to rest in the water."""
    v = vessel(name)
    x = v.initial.copy()
    x[7] += 0.5  # heading north, moving with the water to the east
    dx = v.derivative(x, [0.0], v.surroundings((0.0, 0.5, 0.0)))
    still = v.derivative(v.initial, [0.0], v.surroundings())
    assert dx[6:12] == pytest.approx(still[6:12], abs=1e-12)


@pytest.mark.parametrize("name", VESSELS)
def test_every_number_of_a_published_vessels_files_has_an_effect(name: str) -> None:
    """One per cent on any of them moves the vessel in one of a few states, far and near."""
    base = load(INPUTS / name)
    probes = states(base)
    before = [answer(base, *probe) for probe in probes]
    folder = read_folder(INPUTS / name, "", {})
    idle = []
    for file, section in folder.files.items():
        for path, text in leaves(section):
            value = number(text)
            if value == 0.0 or path[-1].endswith("_id") or path[0] == "envelope":
                continue
            changed = load(INPUTS / name, overrides={".".join((file, *path)): value * 1.01})
            if not differs(base, changed, probes, before):
                idle.append(f"{file}.{'.'.join(path)}")
    assert idle == []


def number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        return 0.0
    return 0.0 if isinf(value) else value


def states(v: Dynamics) -> list[tuple[Floats, Floats]]:
    """Return states and commands over every speed, some of the commands beyond their limits."""
    rng, probes = np.random.default_rng(11), []
    for speed in (1.0, 2.3, 3.0, 4.5, 5.5, 6.1, 7.0, 10.0, 11.0):
        for reach in (0.3, 1.4, 3.0):
            x = 0.1 * rng.normal(size=12 + len(v.actuators))
            x[6] = speed
            command = np.array(
                [min(c.high, 1e9) * reach * rng.uniform(0.72, 0.74) for c in v.commands]
            )
            part = 0.999 if reach == 1.4 else 0.2
            x[12:] = part * np.minimum(command, [min(c.high, 1e9) for c in v.commands])
            probes.append((x, command))
    return probes


def answer(v: Dynamics, x: Floats, command: Floats) -> Floats:
    """Return the results of a state: its rates, and its energy where the model has one."""
    M = inertia_of(v)
    energy = [] if M is None else [kinetic_energy(M, x)]
    return np.append(v.derivative(x, command, v.surroundings()), energy)


def differs(
    base: Dynamics, v: Dynamics, probes: list[tuple[Floats, Floats]], before: list[Floats]
) -> bool:
    if not np.array_equal(v.initial, base.initial) or v.envelope != base.envelope:
        return True
    return any(
        not np.array_equal(answer(v, *probe), known)
        for probe, known in zip(probes, before, strict=True)
    )


@pytest.mark.parametrize(
    ("name", "changed", "expected"),
    [
        ("mariner", {"hydrodynamics.X_uuuu": 1.0}, "X_uuuu: unknown key; did you mean X_uuu"),
        ("tanker", {"hydrodynamics.water_depth": -2.0}, "a number above 0"),
        ("frigate", {"hydrodynamics.gains.2.U": 5.0}, "a speed above the one before it"),
        ("semisub", {"thrusters.thrusters.1.n_max": -1}, "a number above 0"),
        ("npsauv", {"control_surfaces.control_surfaces.1.control_surface_T": 0}, "time constant"),
    ],
)
def test_an_invalid_value_is_refused_with_its_place(
    name: str, changed: dict[str, object], expected: str
) -> None:
    with pytest.raises(InvalidValue, match=expected):
        load(INPUTS / name, overrides=changed)


def test_the_registry_names_modules_that_build() -> None:
    assert all(
        module.startswith("steerageway.vessel.fossen.published.") for module in MODELS.values()
    )


def test_the_pages_example_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    page = (INPUTS.parent / "docs" / "vessels.md").read_text()
    monkeypatch.chdir(INPUTS.parent)
    names: dict[str, object] = {}
    exec(page.split("```python\n")[1].split("```")[0], names)
    assert isinstance(names["x"], np.ndarray)


@pytest.mark.parametrize(
    "name", ["container", "frigate", "kvlcc2", "mariner", "tanker", "zeefakkel"]
)
def test_a_rudder_that_its_rate_limit_holds_leaves_the_scheme_its_order(name: str) -> None:
    """Against SciPy, up to the instant at which the rudder slows down, and from there on."""
    v, end = vessel(name), 12.0
    moved, start = v.parameters.actuators, v.initial
    command = np.append(0.7 * v.commands[0].high, start[13:])
    kink = command[0] / moved.rate_limit[0] - moved.lag[0]

    def slope(t: float, x: Floats) -> Floats:
        return v.derivative(x, command, v.surroundings())

    x = start
    for span in ((0.0, kink), (kink, end)):
        x = solve_ivp(slope, span, x, "DOP853", rtol=1e-11, atol=1e-12).y[:, -1]
    coarse, fine = (
        np.abs(v.step(start, command, v.surroundings(), end / n, steps=n) - x).max()
        for n in (31, 62)
    )
    assert 0.0 < kink < end
    assert fine < coarse / 12.0
