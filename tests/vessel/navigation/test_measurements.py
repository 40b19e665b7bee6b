"""Expected measurements of instruments, and their and the motion's dependence on the error."""

from __future__ import annotations

import json
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from steerageway.vessel.kinematics import eul_to_quat, eul_to_rotm
from steerageway.vessel.navigation.estimate import SIZE, Estimate, rotation_vector, turned
from steerageway.vessel.navigation.instruments import (
    MODELS,
    Instrument,
    Measurement,
    Part,
    read_instruments,
)
from steerageway.vessel.navigation.motion import GaussMarkov, ProcessNoise, SensedMotion, advance
from steerageway.world.constants import NANO

Array = NDArray[np.float64]
PARTS = {"position": 3, "orientation": 3, "heading": 1, "depth": 1, "speed": 1}
MEASURED = {
    "position": [3.0, -2.0, 4.0],
    "linear_velocity": [1.0, 0.2, 0.1],
    "speed": [1.4],
    "depth": [6.0],
    "heading": [40.0],
    "orientation": eul_to_quat([0.1, -0.2, 0.6]),
}
vectors = st.lists(st.floats(-1.0, 1.0), min_size=3, max_size=3).map(np.array)
angles = st.tuples(st.floats(-0.6, 0.6), st.floats(-0.6, 0.6), st.floats(-3.0, 3.0))


def part(size: int) -> Part:
    """Return errors of one kind: noise."""
    noise = np.diag(np.arange(1.0, size + 1.0)) * 0.01
    return Part(noise, np.zeros(size), np.zeros((size, 2)), noise)


def instrument(kind: str, orientation: tuple[float, ...], location: Array) -> Instrument:
    """Return an instrument of a kind, with errors for every part it might have."""
    parts = {name: part(PARTS.get(name, 3)) for name in MEASURED}
    return Instrument(kind, kind, 10.0, 0, location, eul_to_rotm(orientation), parts)


def state(position: Array, velocity: Array, attitude: tuple[float, ...]) -> Estimate:
    """Return an estimate some metres below the surface."""
    below = position + np.array([0.0, 0.0, 5.0])
    return Estimate(0, below, 2 * velocity, eul_to_rotm(attitude), current=np.array([0.3, -0.2]))


def wrong_by(estimate: Estimate, error: Array) -> Estimate:
    """Return the truth for an estimate that is wrong by an error (17,)."""
    return Estimate(
        estimate.time,
        estimate.position + error[0:3],
        estimate.velocity + error[3:6],
        estimate.R @ turned(error[6:9]),
        estimate.gyro_bias + error[9:12],
        estimate.force_bias + error[12:15],
        estimate.current + error[15:17],
    )


def error_of(estimate: Estimate, truth: Estimate) -> Array:
    """Return the error (17,) of an estimate."""
    return np.concatenate(
        (
            truth.position - estimate.position,
            truth.velocity - estimate.velocity,
            rotation_vector(estimate.R.T @ truth.R),
            truth.gyro_bias - estimate.gyro_bias,
            truth.force_bias - estimate.force_bias,
            truth.current - estimate.current,
        )
    )


def slopes(of: Callable[[Array], Array], step: float = 1e-5) -> Array:
    """Differentiate a function of an error (17,) at zero, by central differences."""
    columns = [(of(step * e) - of(-step * e)) / (2 * step) for e in np.eye(SIZE)]
    return np.array(columns).T


@pytest.mark.parametrize(("kind", "field"), list(MODELS))
@settings(max_examples=10)
@given(vectors, vectors, vectors, vectors, angles, angles)
def test_a_residual_depends_on_the_error_by_its_matrix(
    kind: str,
    field: str,
    position: Array,
    velocity: Array,
    lever: Array,
    turning: Array,
    attitude: tuple[float, ...],
    orientation: tuple[float, ...],
) -> None:
    estimate = state(position, velocity, attitude)
    fitted, model = instrument(kind, orientation, lever), MODELS[kind, field]
    measured = np.asarray(MEASURED[field], np.float64)
    if field == "orientation":  # near what is expected: a residual is a small rotation
        R_ns = estimate.R @ turned(np.array([0.01, -0.02, 0.01])) @ fitted.R_bs
        measured = quaternion(R_ns)

    def residual(error: Array) -> Array:
        truth = wrong_by(estimate, error)
        rate = turning - error[9:12]
        found = model(truth, fitted, lever, rate, measured)
        assert found is not None
        return -found.value  # what the truth expects, but for a constant

    found = model(estimate, fitted, lever, turning, measured)
    assert found is not None
    tolerance = 0.05 if field == "orientation" else 1e-4 * max(1.0, np.abs(found.H).max())
    np.testing.assert_allclose(slopes(residual), found.H, atol=tolerance)


def quaternion(R: Array) -> Array:
    """Return the quaternion of a rotation matrix."""
    from steerageway.vessel.kinematics import rotm_to_quat

    return rotm_to_quat(R)


