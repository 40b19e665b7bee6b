"""Smooth interpolation between the states of a vessel, and none beyond the last one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from steerageway.vessel import kinematics
from steerageway.vessel.sensors import attitude, knots
from steerageway.vessel.sensors.track import Track
from steerageway.vessel.sensors.truth import BOTTOM, NANO, WATER, Surroundings, Truth, cross

G = 9.81
angle = st.floats(-1.5, 1.5)
triple = st.tuples(angle, angle, angle)


def nanos(times: object) -> np.ndarray:
    """Return times [s] in nanoseconds."""
    return np.rint(np.asarray(times, np.float64) * NANO).astype(np.int64)


def at(track: Track, *times: float) -> Truth:
    """Return the truth at times [s]."""
    return track.at(nanos(times), Surroundings(), G)


@settings(max_examples=40)
@given(triple, triple)
def test_rows_of_attitudes_are_as_single_ones(eul: tuple[float, ...], w: tuple[float, ...]) -> None:
    q = attitude.quaternions(np.array([eul, w]))
    assert q[0] == pytest.approx(kinematics.eul_to_quat(eul), abs=1e-12)
    assert attitude.rotations(q)[1] == pytest.approx(kinematics.eul_to_rotm(w), abs=1e-12)
    product = cross(np.array([eul]), np.array([w]))[0]
    assert product == pytest.approx(np.cross(eul, w), abs=1e-12)


@settings(max_examples=40)
@given(triple, triple)
def test_attitudes_in_plain_numbers_are_as_those_of_kinematics(
    eul: tuple[float, float, float], v: tuple[float, float, float]
) -> None:
    q, R = knots.quaternion(*eul), kinematics.eul_to_rotm(eul)
    assert q == pytest.approx(kinematics.eul_to_quat(eul), abs=1e-12)
    rate = kinematics.quat_rate_matrix(q) @ v / 2
    assert knots.quaternion_rate(q, v) == pytest.approx(rate, abs=1e-12)
    assert knots.into_ned(q, v) == pytest.approx(R @ v, abs=1e-12)
    assert knots.into_body(q, v) == pytest.approx(R.T @ v, abs=1e-12)


@settings(max_examples=40)
@given(triple, st.tuples(*[st.floats(-1, 1)] * 3))
def test_the_turning_between_attitudes_leads_from_one_to_the_other(
    eul: tuple[float, ...], turn: tuple[float, ...]
) -> None:
    q0 = kinematics.eul_to_quat(eul)
    turned = Rotation.from_quat(q0, scalar_first=True) * Rotation.from_rotvec(turn)
    q1 = turned.as_quat(scalar_first=True)
    found = knots.turning(tuple(q0.tolist()), tuple(q1.tolist()))
    assert found == pytest.approx(turn, abs=1e-7)


def straight(times: np.ndarray) -> np.ndarray:
    """Return states of a vessel heading north with u = 1 + 2t - 3t² + 0.5 t³."""
    states = np.zeros((len(times), 18))
    t = times
    states[:, 0] = t + t**2 - t**3 + t**4 / 8
    states[:, 6] = 1 + 2 * t - 3 * t**2 + t**3 / 2
    states[:, 12] = 2 - 6 * t + 1.5 * t**2
    return states


def test_velocities_that_are_cubics_are_met_exactly_and_so_are_their_slopes() -> None:
    track, times = Track(), np.linspace(0, 3, 4)
    track.take_steps(nanos(times), straight(times))
    requested = np.array([0.25, 1.0, 1.7, 2.99, 3.0])
    truth, exact = at(track, *requested), straight(requested)
    assert truth.velocity[:, 0] == pytest.approx(exact[:, 6], abs=1e-9)
    assert truth.acceleration[:, 0] == pytest.approx(exact[:, 12], abs=1e-9)


def circling(times: np.ndarray, u: float = 2.0, r: float = 0.5) -> np.ndarray:
    """Return states on a circle to starboard, from the origin on, north first."""
    states = np.zeros((len(times), 18))
    states[:, 5] = r * times
    states[:, 0] = u / r * np.sin(r * times)
    states[:, 1] = u / r * (1 - np.cos(r * times))
    states[:, 6], states[:, 11] = u, r
    return states


def test_the_error_of_an_interpolated_place_falls_with_the_fourth_power_of_the_step() -> None:
    errors = []
    for steps in (4, 8, 16):
        track, times = Track(), np.linspace(0, 8, steps + 1)
        track.take_steps(nanos(times), circling(times))
        requested = np.linspace(0.1, 8, 80)
        errors.append(np.abs(at(track, *requested).position - circling(requested)[:, :3]).max())
    assert errors[0] / errors[1] > 12
    assert errors[1] / errors[2] > 12


def test_a_vessel_on_a_circle_is_accelerated_towards_its_centre() -> None:
    track, times = Track(), np.linspace(0, 8, 401)
    track.take_steps(nanos(times), circling(times))
    truth = at(track, 1.234, 5.678)
    assert truth.acceleration == pytest.approx(np.tile([0, 2.0 * 0.5, 0], (2, 1)), abs=1e-9)
    headings = [kinematics.rotm_to_eul(R)[2] for R in truth.R_nb]
    assert headings == pytest.approx([0.617, 2.839], abs=1e-9)


def test_a_heading_that_jumps_by_a_turn_is_the_same_heading() -> None:
    tracks = Track(), Track()
    times = np.linspace(0, 16, 161)
    states = circling(times)
    tracks[0].take_steps(nanos(times), states)
    states[:, 5] = kinematics.ssa(states[:, 5])
    tracks[1].take_steps(nanos(times), states)
    some = np.linspace(0.05, 16, 300)
    assert at(tracks[0], *some).R_nb == pytest.approx(at(tracks[1], *some).R_nb, abs=1e-12)


def test_states_in_pieces_make_the_track_of_all_of_them() -> None:
    whole, pieces = Track(), Track()
    times = np.linspace(0, 4, 41)
    states = circling(times)
    whole.take_steps(nanos(times), states)
    for k in range(0, 41, 7):
        pieces.take_steps(nanos(times[k : k + 7]), states[k : k + 7])
        some = [
            t for t in np.linspace(0.03, 4, 57) if times[max(k - 1, 0)] < t <= pieces.end / NANO
        ]
        a, b = at(whole, *some), at(pieces, *some)
        assert a.position == pytest.approx(b.position, abs=1e-12)
        assert a.acceleration == pytest.approx(b.acceleration, abs=1e-12)


def test_actuators_move_evenly_between_states() -> None:
    track = Track(("cs_1",))
    states = np.hstack((np.zeros((3, 18)), [[0.0], [0.2], [0.1]]))
    track.take_steps(nanos([0, 1, 2]), states)
    assert at(track, 0.25, 1.5, 2.0).actuators[:, 0] == pytest.approx([0.05, 0.15, 0.1])


def test_gaps_between_states_are_not_covered() -> None:
    track = Track()
    times = np.array([0.0, 0.1, 0.2, 5.0, 5.1])
    track.take_steps(nanos(times), circling(times))
    assert track.covered(nanos([0.05, 0.15, 0.3, 4.9, 5.05])).tolist() == [
        *(True, True, False, False, True)
    ]


@pytest.mark.parametrize("leap", [{0: 30.0}, {5: 1.0}, {6: 5.0}, {2: -3.0}])
def test_a_displaced_vessel_is_at_its_old_place_until_then(leap: dict[int, float]) -> None:
    track, times = Track(), np.linspace(0, 0.4, 21)
    states = circling(times)
    states[11:] = [[v + leap.get(i, 0.0) for i, v in enumerate(row)] for row in states[11:]]
    track.take_steps(nanos(times), states)
    truth = at(track, 0.21, 0.23)
    before = states[10]
    assert truth.position[0] == pytest.approx(before[:3])
    assert truth.velocity[0] == pytest.approx(before[6:9])
    assert np.abs(truth.acceleration).max() < 3.6  # u r, with the greatest of the speeds


def test_a_vessel_without_rates_moves_evenly_between_its_ticks() -> None:
    track = Track()
    times = np.arange(5) * 0.25
    north = [0.0, 0.5, 1.05, 1.65, 2.3]
    speeds = [2.0, 2.0, 2.2, 2.4, 2.6]
    rows = [
        [x, 0, 1 - 0.1 * k, 0, 0.1, 0, u, 0]
        for k, (x, u) in enumerate(zip(north, speeds, strict=True))
    ]
    track.take_ticks(nanos(times), np.array(rows))
    truth = at(track, 0.125, 0.375, 0.6)
    R = kinematics.eul_to_rotm([0, 0.1, 0])
    assert truth.velocity[0] == pytest.approx(R.T @ [2.0, 0, -0.4])
    assert truth.acceleration[1] == pytest.approx(R.T @ [0.8, 0, 0])
    assert truth.rate == pytest.approx(np.zeros((3, 3)))
    assert truth.position[0] == pytest.approx([0.25, 0, 0.95])


def test_a_vessel_without_rates_turns_evenly_between_its_ticks_across_north() -> None:
    track = Track()
    yaw = np.radians([350.0, 355.0, 0.0, 5.0])
    rows = np.zeros((4, 8))
    rows[:, 5] = yaw
    track.take_ticks(nanos([0, 0.5, 1.0, 1.5]), rows)
    truth = at(track, 0.2, 0.7, 1.2)
    assert truth.rate == pytest.approx(np.tile([0, 0, np.radians(10)], (3, 1)), abs=1e-9)
    headings = [np.degrees(kinematics.rotm_to_eul(R)[2]) for R in truth.R_nb]
    assert headings == pytest.approx([-8, -3, 2], abs=1e-6)


def test_surroundings_hold_from_their_time_on() -> None:
    around = Surroundings()
    around.note(2 * NANO, WATER, (0.3, 0.1, 0.0))
    around.note(4 * NANO, BOTTOM, 20.0)
    rows = around.at(nanos([5, 1, 3, 2]))
    assert rows[:, 0].tolist() == [0.3, 0.0, 0.3, 0.3]
    assert rows[:, BOTTOM].tolist() == [20.0, 0.0, 0.0, 0.0]
    around.forget(3 * NANO)
    assert around.at(nanos([3, 5]))[:, BOTTOM].tolist() == [0.0, 20.0]
