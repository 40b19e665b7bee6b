"""Tasks with a ground, a leader or another vessel: each against its definition."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from steerageway.envs.vector import VesselVectorEnv
from steerageway.vessel.colregs.scores import Meeting, score
from steerageway.vessel.fossen.state import PSI, U_, V_, X_, Y_
from steerageway.vessel.tasks import wrapped


def act(env: VesselVectorEnv, **orders: Any) -> Any:
    """Step with orders by name, limited to their ranges; the others are 0."""
    zero = np.zeros(env.num_envs)
    columns = [np.clip(orders.get(name, zero) + zero, -1.0, 1.0) for name in env.orders]
    return env.step(np.stack(columns, axis=-1))


def test_the_station_of_a_formation_turns_with_its_leader() -> None:
    env = VesselVectorEnv("Formation", num_envs=20)
    env.reset(seed=4)
    task: Any = env._task
    start, course = task.leader()
    speed, dt = task.SPEED * env._task.scale.speed, 1e-3
    # the leader's track by quadrature, and its station by its distance from it
    angles = course + task.curvature * speed * dt * (np.arange(30_000)[:, None] + 0.5)
    track = start + speed * dt * np.stack((np.cos(angles), np.sin(angles)), axis=-1).sum(axis=0)
    task.time = np.full(20, 30.0)
    place, heading = task.leader()
    assert np.allclose(place, track, atol=1e-5)
    assert np.allclose(heading - course, task.curvature * speed * 30.0)
    found = task.features(env._engine.x)
    away = task.goal[:, :2] - place
    bearing = wrapped(np.arctan2(away[:, 1], away[:, 0]) - heading)
    assert np.allclose(np.hypot(*away.T), np.hypot(*task.place.T))
    assert (abs(bearing) > np.pi / 2).all()
    assert np.allclose(found["leader_range"], np.hypot(*(env._engine.x[:, :2] - place).T))


@pytest.mark.slow
def test_a_torpedo_that_steers_by_the_ground_ahead_keeps_its_altitude() -> None:
    env = VesselVectorEnv("TerrainFollowing", "remus100", num_envs=32)
    env.reset(seed=2)
    task: Any = env._task
    x = env._engine.x.copy()
    x[:, X_ : Y_ + 1] = np.random.default_rng(1).uniform(-500.0, 500.0, (32, 2))
    slope = (task.ground(x, 1e-3) - task.ground(x, -1e-3)) / 2e-3
    assert 0.05 < abs(slope).max() < 0.3
    for _ in range(900):
        f = env.features
        rise = f["rise_near"] / (task.NEAR * task.scale.length)
        pitch = np.clip(rise - 0.03 * f["altitude_error"], -0.4, 0.4)
        plane = 2.0 * (f["pitch"] - pitch) + 2.0 * f["q"]
        info = act(env, thrust=0.8, elevator=plane)[4]
        assert not info["failed"].any()
    assert abs(env.features["altitude_error"]).max() < 3.0
    assert np.allclose(f["altitude"], task.ground(env._engine.x, 0.0) - env._engine.x[:, 2], atol=1)


@pytest.mark.slow
def test_an_encounter_is_scored_as_the_suite_scores_its_tracks() -> None:
    env = VesselVectorEnv("Encounter", num_envs=24)
    env.reset(seed=1)
    task: Any = env._task
    length, start, scored = task.scale.length, task.other.copy(), {}
    tracks = [east_north_heading_speed(env._engine.x)]
    for k in range(1, 1100):
        f = env.features
        avoiding = (f["range"] < 20.0 * length) & (abs(f["bearing"]) < 2.0)
        aim = np.where(avoiding, 0.9, np.arctan2(-f["cross_track"], 5.0 * length))
        turn = wrapped(aim - f["course_error"])
        pace = 0.4 + 0.6 * (0.6 * task.scale.speed - f["u"])
        info = act(env, rudder=0.8 * turn - 0.6 * f["r"], thrust=pace)[4]
        tracks.append(east_north_heading_speed(env._engine.x))
        for i in np.flatnonzero(info["reached"]):
            scored.setdefault(int(i), (k, info["safety"][i], info["rules"][i]))
    assert len(scored) > 15
    for i, (end, safety, rules) in scored.items():
        kept = np.unique([*range(9, end, 10), end])  # the last tracks of each second
        north, east, course, speed = start[i]
        way = speed * 0.1 * kept
        x, y = east + way * np.sin(course), north + way * np.cos(course)
        straight = np.stack((x, y, 0.0 * way + np.degrees(course), 0.0 * way + speed), axis=-1)
        own = np.array([tracks[k][i] for k in kept])
        found = score(Meeting(0.1 * kept, own, straight, length))
        assert (found.safety, found.least) == pytest.approx((safety, rules), abs=1e-9)
    assert max(rules for _, _, rules in scored.values()) > 0.5
    assert min(rules for _, _, rules in scored.values()) < 0.5


def east_north_heading_speed(x: Any) -> Any:
    """Return tracks (N, 4) of states, as ``Meeting`` has them."""
    speed = np.hypot(x[:, U_], x[:, V_])
    return np.stack((x[:, Y_], x[:, X_], np.degrees(x[:, PSI]), speed), axis=-1)


def test_the_rewards_of_an_identification_are_the_growth_of_its_information() -> None:
    env = VesselVectorEnv("Identification", num_envs=6, autoreset_mode="Disabled")
    env.reset(seed=2)
    (L, U), whole, total = env._task.scale, np.tile(np.eye(6), (6, 1, 1)), 0.0
    for k in range(40):
        total = total + act(env, rudder=np.sin(0.1 * k), thrust=np.linspace(-1.0, 1.0, 6))[1]
        f = env.features
        rates = [f["u"] / U, f["v"] / U, f["r"] * L / U]
        phi = np.stack([term for one in rates for term in (one, abs(one) * one)], axis=-1)
        whole += phi[:, :, None] * phi[:, None, :]
    assert np.allclose(total, np.linalg.slogdet(whole)[1])
    variances = np.diagonal(np.linalg.inv(whole), axis1=1, axis2=2)
    shown = np.stack([f[one.feature] for one in env._task.shown[:6]], axis=-1)
    assert np.allclose(shown, np.log(variances))
