"""Commands act from the instant of their commit, at any iteration rate of the simulator."""

from __future__ import annotations

from pathlib import Path

import pytest

from steerageway.apps.vessels.usim_marine.app import USimMarine
from steerageway.bus import Message
from steerageway.moos.values import pairs

ROOT = Path(__file__).parents[2]
OTTER = "model = fossen\nvessel = inputs/otter\n"
ALPHA = "model = documented\nstart_pos = x=0,y=-20,heading=180,speed=0\nturn_rate = 95\n"
END = 12.0
# (instant [s], variable, value): some within a step, some of one instant, one a repetition.
ORDERS = [
    (1.013, "DESIRED_THRUST", 60.0),
    (1.013, "DESIRED_RUDDER", 10.0),
    (2.5, "DESIRED_THRUST", 60.0),
    (3.1007, "DESIRED_RUDDER", -25.0),
    (6.66, "DESIRED_THRUST", 30.0),
    (9.4, "DRIFT_X", 0.4),
    (11.99, "DESIRED_THRUST", 0.0),
]


def replayed(drive, block: str, tick: int, orders=ORDERS):
    """Return the driven simulator after the recorded orders, and all it posted."""
    driven, posts, left = drive(USimMarine, block, folder=ROOT), [], list(orders)
    for k in range(1, round(END * tick) + 1):
        now = k / tick
        mail: list[Message] = []
        while left and left[0][0] < now:
            instant, name, value = left.pop(0)
            mail.append(driven.message(name, value, instant))
        driven.take(now, mail)
        posts += driven.posts
    return driven, posts


@pytest.mark.parametrize("block", [pytest.param(OTTER, marks=pytest.mark.slow), ALPHA])
def test_the_track_of_recorded_orders_does_not_depend_on_app_tick(drive, block):
    ends = []
    for tick in (4, 10, 20, 50):
        driven, _ = replayed(drive, block, tick)
        ends.append(driven.app.scene.craft.motion)
    tolerance = 1e-9 if block is OTTER else 0.05
    for end in ends[1:]:
        assert end[:6] == pytest.approx(ends[0][:6], abs=tolerance)


def test_a_documented_vessels_speed_starts_from_the_instant_of_its_order(drive):
    driven = drive(USimMarine, "model = documented\nmax_acceleration = 0.5\nthrust_factor = 20")
    posts = driven.take(1.0, [driven.message("DESIRED_THRUST", 100.0, 0.6)])
    assert posts["USM_SPEED"] == pytest.approx(0.5 * 0.4)
    assert posts["USM_Y"] == pytest.approx(0.5 * 0.5 * 0.4**2)


@pytest.mark.parametrize("model", ["released", "legacy"])
def test_moos_ivp_engines_apply_a_command_to_the_whole_step(drive, model):
    block = f"model = {model}\nthrust_factor = 20\nmax_acceleration = 0\n"
    ends = []
    for instant in (0.5, 0.9):
        driven = drive(USimMarine, block)
        driven.take(0.5, [])
        ends.append(driven.take(1.0, [driven.message("DESIRED_THRUST", 100.0, instant)]))
    assert ends[0] == ends[1]
    assert ends[0]["USM_SPEED"] > 0.0


@pytest.mark.slow
def test_a_propeller_does_not_turn_before_its_command(drive):
    _, posts = replayed(drive, OTTER, 1)
    states = [dict(pairs(p.value)) for p in posts if p.name == "USM_STATE"]
    assert len(states) == 50 * END
    turning = [float(s["time"]) for s in states if float(s["th_1"]) != 0.0]
    assert turning[0] == pytest.approx(1.02)


@pytest.mark.slow
def test_an_override_ends_at_its_own_instant(drive):
    end = []
    for tick in (1, 20):
        orders = [(0.0, "DESIRED_THRUST", 50.0), (0.0, "ACTUATOR_CMD_OVERRIDE", "th_1=0,th_2=0")]
        block = OTTER + "override_timeout = 3.307\n"
        driven, _ = replayed(drive, block, tick, orders)
        end.append(driven.app.scene.craft.state.x)
    assert end[0] == pytest.approx(end[1], abs=1e-12)


@pytest.mark.slow
def test_an_embedded_pid_orders_the_step_that_follows(drive):
    driven = drive(USimMarine, OTTER + "yaw_pid_kp = 0.5\nspeed_factor = 20\n", folder=ROOT)
    desired = {"DESIRED_SPEED": 2.0, "DESIRED_HEADING": 0.0, "DESIRED_DEPTH": 0.0}
    desired |= {"MOOS_MANUAL_OVERRIDE": "false"}
    driven.tick(0.25, desired)  # the controller's first step only looks
    assert driven.tick(0.5, desired)["USM_TH_1"] == 0.0
    assert driven.app.scene.craft.inputs.thrust == 40.0
    assert driven.tick(0.75, desired)["USM_TH_1"] > 0.0
