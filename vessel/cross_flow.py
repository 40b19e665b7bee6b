"""Cross-flow drag by strip theory: each section of the hull drags as it would alone.

``strips = box_strips(L, B, T)`` once, then ``cross_flow_drag(strips, nu_r)``; a surface craft
has sway and yaw only, ``submerged=True`` adds heave and pitch. ``crossFlowDrag`` is the field's
sum over 21 points, which overstates the integral (by 5 % in sway, 21 % in yaw): for comparison.

Source: Fossen (2021), section 6.4.3; checked against MSS crossFlowDrag.m, Hoerner.m, and
cylinderDrag.m (M. Seidl), whose digitised points of DNV-RP-C205 are used here.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.kinematics import Array

RHO = 1025.0
VISCOSITY = 1e-6
PEER_STRIPS = 20
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

# Length over diameter, and what a finite cylinder keeps of that. Source: DNV-RP-C205 (2025).
CYLINDER_ASPECT = np.array([2.0, 5.0, 10.0, 20.0, 40.0, 50.0, 100.0])
CYLINDER_KEPT_SUBCRITICAL = np.array([0.58, 0.62, 0.68, 0.74, 0.82, 0.87, 0.98])
CYLINDER_KEPT_SUPERCRITICAL = np.array([0.80, 0.80, 0.82, 0.90, 0.98, 0.99, 1.00])


class Strips(NamedTuple):
    """A hull cut across, from stern to bow.

    Attributes:
        x: (n,) places, forward of CO [m].
        lateral: (n,) ``Cd T dx`` of each strip to a flow from the side [m²].
        vertical: (n,) ``Cd B dx`` of each strip to a flow from below [m²]; zeros afloat.
    """

    x: Array
    lateral: Array
    vertical: Array


def Hoerner(B: ArrayLike, T: ArrayLike) -> Array:
    """Give the drag coefficient of sections of beam B and draft T [m]; held beyond the curve.

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
    """Give the drag coefficient of a cylinder across the flow.

    Args:
        L, B: length and diameter [m].
        nu_r: (6,) velocity relative to the water [m/s, rad/s].
        reynolds_length: length in the Reynolds number [m]; the diameter unless given. (MSS
            takes the cylinder's length.)
    """
    speed = float(np.hypot(*np.asarray(nu_r, np.float64)[1:3]))
    reynolds = speed * (B if reynolds_length is None else reynolds_length) / VISCOSITY
    kept = (
        CYLINDER_KEPT_SUBCRITICAL if reynolds < CRITICAL_REYNOLDS else CYLINDER_KEPT_SUPERCRITICAL
    )
    long = np.interp(reynolds, CYLINDER_CURVE[:, 0], CYLINDER_CURVE[:, 1])
    return float(long * np.interp(L / B, CYLINDER_ASPECT, kept))


def box_strips(
    L: float, B: float, T: float, submerged: bool = False, Cd: float | None = None
) -> Strips:
    """Cut a hull of one section, with CO amidships, for integration by Gauss's rule.

    Args:
        L, B, T: length, beam and draft (height, when submerged) [m].
        Cd: drag coefficient; Hoerner's unless given.
    """
    nodes, weights = np.polynomial.legendre.leggauss(PEER_STRIPS)
    x, dx = nodes * L / 2, weights * L / 2
    return section_strips(x, dx, np.full_like(x, B), np.full_like(x, T), submerged, Cd)


def section_strips(
    x: Array, dx: Array, B: Array, T: Array, submerged: bool = False, Cd: float | None = None
) -> Strips:
    """Cut a hull whose sections are known.

    Args:
        x, dx: (n,) places forward of CO and widths of the strips [m].
        B, T: (n,) beam and draft (height, when submerged) there [m].
        Cd: drag coefficient; Hoerner's unless given.
    """
    # Hoerner's draft is half the height, as the surface mirrors the hull; under water it is not.
    across = Hoerner(B, T / 2 if submerged else T) if Cd is None else Cd
    below = Hoerner(T, B / 2) if Cd is None else Cd
    return Strips(x, across * T * dx, below * B * dx if submerged else np.zeros_like(x))


def cross_flow_drag(strips: Strips, nu_r: ArrayLike, rho: float = RHO) -> Array:
    """Give the drag (6,) in BODY about CO [N, N m]: Y and N, and Z and M when submerged.

    Args:
        nu_r: (6,) velocity relative to the water [m/s, rad/s].
        rho: density of water [kg/m³].

    Source: Fossen (2021), equations 6.106 and 6.107; a section at x heaves at w - x q.
    """
    _, v, w, _, q, r = np.asarray(nu_r, np.float64)
    sideways, downwards = v + strips.x * r, w - strips.x * q
    lateral = -0.5 * rho * strips.lateral * abs(sideways) * sideways
    vertical = -0.5 * rho * strips.vertical * abs(downwards) * downwards
    return np.array([0, lateral.sum(), vertical.sum(), 0, -strips.x @ vertical, strips.x @ lateral])


def crossFlowDrag(
    L: float,
    B: float,
    T: float,
    nu_r: ArrayLike,
    drag_model: str = "Hoerner",
    rho: float = RHO,
) -> Array:
    """Give the drag (6,) as MSS does: 21 points of equal weight, the draft in heave as in sway.

    Args:
        L, B, T: length, beam and draft [m].
        nu_r: (6,) velocity relative to the water [m/s, rad/s].
        drag_model: ``Hoerner``, or ``cylinder`` with the length in the Reynolds number.

    Raises:
        InvalidValue: the model is neither.
    """
    if drag_model == "Hoerner":
        Cd = float(Hoerner(B, T))
    elif drag_model == "cylinder":
        Cd = cylinder_coefficient(L, B, nu_r, reynolds_length=L)
    else:
        raise InvalidValue(f"drag_model {drag_model!r}: expected 'Hoerner' or 'cylinder'")
    strips = peer_strips(L, T, Cd)
    return cross_flow_drag(strips, nu_r, rho)


def peer_strips(L: float, T: float, Cd: float) -> Strips:
    """Cut a hull as the field's programs do: 21 points, each weighing a twentieth of the length."""
    x = np.linspace(-L / 2, L / 2, PEER_STRIPS + 1)
    area = np.full_like(x, Cd * T * L / PEER_STRIPS)
    return Strips(x, area, area)
