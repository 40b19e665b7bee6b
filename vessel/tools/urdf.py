"""``steerageway vessel import FILE``: a vessel's folder from a URDF with UUV Simulator plugins.

It reads the base link's mass and inertia, the hydrodynamic model, and every thruster and fin with
its joint. A URDF has x forward, y port, z up; rotated by 180 degrees about x that is BODY. The
simulator's matrices are in BODY already.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import asin, atan2, degrees, inf, pi
from pathlib import Path
from typing import NamedTuple

import numpy as np

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.kinematics import Array, eul_to_rotm, rotm_to_eul
from steerageway.vessel.rigid_body import Hmtrx
from steerageway.vessel.tools.place import write_folder
from steerageway.vessel.tools.urdf_forms import FORMS, form_of
from steerageway.vessel.tools.xml_tree import Element, read_xml

TO_BODY = np.diag([1.0, -1.0, -1.0])
FORCES, VELOCITIES = "XYZKMN", "uvwpqr"
DENSITY = 1028.0
XACRO = ".xacro"
UNLIMITED = 1e4  # limit of a rotor without a configured one [rad/s]
ROTORS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "ZeroOrder": ("zero_order", {}),
    "FirstOrder": ("first_order", {"time_constant": "timeConstant"}),
    "Yoerger": ("yoerger", {"alpha": "alpha", "beta": "beta"}),
    "Bessa": (
        "bessa",
        {"inertia": "Jmsp", "kv1": "Kv1", "kv2": "Kv2", "kt": "Kt", "resistance": "Rm"},
    ),
}
CONVERSIONS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "Basic": ("basic", {"rotor_constant": "rotorConstant"}),
    "Bessa": (
        "bessa",
        {
            "left": "rotorConstantL",
            "right": "rotorConstantR",
            "delta_left": "deltaL",
            "delta_right": "deltaR",
        },
    ),
}
FINS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "TwoLines": (
        "two_lines",
        {
            "area": "area",
            "density": "fluid_density",
            "a0": "a0",
            "alpha_stall": "alpha_stall",
            "cla": "cla",
            "cla_stall": "cla_stall",
            "cda": "cda",
            "cda_stall": "cda_stall",
        },
    ),
    "Quadratic": (
        "quadratic",
        {"lift_constant": "lift_constant", "drag_constant": "drag_constant"},
    ),
}
FOSSEN, QUADRATIC = "fossen", "quadratic_damping"
DAMPING = {"linear_damping": "", "linear_damping_forward_speed": "u", QUADRATIC: "ai_"}
"""Element -> text before velocity j in a coefficient's name; i is the velocity of the force."""
Keys = dict[str, object]


class Place(NamedTuple):
    """Pose relative to the base link, in the URDF's axes: position (3,) [m], rotation R (3, 3)."""

    position: Array
    R: Array


@dataclass
class Imported:
    """A vessel imported from a URDF.

    Attributes:
        name: of the vessel. files: keys of each file. remarks: on omissions and assumptions.
    """

    name: str
    files: dict[str, Keys] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)


def _expanded(path: Path) -> str:
    """Return a xacro file expanded with its default arguments.

    Raises:
        InvalidValue: xacrodoc is not installed, or xacro rejects the file.
    """
    if not path.is_file():
        raise InvalidValue("no such file; expected a URDF or a xacro file", str(path))
    try:
        from xacrodoc import XacroDoc
    except ImportError:
        raise InvalidValue(
            f"{path}: xacro files need xacrodoc: pip install 'steerageway[xacro]', or expand it "
            f"where ROS is: xacro {path.name} > {path.stem}.urdf"
        ) from None
    try:
        found: str = XacroDoc.from_file(str(path)).to_urdf_string(use_protocols=False)
    except Exception as error:  # of Python, of XML or of xacro: the file's expressions are code
        raise InvalidValue(f"xacro: {type(error).__name__}: {error}", str(path)) from None
    return found


