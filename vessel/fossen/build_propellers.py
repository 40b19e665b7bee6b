"""Builds propellers of ``thrusters.yml``: Wageningen B series and four-quadrant models."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from steerageway.vessel import propulsion
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen import quadrants
from steerageway.vessel.fossen.folder import Folder
from steerageway.vessel.fossen.keys import thrusters as thr
from steerageway.world.arrays import Floats
from steerageway.world.document import Section

Add = Callable[[list[list[float]]], int]
"""Adds rows of three to the vessel's tables, and returns the index of the first."""

EXPECTED = "pitch_ratio, CT and CQ as rows [a, b] from k = 0, or a file of beta,CT,CQ [deg]"
REAL = 1e-9  # rounding tolerance of a real root's imaginary part
ANGLES = [angle for angle, *_ in (*quadrants.SIGNS, *quadrants.FLOWS)]


def behind_hull(section: Section) -> dict[str, float]:
    """Return a propeller's diameter, thrust deduction and wake factors."""
    return {
        "diameter": section.positive(thr.D_PROP),
        "deduction_factor": 1.0 - section.number(thr.TP),
        "wake_factor": 1.0 - section.number(thr.WAKE),
    }


def b_series(section: Section) -> dict[str, float]:
    """Return the fields of a Wageningen B propeller, see ``actuation.b_series``."""
    own = section.section(thr.WAGENINGEN)
    blades = own.number(thr.BLADES)
    if blades != int(blades):
        blades = own.wrong(thr.BLADES, f"{blades:g}", "a whole number", propulsion.BLADES[0])
    area = own.number(thr.AREA_RATIO)
    pitch = own.number(thr.B_PITCH_RATIO)
    own.finish()
    curves = (thr.KT_AT_J0, thr.KT_SLOPE, thr.J_VS_KT, thr.KQ_AT_J0, thr.KQ_SLOPE)
    for key in (*curves, thr.FOUR_QUADRANTS):
        if key in section:
            section.wrong(key, "given with wageningen", "only one of the two", None)
    if not own.is_valid(thr.BLADES, thr.AREA_RATIO, thr.B_PITCH_RATIO):
        blades, area, pitch = propulsion.BLADES[0], propulsion.AREAS[0], propulsion.PITCHES[0]
    K_T, K_Q = propulsion.wageningen_cubics(pitch, area, int(blades))
    roots = np.roots(K_T[::-1])
    ends = roots[(np.abs(roots.imag) < REAL) & (roots.real > 0.0)].real
    return {
        **behind_hull(section),
        "torque_factor": section.number(thr.TORQUE_FACTOR),
        "J_end": float(ends.min()),
        **{f"K_T{power}": value for power, value in enumerate(K_T.tolist())},
        **{f"K_Q{power}": value for power, value in enumerate(K_Q.tolist())},
    }


def four_quadrants(
    folder: Folder,
    section: Section,
    add: Add,
    read: Callable[[Path], list[list[float]]],
) -> dict[str, float]:
    """Return the fields of a four-quadrant propeller, see ``actuation.four_quadrants``.

    Args:
        section: section of the thruster.
        add: adds the table to the vessel's.
        read: returns the rows beta [deg], CT, CQ of a file.
    """
    own = section.section(thr.FOUR_QUADRANTS)
    KT, KQ = section.number(thr.KT_AT_J0, 0.0), section.number(thr.KQ_AT_J0)
    if sum(key in own for key in (thr.PITCH_RATIO, thr.CT, thr.QUADRANTS_FILE)) != 1:
        section.wrong(thr.FOUR_QUADRANTS, ", ".join(own.nodes) or "nothing", EXPECTED, None)
    rows, harmonics = [[0.0, 0.0, 0.0]], 1
    if thr.QUADRANTS_FILE in own:
        with own.collecting_errors():
            rows, harmonics = _by_table(own, read(folder.find(own, thr.QUADRANTS_FILE))), 0
    elif thr.CT in own:
        rows, harmonics = _by_series(own, _given(own, thr.CT), _given(own, thr.CQ))
    elif thr.PITCH_RATIO in own:
        for key, value in ((thr.KT_AT_J0, KT), (thr.KQ_AT_J0, KQ)):
            if value <= 0.0:
                section.wrong(key, f"{value:g}", "a number above zero, for its pitch_ratio", None)
        found = quadrants.foil_series(KT, KQ, own.positive(thr.PITCH_RATIO))
        rows, harmonics = _by_series(own, *found)
    own.finish()
    return {
        **behind_hull(section),
        "torque_factor": section.number(thr.TORQUE_FACTOR),
        "first_row": add(rows),
        "rows": len(rows),
        "harmonics": harmonics,
    }


def _given(own: Section, key: str) -> Floats:
    if key not in own:
        own.wrong(key, "missing", "rows [a, b] from k = 0, as for the other coefficient", None)
    return np.array(own.rows(key, 2), np.float64).reshape(-1, 2)


def _by_series(own: Section, CT: Floats, CQ: Floats) -> tuple[list[list[float]], int]:
    """Return the rows (a_k, b_k, 0) of C_T*, then of C_Q*, and their number of harmonics."""
    count = max(len(CT), len(CQ), 1)
    table = np.zeros((2 * count, 3))
    table[: len(CT), :2], table[count : count + len(CQ), :2] = CT, CQ
    halves = (table[:count, :2], table[count:, :2])
    thrust, torque = ([quadrants.of_series(half, angle) for angle in ANGLES] for half in halves)
    _check(own, thrust, torque)
    return table.tolist(), count


def _by_table(own: Section, rows: list[list[float]]) -> list[list[float]]:
    try:
        table = quadrants.closed(np.array(rows))
    except InvalidValue as error:
        own.fail(
            thr.QUADRANTS_FILE, str(error), f"distinct angles, at most {quadrants.WIDEST:g} apart"
        )
    beta, C_T, C_Q = table.T
    thrust, torque = (np.interp(ANGLES, beta, C).tolist() for C in (C_T, C_Q))
    _check(own, thrust, torque)
    return [[float(value) for value in row] for row in table]


def _check(own: Section, thrust: list[float], torque: list[float]) -> None:
    problem = quadrants.wrong_side(thrust, torque)
    if problem and own.is_valid(thr.CT, thr.CQ, thr.QUADRANTS_FILE, thr.PITCH_RATIO):
        key = next(key for key in (thr.CT, thr.QUADRANTS_FILE, thr.PITCH_RATIO) if key in own)
        right = "thrust and torque along the turning at rest, and thrust against the flow"
        own.wrong(key, problem, right, None)
