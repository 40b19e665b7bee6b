"""What the marine PID's gains do on a vessel, against the linear loop's step response."""

from __future__ import annotations

import re

import numpy as np
import pytest

from steerageway.control import heading_loop, linearise, trim
from steerageway.vessel.fossen.folder import load
from steerageway.vessel.fossen.orders import orders_of
from steerageway.vessel.pid import Gains
from steerageway.vessel.tools.pid_trial import tried
from steerageway.vessel.tools.turning import UnderWay


@pytest.mark.slow
def test_a_turn_of_a_linear_ship_is_the_step_response_of_its_loop() -> None:
    """Nomoto's ship, with little enough rudder that neither its angle nor its rate is limited."""
    gains = [{"U": 4, "K": 0.37, "T": 33.0, "n_3": 0.0}]
    ship = load("zeefakkel", overrides={"hydrodynamics.gains": gains})
    block: dict[str, float | str] = {"AppTick": 4.0, "yaw_pid_kp": 0.2, "depth_control": "false"}
    at = trim(ship, 4.0)
    states, inputs, outputs = ("r", "psi", "cs_1"), ("rudder",), ("psi",)
    model = linearise(ship, at, states=states, inputs=inputs, outputs=outputs)
    step = heading_loop(model, Gains(kp=0.2), 0.25).step(2400)
    settled = 0.25 * int(np.flatnonzero(abs(step - 1.0) > 0.05)[-1])
    (said,) = tried(ship, orders_of(ship), UnderWay(60.0, at.x), block, {"turn": 100.0})
    found = re.fullmatch(r"a turn of 30 degrees settles in (\S+) s, (\d+) % beyond at most", said)
    assert found is not None, said
    assert float(found[1]) == pytest.approx(settled, abs=0.6)
    assert float(found[2]) == pytest.approx(100.0 * (step.max() - 1.0), abs=1.0)
    hopeless = {**block, "yaw_pid_kp": 0.001}
    (said,) = tried(ship, orders_of(ship), UnderWay(60.0, at.x), hopeless, {"turn": 10.0})
    assert said == "warning: a turn of 30 degrees does not settle within 60 s"
