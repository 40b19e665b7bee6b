"""A ship that is unstable on a straight course has gains, found by turning the ship itself."""

import shutil
from math import degrees, radians

import numpy as np
import pytest

from steerageway.vessel.fossen.folder import load
from steerageway.vessel.fossen.orders import orders_of
from steerageway.vessel.pid import Gains, ScalarPid
from steerageway.vessel.tools.design import StepResponse
from steerageway.vessel.tools.place import SHIPPED
from steerageway.vessel.tools.turning import TurnSimulator, UnderWay

pytestmark = pytest.mark.slow  # they compile

K, TICK = 0.18, 0.25
FULL = radians(30.0)  # its rudder's stop


@pytest.fixture(scope="module")
def unstable(tmp_path_factory):
    """Return the frigate with a negative n_1: left alone it turns faster, e-fold in 27 s."""
    folder = tmp_path_factory.mktemp("ships") / "frigate"
    shutil.copytree(SHIPPED / "frigate", folder)
    text = (folder / "hydrodynamics.yml").read_text()
    text = text.replace("n_1: 1", "n_1: -1").replace("n_3: 0.6", "n_3: 60")
    (folder / "hydrodynamics.yml").write_text(text)
    return load(folder)


@pytest.fixture(scope="module")
def simulator(unstable):
    return TurnSimulator(unstable, orders_of(unstable), [UnderWay(60.0, unstable.initial)])


def test_without_control_it_leaves_its_course(unstable):
    nudged = unstable.initial.copy()
    nudged[11] = 1e-4
    calm = unstable.surroundings()
    later = unstable.step(nudged, [0.0], calm, 0.1, steps=270)
    assert later[11] / nudged[11] == pytest.approx(np.e, rel=1e-3)


def test_the_gains_found_hold_a_turn_that_was_not_tried(unstable, simulator):
    """Nomoto's T r' = r + K delta comes to rest where the rudder's gain on r is above 1/K."""
    answer = simulator.best(100.0, TICK, 18.0)
    kp, kd = answer.gains
    assert degrees(kd / 100 * FULL) * K > 1  # of the rudder [rad] on the rate [rad/s]
    pid, x, orders = ScalarPid(Gains(kp=kp, kd=kd), 100.0), unstable.initial, orders_of(unstable)
    errors = []
    for k in range(round(12 * answer.settling / TICK)):
        errors.append(degrees(x[5]) + 80.0)
        command = orders.commands(rudder=-pid.step(errors[-1], k * TICK))
        x = unstable.step(x, command, unstable.surroundings(), TICK / 5, steps=5)
    assert min(errors) > -10.0
    assert np.abs(errors[-100:]).max() < 0.2


def test_gains_with_too_little_derivative_do_not_hold_the_course(simulator):
    kp = 3.0
    assert not simulator.completes_large_turn(
        StepResponse((kp, 0.9 / K / degrees(FULL) * 100), 40.0, 0.0), 100.0, TICK
    )
    assert simulator.completes_large_turn(StepResponse((kp, 80.0), 40.0, 0.0), 100.0, TICK)