def imported(path: Path) -> Imported:
    """Read a URDF, or a xacro file, which is expanded first; line numbers are of the expansion.

    Raises:
        InvalidValue: with file, line, element and the expected value.
    """
    robot = read_xml(path, _expanded(path)) if path.suffix == XACRO else read_xml(path)
    if robot.name != "robot":
        robot.fail("<robot>, as a URDF has it")
    for element in robot.deep():
        texts = (element.text, *element.attributes.values())
        if element.name.startswith("xacro:") or any("${" in text for text in texts):
            element.fail(f"a file that xacro has expanded, or one named FILE{XACRO}")
    found = Imported(robot.attributes.get("name", path.stem))
    model = _model(robot)
    base = model.attributes.get("name", "")
    links = {link.attributes.get("name", ""): link for link in robot.all("link")}
    if base not in links:
        model.fail(f"the name of a link of this file: {', '.join(links) or 'it has none'}")
    density = _density(robot)
    _hull(found, model, links[base], density)
    joints = {joint.attributes.get("name", ""): joint for joint in robot.all("joint")}
    plugins = [plugin for part in robot.all("gazebo") for plugin in part.all("plugin")]
    thrusters: list[Keys] = []
    fins: list[Keys] = []
    for plugin in plugins:
        if plugin.find("conversion") is not None:
            thrusters.append(_thruster(found, plugin, joints, base, len(thrusters)))
        elif plugin.find("liftdrag") is not None:
            fins.append(_fin(found, plugin, joints, base, len(fins)))
    if thrusters:
        found.files["thrusters"] = {"thrusters": thrusters}
    if fins:
        found.files["control_surfaces"] = {"control_surfaces": fins}
    if not thrusters:
        found.remarks.append("no thruster: no plugin has a <conversion>")
    return found


def written(found: Imported, folder: Path) -> Iterator[str]:
    """Write the files into a new folder, and yield their paths and the remarks.

    Raises:
        InvalidValue: the folder exists already.
    """
    yield from write_folder(found.files, folder)
    yield from (f"note: {remark}" for remark in found.remarks)


def _model(robot: Element) -> Element:
    """Return the element <link> with the hydrodynamic model."""
    for part in robot.deep():
        if part.name == "link" and part.find("hydrodynamic_model") is not None:
            return part
    return robot.fail("a plugin with <link> and <hydrodynamic_model> in it")


def _density(robot: Element) -> float:
    for part in robot.deep():
        if part.name == "fluid_density" and part.text:
            return part.numbers(1)[0]
    return DENSITY


def _hull(found: Imported, model: Element, link: Element, density: float) -> None:
    inertial = link.find("inertial")
    if inertial is None:
        link.fail("<inertial> in it")
    mass_of = inertial.find("mass")
    mass = 0.0 if mass_of is None else mass_of.attribute("value", 1, [0.0])[0]
    if not mass > 0.0:
        inertial.fail("<mass value=> above zero in it")
    r_bg, M = _rigid_body(inertial, mass)
    size = model.find("box")
    box = size if size is not None else model.fail("<box> with width, length, height in it")
    length, breadth, height = (box.number(key) for key in ("length", "width", "height"))
    volume = _volume(model, mass / density)
    CB = model.find("center_of_buoyancy")
    r_bb = TO_BODY @ (np.zeros(3) if CB is None else CB.numbers(3))
    hydrodynamics = model.find("hydrodynamic_model")
    assert hydrodynamics is not None
    added, quadratic = _added_and_quadratic(
        found, hydrodynamics, (length, breadth, height), density
    )
    found.files["vessel"] = {
        "name": found.name,
        "source": f"imported from {model.path.name}",
        "density": density,
    }
    found.files["geometry"] = {
        "length": length,
        "breadth": breadth,
        "depth": height,
        "CG": {"position": _listed(r_bg)},
        "CB": {"position": _listed(r_bb)},
    }
    found.files["inertia"] = {
        "mass": mass,
        "volume": volume,
        "inertia_matrix": _rows(M),
        "added_mass_matrix": _rows(0.5 * (added + added.T)),
    }
    if np.abs(added - added.T).max() > 0.0:
        found.remarks.append("added_mass was not symmetric: half the sum with its transpose")
    found.files["hydrodynamics"] = {"dim_flag": True, "meets_surface": True}
    found.files["hydrodynamics"] |= _damping(hydrodynamics, quadratic)
    found.files["initial_conditions"] = {"use_quaternion": True}


def _volume(model: Element, neutral: float) -> float:
    if model.word("neutrally_buoyant") in ("1", "true"):
        return neutral
    volume = model.number("volume", default=0.0)
    if not volume > 0.0:
        model.fail("<volume> above zero, or <neutrally_buoyant>1")
    return volume


