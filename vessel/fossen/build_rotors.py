"""Builds thrusters and fins as in the UUV Simulator; see ``docs/actuators.md``.

A thruster's command is limited to ``n_min`` to ``n_max``, and multiplied by ``gain`` (0 unless
``on``); its ``rotor`` follows it, and ``conversion`` gives the thrust of the rotor's speed.
"""

from __future__ import annotations

from itertools import pairwise
from math import inf

from steerageway.vessel.fossen import layout as at
from steerageway.vessel.fossen.keys import control_surfaces as srf
from steerageway.vessel.fossen.keys import thrusters as thr
from steerageway.vessel.fossen.state import Channel
from steerageway.world.arrays import Floats
from steerageway.world.document import Section


def rotor_channel(section: Section, command: Channel) -> tuple[Channel, at.Record, Channel]:
    """Read the dynamics of a rotor: its command, the channel's row, and its state's channel."""
    rotor = section.section(thr.ROTOR)
    kind = rotor.choice(thr.ROTOR_TYPE)
    gain = section.number(thr.GAIN) * section.flag(thr.ON)
    drive, linear, quadratic = _rate(rotor, kind)
    row = at.record_of(
        at.CHANNEL,
        mode=at.FOLLOWER if kind == "zero_order" else at.ROTOR,
        rate=inf,
        low=command.low,
        high=command.high,
        clip=at.CLIP_COMMAND,
        drive=gain * drive,
        drag_linear=linear,
        drag_quadratic=quadratic,
    )
    rotor.finish()
    for key in (thr.T_PROP, thr.RATE_MAX, thr.CLIP):
        if key in section:
            section.wrong(key, section.text(key), "no such key with rotor", None)
    return command, row, Channel(command.name, "rad/s")


def _rate(rotor: Section, kind: str) -> tuple[float, float, float]:
    """Return A, B, C of rate = A c - B x - C x|x|."""
    if kind == "zero_order":
        return 1.0, 0.0, 0.0
    if kind == "first_order":
        constant = rotor.positive(thr.TIME_CONSTANT)
        return 1.0 / constant, 1.0 / constant, 0.0
    if kind == "yoerger":
        return rotor.positive(thr.ROTOR_BETA), 0.0, rotor.positive(thr.ROTOR_ALPHA)
    inertia = rotor.positive(thr.ROTOR_INERTIA)
    linear, quadratic = rotor.number(thr.KV1), rotor.number(thr.KV2)
    if linear + quadratic == 0.0:
        rotor.wrong(thr.KV1, "0", "drag: kv1 or kv2 above zero", None)
    drive = rotor.positive(thr.MOTOR_KT) / rotor.positive(thr.MOTOR_RESISTANCE)
    return drive / inertia, linear / inertia, quadratic / inertia


def converter(section: Section, tables: list[list[float]]) -> dict[str, float]:
    """Read the conversion of a rotor's speed to thrust; a table is added to ``tables``."""
    conversion = section.section(thr.CONVERSION)
    kind = conversion.choice(thr.CONVERSION_TYPE)
    low, high = section.number(thr.THRUST_MIN), section.number(thr.THRUST_MAX)
    if not low < high:
        section.wrong(thr.THRUST_MIN, f"{low:g}", f"less than thrust_max, {high:g}", None)
    values = {
        "propeller_efficiency": section.number(thr.PROPELLER_EFFICIENCY),
        "thrust_efficiency": section.number(thr.THRUST_EFFICIENCY),
        "thrust_min": low,
        "thrust_max": high,
    }
    if kind == "basic":
        values["left"] = values["right"] = conversion.positive(thr.ROTOR_CONSTANT)
    elif kind == "bessa":
        values["left"] = conversion.number(thr.LEFT)
        values["right"] = conversion.number(thr.RIGHT)
        values["delta_left"] = conversion.number(thr.DELTA_LEFT)
        values["delta_right"] = conversion.number(thr.DELTA_RIGHT)
    else:
        rows = _table(conversion)
        values["first_row"], values["rows"] = len(tables), len(rows)
        tables += rows
    conversion.finish()
    return values


def _table(conversion: Section) -> list[list[float]]:
    rows = [[*row, 0.0] for row in conversion.rows(thr.CONVERSION_TABLE)]
    if len(rows) < 2 or any(a[0] >= b[0] for a, b in pairwise(rows)):
        expected = "rows [speed in rad/s, thrust in N], two or more, ascending"
        return conversion.wrong(
            thr.CONVERSION_TABLE, f"{len(rows)} rows", expected, [[0.0] * 3, [1.0] * 3]
        )
    return rows


def directions(**axes: Floats) -> dict[str, float]:
    """Return the fields of directions (3,) in BODY: ``chord_x``, ``chord_y`` and so on."""
    return {
        f"{name}_{letter}": value
        for name, axis in axes.items()
        for letter, value in zip("xyz", axis.tolist(), strict=True)
    }


def fin(
    section: Section, density: float, area: float, axes: Floats
) -> tuple[int, dict[str, float]]:
    """Read a fin with lift and drag law: the effector's kind and its fields.

    Args:
        density: density of the water, unless the fin has its own [kg/m³]. area: [m²].
        axes: (3, 3) chord, normal and span in BODY, as columns.
    """
    law = section.section(srf.LIFT_DRAG)
    kind = law.choice(srf.LAW_TYPE)
    values = directions(chord=axes[:, 0], normal=axes[:, 1])
    if kind == "two_lines":
        own = law.positive(srf.LAW_AREA, area or None)
        values |= {
            "half_density_area": 0.5 * law.positive(srf.LAW_DENSITY, density) * own,
            "a0": law.number(srf.A0),
            "stall": law.positive(srf.ALPHA_STALL),
            "cla": law.number(srf.CLA),
            "cla_stall": law.number(srf.CLA_STALL),
            "cda": law.number(srf.CDA),
            "cda_stall": law.number(srf.CDA_STALL),
            "as_coded": law.flag(srf.AS_CODED),
        }
    else:
        values["lift_constant"] = law.number(srf.LIFT_CONSTANT)
        values["drag_constant"] = law.number(srf.DRAG_CONSTANT)
    law.finish()
    return (at.TWO_LINES if kind == "two_lines" else at.QUADRATIC_FIN), values
