"""Thrusters and fins of the UUV Simulator's kind, from a vessel's files; see ``docs/actuators.md``.

A thruster's command is clamped to ``n_min`` and ``n_max``, times ``gain`` (0 unless ``on``); its
``rotor`` follows that, and ``conversion`` turns the rotor's speed into thrust.
"""

from __future__ import annotations

from itertools import pairwise
from math import inf

import numpy as np

from steerageway.vessel.fossen import fins, rotors
from steerageway.vessel.fossen import layout as at
from steerageway.vessel.fossen.document import Section
from steerageway.vessel.fossen.dynamics import Channel, Floats

ROTORS = ("zero_order", "first_order", "yoerger", "bessa")
CONVERSIONS = ("basic", "bessa", "linear_interp")
FINS = ("two_lines", "quadratic")


def rotor_channel(section: Section, command: Channel) -> tuple[Channel, Floats, Channel]:
    """Read how a rotor follows its command: the command, its row, and its state's channel."""
    rotor = section.section("rotor")
    kind = rotor.choice("type", ROTORS, "first_order")
    gain = section.number("gain", 1.0) * section.flag("on", True)
    row = np.zeros(at.CHANNEL)
    row[at.MODE] = at.FOLLOWER if kind == "zero_order" else at.ROTOR
    row[at.RATE], row[at.LOW], row[at.HIGH] = inf, command.low, command.high
    row[at.CLIP] = at.CLIP_COMMAND
    drive, linear, quadratic = _rate(rotor, kind)
    row[at.DRIVE : at.DRIVEN_QUADRATIC + 1] = gain * drive, linear, quadratic
    rotor.finish()
    for key in ("T_prop", "rate_max", "clip"):
        if key in section:
            section.wrong(key, section.text(key), "no such key beside rotor", None)
    return command, row, Channel(command.name, "rad/s")


def _rate(rotor: Section, kind: str) -> tuple[float, float, float]:
    """Give A, B, C of rate = A c - B x - C x|x|."""
    if kind == "zero_order":
        return 1.0, 0.0, 0.0
    if kind == "first_order":
        constant = rotor.positive("time_constant")
        return 1.0 / constant, 1.0 / constant, 0.0
    if kind == "yoerger":
        return rotor.positive("beta"), 0.0, rotor.positive("alpha")
    inertia = rotor.positive("inertia")
    linear, quadratic = rotor.number("kv1", low=0.0), rotor.number("kv2", low=0.0)
    if linear + quadratic == 0.0:
        rotor.wrong("kv1", "0", "drag: kv1 or kv2 above zero", None)
    drive = rotor.positive("kt") / rotor.positive("resistance")
    return drive / inertia, linear / inertia, quadratic / inertia


def converter(section: Section, axis: Floats, tables: list[list[float]]) -> list[float]:
    """Read how a rotor's speed becomes thrust; a table is added to ``tables``."""
    conversion = section.section("conversion")
    kind = conversion.choice("type", CONVERSIONS, "basic")
    low, high = section.number("thrust_min", -inf), section.number("thrust_max", inf)
    if not low < high:
        section.wrong("thrust_min", f"{low:g}", f"less than thrust_max, {high:g}", None)
    values = [
        *axis.tolist(),
        section.number("propeller_efficiency", 1.0, 0.0, 1.0),
        section.number("thrust_efficiency", 1.0, 0.0, 1.0),
        low,
        high,
        float(kind == "linear_interp"),
    ]
    assert len(values) == rotors.LEFT
    if kind == "basic":
        constant = conversion.positive("rotor_constant")
        values += [constant, constant, 0.0, 0.0]
    elif kind == "bessa":
        values += [conversion.number(key, low=0.0) for key in ("left", "right")]
        values.append(conversion.number("delta_left", high=0.0))
        values.append(conversion.number("delta_right", low=0.0))
    else:
        rows = _table(conversion)
        values += [float(len(tables)), float(len(rows))]
        tables += rows
    conversion.finish()
    return values


def _table(conversion: Section) -> list[list[float]]:
    rows = [[*row, 0.0] for row in conversion.rows("table", 2)]
    if len(rows) < 2 or any(a[0] >= b[0] for a, b in pairwise(rows)):
        expected = "rows [speed in rad/s, thrust in N], two or more, ascending"
        return conversion.wrong("table", f"{len(rows)} rows", expected, [[0.0] * 3, [1.0] * 3])
    return rows


def fin(section: Section, density: float, area: float, axes: Floats) -> tuple[float, list[float]]:
    """Read a fin by its law of lift and drag: the effector's kind and its values.

    Args:
        density: of the water, unless the fin has its own [kg/m³]. area: [m²].
        axes: (3, 3) chord, normal and span in BODY, as columns.
    """
    law = section.section("control_surface_lift_drag")
    kind = law.choice("type", FINS, "two_lines")
    values = axes.ravel().tolist()
    if kind == "two_lines":
        own = law.positive("area", area or None)
        values += [
            0.5 * law.positive("density", density) * own,
            law.number("a0", 0.0),
            law.positive("alpha_stall"),
            law.number("cla"),
            law.number("cla_stall"),
            law.number("cda", low=0.0),
            law.number("cda_stall"),
            float(law.flag("as_coded", False)),
        ]
        assert len(values) == fins.AS_CODED + 1
    else:
        values += [law.number("lift_constant"), law.number("drag_constant", low=0.0)]
    law.finish()
    return (at.TWO_LINES if kind == "two_lines" else at.QUADRATIC_FIN), values
