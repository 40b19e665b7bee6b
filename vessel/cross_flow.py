"""Cross-flow drag by strip theory: Hoerner's and cylinder coefficients, box and section integrals.

``box_drag(L, B, T, nu_r)`` is for a hull of constant section, ``cross_flow_drag(strips, nu_r)`` for
one with known sections; a surface craft has sway and yaw only, ``submerged=True`` adds heave and
pitch. ``crossFlowDrag`` is MSS' sum over 21 points, for comparison: it overestimates the integral
by 5 % in sway and 21 % in yaw.

Along the hull the cross-flow speed s(x) = v + x r, or w - x q, is linear, so the integrals of |s| s
and x |s| s over a box are polynomials on each side of the point where s changes sign.

Source: Fossen (2021), section 6.4.3; checked against MSS crossFlowDrag.m, Hoerner.m, and
cylinderDrag.m (M. Seidl), whose digitised points of DNV-RP-C205 are used here.
"""

from __future__ import annotations

from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.kinematics import Array
from steerageway.world.constants import DENSITY
from steerageway.world.formula import chosen, everywhere, formula

Number = TypeVar("Number", float, Array)
VISCOSITY = 1e-6
POINTS = 21
CRITICAL_REYNOLDS = 2e5

# Section's beam over twice its draft, drag coefficient.
# Source: S. F. Hoerner (1965), Fluid-Dynamic Drag, as digitised by A. J. P. Leite and others
# (1998), Applied Ocean Research 20, 145-156.
HOERNER_CURVE = np.array(
    [
        (0.0108623, 1.96608), (0.176606, 1.96573), (0.353025, 1.89756), (0.451863, 1.78718),
        (0.472838, 1.58374), (0.492877, 1.27862), (0.493252, 1.21082), (0.558473, 1.08356),
        (0.646401, 0.998631), (0.833589, 0.87959), (0.988002, 0.828415), (1.30807, 0.759941),
        (1.63918, 0.691442), (1.85998, 0.657076), (2.31288, 0.630693), (2.59998, 0.596186),
        (3.00877, 0.586846), (3.45075, 0.585909), (3.7379, 0.559877), (4.00309, 0.559315),
    ]
)  # fmt: skip

# Reynolds number, drag coefficient of a long smooth cylinder. Source: DNV-RP-C205 (2025).
CYLINDER_CURVE = np.array(
    [
        (10211.0405297256, 1.20769), (15543.5423211490, 1.20369), (24434.8681540938, 1.20823),
        (35719.8807222993, 1.21060), (60880.7508493947, 1.21093), (86174.7436190610, 1.20901),
        (118086.431856986, 1.21134), (149262.255516420, 1.21148), (214708.876786124, 1.21171),
        (230940.445891927, 1.20109), (271581.385758833, 1.16918), (297098.185911873, 1.11163),
        (325252.018159382, 1.00926), (361942.848517458, 0.89411), (409798.156149477, 0.70855),
        (475302.392082697, 0.53155), (524734.960427919, 0.40785), (578921.928291835, 0.32683),
        (638292.879987135, 0.28422), (744046.366191920, 0.29711), (853237.628592033, 0.32280),
        (1068685.70450627, 0.38909), (1393381.37138896, 0.47033), (1831850.38455424, 0.53878),
        (2258395.50114555, 0.58372), (2899011.91287642, 0.62868), (3663279.03082383, 0.64803),
        (4937305.49552761, 0.67808),
    ]
)  # fmt: skip

# Length over diameter, and reduction factors for finite length. Source: DNV-RP-C205 (2025).
CYLINDER_ASPECT = np.array([2.0, 5.0, 10.0, 20.0, 40.0, 50.0, 100.0])
CYLINDER_KEPT_SUBCRITICAL = np.array([0.58, 0.62, 0.68, 0.74, 0.82, 0.87, 0.98])
CYLINDER_KEPT_SUPERCRITICAL = np.array([0.80, 0.80, 0.82, 0.90, 0.98, 0.99, 1.00])


