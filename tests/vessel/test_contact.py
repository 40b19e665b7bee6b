"""Hulls that touch walls, boats and the bottom: pushed out, thrown back, slowed, never driven."""

from math import pi, radians
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steerageway.vessel.contact import Boat, Surfaces, Touch
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.craft import FossenModel
from steerageway.vessel.fossen.folder import load
from steerageway.vessel.model import Inputs
from steerageway.vessel.outline import of_size
from steerageway.world.contact import Contact, Wall

INPUTS = Path(__file__).parents[2] / "inputs"
QUAY = Wall("quay", np.array([[10.0, -20.0], [12.0, -20.0], [12.0, 20.0], [10.0, 20.0]]))


@pytest.fixture(scope="module")
def otter():
    return load(INPUTS / "otter")


def surfaces(contact: Contact, M_inv: np.ndarray, draught: float = 0.2) -> Surfaces:
    return Surfaces(contact, of_size(2.0, 1.0), draught, M_inv)


def inertia(rng: np.random.Generator) -> np.ndarray:
    """Return some inertia (6, 6): symmetric, positive, of axes that act on each other."""
    root = rng.normal(size=(6, 6))
    return root @ root.T + np.diag(rng.uniform(0.1, 50.0, 6))


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    dt=st.sampled_from([0.002, 0.02, 0.2, 2.0]),
    restitution=st.floats(0.0, 1.0),
    friction=st.floats(0.0, 3.0),
    duration=st.floats(0.001, 2.0),
)
def test_energy_never_grows_whatever_touches(seed, dt, restitution, friction, duration) -> None:
    """Kinetic energy and bank together, however stiff it is and however long the step."""
    rng = np.random.default_rng(seed)
    M = inertia(rng)
    contact = Contact((QUAY,), restitution=restitution, friction=friction, duration=duration)
    body = surfaces(contact, np.linalg.inv(M))
    x = np.concatenate((np.zeros(6), rng.normal(size=6)))
    bank = 0.0
    for _ in range(30):
        x[3:6] = rng.uniform(-1.0, 1.0, 3)
        touches = []
        for _ in range(rng.integers(0, 4)):
            way = rng.normal(size=3)
            r, depth = rng.uniform(-1, 1, 3), rng.uniform(0, 0.5)
            touches.append(Touch("quay", r, way / np.linalg.norm(way), depth, np.zeros(3), 0.0))
        before = 0.5 * x[6:] @ M @ x[6:] + bank
        x[6:], bank = body.pushed(x, touches, bank, dt)
        after = 0.5 * x[6:] @ M @ x[6:] + bank
        assert bank >= 0.0
        assert after <= before * (1.0 + 1e-9) + 1e-12


def struck(contact: Contact, dt: float, share: float = 0.0) -> tuple[float, float]:
    """Let a body strike something ahead at 1 m/s; return its speed after, and the depth.

    What it strikes comes towards it as fast, and is what it is, if it has a share.
    """
    body = surfaces(contact, np.diag([0.01] * 3 + [0.1] * 3))
    x, bank, deepest = np.zeros(12), 0.0, 0.0
    x[0], x[6] = -0.1, 1.0
    for _ in range(round(4.0 / dt)):
        x[0] += dt * x[6]
        depth = 2.0 * x[0] if share else x[0]
        if depth <= 0.0:
            bank = 0.0
            continue
        other = np.array([-x[6] if share else 0.0, 0.0, 0.0])
        touch = Touch("it", np.zeros(3), np.array([-1.0, 0.0, 0.0]), depth, other, share)
        x[6:], bank = body.pushed(x, [touch], bank, dt)
        deepest = max(deepest, depth)
    return float(x[6]), deepest


@pytest.mark.slow
@pytest.mark.parametrize("restitution", [0.0, 0.4, 1.0])
@pytest.mark.parametrize("dt", [0.002, 0.02, 0.1])
def test_it_comes_off_with_the_restitution(restitution: float, dt: float) -> None:
    speed, depth = struck(Contact((QUAY,), restitution=restitution), dt)
    assert speed == pytest.approx(-restitution, abs=1e-6)
    assert depth < 0.1 / pi + 2.0 * dt  # v duration / pi, and the steps about it


@pytest.mark.slow
@pytest.mark.parametrize("restitution", [0.0, 0.5, 1.0])
def test_a_collision_of_identical_vessels_is_symmetric(restitution: float) -> None:
    """Head on at 1 m/s each: each computes its own part from the other's state."""
    speed, _ = struck(Contact(at_boats="force", restitution=restitution), 0.002, share=1.0)
    assert speed == pytest.approx(-restitution, abs=1e-6)


