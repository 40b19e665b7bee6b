"""Grammar of hydrodynamic coefficient names (X_u, Y_vr, N_ar_v), and their dimensions.

``X_u``, ``Y_vr``, ``Y_v_r``, ``N_ar_v``, ``Z_w_aw``: an axis, then velocities; ``a`` before one is
its absolute value; underscores may separate them. ``phi`` among them is the heel [rad]:
``Y_phi_au_av``, ``K_phiphiphi``. ``Y_vd`` is an added mass derivative, ``N_delta`` a rudder's.

Prime coefficients are made dimensional by 1/2 rho L^(2 + m + n) U^(2 - k): m is 1 for K, M, N; n
counts every p, q, r; k every velocity, including those inside ||; an angle has no dimension.
Source: Fossen (2021), appendix D.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

AXES = "XYZKMN"
VELOCITIES = "uvwpqr"
HEEL, ABSOLUTE_HEEL = 12, 13  # indices of factors that are not velocities
MOST_FACTORS = 5

_NAME = re.compile(r"([XYZKMN])_([auvwpqrdhi_]+)")
_FACTOR = re.compile(r"_?(a?)(phi|[uvwpqr])")


@dataclass(frozen=True)
class Term:
    """One product: ``axis`` 0-5, ``factors`` 0-5 of nu_r, 6-11 of their ||, 12 phi, 13 |phi|."""

    axis: int
    factors: tuple[int, ...]

    @property
    def velocities(self) -> list[int]:
        """Return the velocities among the factors, each as 0-5."""
        return [factor % 6 for factor in self.factors if factor < HEEL]

    def dimension(self, density: float, length: float, speed: float) -> float:
        """Return the dimensional factor of a prime coefficient; U only if it has an effect."""
        rotations = sum(velocity >= 3 for velocity in self.velocities)
        power = 2 - len(self.velocities)
        scale = 0.5 * density * length ** (2 + (self.axis >= 3) + rotations)
        return scale * speed**power if power else scale


def parsed(name: str) -> Term | None:
    """Return the term of a name; None if it is not the name of a damping coefficient."""
    match = _NAME.fullmatch(name)
    if not match:
        return None
    axis, rest = match.groups()
    rest = "_" + rest
    found = list(_FACTOR.finditer(rest))
    if "".join(part.group() for part in found) != rest or not 0 < len(found) <= MOST_FACTORS:
        return None
    factors = tuple(_factor(part.group(2), absolute=bool(part.group(1))) for part in found)
    return Term(AXES.index(axis), factors)


def _factor(name: str, *, absolute: bool) -> int:
    if name == "phi":
        return ABSOLUTE_HEEL if absolute else HEEL
    return VELOCITIES.index(name) + (6 if absolute else 0)


def respelt(name: str) -> str:
    """Return the name here of other notations, ``X_u|u|``, ``Xuu``, ``Nrdot``, ``X_du``, or ""."""
    plain = re.sub(r"\|(phi|[uvwpqr])\|", r"a\1", re.sub(r"[{}\s]", "", name))
    plain = re.sub(r"^([XYZKMN])_?", r"\1_", re.sub(r"_?dot$", "d", plain))
    plain = re.sub(r"_d([uvwpqr])$", r"_\1d", plain)
    plain = re.sub(r"(?<=[auvwpqr])a", "_a", plain)
    return plain if parsed(plain) or acceleration(plain) else ""


def acceleration(name: str) -> tuple[int, int] | None:
    """Return (axis, velocity) of an acceleration derivative, e.g. ``Y_vd``; else None."""
    match = re.fullmatch(r"([XYZKMN])_([uvwpqr])d(?:ot)?", name)
    return (AXES.index(match[1]), VELOCITIES.index(match[2])) if match else None


def acceleration_dimension(axis: int, velocity: int, density: float, length: float) -> float:
    """Return the dimensional factor of a prime acceleration derivative."""
    power: int = 3 + (axis >= 3) + (velocity >= 3)
    return float(0.5 * density * length**power)
