"""Estimates of resistance, bollard pull and maximum speed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import pi, sqrt

from steerageway.vessel.damping import ittc57
from steerageway.vessel.estimates.hull import Hull
from steerageway.vessel.estimates.record import Sheet
from steerageway.world.constants import VISCOSITY

WAVELESS = 0.3  # Froude number up to which wave resistance is small
SLOWEST, FASTEST = 1e-3, 60.0  # [m/s]
BISECTIONS = 80
ITTC = "ITTC 1957 line"
RPM = 2.0 * pi / 60.0


@dataclass(frozen=True)
class Propeller:
    """One thruster at maximum command ahead.

    Attributes:
        name: identifier.
        ahead: direction cosine of its axis to the bow.
        D: diameter [m]; 0 for a polynomial thruster.
        n: revolutions per second. KT: K_T at J = 0. slope: of K_T over J.
        deduction, wake: thrust deduction and wake fraction numbers.
        push: thrust at any speed [N], for a polynomial thruster.
    """

    name: str
    ahead: float
    D: float = 0.0
    n: float = 0.0
    KT: float = 0.0
    slope: float = 0.0
    deduction: float = 0.0
    wake: float = 0.0
    push: float = 0.0

    def thrust(self, speed: float, density: float) -> float:
        """Return its contribution to the thrust ahead at a speed [N]."""
        if self.D <= 0.0 or self.n <= 0.0:
            return self.ahead * self.push
        J = max(speed * (1.0 - self.wake) * self.ahead / (self.n * self.D), 0.0)
        K_T = self.KT + self.slope * J
        return self.ahead * (1.0 - self.deduction) * density * self.D**4 * self.n**2 * K_T


@dataclass(frozen=True)
class TopSpeed:
    """A known top speed, from which resistance follows.

    Attributes:
        speed: straight ahead in still water [m/s].
        thrust: of all thrusters ahead at this speed [N]. source: of the thrust.
        other: resistance at this speed by the files' terms other than ``X_u_au`` [N].
    """

    speed: float
    thrust: float
    source: str
    other: float = 0.0

    @property
    def quadratic(self) -> float:
        """Return ``X_u_au`` [N s²/m²], with which resistance at this speed equals the thrust."""
        return (self.other - self.thrust) / self.speed**2


def form_factor(hull: Hull) -> tuple[float, str, str, bool]:
    """Return the form factor k, its source, its validity, and whether the hull is within it."""
    if hull.floats:
        k = -0.095 + 25.6 * hull.block / ((hull.L / hull.B) ** 2 * sqrt(hull.B / hull.T))
        valid = "displacement ships; taken here as C_b 0.5 to 0.9, L/B 4 to 10"
        return min(max(k, 0.0), 1.0), "Watanabe", valid, hull.ship
    ratio = 0.5 * (hull.B + hull.T) / hull.L
    k = 1.5 * ratio**1.5 + 7.0 * ratio**3
    return k, "Hoerner (1965), Fluid-Dynamic Drag", "streamlined bodies of revolution", ratio < 0.4


def resistance(hull: Hull, wetted: float, k: float, speed: float) -> float:
    """Return the viscous resistance straight ahead [N]."""
    if speed <= 0.0:
        return 0.0
    C_f = ittc57(max(speed * hull.L / VISCOSITY, 1000.0))
    return 0.5 * hull.density * wetted * (1.0 + k) * C_f * speed**2


def add_speed(
    sheet: Sheet,
    hull: Hull,
    propellers: Sequence[Propeller],
    cruise: float,
    known: TopSpeed | None = None,
) -> None:
    """Add resistance, bollard pull, and maximum speed: the known one, or one of known thrust."""
    pull = sum(propeller.thrust(0.0, hull.density) for propeller in propellers)
    if pull > 0.0:
        source = "propellers' K_T at J = 0, or their thrust, ahead, less the thrust deduction"
        sheet.add("bollard pull", pull, "N", source, "open water", inside=True)
    elif known is None:
        sheet.lacking.append("bollard pull, top speed: they need thrusters with thrust ahead")
    if known is not None:
        _add_known(sheet, known)
    elif (wetted := sheet.value("wetted surface")) is not None:
        _add_viscous(sheet, hull, wetted, propellers if pull > 0.0 else (), cruise)


def _add_known(sheet: Sheet, known: TopSpeed) -> None:
    """Add the resistance that a known top speed has, waves and all."""
    valid = "this vessel, near its top speed: waves and air are included"
    sheet.add("top speed", known.speed, "m/s", "as given", valid, inside=True)
    by = f"{known.source}, which resistance equals at top speed"
    sheet.add("resistance", known.thrust, "N", by, valid, inside=True)
    name = "quadratic damping, surge"
    if known.quadratic >= 0.0:
        sheet.lacking.append(
            f"{name}: the files' other damping has {known.other:.4g} N at {known.speed:g} m/s, and "
            f"the thrust is {known.thrust:.4g} N: expected less of it (X_u)"
        )
        return
    rest = f", less {known.other:.4g} N by the files' other damping" if known.other else ""
    by += f"{rest}, over its square"
    key = "hydrodynamics.X_u_au"
    sheet.add(name, known.quadratic, "N s²/m²", by, valid, inside=True, key=key)


def _add_viscous(
    sheet: Sheet, hull: Hull, wetted: float, propellers: Sequence[Propeller], cruise: float
) -> None:
    """Add viscous resistance at cruising speed, and the speed at which it equals the thrust."""
    k, by, valid, inside = form_factor(hull)
    sheet.add("form factor", k, "1", by, valid, inside=inside)
    speed = top_speed(hull, wetted, k, propellers) if propellers else 0.0
    at = cruise or 0.6 * speed or 0.15 * sqrt(hull.gravity * hull.L)
    drag = resistance(hull, wetted, k, at)
    said = f"{ITTC} and the form factor, at {at:.3g} m/s"
    calm = f"no waves of its own: Froude numbers up to {WAVELESS:g}"

    def dry(speed: float) -> bool:
        froude = speed / sqrt(hull.gravity * hull.L)
        return inside and (not hull.floats or froude <= WAVELESS)

    sheet.add("resistance", drag, "N", said, calm, inside=dry(at))
    sheet.add(
        "quadratic damping, surge",
        -drag / at**2,
        "N s²/m²",
        said,
        calm,
        inside=dry(at),
        key="hydrodynamics.X_u_au",
    )
    if speed > 0.0:
        source = "viscous resistance against thrust: an upper bound where it makes waves"
        sheet.add("top speed", speed, "m/s", source, calm, inside=dry(speed))


def top_speed(hull: Hull, wetted: float, k: float, propellers: Sequence[Propeller]) -> float:
    """Return the speed at which thrust equals viscous resistance [m/s], by bisection."""
    low, high = SLOWEST, FASTEST
    for _ in range(BISECTIONS):
        middle = 0.5 * (low + high)
        push = sum(propeller.thrust(middle, hull.density) for propeller in propellers)
        if push > resistance(hull, wetted, k, middle):
            low = middle
        else:
            high = middle
    return low
