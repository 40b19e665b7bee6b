"""Panisim's main file, ``simulation_input.yml``: a world, and the vessels in it.

Paths in it start from its own folder; one that does not exist, as a path in somebody's container,
is looked for by its tail below that folder and the one above (a main file may lie in a vessel's
folder), and then among the vessels that come along.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.document import Section, number_of, read, read_if_there
from steerageway.vessel.fossen.keys import control as ctl
from steerageway.vessel.fossen.keys import guidance as gui
from steerageway.vessel.fossen.keys import sensors as sen
from steerageway.vessel.fossen.keys import simulation as sim
from steerageway.vessel.fossen.keys import vessel as ves
from steerageway.vessel.geodesy import Datum
from steerageway.vessel.tools.place import SHIPPED
from steerageway.world.declared import Key

FILES = sim.FILES
Ring = tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Agent:
    """A vessel of the world.

    Attributes:
        name: its community's; equal names are told apart by ``_00``, ``_01``.
        folder: where its geometry lies, and every file the main file does not name.
        elsewhere: the files that make it and lie in other folders, by what they are.
        overrides: what the main file says of it, by dotted key of its files.
        sensors: the file of its sensors; None where it names none.
        waypoints: (north, east, down) [m]; () without guidance.
        lookahead: how far ahead on the line to steer [m]; 0: at the point itself.
        acceptance: distance at which a point is reached [m]; 0: not said.
        angle, rpm: fixed commands of control surfaces [deg] and thrusters; None where a
            controller steers.
        remarks: what the user may not expect.
    """

    name: str
    folder: Path
    elsewhere: dict[str, Path]
    overrides: dict[str, str]
    sensors: Path | None
    waypoints: tuple[tuple[float, float, float], ...]
    lookahead: float
    acceptance: float
    angle: float | None
    rpm: float | None
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True)
class World:
    """What Panisim's main file says.

    Attributes:
        sim_time, time_step: [s].
        size: how far the world reaches from the datum, north, east and down [m]; inf: no end.
        datum: latitude, longitude [deg], height [m].
        geofence, obstacle: rings of (latitude, longitude); () for none.
        agents: the vessels.
    """

    sim_time: float
    time_step: float
    size: tuple[float, float, float]
    datum: tuple[float, float, float]
    geofence: Ring
    obstacle: Ring
    agents: tuple[Agent, ...]


def read_world(path: Path) -> World:
    """Read a main file and what it names.

    Raises:
        InvalidValue: naming file, line, key, value and what would be right.
    """
    if not path.is_file():
        raise InvalidValue(f"{path}: no such file; expected Panisim's simulation_input.yml")
    top = read(path)
    datum = top.vector(sim.GPS_DATUM).tolist()
    constants = {f"vessel.{key}": f"{top.positive(key):.17g}" for key in sim.OF_WATER if key in top}
    agents = _agents(top, constants, datum)
    world = World(
        top.positive(sim.SIM_TIME),
        top.positive(sim.TIME_STEP),
        _size(top),
        (datum[0], datum[1], datum[2]),
        _ring(top, sim.GEOFENCE),
        _ring(top, sim.STATIC_OBSTACLE),
        agents,
    )
    top.finish()
    return world


def _size(top: Section) -> tuple[float, float, float]:
    rows = top.words(sim.WORLD_SIZE) or ["inf"] * 3
    if len(rows) != 3:
        top.fail(sim.WORLD_SIZE, str(rows), "three lengths, Inf for no end")
    try:
        north, east, down = (number_of(word) for word in rows)
    except ValueError:
        top.fail(sim.WORLD_SIZE, str(rows), "three lengths, Inf for no end")
    return north, east, down


def _ring(top: Section, key: Key) -> Ring:
    rows = top.rows(key)
    if 0 < len(rows) < 3:
        top.fail(key, f"{len(rows)} points", "three or more of [latitude, longitude]")
    return tuple((row[0], row[1]) for row in rows)


def _agents(top: Section, constants: dict[str, str], datum: list[float]) -> tuple[Agent, ...]:
    sections = top.sections(sim.AGENTS)
    if not sections:
        raise InvalidValue(f"{top.path}: agents is missing: expected a list of vessels")
    sections, beyond = _counted(top, sections)
    names = [section.text(sim.AGENT_NAME) for section in sections]
    absent = []
    agents = []
    for i, (name, section) in enumerate(zip(names, sections, strict=True)):
        paths = {key: section.text(key).replace("{name}", name) for key in FILES}
        geometry = paths["geometry"] or f"{name}/geometry.yml"
        found = _found(geometry, *_around(top.path.parent)) or _found(geometry, SHIPPED)
        if found is None:
            absent.append(f"{name} ({geometry})")
            continue
        alike = names.count(name) > 1
        known = f"{name}_{names[:i].count(name):02d}" if alike else name
        files = _files(section, paths, found)
        agent = _agent(section, known, files, constants, datum)
        agents.append(replace(agent, remarks=(*_borrowed(section, paths, found), *beyond)))
        beyond = []
    if absent:
        raise InvalidValue(
            f"{top.where(sim.AGENTS)}: no files for {', '.join(absent)}: expected them there, or "
            f"by the tail of the path below {top.path.parent} or its parent, or below {SHIPPED}"
        )
    return tuple(agents)


def _counted(top: Section, sections: list[Section]) -> tuple[list[Section], list[str]]:
    """Give the first ``nagents`` of the agents, and a remark on those that are left out."""
    most = len(sections)
    count = top.number(sim.NAGENTS, most)
    if count not in range(1, most + 1):
        top.fail(sim.NAGENTS, f"{count:g}", f"1 to {most}, as there are agents")
    taken = sections[: int(count)]
    left = [section.text(sim.AGENT_NAME) for section in sections[int(count) :]]
    if not left:
        return taken, []
    told = f"{top.where(sim.NAGENTS)}: {count:g}: the first of {most} agents"
    return taken, [f"{told}, without {', '.join(left)}"]


def _found(named: str, *folders: Path) -> Path | None:
    """Give the file a path means: itself, or its longest tail below one of the folders.

    The longest first, so that ``b/geometry.yml`` of a main file in ``a`` is not a's geometry; a
    name alone is looked for in the first folder only.
    """
    parts = Path(named).parts
    tails = [parts[i:] for i in range(len(parts))]
    places = (folder.joinpath(*t) for t in tails for folder in folders[: len(t)])
    return next((path for path in places if path.is_file()), None)


def _around(base: Path) -> tuple[Path, Path]:
    """Give where the files of a main file's vessels are looked for: its folder, and the parent."""
    return base, base.resolve().parent


