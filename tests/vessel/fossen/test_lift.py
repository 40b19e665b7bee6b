"""The hull as a wing: symmetric ahead and astern, and continuous."""

from math import cos, pi, sin, sqrt

import numpy as np
import pytest

from steerageway.vessel.damping import forceLiftDrag
from steerageway.vessel.fossen.folder import load
from steerageway.vessel.tools.inertia import mass_of
from steerageway.vessel.tools.place import SHIPPED

pytestmark = pytest.mark.slow  # they compile
AREA, SPAN, CD0, E = 0.2, 0.19, 0.06, 0.3


@pytest.fixture(scope="module")
def wing(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wing")
    (folder / "geometry.yml").write_text("length: 1.6\ngyration: [0.06, 0.4, 0.4]\n")
    (folder / "inertia.yml").write_text("mass: 30\n")
    (folder / "vessel.yml").write_text("density: 1026\n")
    (folder / "hydrodynamics.yml").write_text(
        f"lift: {{area: {AREA}, span: {SPAN}, CD0: {CD0}, efficiency: {E}}}\n"
    )
    return load(folder)


def force(vessel, alpha, speed=1.3):
    """Return the force (6,) on a hull at an angle of attack [rad]."""
    x = np.zeros(12)
    x[6], x[8] = speed * cos(alpha), speed * sin(alpha)
    return mass_of(vessel).M @ vessel.derivative(x, [], vessel.surroundings())[6:12]


@pytest.mark.parametrize("degrees", [-44, -10, 0.5, 3, 30, 45])
def test_within_45_degrees_the_law_is_beard_and_mclains(wing, degrees):
    alpha = np.radians(degrees)
    expected = forceLiftDrag(SPAN, AREA, CD0, alpha, 1.3, E, 1026.0)
    np.testing.assert_allclose(force(wing, alpha), expected, atol=1e-9)


@pytest.mark.parametrize("degrees", [0, 2, 20, 60, 89])
def test_astern_the_hull_is_the_wing_it_is_ahead(wing, degrees):
    ahead, astern = force(wing, np.radians(degrees)), force(wing, np.radians(180 - degrees))
    np.testing.assert_allclose(astern, ahead * [-1, 1, 1, 1, 1, 1], atol=1e-9)


def test_the_force_never_jumps_and_always_brakes(wing):
    angles = np.linspace(-pi, pi, 7201)
    forces = np.array([force(wing, alpha) for alpha in angles])
    steps = abs(np.diff(forces, axis=0)).max()
    assert steps < 2e-3 * abs(forces).max()
    power = forces[:, 0] * np.cos(angles) + forces[:, 2] * np.sin(angles)
    assert power.max() < 0
    broadside = 0.5 * 1026 * 1.3**2 * AREA * CD0
    np.testing.assert_allclose(force(wing, pi / 2), [0, 0, -broadside, 0, 0, 0], atol=1e-9)


def test_a_remus_meets_no_more_drag_astern_than_ahead():
    remus = load(SHIPPED / "remus100")
    x = np.zeros_like(remus.initial)
    rates = []
    for x[6] in (1.0, -1.0):
        rates.append(remus.derivative(x, np.zeros(3), remus.surroundings())[6])
    assert rates[0] < 0
    assert rates[1] == pytest.approx(-rates[0], rel=1e-12)


def test_the_reference_lift_grows_up_to_astern():
    vessel = load(SHIPPED / "remus100", peer_compat="pvs")
    area = 0.7 * 1.6 * 0.19
    aspect = 0.19**2 / area
    C_L = pi * aspect * pi / (1 + sqrt(1 + (aspect / 2) ** 2))
    drag = 0.5 * 1026 * area * (0.42 * pi * 0.095**2 / area + C_L**2 / (pi * 0.7 * aspect))
    x = np.zeros_like(vessel.initial)
    x[6] = -1.0
    rates = vessel.derivative(x, np.zeros(3), vessel.surroundings())
    ahead = (mass_of(vessel).M @ rates[6:12])[0]
    assert ahead == pytest.approx(drag, rel=0.03)  # and a little linear damping