def _added_and_quadratic(
    found: Imported, model: Element, size: tuple[float, float, float], density: float
) -> tuple[Array, Array]:
    """Return added mass and quadratic damping (6, 6), from the block's numbers or its form."""
    added, quadratic = _matrix(model, "added_mass"), _matrix(model, QUADRATIC)
    if (kind := model.word("type", default=FOSSEN)) == FOSSEN:
        return added, quadratic
    if kind not in FORMS:
        model.fail(f"<type> one of {', '.join((FOSSEN, *FORMS))} in it")
    form = form_of(model, size, density)
    found.remarks += [form.remark] if form.remark else []
    return _with_diagonal(added, form.added), _with_diagonal(quadratic, form.drag)


def _rigid_body(inertial: Element, mass: float) -> tuple[Array, Array]:
    """Return CG (3,) and M_RB (6, 6) about the base link's origin, in BODY."""
    origin, I_of = inertial.find("origin"), inertial.find("inertia")
    if I_of is None:
        inertial.fail("<inertia> in it")
    place = _placed(origin)
    keys = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
    xx, yy, zz, xy, xz, yz = (I_of.attribute(key, 1, [0.0])[0] for key in keys)
    own = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    axes = TO_BODY @ place.R
    M = np.zeros((6, 6))
    M[:3, :3], M[3:, 3:] = mass * np.eye(3), axes @ own @ axes.T
    r_bg = TO_BODY @ place.position
    H = Hmtrx(r_bg)
    return r_bg, H.T @ M @ H


def _with_diagonal(matrix: Array, diagonal: Array) -> Array:
    """Return a matrix with its diagonal replaced by the nonzero entries of another."""
    changed = matrix.copy()
    np.fill_diagonal(changed, np.where(diagonal != 0.0, diagonal, np.diag(matrix)))
    return changed


def _damping(model: Element, quadratic: Array) -> Keys:
    """Return damping coefficients by name; axes and signs are those of BODY already."""
    keys: Keys = {}
    for name, first in DAMPING.items():
        matrix = quadratic if name == QUADRATIC else _matrix(model, name)
        for i, j in np.argwhere(matrix != 0.0).tolist():
            before = first.replace("i", VELOCITIES[i])
            keys[f"{FORCES[i]}_{before}{VELOCITIES[j]}"] = float(matrix[i, j])
    return keys


def _matrix(model: Element, name: str) -> Array:
    """Read 36 numbers, or 6 of a diagonal; zeros if the element is missing."""
    element = model.find(name)
    if element is None or not element.text:
        return np.zeros((6, 6))
    values = element.numbers(6, 36)
    return np.diag(values) if len(values) == 6 else np.array(values).reshape(6, 6)


def _placed(origin: Element | None) -> Place:
    if origin is None:
        return Place(np.zeros(3), np.eye(3))
    xyz = np.array(origin.attribute("xyz", 3, [0.0] * 3))
    return Place(xyz, eul_to_rotm(origin.attribute("rpy", 3, [0.0] * 3)))


def _joint(
    plugin: Element, joints: Mapping[str, Element], base: str, *names: str
) -> tuple[Element, Place]:
    """Return a plugin's joint, and its pose relative to the base link, through its parents."""
    named = plugin.find(*names)
    if named is None:
        plugin.fail(f"<{names[0]}> in it")
    if named.text not in joints:
        named.fail("the name of a joint of this file")
    joint = joints[named.text]
    place, of, seen = _placed(joint.find("origin")), joint, {named.text}
    while (parent := _end(of, "parent")) != base:
        above = [name for name, one in joints.items() if _end(one, "child") == parent]
        if not above or above[0] in seen:
            joint.fail(f"a chain of joints up to {base}; it ends at {parent}")
        seen.add(above[0])
        of = joints[above[0]]
        next_ = _placed(of.find("origin"))
        place = Place(next_.position + next_.R @ place.position, next_.R @ place.R)
    return joint, place


def _end(joint: Element, which: str) -> str:
    found = joint.find(which)
    return "" if found is None else found.attributes.get("link", "")


def _axis(joint: Element) -> Array:
    axis = joint.find("axis")
    given = np.array([1.0, 0.0, 0.0] if axis is None else axis.attribute("xyz", 3, [1.0, 0, 0]))
    size = float(np.linalg.norm(given))
    if size == 0.0:
        joint.fail("an axis that is not zero")
    return given / size


