"""UUV Simulator's hydrodynamic models of simple forms: sphere, cylinder, spheroid, box.

Added mass and quadratic drag are those of the form, in addition to the block's damping; both are in
BODY, as a form is symmetric about its planes. Errors in the simulator's code are corrected: a
cylinder's added mass along its axis is that of a disc; its side is as broad as its diameter; a
spheroid's length is twice its semi-axis.

Source: H. Lamb (1932), Hydrodynamics, articles 92 (sphere), 102 (disc); drag coefficients of the
UUV Simulator.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import inf, pi
from typing import NamedTuple

import numpy as np

from steerageway.vessel.added_mass import imlay61
from steerageway.vessel.kinematics import Array
from steerageway.vessel.tools.xml_tree import Element

SPHERE_DRAG = 0.5
# Drag coefficients of a cylinder up to a ratio of length to diameter.
ALONG_AXIS = ((1.0, 0.91), (2.0, 0.85), (4.0, 0.87), (inf, 0.99))
ACROSS_AXIS = ((1.0, 0.63), (2.0, 0.68), (5.0, 0.74), (10.0, 0.82), (inf, 0.98))
AXES = "ijk"


class Form(NamedTuple):
    """Diagonals of a form's added mass (6,) and quadratic drag (6,), negative; and a remark."""

    added: Array
    drag: Array
    remark: str = ""


def form_of(model: Element, size: tuple[float, float, float], density: float) -> Form:
    """Return the form of a block ``<hydrodynamic_model>``.

    Args:
        model: the block, of a type in ``FORMS``.
        size: length, breadth and height of the vessel's box [m], as defaults.
        density: of the water [kg/m³].

    Raises:
        InvalidValue: an invalid number.
    """
    return FORMS[model.word("type")](model, size, density)


def _sphere(model: Element, size: tuple[float, float, float], density: float) -> Form:
    R = _positive(model, "radius", 0.5 * min(size))
    added = 2.0 / 3.0 * pi * density * R**3
    drag = -0.5 * density * SPHERE_DRAG * pi * R**2
    return Form(_first_three(added, added, added), _first_three(drag, drag, drag))


def _cylinder(model: Element, size: tuple[float, float, float], density: float) -> Form:
    R, L = _positive(model, "radius", 0.5 * min(size)), _positive(model, "length", max(size))
    axis = model.word("axis", default=AXES[size.index(max(size))])
    if axis not in AXES:
        model.fail("<axis> one of i, j, k in it")
    along = AXES.index(axis)
    ratio = L / (2.0 * R)
    added, drag = np.zeros(6), np.zeros(6)
    added[:3] = density * pi * R**2 * L
    added[along] = 8.0 / 3.0 * density * R**3
    added[3:] = density * pi * R**2 * L**3 / 12.0
    added[3 + along] = 0.0
    drag[:3] = -0.5 * density * _of_ratio(ACROSS_AXIS, ratio) * 2.0 * R * L
    drag[along] = -0.5 * density * _of_ratio(ALONG_AXIS, ratio) * pi * R**2
    return Form(added, drag, "cylinder: added mass along its axis as of a disc, drag of its side")


def _spheroid(model: Element, size: tuple[float, float, float], density: float) -> Form:
    R, L = _positive(model, "radius", 0.5 * min(size)), _positive(model, "length", max(size))
    if not 0.5 * L > R:
        model.fail("<length> above twice <radius> in it: a prolate spheroid")
    M_A, _ = imlay61(0.5 * L, R, np.zeros(6), rho=density)
    text = "spheroid: its model has no drag of its own; give it some in hydrodynamics.yml"
    return Form(np.diag(M_A).copy(), np.zeros(6), text)


def _box(model: Element, size: tuple[float, float, float], density: float) -> Form:
    names = ("length", "width", "height")
    sides = zip(names, size, strict=True)
    length, width, height = (_positive(model, name, usual) for name, usual in sides)
    half = -0.5 * density * _positive(model, "cd", 1.0)
    drag = _first_three(half * width * height, half * length * height, half * length * width)
    return Form(np.zeros(6), drag, "box: its model has no added mass; give inertia.yml some")


FORMS: Mapping[str, Callable[[Element, tuple[float, float, float], float], Form]] = {
    "sphere": _sphere,
    "cylinder": _cylinder,
    "spheroid": _spheroid,
    "box": _box,
}


def _first_three(x: float, y: float, z: float) -> Array:
    return np.array([x, y, z, 0.0, 0.0, 0.0])


def _of_ratio(table: tuple[tuple[float, float], ...], ratio: float) -> float:
    return next(value for most, value in table if ratio <= most)


def _positive(model: Element, name: str, usual: float) -> float:
    value = model.number(name, default=usual)
    if not value > 0.0:
        model.fail(f"<{name}> above zero in it")
    return value
