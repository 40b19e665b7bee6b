"""Travel time, absorption and signal-to-noise ratio of sound in water, against closed forms."""

from __future__ import annotations

from math import acosh, log10

import numpy as np
import pytest

from steerageway.world.acoustics import Link, SoundSpeed, absorption, slant, travel_time
from steerageway.world.errors import InvalidValue

DEEP, SHALLOW = (300.0, 400.0, 5.0), (0.0, 0.0, 95.0)


def test_sound_in_uniform_water_travels_the_range_over_its_speed() -> None:
    time = travel_time(DEEP, SHALLOW, SoundSpeed.read("1480"))
    assert time == pytest.approx(np.sqrt(300**2 + 400**2 + 90**2) / 1480.0, rel=1e-12)


@pytest.mark.parametrize("gradient", [-0.2, -1e-12, 0.017, 1.0])
def test_in_a_linear_profile_the_straight_line_is_hardly_slower_than_the_ray(
    gradient: float,
) -> None:
    """By Fermat no path is faster than the ray, an arc of a circle.

    Its time is acosh(1 + g² R² / (2 c1 c2)) / g (Jensen et al., Computational Ocean Acoustics).
    """
    first, second = 1500.0 + 5.0 * gradient, 1500.0 + 95.0 * gradient
    profile = SoundSpeed(((0.0, 1500.0), (100.0, 1500.0 + 100.0 * gradient)))
    distance, straight = slant(DEEP, SHALLOW), travel_time(DEEP, SHALLOW, profile)
    if abs(gradient) < 1e-6:
        assert straight == pytest.approx(distance / 1500.0, rel=1e-9)
        return
    bend = gradient**2 * distance**2 / (2.0 * first * second)
    ray = acosh(1.0 + bend) / abs(gradient)
    assert 0.0 <= straight / ray - 1.0 <= bend / 12.0 + 1e-9


def test_the_travel_time_is_the_integral_of_the_slowness_along_the_line() -> None:
    profile = SoundSpeed.read("10:1520, 50:1490, 60:1490, 80:1505")
    depths = 5.0 + 90.0 * (np.arange(200_000) + 0.5) / 200_000
    speeds = np.interp(depths, [10, 50, 60, 80], [1520, 1490, 1490, 1505])
    integral = slant(DEEP, SHALLOW) * np.mean(1.0 / speeds)
    assert travel_time(DEEP, SHALLOW, profile) == pytest.approx(integral, rel=1e-10)
    assert travel_time(SHALLOW, DEEP, profile) == travel_time(DEEP, SHALLOW, profile)


@pytest.mark.parametrize("frequency", [0.5, 10.0, 25.0, 50.0])
def test_the_absorption_is_that_of_thorp_in_kiloyards(frequency: float) -> None:
    f2 = frequency**2
    per_kiloyard = 0.1 * f2 / (1 + f2) + 40 * f2 / (4100 + f2) + 2.75e-4 * f2 + 0.003
    assert absorption(frequency) == pytest.approx(per_kiloyard / 0.9144, rel=0.01)


def test_the_signal_to_noise_ratio_is_that_of_the_passive_sonar_equation() -> None:
    link = Link(source=185.0, noise=80.0, frequency=25.0, spreading=15.0)
    expected = 185.0 - 15.0 * log10(2500.0) - absorption(25.0) * 2.5 - 80.0
    assert link.snr(2500.0) == pytest.approx(expected)


@pytest.mark.parametrize("text", ["fast", "1500, 10", "50:1500, 10:1490", "0:1500, 0:1490", "3"])
def test_a_wrong_profile_is_refused(text: str) -> None:
    with pytest.raises(InvalidValue, match="expected"):
        SoundSpeed.read(text)
