"""Reads scenes from YAML files, with units, and errors that name file, line and key.

Positions are east, north and up from the datum [m]; directions clockwise from north [deg].
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from pathlib import Path

import numpy as np

from steerageway.diagnostics.nearest import hint
from steerageway.world import ground
from steerageway.world.arrays import Floats
from steerageway.world.document import Section, read
from steerageway.world.environment import Environment
from steerageway.world.errors import InvalidValue
from steerageway.world.mesh import AXES, Mesh
from steerageway.world.mesh import read as read_mesh
from steerageway.world.numbers import lines_of
from steerageway.world.rays.caster import Form
from steerageway.world.rays.forms import HeightField, Plane, Solid
from steerageway.world.rotation import rotation
from steerageway.world.scene.model import (
    BOTTOM,
    CLASSES,
    MATERIALS,
    OBSTACLE,
    SEA,
    VESSEL,
    Colour,
    Craft,
    Item,
    Light,
    Material,
    Scene,
    Sea,
)
from steerageway.world.scene.shaping import frustum, hull
from steerageway.world.units import UNITS, quantity

MOST_TRIANGLES = 2_000_000  # total of all meshes of a scene
TO_NED = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, -1.0]])
LARGEST, SMALLEST = 5000.0, 0.01  # [m] size of a mesh; beyond them its unit is assumed wrong
SHAPES = ("sphere", "box", "cylinder", "prism", "mesh", "plane", "hull")


def load(path: Path) -> Scene:
    """Read a scene.

    Raises:
        InvalidValue: with file, line, key, value and the expected value.
    """
    if not path.is_file():
        raise InvalidValue("no such file; expected a scene file, e.g. harbour.yml", str(path))
    return scene_of(read(path))


def scene_of(file: Section) -> Scene:
    """Return the scene specified by a file's section.

    Raises:
        InvalidValue: as ``load``.
    """
    classes = (*CLASSES, *(name for name in file.words("classes") if name not in CLASSES))
    file.number("seed", 0.0)  # of the generator that wrote it, kept for reproduction
    items = _bottom(file)
    items += [_item(section, classes) for section in file.sections("objects")]
    items += _obstacles(file)
    crafts = [_craft(section, classes) for section in file.sections("vessels")]
    scene = Scene(
        file.text("name", file.path.stem), items, crafts, _light(file), _sea(file), classes
    )
    _check_names(file, [one.name for one in items], "objects")
    _check_names(file, [one.name.lower() for one in crafts], "vessels")
    if scene.triangles > MOST_TRIANGLES:
        file.wrong("objects", f"{scene.triangles} triangles", f"at most {MOST_TRIANGLES}", None)
    file.finish()
    return scene


def _check_names(file: Section, names: Sequence[str], key: str) -> None:
    for name in names:
        if names.count(name) > 1:
            file.fail(key, f"duplicate name {name}", "unique names")


def _item(section: Section, classes: Sequence[str]) -> Item:
    shape = section.choice("shape", SHAPES, "mesh" if "file" in section else "box")
    name = _name(section)
    position = TO_NED @ section.vector("position", 3, [0.0] * 3)
    R = rotation(
        quantity(section, "roll", "deg", 0.0),
        quantity(section, "pitch", "deg", 0.0),
        quantity(section, "heading", "deg", 0.0),
    )
    kind = _kind(section, classes, "other")
    material = _material(section, "concrete")
    obstacle = section.text("obstacle")
    form = _form(section, shape, position)
    section.finish()
    return Item(name, kind, material, form, position, R, obstacle)


def _form(section: Section, shape: str, position: Floats) -> Form:
    readers: dict[str, Callable[[Section], Form]] = {
        "sphere": lambda s: Solid.sphere(quantity(s, "radius", "m", above=0.0)),
        "box": lambda s: Solid.box(*_sizes(s)),
        "cylinder": lambda s: Solid.cylinder(
            quantity(s, "radius", "m", above=0.0), quantity(s, "height", "m", above=0.0)
        ),
        "prism": _prism,
        "mesh": read_body,
        "plane": lambda s: _plane(s, position),
        "hull": _hull,
    }
    return readers[shape](section)


def _sizes(section: Section) -> list[float]:
    sizes: list[float] = section.vector("size", 3).tolist()
    if min(sizes) <= 0.0:
        section.fail("size", f"{sizes}", "length, breadth and height above zero")
    return sizes


def _plane(section: Section, position: Floats) -> Plane:
    normal = TO_NED @ section.vector("normal", 3)
    if not np.linalg.norm(normal) > 0.0:
        section.fail("normal", "0, 0, 0", "a direction east, north, up")
    return Plane(position, normal)


def _prism(section: Section) -> Mesh:
    """Read a prism over a polygon; its points are east and north of its position."""
    points = np.array(section.rows("points", 2)).reshape(-1, 2)[:, ::-1]
    height = quantity(section, "height", "m", above=0.0)
    top = section.positive("top", 1.0, 10.0)
    try:
        return frustum(points, 0.0, height, top)
    except InvalidValue as error:
        raise section.mistake("points", str(error)) from None


def _hull(section: Section) -> Mesh:
    length = quantity(section, "length", "m", above=0.0)
    return hull(
        length,
        quantity(section, "breadth", "m", 0.3 * length, above=0.0),
        quantity(section, "draft", "m", 0.08 * length, above=0.0),
        quantity(section, "freeboard", "m", 0.1 * length, above=0.0),
    )


def read_body(section: Section) -> Mesh:
    """Read a mesh from ``file``, ``unit``, and ``axes`` (directions of the file's axes).

    Raises:
        InvalidValue: no such file, an open body, implausible size, too many triangles.
    """
    named = section.text("file")
    path = section.path.parent / named
    if not named or not path.is_file():
        expected = f"an existing file, relative to {section.path.parent}"
        section.fail("file", named or "nothing", expected)
    lengths = UNITS["m"]
    unit = section.choice("unit", list(lengths), "m")
    usual = "LUF" if path.suffix.lower() in (".glb", ".gltf") else "FRD"
    axes = section.choice("axes", list(AXES), usual)
    try:
        mesh = read_mesh(path, lengths[unit], axes, most=MOST_TRIANGLES)
    except InvalidValue as error:
        (one,) = error.diagnostics
        raise section.mistake("file", f"{named}: {one.text_at(str(path))}") from None
    low, high = mesh.extent
    size = float((high - low).max())
    if not SMALLEST <= size <= LARGEST:
        expected = f"a body of {SMALLEST:g} to {LARGEST:g} m: is {unit} its unit?"
        section.wrong("unit", f"{unit}: {named} is {size:g} m long", expected, None)
    return mesh


def _bottom(file: Section) -> list[Item]:
    if "bottom" not in file:
        return []
    section = file.section("bottom")
    material = _material(section, "sand")
    if "file" in section:
        vertical = section.choice("vertical", (ground.DOWNWARD, ground.UPWARD), ground.DOWNWARD)
        path = section.path.parent / section.text("file")
        try:
            grid = ground.read(path, vertical)
        except InvalidValue as error:
            section.fail("file", section.text("file"), f"a grid of depths: {error}")
        form: Form = field_of(grid)
    else:
        depth = quantity(section, "depth", "m", above=0.0)
        form = Plane(np.array([0.0, 0.0, depth]), np.array([0.0, 0.0, -1.0]))
    section.finish()
    return [Item(BOTTOM, BOTTOM, material, form)]


def field_of(grid: ground.Ground) -> HeightField:
    """Return a grid of depths as a height field; cells without data get the greatest depth.

    Raises:
        InvalidValue: no cell has data.
    """
    known = np.isfinite(grid.depths)
    if not known.any():
        raise InvalidValue(f"{grid.name}: no cell has data: expected depths")
    down = np.where(known, grid.depths, grid.depths[known].max())
    return HeightField(np.ascontiguousarray(down), grid.south, grid.west, grid.spacing)


def bottom_of(scene: Scene, environment: Environment | None) -> Item | None:
    """Return the environment's bottom as an item; None if the scene has one, or there is none.

    Raises:
        InvalidValue: no cell of the grid has data.
    """
    if environment is None or any(item.kind == BOTTOM for item in scene.items):
        return None
    form: Form
    if environment.ground is not None:
        form = field_of(environment.ground)
    elif environment.depth < inf:
        form = Plane(np.array([0.0, 0.0, environment.depth]), np.array([0.0, 0.0, -1.0]))
    else:
        return None
    return Item(BOTTOM, BOTTOM, MATERIALS["sand"], form)


def _obstacles(file: Section) -> list[Item]:
    """Read the polygons of an obstacle simulator's file as prisms of one height."""
    if "obstacles" not in file:
        return []
    section = file.section("obstacles")
    named = section.text("file")
    path = section.path.parent / named
    if not path.is_file():
        section.fail("file", named or "nothing", f"obstacles, a file from {section.path.parent}")
    height = quantity(section, "height", "m", 3.0, above=0.0)
    depth = quantity(section, "depth", "m", 2.0, low=0.0)
    material = _material(section, "orange")
    section.finish()
    items: list[Item] = []
    for number, line in enumerate(lines_of(path), 1):
        key, _, value = line.partition("//")[0].partition("=")
        if key.strip().lower() != "poly":
            continue  # region and size of random obstacles
        try:
            label, points = polygon_of(value)
            mesh = frustum(points[:, ::-1], -depth, height)
        except InvalidValue as error:
            raise InvalidValue(str(error), f"{path}:{number}") from None
        label = label or f"ob_{len(items)}"
        items.append(Item(label, OBSTACLE, material, mesh, obstacle=label))
    if not items:
        section.fail("file", named, "lines of obstacles, poly = pts={x,y:x,y:x,y}")
    return items


def polygon_of(text: str) -> tuple[str, Floats]:
    """Parse ``pts={0,0:10,0:10,10},label=a``: the label, and (n, 2) east and north [m].

    Raises:
        InvalidValue: invalid corners.
    """
    before, _, after = text.partition("{")
    inside, _, rest = after.partition("}")
    parts = dict(piece.strip().partition("=")[::2] for piece in rest.split(","))
    try:
        points = np.array([[float(x) for x in pair.split(",")[:2]] for pair in inside.split(":")])
    except ValueError:
        points = np.full((1, 2), inf)
    if before.strip() != "pts=" or points.shape[1:] != (2,) or not np.isfinite(points).all():
        raise InvalidValue(f"{text.strip()}: expected pts={{x,y:x,y:x,y}}, label=NAME")
    return parts.get("label", ""), points


def _craft(section: Section, classes: Sequence[str]) -> Craft:
    name = _name(section)
    kind, material = _kind(section, classes, VESSEL), _material(section, "white")
    mesh = read_body(section) if "file" in section else _hull(section)
    section.finish()
    return Craft(name, kind, material, mesh)


def _light(file: Section) -> Light:
    section = file.section("light")
    usual = Light()
    light = Light(
        quantity(section, "sun_azimuth", "deg", usual.azimuth),
        quantity(section, "sun_elevation", "deg", usual.elevation, low=0.0, high=90.0),
        section.number("ambient", usual.ambient, 0.0, 1.0),
        quantity(section, "visibility", "m", inf, above=0.0) if "visibility" in section else inf,
        _colour(section, "zenith", usual.zenith),
        _colour(section, "horizon", usual.horizon),
    )
    section.finish()
    return light


def _sea(file: Section) -> Sea:
    section = file.section("sea")
    sea = Sea(
        section.flag("there", True),
        Material(
            _colour(section, "colour", MATERIALS["water"].colour),
            section.number("reflectance", MATERIALS["water"].reflectance, 0.0, 1.0),
        ),
        quantity(section, "level", "m", 0.0),
        quantity(section, "spacing", "m", 1.0, low=0.1, high=20.0),
    )
    section.finish()
    return sea


def _name(section: Section) -> str:
    name = section.text("name")
    if not name or "," in name:
        section.fail("name", name or "nothing", "a name without commas")
    return name


def _kind(section: Section, classes: Sequence[str], usual: str) -> str:
    kind = section.text("class", usual)
    if kind not in classes or kind in ("nothing", SEA):
        known = [name for name in classes if name not in ("nothing", SEA)]
        close = hint(kind, known)
        section.fail(
            "class", kind, f"one of {', '.join(known)}, or one in the scene's classes{close}"
        )
    return kind


def _material(section: Section, usual: str) -> Material:
    """Read a material by its name, or by its colour and reflectance."""
    material = MATERIALS[section.choice("material", list(MATERIALS), usual)]
    return Material(
        _colour(section, "colour", material.colour),
        section.number("reflectance", material.reflectance, 0.0, 1.0),
    )


def _colour(section: Section, key: str, usual: Colour) -> Colour:
    red, green, blue = section.vector(key, 3, usual).tolist()
    if not 0.0 <= min(red, green, blue) <= max(red, green, blue) <= 1.0:
        section.fail(key, f"{[red, green, blue]}", "red, green and blue from 0 to 1")
    return red, green, blue
