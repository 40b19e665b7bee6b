"""Dead time, play and faults of every kind of actuator, at every rate of the simulator."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from steerageway.apps.vessels.usim_marine.app import USimMarine

ROOT = Path(__file__).parents[2]
TICKS = (1, 4, 10, 50)
SURFACE = "control_surfaces.control_surfaces.{}.control_surface_delay"
KINDS = {
    "a propeller": ("otter", "thrusters.thrusters.1.delay", "th_1", 600.0),
    "a rudder": ("remus100", SURFACE.format(1), "cs_1", 8.0),
    "a fin": ("torpedo", SURFACE.format(2), "cs_2", 8.0),
    "an azimuth": ("tito_neri", "thrusters.thrusters.1.azimuth.delay", "az_1", 60.0),
    "a published ship's rudder": ("mariner", SURFACE.format(1), "cs_1", 10.0),
    "a published ship's shaft": ("tanker", "thrusters.thrusters.1.delay", "th_1", 60.0),
}
pytestmark = pytest.mark.slow  # they compile


def states(drive, vessel, lines, mail, rate, seconds=4):
    """Return the last state of each second: mail (instant, name, value) at some AppTick."""
    block = f"model = fossen\nvessel = inputs/{vessel}\n{lines}"
    driven = drive(USimMarine, block, folder=ROOT)
    rows = []
    for k in range(1, seconds * rate + 1):
        now, before = k / rate, (k - 1) / rate
        due = [m for m in mail if before <= m[0] < now]
        driven.take(now, [driven.message(name, value, time) for time, name, value in due])
        assert driven.app.run_warnings == {}
        if k % rate == 0:
            text = next(p.value for p in reversed(driven.posts) if p.name == "USM_STATE")
            rows.append([float(part.partition("=")[2]) for part in text.split(",")])
    return np.array(rows)


def actuator(rows, vessel, name):
    """Return the state of an actuator, by its place among them."""
    from steerageway.vessel.fossen.folder import load

    names = [c.name for c in load(ROOT / "inputs" / vessel).commands]
    return rows[:, 19 + names.index(name)]


@pytest.mark.parametrize("kind", KINDS)
def test_a_dead_time_is_exact_at_any_rate(drive, kind):
    vessel, key, name, value = KINDS[kind]
    late = f"vessel_override = {key} = 0.33\n"
    pushing = [(0.0, "th_1", 1800.0)] if name == "az_1" else []
    mail = [*pushing, (1.0, name, value)]
    truth = states(drive, vessel, "", [*pushing, (1.33, name, value)], 50)
    moved = actuator(truth, vessel, name)
    assert moved[0] != moved[-1]
    for rate in TICKS:
        rows = states(drive, vessel, late, mail, rate)
        np.testing.assert_allclose(rows, truth, rtol=1e-7, atol=1e-9)
    at_once = states(drive, vessel, "", mail, 50)
    assert np.abs(at_once - truth).max() > 1e-6


def test_play_of_a_file_is_play_of_a_fault(drive):
    mail = [(0.0, "cs_1", 8.0), (1.0, "cs_1", 6.0), (2.0, "cs_1", 2.0)]
    key = "control_surfaces.control_surfaces.1.control_surface_backlash"
    by_file = states(drive, "remus100", f"vessel_override = {key} = 3\n", mail, 10)
    by_mail = states(drive, "remus100", "", [(0.0, "FAULT_CS_1", "backlash@3"), *mail], 10)
    np.testing.assert_array_equal(by_file, by_mail)
    reached = np.degrees(actuator(by_file, "remus100", "cs_1"))
    np.testing.assert_allclose(reached, [6.5, 6.5, 3.5, 3.5], atol=0.01)


@pytest.mark.parametrize("rate", TICKS)
def test_a_jam_holds_the_actuator_where_it_is_at_that_instant(drive, rate):
    """On its way from 0 to 8 degrees with a time constant of 0.1 s it stops after 0.11 s."""
    mail = [(1.0, "cs_1", 8.0), (1.11, "FAULT_CS_1", "jam"), (2.0, "cs_1", -8.0)]
    reached = np.degrees(actuator(states(drive, "remus100", "", mail, rate), "remus100", "cs_1"))
    np.testing.assert_allclose(reached[1:], 8.0 * (1.0 - np.exp(-1.1)), rtol=1e-4)


@pytest.mark.parametrize("fault", ["stuck@200", "loss@0.4", "bias@50", "backlash@80", "delay@0.6"])
def test_a_fault_acts_from_its_instant_at_any_rate(drive, fault):
    mail = [(0.5, "th_1", 500.0), (0.5, "th_2", 500.0), (1.73, "FAULT_TH_1", fault)]
    mail += [(2.41, "th_1", 300.0), (3.2, "FAULT_TH_1", "none")]
    truth = states(drive, "otter", "", mail, 50)
    for rate in TICKS:
        np.testing.assert_allclose(
            states(drive, "otter", "", mail, rate), truth, rtol=1e-7, atol=1e-9
        )


def test_a_run_after_another_begins_without_its_faults(drive):
    """A case reset: every app is rebuilt."""
    late = "vessel_override = thrusters.thrusters.1.delay = 0.4\n"
    mail = [(0.0, "th_1", 500.0), (1.0, "FAULT_TH_1", "stuck@100,delay@1")]
    first = states(drive, "otter", late, mail, 10)
    again = states(drive, "otter", late, mail, 10)
    np.testing.assert_array_equal(first, again)


def test_an_override_and_a_timeout_go_the_same_way(drive):
    late = "vessel_override = thrusters.thrusters.1.delay = 0.5\noverride_timeout = 1\n"
    mail = [(1.0, "ACTUATOR_CMD_OVERRIDE", "th_1=300")]
    turning = actuator(states(drive, "otter", late, mail, 10), "otter", "th_1") * 30 / np.pi
    assert turning[0] == 0.0
    assert turning[1] == pytest.approx(300 * (1 - np.exp(-5)), rel=1e-3)
    assert turning[2] == pytest.approx(300 * np.exp(-5), rel=0.05)  # since 2.5 s it runs down


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("thrusters.thrusters.1.delay", "-1", "delay = -1: expected a number at least 0"),
        ("thrusters.thrusters.1.backlash", "-1", "backlash = -1: expected a number at least 0"),
        ("thrusters.thrusters.1.dealy", "1", "dealy: unknown key; did you mean delay"),
    ],
)
def test_an_invalid_dead_time_is_reported(drive, key, value, expected):
    from steerageway.bus import ConfigError

    block = f"model = fossen\nvessel = inputs/otter\nvessel_override = {key} = {value}\n"
    with pytest.raises(ConfigError, match=expected):
        drive(USimMarine, block, folder=ROOT)
