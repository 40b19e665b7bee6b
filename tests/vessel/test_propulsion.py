"""Propellers: the published B-series coefficients' sums, and thrust from them."""

import numpy as np
import pytest

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.propulsion import thrust_and_torque, wageningen


def curve(J):
    KT, KQ = wageningen(J, 1.0, 0.718, 3)
    return float(KT), float(KQ)


def test_efficiency_is_below_one_where_thrust_drives():
    J = np.linspace(0.05, 1.0, 20)
    KT, KQ = wageningen(J, 1.0, 0.5, 4)
    assert KT.shape == J.shape
    efficiency = J * KT / (2 * np.pi * KQ)
    assert (efficiency[KT > 0.01] < 1).all()
    assert efficiency.max() > 0.6


def test_thrust_falls_with_speed_and_follows_the_square_of_revolutions():
    bollard, _ = thrust_and_torque(20.0, 0.0, 0.14, curve)
    under_way, _ = thrust_and_torque(20.0, 1.5, 0.14, curve)
    assert bollard == pytest.approx(1025 * 0.14**4 * 0.4566303 * 400, rel=1e-6)
    assert 0 < under_way < bollard
    twice, torque = thrust_and_torque(40.0, 3.0, 0.14, curve)
    assert twice == pytest.approx(4 * under_way)
    assert torque == pytest.approx(1025 * 0.14**5 * curve(3.0 / 40 / 0.14)[1] * 1600)


def test_astern_the_coefficients_are_those_at_rest():
    ahead = thrust_and_torque(20.0, 0.0, 0.14, curve)
    astern = thrust_and_torque(-20.0, 1.5, 0.14, curve)
    assert astern == pytest.approx((-ahead[0], -ahead[1]))
    assert thrust_and_torque(0.0, 1.5, 0.14, curve) == (0, 0)
    assert thrust_and_torque(20.0, -1.0, 0.14, curve) == ahead


@pytest.mark.parametrize("propeller", [(1.5, 0.5, 4), (1.0, 0.2, 4), (1.0, 0.5, 8)])
def test_a_propeller_outside_the_series_is_refused(propeller):
    with pytest.raises(InvalidValue, match=r"expected 0\.5 to 1\.4"):
        wageningen(0.5, *propeller)
