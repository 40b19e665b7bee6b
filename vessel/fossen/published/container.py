"""Container ship S175: surge, sway, yaw and roll; propeller slipstream over the rudder.

Forces are prime by the speed through the water, at least half a metre per second. Heave and pitch
are not modelled: z and theta are constant, and roll enters the horizontal motion by its cosine.

Source: Son and Nomoto (1982), On the coupled motion of steering and rolling of a high speed
container ship, Naval Architecture and Ocean Engineering 20; as in MSS ``container.m``. The source
is for motion ahead: its resistance, even in speed, accelerates a ship that moves astern, up to
81 m/s at full astern (``peer_quirks``). Here it opposes the motion; ahead there is no difference.
The propeller law K_T n|n| is bilinear in n and u_P, and is used in four quadrants.
"""

from __future__ import annotations

from math import atan2, cos, hypot, pi, sin, sqrt, tau

from steerageway.vessel.fossen import layout as at
from steerageway.vessel.fossen import steps
from steerageway.vessel.fossen.assembly import world
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.folder import Folder
from steerageway.vessel.fossen.keys import geometry as geo
from steerageway.vessel.fossen.keys import published as pub
from steerageway.vessel.fossen.keys import thrusters as thr
from steerageway.vessel.fossen.published import actuators, files, water
from steerageway.vessel.fossen.published.actuators import COMMANDS, Parameters
from steerageway.vessel.fossen.state import P_, PHI, R_, U_, V_
from steerageway.world.arrays import Floats
from steerageway.world.compiled import compiled, pointer, record
from steerageway.world.document import Section

LEAST_SPEED = 0.5  # [m/s]
ABEAM = 0.1  # u over speed, below which resistance ahead fades into that astern
FAST_SHAFT = 0.3  # revolutions per second above which the lag of the shaft is 5.65 / n [s]
SHAFT_LAG = 5.65
SLOW_SHAFT_LAG = 18.83  # below it [s]


SCALARS = at.fields(
    whole=("peer_quirks",),  # resistance astern as in the reference
    real=(
        *pub.CONTAINER,  # prime; nabla: displaced volume [m³]; A_R, aspect: of the rudder [m²], 1
        *("L", "g"),  # length [m], gravity [m/s²]
        "GM",  # metacentric height over length
        "D",  # diameter of the propeller [m]
        *("K_T0", "K_TJ"),  # K_T = K_T0 + K_TJ J
        *("t", "w_p"),  # thrust deduction, and wake fraction
    ),
)


@compiled
def race(
    s: at.Record, u: float, v: float, r: float, tip: float, delta: float
) -> tuple[float, float]:
    """Return the propeller thrust and the rudder's normal force in its slipstream, prime.

    ``tip`` is 1 / J for u_P = 1; K_T n|n| and K_T / J² are in a form valid for any n and u_P.
    """
    u_P = u * ((1 - s.w_p) + s.tau_p * ((v + s.x_p * r) ** 2 + s.c_pv * v + s.c_pr * r))
    load = (s.K_T0 * tip + s.K_TJ * u_P) * abs(tip)
    thrust = 2 * (s.D / s.L) ** 2 * load
    u_R = s.epsilon * sqrt(max(u_P * u_P + 8 * s.k_R / pi * load, 0.0))
    v_R = s.gamma_R * v + s.c_Rr * r + s.c_Rrrr * r**3 + s.c_Rrrv * r * r * v
    lift = 6.13 * s.aspect / (s.aspect + 2.25) * s.A_R / s.L**2
    F_N = -lift * (u_R**2 + v_R**2) * sin(delta + atan2(v_R, u_R))
    return thrust, F_N


@compiled
def forces(
    s: at.Record, u: float, v: float, p: float, r: float, phi: float
) -> tuple[float, float, float, float]:
    """Return X, Y, K and N of the hull, in prime units, without restoring."""
    even = s.X_vv * v * v + s.X_rr * r * r + s.X_phiphi * phi * phi
    fast, side = (u, 1.0) if s.peer_quirks else (abs(u), water.direction_of_motion(u, ABEAM))
    X = s.X_uu * fast * u + even * side + (s.X_vr + s.m + s.m_y) * v * r
    Y = (
        (s.Y_v + (s.Y_vvv * v + s.Y_vvr * r + s.Y_vvphi * phi) * v) * v
        + (s.Y_r + (s.Y_rrr * r + s.Y_vrr * v + s.Y_rrphi * phi) * r) * r
        + (s.Y_phi + (s.Y_vphiphi * v + s.Y_rphiphi * r) * phi) * phi
        + s.Y_p * p
        - (s.m + s.m_x) * u * r
    )
    K = (
        (s.K_v + (s.K_vvv * v + s.K_vvr * r + s.K_vvphi * phi) * v) * v
        + (s.K_r + (s.K_rrr * r + s.K_vrr * v + s.K_rrphi * phi) * r) * r
        + (s.K_phi + (s.K_vphiphi * v + s.K_rphiphi * r) * phi) * phi
        + s.K_p * p
        + s.m_x * s.l_x * u * r
    )
    N = (
        (s.N_v + (s.N_vvv * v + s.N_vvr * r + s.N_vvphi * phi) * v) * v
        + (s.N_r + (s.N_rrr * r + s.N_vrr * v + s.N_rrphi * phi) * r) * r
        + (s.N_phi + (s.N_vphiphi * v + s.N_rphiphi * r) * phi) * phi
        + s.N_p * p
    )
    return X, Y, K, N