def test_friction_slows_along_the_wall_by_its_share_of_the_blow(otter) -> None:
    M_inv = np.diag([0.01, 0.01, 0.01, 0.1, 0.1, 0.1])
    touch = Touch("quay", np.zeros(3), np.array([-1.0, 0.0, 0.0]), 0.5, np.zeros(3), 0.0)
    x = np.zeros(12)
    x[6], x[7] = 1.0, 5.0
    body = surfaces(Contact((QUAY,), restitution=0.0, friction=0.5, duration=0.01), M_inv)
    nu, _ = body.pushed(x, [touch], 0.0, 0.02)
    assert nu[0] == pytest.approx(0.0, abs=1e-12)
    assert nu[1] == pytest.approx(5.0 - 0.5 * 1.0)
    x[7] = 0.2  # so slow that friction stops it, and no more
    assert body.pushed(x, [touch], 0.0, 0.02)[0][1] == pytest.approx(0.0, abs=1e-12)


def test_a_corner_of_a_quay_in_its_side_pushes_it_off(otter) -> None:
    corner = Wall("pier", np.array([[0.1, 0.4], [0.05, 5.0], [0.15, 5.0]]))
    body = Surfaces.around(otter, Contact((corner,)))
    touches = body.touches(np.zeros(12), 0.0, np.inf)
    assert [touch.what for touch in touches] == ["pier"]
    assert touches[0].way == pytest.approx([0.0, -1.0, 0.0])
    assert touches[0].depth == pytest.approx(0.14)


@pytest.mark.slow
def test_thrust_against_a_quay_leaves_it_leaning_there(otter) -> None:
    model = FossenModel(otter)
    model.surfaces = Surfaces.around(otter, Contact((QUAY,)))
    state, inputs = model.placed(model.start, y=8.0), Inputs(commands=[60.0, 60.0])
    for k in range(300):
        inputs.time = 0.1 * (k + 1)
        state = model.step(state, inputs, 0.1)
    assert state.touching[0][0] == "quay"
    assert 8.9 < state.x[0] < 9.2
    assert np.abs(state.x[6:9]).max() < 0.02


def test_nothing_changes_far_from_everything(otter) -> None:
    plain, among = FossenModel(otter), FossenModel(otter)
    among.surfaces = Surfaces.around(otter, Contact((QUAY,)))
    states = []
    for model in (plain, among):
        state, inputs = model.placed(model.start, y=-100.0), Inputs(commands=[60.0, 50.0])
        for k in range(20):
            inputs.time = 0.5 * (k + 1)
            state = model.step(state, inputs, 0.5)
        states.append(state.x)
    assert np.array_equal(*states)


@pytest.mark.slow
def test_the_bottom_supports_a_heaving_vessel_at_ebb(otter) -> None:
    model = FossenModel(otter)
    model.surfaces = Surfaces.around(otter, Contact(at_bottom="force", restitution=0.2))
    inputs, state, t = Inputs(commands=[0.0, 0.0]), model.start, 0.0
    found = []
    for depth in (0.3, 0.18, 0.15):  # its draught is 0.195
        inputs.water_depth = depth
        for _ in range(80):
            t += 0.1
            inputs.time = t
            state = model.step(state, inputs, 0.1)
        found.append((state.aground, depth - float(state.x[2]) - otter.envelope.draught))
    assert [aground for aground, _ in found] == [False, True, True]
    for _, clear in found[1:]:
        assert clear == pytest.approx(0.0, abs=0.02)


@pytest.mark.slow  # compiles the tanker
def test_a_ship_with_planar_motion_still_rests_on_the_bottom() -> None:
    tanker = load(
        INPUTS / "tanker", overrides={"geometry.outline": [[150, 0], [-150, 23], [-150, -23]]}
    )
    model = FossenModel(tanker, 0.1)
    model.surfaces = Surfaces.around(tanker, Contact(at_bottom="force"))
    assert not model.surfaces.heaves
    state = model.placed(model.start, speed=3.0)
    state = model.step(state, Inputs(time=1.0, water_depth=18.0), 1.0)
    assert state.aground
    assert state.x[6] == 0.0


def test_a_vessel_that_cannot_touch_names_the_missing_part() -> None:
    with pytest.raises(InvalidValue, match="expected breadth, or outline"):
        Surfaces.around(load(INPUTS / "mariner"), Contact((QUAY,)))
    plan = [[20.0, 0.0], [-20.0, 4.0], [-20.0, -4.0]]
    zeefakkel = load(INPUTS / "zeefakkel", overrides={"geometry.outline": plan})
    with pytest.raises(InvalidValue, match="without inertia"):
        Surfaces.around(zeefakkel, Contact((QUAY,)))


def test_another_boat_is_carried_on_from_its_report() -> None:
    other = Boat(10.0, 5.0, 3.0, radians(90.0), 0.0, 2.0, of_size(6.0, 2.0), 6.0)
    middle = other.corners(12.0).mean(0)
    assert middle[1] - other.corners(10.0).mean(0)[1] == pytest.approx(4.0)
    bow = other.corners(10.0)[0]
    assert bow == pytest.approx([5.0, 6.0])


def test_a_breadth_of_nothing_is_no_plan() -> None:
    assert len(load(INPUTS / "otter", overrides={"geometry.breadth": 0}).outline) == 0