class Strips(NamedTuple):
    """A hull cut into transverse strips, from stern to bow.

    Attributes:
        x: (n,) positions, forward of CO [m].
        lateral: (n,) ``Cd T dx`` of each strip in a lateral flow [m²].
        vertical: (n,) ``Cd B dx`` of each strip in a vertical flow [m²]; zeros for a surface craft.
    """

    x: Array
    lateral: Array
    vertical: Array


def Hoerner(B: ArrayLike, T: ArrayLike) -> Array:
    """Return the drag coefficient of sections of beam B and draft T [m]; constant beyond the curve.

    Raises:
        InvalidValue: a beam or a draft is not positive.
    """
    beam, draft = np.asarray(B, np.float64), np.asarray(T, float)
    if not ((beam > 0).all() and (draft > 0).all()):
        raise InvalidValue(
            f"section of beam {beam} and draft {draft} m: expected numbers above zero"
        )
    Cd: Array = np.interp(beam / (2 * draft), HOERNER_CURVE[:, 0], HOERNER_CURVE[:, 1])
    return Cd


def cylinder_coefficient(
    L: float, B: float, nu_r: ArrayLike, reynolds_length: float | None = None
) -> float:
    """Return the drag coefficient of a cylinder in cross-flow.

    Args:
        L, B: length and diameter [m].
        nu_r: (6,) velocity relative to the water [m/s, rad/s].
        reynolds_length: length in the Reynolds number [m]; default: the diameter. (MSS takes
            the cylinder's length.)
    """
    speed = float(np.hypot(*np.asarray(nu_r, np.float64)[1:3]))
    reynolds = speed * (B if reynolds_length is None else reynolds_length) / VISCOSITY
    kept = (
        CYLINDER_KEPT_SUBCRITICAL if reynolds < CRITICAL_REYNOLDS else CYLINDER_KEPT_SUPERCRITICAL
    )
    long = np.interp(reynolds, CYLINDER_CURVE[:, 0], CYLINDER_CURVE[:, 1])
    return float(long * np.interp(L / B, CYLINDER_ASPECT, kept))


def box_drag(
    L: float,
    B: float,
    T: float,
    nu_r: ArrayLike,
    submerged: bool = False,
    Cd: float | None = None,
    rho: float = DENSITY,
) -> Array:
    """Return the drag (6,) of a hull of constant section, with CO amidships [N, N m].

    Args:
        L, B, T: length, beam and draft (height, when submerged) [m].
        nu_r: (6,) velocity relative to the water [m/s, rad/s].
        Cd: drag coefficient; default: Hoerner's.
        rho: density of water [kg/m³].

    Source: Fossen (2021), equations 6.106 and 6.107.
    """
    _, v, w, _, q, r = np.asarray(nu_r, np.float64).tolist()
    across, below = _coefficients(B, T, submerged, Cd)
    lateral, turning = box_integrals(v, r, L / 2)
    vertical, pitching = box_integrals(w, -q, L / 2)
    aside = -0.5 * rho * float(across) * T
    down = -0.5 * rho * float(below) * B if submerged else 0.0
    return np.array([0, aside * lateral, down * vertical, 0, -down * pitching, aside * turning])


def section_strips(
    x: Array, dx: Array, B: Array, T: Array, submerged: bool = False, Cd: float | None = None
) -> Strips:
    """Return the strips of a hull with known sections.

    Args:
        x, dx: (n,) positions forward of CO, and widths of the strips [m].
        B, T: (n,) beam and draft (height, when submerged) there [m].
        Cd: drag coefficient; default: Hoerner's.
    """
    across, below = _coefficients(B, T, submerged, Cd)
    return Strips(x, across * T * dx, below * B * dx if submerged else np.zeros_like(x))


def _coefficients(
    B: ArrayLike, T: ArrayLike, submerged: bool, Cd: float | None
) -> tuple[Array, Array]:
    """Return the drag coefficients of sections in lateral and vertical flow.

    Hoerner's curve is for a hull mirrored by the surface: T is half the height of a submerged one.
    """
    if Cd is not None:
        return np.asarray(Cd), np.asarray(Cd)
    beam, height = np.asarray(B, np.float64), np.asarray(T, np.float64)
    return Hoerner(beam, height / 2 if submerged else height), Hoerner(height, beam / 2)


