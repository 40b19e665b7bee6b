"""Layout of the compiled parameters of a coefficient-form vessel: records, matrices, tables.

There are few arrays because each has a cost at every call from Python; only this module defines
the positions in them. ``build`` writes them, ``hull`` and ``actuation`` read them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from steerageway.world.arrays import Floats
from steerageway.world.compiled import part

Terms = NDArray[np.int64]
HEAVY = 20.0  # ratio of added mass to mass that no hull exceeds
Records = Any  # of a dtype below: an array, or in compiled code a pointer to its first record
Record = Any  # one record: in compiled code its fields are attributes, in Python keys


def fields(whole: tuple[str, ...], real: tuple[str, ...]) -> np.dtype[np.void]:
    """Return the dtype of a record of integer and real fields; keys of a file are names, too."""
    kinds = [(str(name), np.int64) for name in whole] + [(str(name), float) for name in real]
    return np.dtype(kinds, True)


def record_of(dtype: np.dtype[np.void], **values: float) -> Record:
    """Return a record with some fields set, the others 0.

    Raises:
        ValueError: there is no such field.
    """
    made = np.zeros(1, dtype)[0]
    for name, value in values.items():
        made[name] = value
    return made


class Parameters(NamedTuple):
    """The parameters of a coefficient-form vessel.

    Attributes:
        scalars: () of HULL.
        matrices: (MATRICES, 6, 6), see the indices below.
        terms: (n, TERM) integers: axis and factors of the damping terms.
        values: (n,) their dimensional coefficients.
        channels: (m,) of CHANNEL, dynamics of each command's actuator state.
        effectors: (k,) of EFFECTOR, control surfaces and thrusters.
        tables: (t, 3) rows of all tables, each ascending in its first column; and of Fourier
            series, (a_k, b_k, 0) from k = 0 on.
    """

    scalars: Record
    matrices: Floats
    terms: Terms
    values: Floats
    channels: Records
    effectors: Records
    tables: Floats


# work space of the right-hand side in dx: nu_r in the first six entries, then the wrench
TAU = 6


@part
def cell(matrix: int, i: int, j: int) -> int:
    """Return the flat index of a matrix entry."""
    return 36 * matrix + 6 * i + j


@part
def entry(row: int, column: int) -> int:
    """Return the flat index of a table entry."""
    return 3 * row + column


# indices of matrices
M_INV = 0  # inverse mass of the free degrees of freedom, zero in the held ones
MASS = 1  # M_RB + M_A if C_A is complete, else M_RB
ADDED = 2  # M_A, used only where C_A is masked
KEEP = 3  # 1 where C_A is kept, 0 where the model omits it
STIFFNESS = 4  # G of a floating vessel
HELD = 5  # M's free rows and held columns, for held degrees of freedom in a current
COMPLIANCE = 6  # inverse of G's heave, roll, pitch block, zero elsewhere
MATRICES = 7

# scalars of the hull's forces
HULL = fields(
    whole=(
        "fade_form",  # 0: by speed through water; 1: by sqrt(u + v²) over ground, as a reference
        "coriolis",  # 0: none, 1: M_RB + M_A, 2: C_A masked
        "current",  # 0: rotated by R_nb; as references: 1, by yaw only; 2, planar in its rate too
        "restoring",  # 0: none, 1: submerged, 2: floating
        "load_form",  # effect of the payload: 0: none; as references: 1, full; 2, in heave,
        # roll and pitch only, with pose rates at angles relative to its trim
        "holding",  # 1: some degrees of freedom are held
        "prime",  # 1: prime damping refers to the speed through the water
        "cross",  # cross-flow drag: 0: none, 1: sway and yaw, 2: heave and pitch too
        "cross_sum",  # 0: the integral; 1: the references' sum of 21 points
        *("cross_first", "cross_rows"),  # the hull's own strips in the tables; no rows: a box
        *("resistance_first", "resistance_rows"),  # of speed ahead and resistance; no rows: none
        "lift_form",  # 0: lift vanishes broadside and astern; 1: it grows all round, as references
        "sails",  # number of sails among the effectors
    ),
    real=(
        "density",  # of the water [kg/m³]
        "fade",  # fading terms are multiplied by exp(-fade * speed)
        "push",  # constant surge force [N]
        "excess",  # weight minus buoyancy [N]
        *("moment_x", "moment_y", "moment_z"),  # r_g W - r_b B [N m]
        *("trim_z", "trim_phi", "trim_theta"),  # equilibrium pose of a floating vessel
        "cubic_k",  # cubic righting moment in roll [N m/rad³]
        *("load", "load_x", "load_y", "load_z"),  # weight applied as a force [N], and its place [m]
        "surface",  # height of a submerged hull that may emerge [m]; 0: not modelled
        "buoyancy",  # of the whole hull [N]
        *("buoy_x", "buoy_y", "buoy_z"),  # centre of buoyancy from CO [m]
        "station",  # distance of the outer two of three stations from it [m]
        "cross_density",  # [kg/m³]
        "cross_half",  # half the hull's length [m]
        "cross_width",  # draught, or diameter [m]
        "cross_cd",  # two-dimensional drag coefficient; of a circular cylinder: 0
        *("cross_kappa_low", "cross_kappa_high"),  # its end correction below and above Re 2e5
        "cross_re",  # Reynolds number per cross-flow speed [s/m]
        *("lift_area", "lift_aspect", "lift_cd0", "lift_e"),  # the hull as a wing; area 0: none
        *("wind_front", "wind_side", "wind_length"),  # areas above water [m²]; 0: none
        *("wind_cx", "wind_cy", "wind_cn", "wind_height"),
        "air_density",
    ),
)

# terms
AXIS, FADING, FACTORS, FIRST = 0, 1, 2, 3
# then up to five factors: 0-5 of nu_r, 6-11 their |.|, 12 phi, 13 |phi|
# FADING: 1 if it fades with speed; and 2 (k + 1) for a prime term of k velocities, for U^(2 - k)
TERM = 8

# dynamics of a command's actuator state
CHANNEL = fields(
    whole=("mode", "clip"),
    real=(
        *("time_constant", "rate"),  # time constant [s], rate limit per second
        *("low", "high"),  # effective limits
        *("drive", "drag_linear", "drag_quadratic"),  # of a rotor: rate = A c - B x - C x|x|
    ),
)
DIRECT, LAG, RAMP = 0, 1, 2  # mode: no lag; first order with rate limit; rate limit only
ROTOR, FOLLOWER = 10, 11  # mode: rotor dynamics; no lag, A times the command
CLIP_COMMAND, CLIP_BEFORE, CLIP_AFTER = 0, 1, 2  # clip: command (default); state, as references

COEFFICIENTS, FIN, FOIL, THRUSTER, PROPELLER, FOUR_QUADRANTS = 0, 1, 2, 3, 4, 5
B_SERIES = 6
CONVERTER, TWO_LINES, QUADRATIC_FIN = 10, 11, 12  # see ``vessel.actuators``
SAIL = 20  # see ``sails``

# a control surface or thruster; each kind uses some of the fields, the others are 0
EFFECTOR = fields(
    whole=(
        "kind",
        *("channel", "azimuth"),  # indices of the command and of the azimuth's; -1: fixed, at 0
        *("first_row", "rows", "harmonics"),  # position of its table; no rows: none
        "by_speed",  # COEFFICIENTS: 1: per speed squared
        "over_ground",  # PROPELLER: 1: advance by speed over ground, as in a reference program
        "as_coded",  # TWO_LINES: 1: as coded in the UUV Simulator
    ),
    real=(
        *("x", "y", "z"),  # position from CO [m]
        *(f"{force}_delta" for force in "XYZKMN"),  # COEFFICIENTS: per radian
        *("area", "CL_delta", "CD_delta", "span_y", "span_z"),  # FIN; FOIL and SAIL: area
        *("chord_x", "chord_y", "chord_z"),  # of foils and fins, in BODY
        *("normal_x", "normal_y", "normal_z"),
        *("half_density_area", "a0", "stall"),  # TWO_LINES: ½ rho A; [rad]
        *("cla", "cla_stall", "cda", "cda_stall"),
        *("lift_constant", "drag_constant"),  # QUADRATIC_FIN
        *("ahead", "across", "down"),  # axis of a thruster, direction of positive thrust
        "height",  # vertical size of a thruster that may emerge [m]; 0: not modelled
        *("c1_ahead", "c2_ahead", "c3_ahead"),  # THRUSTER: of n, n|n|, n³
        *("c1_astern", "c2_astern", "c3_astern"),
        *("diameter", "deduction_factor", "wake_factor"),  # of propellers: [m], 1 - t, 1 - w
        "torque_factor",  # fraction of the torque that acts on the hull
        *("KT_0", "KT_slope"),  # PROPELLER: K_T = KT_0 + KT_slope J
        *("KQ_0", "KQ_slope"),  # likewise, multiplied by the torque factor
        "J_end",  # B_SERIES: J of K_T = 0
        *("K_T0", "K_T1", "K_T2", "K_T3"),  # of J^0 to J^3
        *("K_Q0", "K_Q1", "K_Q2", "K_Q3"),
        *("propeller_efficiency", "thrust_efficiency"),  # CONVERTER
        *("thrust_min", "thrust_max"),
        *("left", "right", "delta_left", "delta_right"),
    ),
)


class Mass(NamedTuple):
    """The mass matrices (6, 6) of a vessel."""

    M_RB: Floats
    M_A: Floats

    @property
    def M(self) -> Floats:
        """Return M_RB + M_A."""
        return self.M_RB + self.M_A


def hull_of(parameters: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return a vessel's parameters; in waves, those of its hull."""
    hull: tuple[Any, ...] = getattr(parameters, "hull", parameters)
    return hull


def mass_of(hull: Parameters) -> Mass:
    """Return the mass matrices of a coefficient-form vessel."""
    added, whole = hull.matrices[ADDED], bool((hull.matrices[KEEP] == 1).all())
    return Mass(hull.matrices[MASS] - added if whole else hull.matrices[MASS], added)


def heavy(hull: Parameters) -> list[int]:
    """Return the free degrees of freedom with implausibly large added mass."""
    mass = mass_of(hull)
    odd = np.diag(mass.M_A) > HEAVY * np.diag(mass.M_RB)
    return np.flatnonzero((np.diag(hull.matrices[M_INV]) != 0.0) & odd).tolist()
