"""``steerageway vessel show NAME``: masses, damping, periods, speed, turning circle, zig-zags."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from steerageway.vessel.errors import NotFinite, OutsideEnvelope
from steerageway.vessel.fossen.commands import ActuatorMap
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.orders import orders_of
from steerageway.vessel.tools.inertia import fields_of, inertia_of, is_coefficient_form, mass_of
from steerageway.vessel.tools.linear import (
    cross_flow_coefficients,
    damping,
    eigenvalues,
    natural_periods,
    rates_of_decay,
)
from steerageway.vessel.tools.righting import stability_lines
from steerageway.vessel.tools.trials import (
    NOT_BACK,
    drives,
    full_ahead,
    turning_circle,
    zigzag,
    zigzag_rudder,
)
from steerageway.world.arrays import Floats

ZIGZAGS = (10.0, 20.0)  # angles of rudder and heading [deg]


def show(vessel: Dynamics) -> Iterator[str]:
    """Yield the lines to print."""
    yield f"{vessel.name}: {vessel.source or 'no source given'}"
    channels = ", ".join(f"{c.name} [{c.unit}] {c.low:g} to {c.high:g}" for c in vessel.commands)
    yield f"commands: {channels or 'none'}"
    yield from stability_lines(vessel)
    orders = orders_of(vessel)
    try:
        cruise = full_ahead(vessel, orders)
    except (NotFinite, OutsideEnvelope) as error:
        yield f"top speed: none, at full thrust its model fails: {error.what}"
        yield from _at_rest(vessel)
        return
    speed = float(cruise[6])
    thrusters = "" if drives(vessel, orders) else ", initial: no propulsion"
    yield f"top speed: {speed:.4g} m/s{thrusters}"
    yield from _masses(vessel)
    known = is_coefficient_form(vessel)
    yield from _damping(vessel, 0.0 if known else speed / 4, speed / 2, speed)
    yield from _cross_flow(vessel)
    yield _periods(vessel)
    yield "eigenvalues at top speed, actuators held [1/s]:"
    for value in eigenvalues(vessel, cruise, orders.commands(thrust=100)):
        yield f"  {_eigenvalue(complex(value))}"
    yield _circle(vessel, orders, cruise)
    if orders.rudder.any():
        yield from (_zigzag(vessel, orders, cruise, angle) for angle in ZIGZAGS)


def _cross_flow(vessel: Dynamics) -> Iterator[str]:
    """Yield coefficients equivalent to the cross-flow drag in each motion alone, at 1 m/s."""
    found = cross_flow_coefficients(vessel)
    if found:
        text = ", ".join(f"{name} {value:.4g}" for name, value in found.items())
        yield f"cross-flow drag as coefficients [N, N m per (m/s)², (rad/s)²]: {text}"


def _at_rest(vessel: Dynamics) -> Iterator[str]:
    """Yield the lines for a vessel without a steady speed."""
    yield from _masses(vessel)
    if is_coefficient_form(vessel):
        yield from _damping(vessel, 0.0)
    yield _periods(vessel)


def _periods(vessel: Dynamics) -> str:
    alone = "" if is_coefficient_form(vessel) else " (by acceleration per displacement)"
    periods = ", ".join(
        f"{name} {period:.4g} s" for name, period in natural_periods(vessel).items()
    )
    return f"natural periods{alone}: {periods or 'none'}"


def _masses(vessel: Dynamics) -> Iterator[str]:
    M = inertia_of(vessel)
    if M is None:
        yield "M_RB, M_A: none in the published model"
        return
    if not (is_coefficient_form(vessel) or "M_RB" in fields_of(vessel)):
        yield "M_RB + M_A [kg, kg m, kg m²]:"
        yield from _rows(M)
        return
    mass = mass_of(vessel)
    yield "M_RB [kg, kg m, kg m²]:"
    yield from _rows(mass.M_RB)
    yield "M_A [kg, kg m, kg m²]:"
    yield from _rows(mass.M_A)


def _damping(vessel: Dynamics, *speeds: float) -> Iterator[str]:
    for u in speeds:
        if is_coefficient_form(vessel):
            yield f"damping at {u:.4g} m/s, slope of the force [kg/s, kg m/s, kg m²/s]:"
            yield from _rows(damping(vessel, u))
        else:
            yield f"-d(nu_dot)/d(nu) at {u:.4g} m/s [1/s and mixed]:"
            yield from _rows(rates_of_decay(vessel, u))


def _rows(matrix: Floats) -> Iterator[str]:
    smallest = 1e-6 * np.abs(matrix).max()
    for row in matrix:
        yield "  " + " ".join(f"{v if abs(v) > smallest else 0:>11.5g}" for v in row)


def _eigenvalue(value: complex) -> str:
    if value.imag > 1e-9:
        size = abs(value)
        return (
            f"{value.real:.4g} ± {value.imag:.4g}i: period {2 * np.pi / value.imag:.4g} s, "
            f"damping ratio {-value.real / size:.3g}"
        )
    if abs(value.real) < 1e-9:
        return "0"
    kind = "time constant" if value.real < 0 else "grows e-fold in"
    return f"{value.real:.4g}: {kind} {1 / abs(value.real):.4g} s"


def _circle(vessel: Dynamics, orders: ActuatorMap, cruise: Floats) -> str:
    if not orders.rudder.any():
        return "turning circle: none, no steering"
    try:
        circle = turning_circle(vessel, orders, cruise)
    except (NotFinite, OutsideEnvelope) as error:
        return f"turning circle: none, at full thrust and rudder its model fails: {error.what}"
    if circle is None:
        return "turning circle: none within an hour"
    return (
        f"turning circle at full rudder: advance {circle.advance:.4g} m, transfer "
        f"{circle.transfer:.4g} m, tactical diameter {circle.tactical_diameter:.4g} m, then "
        f"radius {circle.radius:.4g} m at {circle.speed:.4g} m/s, {circle.rate:.4g} rad/s"
    )


def _zigzag(vessel: Dynamics, orders: ActuatorMap, cruise: Floats, angle: float) -> str:
    name = f"zig-zag {angle:.0f}/{angle:.0f}"
    try:
        overshoots = zigzag(vessel, orders, cruise, angle)
    except (NotFinite, OutsideEnvelope) as error:
        return f"{name}: none, its model fails: {error.what}"
    if overshoots is None:
        return f"{name}: none, {NOT_BACK}"
    first, second = overshoots
    rudder = zigzag_rudder(orders, angle)
    limit = (
        "" if rudder is None or rudder >= angle else f", with {rudder:.3g}° of rudder, its limit"
    )
    return f"{name}: overshoots of {first:.1f}° and {second:.1f}°{limit}"
