"""BlueROV2, BlueBoat, Heron: bollard pull, terminal speeds and periods of their numbers."""

from __future__ import annotations

from math import pi, sqrt
from pathlib import Path

import numpy as np
import pytest

from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.folder import load
from steerageway.world.arrays import Floats

pytestmark = pytest.mark.slow  # they compile
INPUTS = Path(__file__).parents[3] / "inputs"
DEEP = {"initial_conditions.start_location": [0, 0, 20]}
ROVS = ("bluerov2", "bluerov2_heavy")
# damping of surge and heave, linear and quadratic; weight less buoyancy; -z_CB, B, I_x + A_44
PUBLISHED = {
    "bluerov2_heavy": (13.7, 141.0, 33.0, 190.0, 9.82 * (13.5 - 13.4), 0.01, 9820 * 0.0134, 0.449),
    "bluerov2": (4.03, 18.18, 5.18, 36.99, 9.81 * (11.5 - 11.7), 0.02, 9.81 * 11.7, 0.28),
}
AHEAD = 2 * (51.5 + 40.2) / sqrt(2)  # two T200 pull ahead and two astern, at 45 degrees [N]


def only(name: str, *axes: int) -> Dynamics:
    """Return a vessel at 20 m depth with some degrees of freedom free."""
    free = [int(axis in axes) for axis in range(6)]
    return load(INPUTS / name, overrides={"vessel.active_dof": free, **DEEP})


def after(v: Dynamics, command: list[float], seconds: float, x: Floats | None = None) -> Floats:
    start = v.initial if x is None else x
    return v.step(start, command, v.surroundings(), 0.01, round(100 * seconds))


def ends_at(linear: float, quadratic: float, force: float) -> float:
    """Return the speed at which damping balances a force: the root of a quadratic."""
    size = (sqrt(linear**2 + 4 * quadratic * abs(force)) - linear) / (2 * quadratic)
    return size if force > 0 else -size


@pytest.mark.parametrize("name", ROVS)
def test_a_rov_ends_at_the_speeds_of_its_thrust_and_weight(name: str) -> None:
    ahead = [1.0, 1.0, -1.0, -1.0] + [0.0] * (len(load(INPUTS / name).commands) - 4)
    X_u, X_uu, Z_w, Z_ww, heavy, *_ = PUBLISHED[name]
    assert after(only(name, 0), ahead, 60)[6] == pytest.approx(ends_at(X_u, X_uu, AHEAD), rel=1e-6)
    still = [0.0] * len(ahead)
    assert after(only(name, 2), still, 60)[8] == pytest.approx(ends_at(Z_w, Z_ww, heavy), rel=1e-4)


@pytest.mark.parametrize("name", ROVS)
def test_a_rov_rolls_by_the_height_of_its_buoyancy(name: str) -> None:
    """Of small angles the acceleration is -omega² phi, omega² = B z / (I_x + A_44)."""
    v, x = only(name, 3), only(name, 3).initial.copy()
    x[3] = 1e-3
    rates = v.derivative(x, [0.0] * len(v.commands), v.surroundings())
    *_, height, buoyancy, inertia = PUBLISHED[name]
    assert -rates[9] / 1e-3 == pytest.approx(buoyancy * height / inertia, rel=1e-5)


def test_each_axis_of_the_heavy_rov_has_thrusters_of_its_own() -> None:
    """Forces and moments of one newton each, the allocation matrix of the published simulator."""
    v = load(INPUTS / "bluerov2_heavy", overrides=DEEP)
    M = np.diag([13.5 + 6.36, 13.5 + 7.12, 13.5 + 18.68, 0.449, 0.365, 0.592])
    x, c = v.initial.copy(), 1 / sqrt(2)
    idle = v.derivative(x, [0.0] * 8, v.surroundings())[6:12]
    columns = []
    for i in range(8):
        y = x.copy()
        y[12 + i] = 1.0
        columns.append(M @ (v.derivative(y, y[12:], v.surroundings())[6:12] - idle) / 51.5)
    a = c * (0.156 + 0.111)
    found, expected = (
        np.array(columns).T,
        np.array(
            [
                [c, c, -c, -c, 0, 0, 0, 0],
                [-c, c, -c, c, 0, 0, 0, 0],
                [0, 0, 0, 0, -1, -1, -1, -1],
                [0, 0, 0, 0, 0.218, 0.218, -0.218, -0.218],
                [0, 0, 0, 0, 0.12, -0.12, 0.12, -0.12],
                [-a, a, a, -a, 0, 0, 0, 0],
            ]
        ),
    )
    assert found == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(
    ("name", "inertia", "ahead", "astern", "speed"),
    [("heron", 28.0 + 2.8, 67.2, -39.76, 1.7), ("blueboat", 17.3 + 1.7, 70.6, -35.2, 3.0)],
)
def test_a_small_catamaran_pulls_and_runs_as_its_sheet(
    name: str, inertia: float, ahead: float, astern: float, speed: float
) -> None:
    """Both thrusts together [N], and the speed [m/s]; it stays afloat and on its course."""
    held = load(INPUTS / name, overrides={"vessel.active_dof": [1, 0, 0, 0, 0, 0]})
    for command, pull in ((1.0, ahead), (-1.0, astern)):
        x = held.initial.copy()
        x[12:] = command
        rates = held.derivative(x, [command] * 2, held.surroundings())
        assert inertia * rates[6] == pytest.approx(pull)
    v = load(INPUTS / name)
    x = after(v, [1.0, 1.0], 60)
    assert x[6] == pytest.approx(speed, rel=0.01)
    assert abs(x[[2, 3, 5]]).max() < 0.03
    assert after(v, [1.0, 0.0], 20)[5] > 2 * pi