def _thruster(
    found: Imported, plugin: Element, joints: Mapping[str, Element], base: str, count: int
) -> Keys:
    joint, place = _joint(plugin, joints, base, "jointName", "joint_name")
    x, y, z = (TO_BODY @ place.R @ _axis(joint)).tolist()
    id_ = plugin.word("thrusterID", "thruster_id", default=str(count))
    keys: Keys = {
        "thruster_name": joint.attributes.get("name", id_),
        "thruster_id": id_,
        "thruster_location": _listed(TO_BODY @ place.position),
        "thruster_orientation": [0.0, -asin(min(max(z, -1.0), 1.0)), atan2(y, x)],
        "unit": "rad/s",
    }
    low, high = plugin.number("clampMin", default=0.0), plugin.number("clampMax", default=0.0)
    limited = low < high
    if limited and not low <= 0.0 < high:
        plugin.fail("clampMin at most 0, clampMax above it")
    keys["n_max"], keys["n_min"] = (high, low) if limited else (UNLIMITED, -UNLIMITED)
    if not limited:
        found.remarks.append(f"thruster {id_} has no clamp: n_max = {UNLIMITED:g} rad/s")
    keys["gain"] = plugin.number("gain", default=1.0)
    keys |= _efficiencies(found, plugin, id_)
    least, most = plugin.number("thrustMin", default=0.0), plugin.number("thrustMax", default=0.0)
    if least < most:
        keys |= {"thrust_min": least, "thrust_max": most}
    keys["rotor"] = _typed(plugin, "dynamics", ROTORS)
    keys["conversion"] = _conversion(plugin)
    return keys


def _efficiencies(found: Imported, plugin: Element, id_: str) -> Keys:
    keys: Keys = {}
    for name in ("propeller_efficiency", "thrust_efficiency"):
        value = plugin.number(name, default=1.0)
        if not 0.0 <= value <= 1.0:
            found.remarks.append(
                f"thruster {id_}: {name} {value:g} is none: 1, as the plugin has it"
            )
            value = 1.0
        keys[name] = value
    return keys


def _conversion(plugin: Element) -> Keys:
    conversion = plugin.find("conversion")
    assert conversion is not None
    if conversion.word("type") != "LinearInterp":
        return _typed(plugin, "conversion", CONVERSIONS)
    columns = [conversion.find(name) for name in ("inputValues", "outputValues")]
    texts = [[] if c is None else [float(v) for v in c.text.split()] for c in columns]
    if len(texts[0]) != len(texts[1]) or len(texts[0]) < 2:
        conversion.fail("as many inputValues as outputValues, two or more")
    return {"type": "linear_interp", "table": [list(row) for row in zip(*texts, strict=True)]}


def _fin(
    found: Imported, plugin: Element, joints: Mapping[str, Element], base: str, count: int
) -> Keys:
    joint, place = _joint(plugin, joints, base, "joint_name", "jointName")
    id_ = plugin.word("fin_id", default=str(count))
    axes = TO_BODY @ place.R
    limit = joint.find("limit")
    ends = [0.0, 0.0]
    if limit is not None:
        ends = [limit.attribute(key, 1, [0.0])[0] for key in ("lower", "upper")]
    most = max(map(abs, ends)) or pi / 2
    if ends[0] != -ends[1]:
        found.remarks.append(f"fin {id_}: limits {ends[0]:g} to {ends[1]:g} rad: +-{most:g} here")
    rotor = _typed(plugin, "dynamics", ROTORS)
    if rotor["type"] not in ("zero_order", "first_order"):
        plugin.fail("ZeroOrder or FirstOrder as a fin's dynamics")
    return {
        "control_surface_type": joint.attributes.get("name", id_),
        "control_surface_id": id_,
        "control_surface_location": _listed(TO_BODY @ place.position),
        "control_surface_orientation": _listed(rotm_to_eul(axes)),
        "control_surface_T": rotor.get("time_constant", 0.0),
        "control_surface_delta_max": degrees(most),
        "control_surface_lift_drag": _typed(plugin, "liftdrag", FINS),
    }


def _typed(plugin: Element, name: str, kinds: Mapping[str, tuple[str, Mapping[str, str]]]) -> Keys:
    """Read a block with a type and the numbers of that type."""
    block = plugin.find(name)
    if block is None:
        plugin.fail(f"<{name}> in it")
    kind = block.word("type")
    if kind not in kinds:
        block.fail(f"<type> one of {', '.join(kinds)} in it")
    ours, keys = kinds[kind]
    optional = {"a0": 0.0, "density": inf}
    found: Keys = {"type": ours}
    for key, theirs in keys.items():
        value = block.number(theirs, default=optional.get(key))
        if value != inf:
            found[key] = value
    return found


def _listed(values: Array) -> list[float]:
    return [float(value) + 0.0 for value in values]


def _rows(matrix: Array) -> list[list[float]]:
    return [_listed(row) for row in matrix]