def _files(section: Section, paths: dict[str, str], geometry: Path) -> dict[str, Path]:
    """Give where an agent's files lie, each by its own path, or else beside its geometry.

    A vessel that comes along is whole: what it has no file for, it does without.

    Raises:
        InvalidValue: one that is named is not there.
    """
    files = {"geometry": geometry}
    base = section.path.parent
    for key in FILES[1:]:
        own, named = geometry.with_name(f"{key}.yml"), paths[key]
        found = _found(named, *_around(base)) or _found(named, SHIPPED) if named else own
        if found is None and SHIPPED in geometry.parents and _is_hers(named, own):
            found = own
        if found is None:
            absent = f"{named}: no such file"
            section.fail(key, absent, f"it there, or its tail below {base} or its parent")
        files[key] = found
    return files


def _is_hers(named: str, own: Path) -> bool:
    """Say whether a path's tail is that of a vessel's own file."""
    return Path(named).parts[-2:] == own.parts[-2:]


def _borrowed(section: Section, paths: dict[str, str], geometry: Path) -> Iterator[str]:
    """Say that a vessel is a neighbour, or one that comes along, and what it is without."""
    folder, base = geometry.parent, section.path.parent
    told = f"{section.where(sim.AGENT_NAME)}: {folder.name}: not below {base}: taken from {folder}"
    if SHIPPED not in geometry.parents:
        as_named = (base / paths["geometry"]).is_file()
        if not as_named and base.resolve() not in geometry.resolve().parents:
            yield told
        return
    lacks = [key for key in FILES if paths[key] and not _found(paths[key], *_around(base))]
    lacks = [key for key in lacks if not (folder / f"{key}.yml").is_file()]
    without = f"; it has no {', '.join(lacks)}" if lacks else ""
    yield f"{told}, which comes with Steerageway{without}"


def _agent(
    section: Section,
    name: str,
    files: dict[str, Path],
    constants: dict[str, str],
    datum: list[float],
) -> Agent:
    overrides = constants | {f"vessel.{sim.AGENT_NAME}": name}
    for key in sim.OF_AGENT:
        if key in section:
            overrides[f"vessel.{key}"] = section.text(key)
    if ves.ACTIVE_DOF in section:
        overrides[f"vessel.{ves.ACTIVE_DOF}"] = f"[{','.join(section.words(ves.ACTIVE_DOF))}]"
    section.finish((sim.AGENT_NAME, *FILES))
    folder = files["geometry"].parent
    elsewhere = {
        key: files[key].resolve()
        for key in sim.MAKE_IT
        if files[key].resolve() != (folder / f"{key}.yml").resolve()
    }
    guidance, control = (read_if_there(files[key]) for key in ("guidance", "control"))
    steering = read_steering(guidance, control, datum)
    sensors = files["sensors"] if sen.SENSORS in read_if_there(files["sensors"]) else None
    return Agent(name, folder, elsewhere, overrides, sensors, *steering)


class Steering(NamedTuple):
    """What ``guidance.yml`` and ``control.yml`` say; see ``Agent``."""

    waypoints: tuple[tuple[float, float, float], ...]
    lookahead: float
    acceptance: float
    angle: float | None
    rpm: float | None


def read_steering(guidance: Section, control: Section, datum: Sequence[float]) -> Steering:
    """Read both files; ``datum`` is latitude, longitude [deg], height [m]."""
    angle = rpm = None
    if ctl.CONTROLLER in control:
        control.choice(ctl.CONTROLLER)
    if control.choice(ctl.SURFACES) != "pid":
        angle = control.number(ctl.RUDDER_ANGLE)
    if control.choice(ctl.THRUSTERS) != "pid":
        rpm = control.number(ctl.RPM)
    control.finish()
    lookahead, acceptance = (guidance.number(key) for key in (gui.LOOKAHEAD, gui.ACCEPTANCE))
    kind = guidance.choice(gui.GUIDANCE_TYPE)
    waypoints = _waypoints(guidance, datum)
    guidance.finish()
    ahead = lookahead if kind == "los" else 0.0
    return Steering(waypoints, ahead, acceptance, angle, rpm)


def _waypoints(guidance: Section, datum: Sequence[float]) -> tuple[tuple[float, float, float], ...]:
    """Give waypoints in NED; ``XYZ`` is Panisim's own frame, which is NED."""
    kind = guidance.choice(gui.WAYPOINTS_TYPE)
    rows = guidance.rows(gui.WAYPOINTS)
    if kind != "LLA":
        return tuple((north, east, down) for north, east, down in rows)
    plane, points = Datum(datum[0], datum[1]), []
    for lat, lon, height in rows:
        east, north = plane.to_local(lat, lon)
        points.append((north, east, datum[2] - height))
    return tuple(points)
