"""``pThrustAllocation``: forces in, commands out, unachieved forces, and refused settings."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from steerageway.apps.control.thrust_allocation import ThrustAllocation
from steerageway.apps.vessels.usim_marine.fossen import read_commands
from steerageway.bus import ConfigError
from tests.apps.parameters import Shown

pytestmark = pytest.mark.slow  # vessels compile, unless the cache is warm
pytest.importorskip("daqp")

shows = Shown()
ROOT = Path(__file__).parents[2]
WAMV = f"vessel = inputs/wamv\nvessel_file = thrusters = {ROOT}/inputs/wamv/azimuths.yml"
OTTER = "vessel = inputs/otter"


def settled(drive: Any, block: str, ticks: int = 40, **tau: float) -> dict[str, Any]:
    """Return the commands and the unmet after some ticks of the same orders."""
    driven = drive(ThrustAllocation, block)
    posted: dict[str, Any] = {}
    for k in range(1, ticks + 1):
        posted = driven.tick(0.1 * k, {f"TAU_{name}": value for name, value in tau.items()})
    return {**posted, **read_commands(str(posted["ACTUATOR_CMD"]))}


@shows("vessel")
def test_orders_become_commands_in_the_units_of_the_simulator(drive: Any) -> None:
    found = settled(drive, OTTER, X=50.0, N=0.0)
    assert found["th_1"] == pytest.approx(found["th_2"])
    # Otter's thrust is 0.01108 n|n| with n in rad/s; the simulator hears rpm
    assert 0.01108 * (found["th_1"] * 3.14159265 / 30) ** 2 == pytest.approx(25.0, rel=1e-3)
    assert found["TAU_X_UNMET"] == pytest.approx(0.0, abs=0.02)
    turning = settled(drive, OTTER, X=0.0, N=10.0)
    assert turning["th_1"] > 0 > turning["th_2"]  # port ahead: to starboard


def test_unachieved_forces_are_posted(drive: Any) -> None:
    found = settled(drive, OTTER, X=1000.0, N=0.0)
    assert found["TAU_X_UNMET"] == pytest.approx(1000.0 - 2 * 119.68, abs=1.0)


@shows("vessel_file")
def test_azimuths_push_to_the_side(drive: Any) -> None:
    found = settled(drive, f"{WAMV}\naxes = surge, sway, yaw", X=0.0, Y=400.0, N=0.0)
    assert abs(found["TAU_Y_UNMET"]) < 1.0
    assert {"az_1", "az_2", "az_3", "az_4"} <= set(found)


@shows("vessel_override")
def test_values_of_its_files_can_be_overridden(drive: Any) -> None:
    block = f"{OTTER}\nvessel_override = thrusters.thrusters.1.n_max = 50"
    assert settled(drive, block, X=1000.0)["th_1"] == pytest.approx(50 * 30 / 3.14159265, rel=1e-4)


@shows("peer_compat")
def test_thrusters_of_a_reference_are_read(drive: Any) -> None:
    with pytest.raises(ConfigError, match="peer_compat nobody"):
        drive(ThrustAllocation, f"{OTTER}\npeer_compat = nobody")
    assert settled(drive, f"{OTTER}\npeer_compat = mss", X=50.0)["th_1"] > 0


@shows("axes")
def test_only_the_requested_axes_are_served_and_others_reported(drive: Any) -> None:
    driven = drive(ThrustAllocation, f"{OTTER}\naxes = surge")
    posted = driven.tick(0.1, {"TAU_X": 20.0, "TAU_N": 5.0})
    assert "TAU_N_UNMET" not in posted
    assert "TAU_N: no yaw here; otter has surge" in driven.app.appcast()


def test_axes_that_cannot_be_reached_are_refused_by_name(drive: Any) -> None:
    with pytest.raises(ConfigError, match="they cannot reach sway independently") as refused:
        drive(ThrustAllocation, f"{OTTER}\naxes = surge, sway, yaw")
    assert "test.moos" in str(refused.value)
    assert "expected axes among surge, yaw" in str(refused.value)


@shows("method")
def test_far_beyond_the_limits_methods_differ(drive: Any) -> None:
    orders = {"X": 900.0, "Y": 300.0, "N": 900.0}
    missed = {}
    for method in ("qp", "weighted", "pseudoinverse"):
        found = settled(drive, f"{WAMV}\nmethod = {method}", **orders)
        missed[method] = sum(found[f"TAU_{name}_UNMET"] ** 2 for name in orders)
    assert missed["qp"] < missed["pseudoinverse"]
    with pytest.raises(ConfigError, match="qp"):
        drive(ThrustAllocation, f"{OTTER}\nmethod = best")


@shows("weights")
def test_costs_shift_the_work(drive: Any) -> None:
    even = settled(drive, f"{WAMV}\nmethod = weighted", X=400.0, Y=0.0, N=0.0)
    dear = settled(drive, f"{WAMV}\nmethod = weighted\nweights = th_1=20", X=400.0, Y=0.0, N=0.0)
    assert abs(dear["th_1"]) < 0.5 * abs(even["th_1"])
    with pytest.raises(ConfigError, match="th_9: expected one of th_1"):
        drive(ThrustAllocation, f"{WAMV}\nweights = th_9=2")
    with pytest.raises(ConfigError, match="numbers above zero"):
        drive(ThrustAllocation, f"{WAMV}\nweights = th_1=-2")


@shows("slack")
def test_axes_with_larger_weights_have_smaller_errors(drive: Any) -> None:
    orders = {"X": 2000.0, "N": 60.0}
    even = settled(drive, OTTER, **orders)
    yaw = settled(drive, f"{OTTER}\nslack = yaw=1000", **orders)
    assert abs(yaw["TAU_N_UNMET"]) < 0.1 * abs(even["TAU_N_UNMET"])
    with pytest.raises(ConfigError, match="jaw: expected degrees of freedom"):
        drive(ThrustAllocation, f"{OTTER}\nslack = jaw=1")


@shows("regularisation")
def test_regularisation_spares_thrust(drive: Any) -> None:
    close = settled(drive, f"{OTTER}\nregularisation = 0.000001", X=80.0)
    spare = settled(drive, f"{OTTER}\nregularisation = 1", X=80.0)
    assert abs(close["TAU_X_UNMET"]) < 0.01 < abs(spare["TAU_X_UNMET"])


@shows("smoothing")
def test_smoothing_takes_time(drive: Any) -> None:
    quick = settled(drive, OTTER, ticks=2, X=80.0)
    slow = settled(drive, f"{OTTER}\nsmoothing = 10", ticks=2, X=80.0)
    assert slow["th_1"] < 0.8 * quick["th_1"]


@shows("polygon")
def test_more_sides_come_nearer_to_the_circle(drive: Any) -> None:
    orders = {"X": 950.0, "Y": 190.0, "N": 0.0}  # between corners of a square
    few = settled(drive, f"{WAMV}\npolygon = 4", **orders)
    many = settled(drive, f"{WAMV}\npolygon = 32", **orders)
    assert abs(many["TAU_X_UNMET"]) < abs(few["TAU_X_UNMET"])


@shows("forbidden")
def test_no_azimuth_pushes_where_it_must_not(drive: Any) -> None:
    desired = {"X": 0.0, "Y": 300.0, "N": 0.0}
    arcs = "\n".join(f"forbidden = az_{i} = 60:120" for i in (1, 2, 3, 4))
    found = settled(drive, f"{WAMV}\n{arcs}", 80, **desired)
    for i in (1, 2, 3, 4):
        if abs(found[f"th_{i}"]) > 1e-6:
            assert not 60.001 < found[f"az_{i}"] < 119.999
    with pytest.raises(ConfigError, match="FROM:TO"):
        drive(ThrustAllocation, f"{WAMV}\nforbidden = az_1 = 60")
    with pytest.raises(ConfigError, match="az_7: expected one of az_1"):
        drive(ThrustAllocation, f"{WAMV}\nforbidden = az_7 = 60:70")


@shows("fixed")
def test_an_azimuth_can_be_fixed(drive: Any) -> None:
    found = settled(drive, f"{WAMV}\nfixed = az_3, az_4", X=0.0, Y=100.0, N=0.0)
    assert "az_3" not in found
    assert "az_1" in found


@shows("avoid_singular")
def test_idle_azimuths_turn_apart(drive: Any) -> None:
    idle = {"X": 0.0, "Y": 0.0, "N": 0.0}
    apart = settled(drive, WAMV, **idle)
    alike = settled(drive, f"{WAMV}\navoid_singular = false", **idle)
    assert {alike[f"az_{i}"] for i in (1, 2, 3, 4)} == {0.0}
    assert len({apart[f"az_{i}"] for i in (1, 2, 3, 4)}) > 1


@shows("tau_timeout")
def test_orders_that_are_not_repeated_run_out(drive: Any) -> None:
    for timeout, still in ((2.0, False), (60.0, True)):
        driven = drive(ThrustAllocation, f"{OTTER}\ntau_timeout = {timeout}")
        driven.tick(0.1, {"TAU_X": 50.0})
        posted = driven.tick(10.0)
        assert (read_commands(str(posted["ACTUATOR_CMD"]))["th_1"] > 1.0) == still


def test_nothing_is_posted_before_the_first_order(drive: Any) -> None:
    driven = drive(ThrustAllocation, OTTER)
    assert driven.tick(0.1) == {}
    assert "waiting for one of TAU_X, TAU_N" in driven.app.appcast()
    driven.tick(0.2, {"TAU_X": "much"})
    assert "expected a number" in driven.app.appcast()


def test_without_daqp_a_warning_names_the_substitute(
    drive: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from steerageway.apps.control import thrust_allocation
    from steerageway.vessel.control_allocation import qp

    monkeypatch.setattr(qp, "HAS_QP", False)
    monkeypatch.setattr(thrust_allocation, "HAS_QP", False)
    monkeypatch.setitem(sys.modules, "daqp", None)
    driven = drive(ThrustAllocation, OTTER)
    assert "steerageway[allocation]" in driven.app.appcast()
    posted = driven.tick(0.1, {"TAU_X": 50.0})
    assert posted["TAU_X_UNMET"] == pytest.approx(0.0, abs=1e-6)


def test_a_vessel_is_needed_and_one_with_thrusters(drive: Any) -> None:
    with pytest.raises(ConfigError, match="expected the simulated one's folder"):
        drive(ThrustAllocation, "vessel_override = inertia.mass = 60")
    idle = drive(ThrustAllocation, "")
    assert "vessel is not set" in idle.app.appcast()
    assert idle.tick(0.1, {"TAU_X": 5.0}) == {}
    with pytest.raises(ConfigError, match="no thrusters"):
        drive(ThrustAllocation, "vessel = inputs/sphere")


def test_a_line_of_infinite_limits_is_refused(drive: Any) -> None:
    with pytest.raises(ConfigError, match="expected a number"):
        drive(ThrustAllocation, f"{OTTER}\nvessel_override = thrusters.thrusters.1.n_max = .inf")


def test_every_parameter_has_a_test() -> None:
    assert {one.name for one in ThrustAllocation.parameters} == shows.names
