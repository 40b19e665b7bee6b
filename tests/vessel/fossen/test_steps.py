"""Integration schemes, on a body whose motion is known in closed form."""

from __future__ import annotations

from collections.abc import Callable
from math import exp, pi

import numpy as np
import pytest

from steerageway.vessel.errors import InvalidValue, NotFinite, OutsideEnvelope
from steerageway.vessel.fossen import steps
from steerageway.vessel.fossen.attitude import eta_rates
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.state import Channel
from steerageway.world.compiled import compiled

pytestmark = pytest.mark.slow  # compiles, unless the cache is warm


@compiled
def derivative(p, x, command, surroundings, dx):
    eta_rates(x, dx)
    for i in range(6):
        dx[6 + i] = -p[0][i] * x[6 + i]
    dx[6] += command[0]


MODEL = steps.of(derivative)


def body(rate: float = 0.5, start: tuple[float, ...] = (0.0,) * 12, **more) -> Dynamics:
    return Dynamics(
        "body", MODEL, (np.full(6, rate),), (Channel("push", "m/s²"),), (),
        np.array(start), **more,
    )  # fmt: skip


def test_runge_kutta_is_of_fourth_order_and_euler_of_first():
    moving = body(start=(0.0,) * 6 + (1.0,) + (0.0,) * 5)
    around = moving.surroundings()
    exact = exp(-0.5)

    def error(step, n):
        return abs(step(moving.initial, [0.0], around, 1 / n, n)[6] - exact)

    assert error(moving.step, 4) / error(moving.step, 8) == pytest.approx(16, rel=0.15)
    assert error(moving.euler_step, 400) / error(moving.euler_step, 800) == pytest.approx(2, 0.01)


def test_euler_moves_the_pose_with_the_new_velocity():
    x = body().euler_step(np.zeros(12), [2.0], body().surroundings(), 0.1)
    assert x[6] == pytest.approx(0.2)
    assert x[0] == pytest.approx(0.02)


def test_quaternion_and_euler_runs_agree():
    start = (0.0,) * 6 + (1.0, 0.2, -0.1, 0.3, 0.25, 0.4)
    plain, turned = body(0.1, start), body(0.1, start, quaternions=True)
    around = plain.surroundings()
    a = plain.step(plain.initial, [0.3], around, 0.01, 1000)
    b = turned.step(turned.initial, [0.3], around, 0.01, 1000)
    assert np.abs(a[3:6]).max() > 1
    assert a == pytest.approx(b, abs=1e-7)


def test_a_quaternion_run_passes_the_vertical_where_euler_angles_stop():
    start = (0.0,) * 4 + (pi / 2 - 0.5, 0.3, 1.0, 0, 0, 0, 1.0, 0)
    looping, plain = body(0.0, start, quaternions=True), body(0.0, start)
    over = looping.step(looping.initial, [0.0], looping.surroundings(), 0.01, 100)
    assert abs(over[4]) == pytest.approx(pi / 2 - 0.5, abs=1e-7)
    assert abs(over[3]) == pytest.approx(pi, abs=1e-7)
    up = np.array((*start[:4], pi / 2, *start[5:]))
    with pytest.raises(OutsideEnvelope):
        plain.step(up, [0.0], plain.surroundings(), 0.0)


def test_a_batch_is_its_vessels_one_by_one():
    rng = np.random.default_rng(5)
    xs, pushes = rng.normal(size=(7, 12)), rng.normal(size=(7, 1))
    around = np.tile(body().surroundings(), (7, 1))
    together = body().batch_step(xs, pushes, around, 0.02, 50)
    alone = [body().step(x, push, around[0], 0.02, 50) for x, push in zip(xs, pushes, strict=True)]
    assert np.array_equal(together, alone)


def test_errors_carry_the_last_good_state():
    runaway = body(-10.0, (0.0,) * 6 + (1.0,) + (0.0,) * 5)
    with pytest.raises(OutsideEnvelope, match="body") as caught:
        runaway.step(runaway.initial, [0.0], runaway.surroundings(), 0.02, 1000)
    assert 50 < caught.value.last_good[6] < 100
    with pytest.raises(NotFinite) as lost:
        runaway.step(runaway.initial, [np.inf], runaway.surroundings(), 0.02)
    assert lost.value.last_good[6] == 1.0
    with pytest.raises(InvalidValue, match="push"):
        runaway.step(runaway.initial, [0.0, 1.0], runaway.surroundings(), 0.02)


def test_code_that_cannot_be_cached_on_disk_is_still_compiled() -> None:
    names: dict[str, Callable[[float], float]] = {}
    exec(compile("def half(x):\n    return x / 2\n", "<nowhere>", "exec"), names)
    assert compiled(names["half"])(3.0) == 1.5