def cross_flow_drag(strips: Strips, nu_r: ArrayLike, rho: float = DENSITY) -> Array:
    """Return the drag (6,) in BODY about CO [N, N m]: Y and N, and Z and M when submerged.

    Args:
        nu_r: (6,) velocity relative to the water [m/s, rad/s].
        rho: density of water [kg/m³].

    Source: Fossen (2021), equations 6.106 and 6.107; a section at x heaves at w - x q.
    """
    _, v, w, _, q, r = np.asarray(nu_r, np.float64)
    sideways, downwards = v + strips.x * r, w - strips.x * q
    lateral = strip_drag(0.5 * rho, strips.lateral, sideways)
    vertical = strip_drag(0.5 * rho, strips.vertical, downwards)
    return np.array(
        [0, -lateral.sum(), -vertical.sum(), 0, strips.x @ vertical, -strips.x @ lateral]
    )


def crossFlowDrag(
    L: float,
    B: float,
    T: float,
    nu_r: ArrayLike,
    drag_model: str = "Hoerner",
    rho: float = DENSITY,
) -> Array:
    """Return the drag (6,) as MSS does: 21 points of equal weight, and the draft in heave, too.

    Args:
        L, B, T: length, beam and draft [m].
        nu_r: (6,) velocity relative to the water [m/s, rad/s].
        drag_model: ``Hoerner``, or ``cylinder`` with the length in the Reynolds number.

    Raises:
        InvalidValue: another model.
    """
    if drag_model == "Hoerner":
        Cd = float(Hoerner(B, T))
    elif drag_model == "cylinder":
        Cd = cylinder_coefficient(L, B, nu_r, reynolds_length=L)
    else:
        raise InvalidValue(f"drag_model {drag_model!r}: expected 'Hoerner' or 'cylinder'")
    _, v, w, _, q, r = np.asarray(nu_r, np.float64).tolist()
    lateral, turning = point_sums(v, r, L / 2)
    vertical, pitching = point_sums(w, -q, L / 2)
    scale = 0.5 * rho * T * Cd
    return scale * np.array([0, -lateral, -vertical, 0, pitching, -turning])


@formula
def strip_drag(half_density: float, area: Number, speed: Number) -> Number:
    """Return the drag [N] of a strip, with the sign of its cross-flow speed [m/s].

    Args:
        half_density: 1/2 rho [kg/m³].
        area: ``Cd T dx`` or ``Cd B dx`` [m²].
    """
    return half_density * area * abs(speed) * speed


@formula
def box_integrals(v: float, r: float, half: float) -> tuple[float, float]:
    """Return the integrals of |s| s and x |s| s, s = v + x r, for x from -half to half."""
    sign = chosen(v >= 0.0, 1.0, -1.0)
    cube = 2.0 * half * half * half / 3.0
    one_way = sign * (2.0 * half * v * v + cube * r * r), sign * 2.0 * cube * v * r
    whole = abs(v) >= abs(r) * half
    if everywhere(whole):
        return one_way
    # distance aft of CO at which the cross-flow speed changes sign
    centre = v / chosen(whole, 1.0, r)
    bow, stern = half + centre, half - centre
    bow3, stern3 = bow * bow * bow, stern * stern * stern
    force = (bow3 - stern3) / 3.0
    moment = (bow3 * bow + stern3 * stern) / 4.0 - centre * force
    square = r * abs(r)
    return chosen(whole, one_way[0], square * force), chosen(whole, one_way[1], square * moment)


@formula
def point_sums(v: float, r: float, half: float) -> tuple[float, float]:
    """Return MSS' sums for ``box_integrals``: 21 points, each weighted by L/20.

    They are 1.05 times the integral in pure sway and 1.21 times it in pure yaw.
    """
    dx = 2.0 * half / (POINTS - 1)
    force = moment = 0.0
    for i in range(POINTS):
        x = -half + i * dx
        s = v + x * r
        force += abs(s) * s * dx
        moment += x * abs(s) * s * dx
    return force, moment
