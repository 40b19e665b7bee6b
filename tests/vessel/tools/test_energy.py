"""Kinetic energy of vessels, kept or lost by the mass their files and sources give."""

import numpy as np
import pytest

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.folder import load
from steerageway.vessel.tools.energy import free, kinetic_energy
from steerageway.vessel.tools.inertia import inertia_of
from steerageway.vessel.tools.place import SHIPPED

pytestmark = pytest.mark.slow  # they compile

WITHOUT = ["frigate", "zeefakkel"]  # Norrbin's equation has no mass in it
NAMES = sorted(path.name for path in SHIPPED.iterdir())


def shipped(name):
    return load(SHIPPED / name)


@pytest.mark.parametrize("name", NAMES)
def test_every_vessel_with_a_mass_has_a_kinetic_energy(name):
    M = inertia_of(shipped(name))
    if name in WITHOUT:
        assert M is None
        return
    np.testing.assert_allclose(M, M.T, rtol=1e-12, atol=1e-12 * np.abs(M).max())
    moves = np.flatnonzero(np.diag(M))
    assert (np.linalg.eigvalsh(M[np.ix_(moves, moves)]) > 0).all()


def test_prime_masses_are_those_of_the_water_a_hull_displaces():
    """Displacements as its sources have them: 21 222 m³, and 16 622 m³ of its lines."""
    for name, volume, share in (("container", 21222, 0.00792), ("mariner", 16622, 798e-5)):
        vessel = shipped(name)
        p = vessel.parameters.scalars
        ahead = share + p["m_x"] if name == "container" else share - p["X_udot"]
        assert inertia_of(vessel)[0, 0] * share / ahead == pytest.approx(1025 * volume, rel=2e-3)


def test_the_tankers_energy_is_that_of_220000_tonnes_and_more_in_shallow_water():
    M = inertia_of(shipped("tanker"))
    shoal = inertia_of(load(SHIPPED / "tanker", overrides={"hydrodynamics.water_depth": 25}))
    assert M[0, 0] / (1025 * 220_000) == pytest.approx(1.05, rel=0.02)
    assert (np.diag(shoal)[[0, 1, 5]] > np.diag(M)[[0, 1, 5]]).all()


@pytest.mark.parametrize(("name", "column"), [("clarke83", 0), ("npsauv", 0), ("supply", 0)])
def test_a_thrust_does_as_much_work_as_energy_comes(name, column):
    """From rest, where nothing else acts: M nudot is the thrust, which moves along itself only."""
    vessel = shipped(name)
    x = np.zeros_like(vessel.initial)
    full = np.array([c.high if c.name.startswith("th_") else 0.0 for c in vessel.commands])
    x[12:] = full
    still = x.copy()
    still[12:] = 0.0
    calm = vessel.surroundings()
    rates = vessel.derivative(x, full, calm)[6:12] - vessel.derivative(still, 0 * full, calm)[6:12]
    tau = inertia_of(vessel) @ rates
    assert tau[0] > 0
    assert np.abs(tau[[2, 3, 4]]).max() < 1e-6 * tau[0]


@pytest.mark.parametrize("name", ["osv", "npsauv"])
def test_a_published_free_body_keeps_its_energy_at_50_hz(name):
    body, M = free(shipped(name)), inertia_of(shipped(name))
    x = np.zeros_like(body.initial)
    x[2] = 50.0 if name == "npsauv" else 0.0  # far from the surface, which would lift it
    x[6:12] = [0.8, 0.3, -0.2, 0.1, -0.05, 0.15]
    after = body.step(x, np.zeros(len(body.commands)), body.surroundings(), 0.02, steps=750)
    assert kinetic_energy(M, after) == pytest.approx(kinetic_energy(M, x), rel=1e-6)
    assert np.abs(after[6:12] - x[6:12]).max() > 1e-3


@pytest.mark.parametrize("name", ["container", "clarke83", "tanker", "npsauv", "osv", "supply"])
@pytest.mark.parametrize("seed", range(3))
def test_an_unforced_vessel_loses_its_energy(name, seed):
    """Engines stopped, planes amidships: the energy goes into the water, and none returns."""
    vessel = shipped(name)
    M, calm = inertia_of(vessel), vessel.surroundings()
    x = np.zeros_like(vessel.initial)
    u, v, r = np.random.default_rng(seed).uniform([1.0, -0.3, -0.003], [3.0, 0.3, 0.003])
    x[[6, 7, 11]] = u, v, r
    energies = [kinetic_energy(M, x)]
    for _ in range(20):
        x = vessel.step(x, np.zeros(len(vessel.commands)), calm, 0.05, steps=600)
        energies.append(kinetic_energy(M, x))
    assert energies[-1] < 0.9 * energies[0]
    assert max(energies) == energies[0]


@pytest.mark.parametrize("name", ["clarke83", "container", "dsrv", "frigate", "mariner", "tanker"])
def test_a_model_without_a_free_body_names_the_obstacle(name):
    with pytest.raises(InvalidValue, match=f"{name}: a published model without a free body: .+;"):
        free(shipped(name))