@compiled
def derivative(
    parameters: Parameters, x: Floats, command: Floats, surroundings: Floats, dx: Floats
) -> None:
    """Write the rates of eta, nu, the rudder (positive to starboard) and the shaft."""
    s, moved = record(pointer(parameters.scalars), 0), parameters.actuators
    u_c, v_c = water.begin_rolling(x, surroundings, dx)
    phi = x[PHI]
    delta = actuators.position(moved, x, command, 0)
    U = max(hypot(x[U_] - u_c, x[V_] - v_c), LEAST_SPEED)
    u, v = (x[U_] - u_c) / U, (x[V_] - v_c) / U
    p, r = x[P_] * s.L / U, x[R_] * s.L / U
    n = x[13] / tau

    thrust, F_N = race(s, u, v, r, n * s.D / U, delta)
    X, Y, K, N = forces(s, u, v, p, r, phi)
    side = F_N * cos(delta)
    X += (1 - s.t) * thrust + s.c_RX * F_N * sin(delta)
    Y += (1 + s.a_H) * side
    K -= (1 + s.a_H) * s.z_R * side + 2 * s.g * s.nabla * s.GM / (s.L * U) ** 2 * phi
    N += (s.x_R + s.a_H * s.x_H) * side

    m22, m23, m24 = s.m + s.m_y, -s.m_y * s.l_y, s.m_y * s.alpha_y
    m33, m44 = s.I_x + s.J_x, s.I_z + s.J_z
    det = m22 * m33 * m44 - m23 * m23 * m44 - m24 * m24 * m33
    a = U * U / s.L
    dx[U_] += a * X / (s.m + s.m_x)
    dx[V_] += a * (m33 * m44 * Y - m23 * m44 * K - m24 * m33 * N) / det
    dx[P_] = a / s.L * ((m22 * m44 - m24 * m24) * K - m23 * m44 * Y + m23 * m24 * N) / det
    dx[R_] = a / s.L * ((m22 * m33 - m23 * m23) * N - m24 * m33 * Y + m23 * m24 * K) / det
    actuators.rates(moved, x, command, dx)
    lag = SHAFT_LAG / n if n > FAST_SHAFT else SLOW_SHAFT_LAG
    dx[13] = actuators.speed(moved, command[1], x[13], lag, 1)


MODEL = actuators.model(derivative, holds=steps.upright)


def build(folder: Folder) -> Dynamics:
    """Return the vessel of a folder.

    Raises:
        InvalidValue: with file, line, key, value and the expected value.
    """
    geometry, hydrodynamics = folder["geometry"], folder["hydrodynamics"]
    files.refuse_quaternions(folder)
    propeller: dict[str, float] = {}

    def read(shaft: Section) -> None:
        propeller.update(
            t=shaft.number(str(thr.TP)),
            D=shaft.positive(thr.D_PROP),
            K_T0=shaft.number(str(thr.KT_AT_J0)),
            K_TJ=shaft.number(str(thr.KT_SLOPE)),
            w_p=shaft.number(str(thr.WAKE)),
        )

    drives = [*files.surfaces(folder, 1), *files.thrusters(folder, 1, read)]
    drives[1] = drives[1]._replace(lag=SLOW_SHAFT_LAG)  # the law above includes its own lag
    length = geometry.positive(geo.LENGTH)
    scalars = files.filled(
        SCALARS,
        hydrodynamics,
        pub.CONTAINER,
        L=length,
        GM=hydrodynamics.number(pub.CONTAINER_GM) / length,
        g=world(folder)[1],
        peer_quirks=files.quirks(folder),
        **propeller,
    )
    return files.of_scalars(folder, MODEL, scalars, drives, COMMANDS)