@settings(max_examples=10)
@given(vectors, vectors, vectors, vectors, angles, st.booleans())
def test_the_error_propagates_like_the_covariance(
    velocity: Array,
    rate: Array,
    force: Array,
    bias: Array,
    attitude: tuple[float, ...],
    has_imu: bool,
) -> None:
    still, water = (
        GaussMarkov.of(np.array([[0.1, 50.0]] * 3), np.eye(3)),
        np.array([[0.5, 40.0]] * 2),
    )
    nothing = np.zeros((3, 3))
    process_noise = ProcessNoise(
        nothing, nothing, still, still, GaussMarkov.of(water, np.eye(2)), 9.81
    )
    sensed = force + np.array([0.0, 0.0, -9.81]) if has_imu else None
    one, other = SensedMotion(0, rate, sensed), SensedMotion(NANO // 50, rate, sensed)

    def start() -> Estimate:
        estimate = state(np.zeros(3), velocity, attitude)
        estimate.gyro_bias, estimate.force_bias = 0.1 * bias, 0.2 * bias
        return estimate

    ended = start()
    advance(ended, process_noise, one, other)

    def moved(error: Array) -> Array:
        truth = wrong_by(start(), error)
        advance(truth, process_noise, one, other)
        return error_of(ended, truth)

    step = slopes(moved)
    spread = np.diag(np.linspace(0.5, 1.5, SIZE))
    expected = step @ spread @ step.T
    carried = start()
    carried.P = spread
    advance(carried, process_noise, one, other)
    at_rest = start()
    advance(at_rest, process_noise, one, other)  # from no covariance: what the drifts have added
    np.testing.assert_allclose(carried.P - at_rest.P, expected, atol=2e-3)


@given(vectors)
def test_a_rotation_vector_and_its_matrix_belong_together(vector: Array) -> None:
    np.testing.assert_allclose(rotation_vector(turned(3 * vector / 2)), 3 * vector / 2, atol=1e-9)


def test_a_place_above_the_surface_has_no_depth() -> None:
    estimate = Estimate(0, np.zeros(3), np.zeros(3), np.eye(3))
    mast = instrument("depth", (0.0, 0.0, 0.0), np.array([0.0, 0.0, -1.0]))
    model = MODELS["depth", "depth"]
    assert model(estimate, mast, mast.location, np.zeros(3), np.zeros(1)) is None


def test_an_axis_that_points_down_has_no_heading() -> None:
    estimate = Estimate(0, np.zeros(3), np.zeros(3), np.eye(3))
    down = instrument("compass", (0.0, -np.pi / 2, 0.0), np.zeros(3))
    model = MODELS["compass", "heading"]
    assert model(estimate, down, np.zeros(3), np.zeros(3), np.zeros(1)) is None


def test_an_axis_that_points_down_has_no_attitude_in_euler_angles() -> None:
    estimate = Estimate(0, np.zeros(3), np.zeros(3), eul_to_rotm([0.0, -np.pi / 2, 0.0]))
    imu = instrument("IMU", (0.0, 0.0, 0.0), np.zeros(3))
    model, measured = MODELS["IMU", "orientation"], eul_to_quat([0.0, -np.pi / 2, 0.0])
    assert model(estimate, imu, np.zeros(3), np.zeros(3), measured) is None


def described() -> Instrument:
    """Read the description of a GPS."""
    noise = [[1.0, 0.5, 0.0], [0.5, 4.0, 0.0], [0.0, 0.0, 0.0]]
    known = {"bias": [-0.3, 0.0, 0.0], "drift_rms": [0.4, 0.0, 0.0], "drift_time": [50, 0, 0]}
    record = {
        "sensor": "MAST",
        "type": "GPS",
        "rate": 2,
        "latency": 0.25,
        "location": [1, 2, -3],
        "orientation": [0, 0, np.pi / 2],
        "parts": {"position": {"covariance": np.ravel(noise).tolist(), **known}},
    }
    (one,) = read_instruments(json.dumps([record]))
    return one


def test_an_instrument_matches_its_description() -> None:
    one = described()
    assert (one.name, one.kind, one.rate, one.latency) == ("MAST", "GPS", 2.0, NANO // 4)
    np.testing.assert_array_equal(one.location, (1.0, 2.0, -3.0))
    np.testing.assert_allclose(one.R_bs[:, 0], (0.0, 1.0, 0.0), atol=1e-12)
    part = one.parts["position"]
    np.testing.assert_array_equal(part.bias, (0.3, 0.0, 0.0))
    np.testing.assert_array_equal(part.drift, ((0.4, 50.0), (0.0, 0.0), (0.0, 0.0)))
    together = part.noise + np.diag([0.3**2 + 0.4**2, 0.0, 0.0])
    np.testing.assert_allclose(part.covariance, together, atol=1e-9)
    assert part.covariance[2, 2] > 0  # what is said to be exact is all but exact


def test_a_record_holds_the_measurement_with_its_time_to_the_nanosecond() -> None:
    record = {"sensor": "MAST", "time": 1.0000000016, "position": [1, 2.5, -3], "fix": 3}
    one = Measurement.read(described(), record | {"position_covariance": [[1.0], [2.0, 3.0]]})
    assert one.time == NANO + 2
    assert isinstance(one.time, int)
    assert set(one.fields) == {"position", "fix", "time"}
    assert one.fields["position"].tolist() == [1.0, 2.5, -3.0]
