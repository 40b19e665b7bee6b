"""Panisim's main file, ``simulation_input.yml``: world, vessels, waypoints and sensors.

Paths are relative to the file's folder. A path that does not exist, e.g. one of a container,
is searched for by its tail below that folder and its parent (a main file may be in a vessel's
folder), and then among the shipped vessels.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import hypot, inf
from pathlib import Path
from typing import NamedTuple

from steerageway.declarations import Number
from steerageway.diagnostics.nearest import did_you_mean
from steerageway.geometry.geodesy import Datum, check_local
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.folder import Choice, OverrideValue
from steerageway.vessel.fossen.keys import control as ctl
from steerageway.vessel.fossen.keys import control_surfaces as srf
from steerageway.vessel.fossen.keys import guidance as gui
from steerageway.vessel.fossen.keys import hydrodynamics as hyd
from steerageway.vessel.fossen.keys import initial_conditions as ini
from steerageway.vessel.fossen.keys import sensors as sen
from steerageway.vessel.fossen.keys import simulation as sim
from steerageway.vessel.fossen.keys import vessel as ves
from steerageway.vessel.tools.place import SHIPPED, by_tail, table_of
from steerageway.world.document import Section, read, read_if_there

FILES = sim.FILES
FILTER = sim.EKF
AVOID = sim.AVOIDANCE
AVOIDANCE = AVOID.choices
"""Collision avoidance of a vessel: none, by course and speed, or by COLREGs."""
Ring = tuple[tuple[float, float], ...]
Place = tuple[float, float]
FAR = 20e3  # distance from all starts at which a ring is implausible [m]
WIDEST = 500e3  # maximum width of a ring in degrees [m]


@dataclass(frozen=True)
class Agent:
    """A vessel of the main file.

    Attributes:
        name: its community; equal names get suffixes ``_00``, ``_01``.
        folder: folder of its geometry, and of all files the main file does not name.
        elsewhere: paths of its files in other folders, by kind.
        overrides: entries of the main file, by dotted key of the vessel's files.
        sensors: file of its sensors; None: none.
        waypoints: (north, east, down) [m]; () without guidance.
        lookahead: lookahead distance of line-of-sight guidance [m]; None: pure pursuit of the
            point.
        acceptance: radius of acceptance of waypoints [m]; None: not given.
        angle, rpm: fixed commands of control surfaces [deg] and thrusters; None with a
            controller.
        start: initial position, north and east [m].
        avoidance: collision avoidance, one of ``AVOIDANCE``.
        remarks: warnings for the user.
    """

    name: str
    folder: Path
    elsewhere: dict[str, Path]
    overrides: dict[str, str]
    sensors: Path | None
    waypoints: tuple[tuple[float, float, float], ...]
    lookahead: float | None
    acceptance: float | None
    angle: float | None
    rpm: float | None
    start: Place = (0.0, 0.0)
    avoidance: str = AVOIDANCE[0]
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True)
class World:
    """Contents of Panisim's main file.

    Attributes:
        sim_time, time_step: [s].
        size: extent of the world from the datum, north, east and down [m]; inf: unlimited.
        datum: latitude, longitude [deg], height [m].
        geofence, obstacle: rings of (latitude, longitude) [deg]; () for none.
        agents: the vessels.
        filtered: True if a filter estimates the state from the sensors (``/vessel_states_ekf``).
    """

    sim_time: float
    time_step: float
    size: tuple[float, float, float]
    datum: tuple[float, float, float]
    geofence: Ring
    obstacle: Ring
    agents: tuple[Agent, ...]
    filtered: bool = False


def read_world(path: Path) -> World:
    """Read a main file and the files it names.

    Raises:
        InvalidValue: with file, line, key, value and the expected value.
    """
    if not path.is_file():
        raise InvalidValue("no such file; expected Panisim's simulation_input.yml", str(path))
    top = read(path)
    datum = top.vector(sim.GPS_DATUM).tolist()
    constants = {f"vessel.{key}": f"{top.positive(key):.17g}" for key in sim.OF_WATER if key in top}
    agents = _agents(top, constants, datum)
    starts = [agent.start for agent in agents]
    geofence, of_fence = read_ring(top, sim.GEOFENCE, datum, starts)
    obstacle, of_obstacle = read_ring(top, sim.STATIC_OBSTACLE, datum, starts)
    remarks = (*of_fence, *of_obstacle, *agents[0].remarks)
    world = World(
        top.positive(sim.SIM_TIME),
        top.positive(sim.TIME_STEP),
        _size(top),
        (datum[0], datum[1], datum[2]),
        geofence,
        obstacle,
        (replace(agents[0], remarks=remarks), *agents[1:]),
        top.flag(FILTER),
    )
    top.finish()
    return world


def read_agent(text: str) -> Agent:
    """Read the vessel ``simulation_input.yml@NAME``; the name may be omitted if there is only one.

    Raises:
        InvalidValue: as ``read_world``; or no vessel has that name, or there are several.
    """
    main, at, name = text.rpartition("@")
    agents = read_world(Path(main if at else text)).agents
    names = [agent.name for agent in agents]
    if at and name not in names:
        raise InvalidValue(f"{text}: no such vessel; {did_you_mean(name, names)}")
    if not at and len(agents) > 1:
        raise InvalidValue(f"{text}: expected one of its vessels: {text}@{names[0]}")
    return agents[names.index(name) if at else 0]


def choice_of(text: str) -> Choice:
    """Return the vessel ``simulation_input.yml@NAME`` as its folder and the file's changes to it.

    Raises:
        InvalidValue: as ``read_agent``.
    """
    agent = read_agent(text)
    overrides: dict[str, object] = {
        key: OverrideValue(value, f"{text}: agent") for key, value in agent.overrides.items()
    }
    return Choice(agent.folder, "", overrides, agent.elsewhere)


LENGTH = Number(words={"inf": inf, ".inf": inf})


def _size(top: Section) -> tuple[float, float, float]:
    rows = top.words(sim.WORLD_SIZE) or ["inf"] * 3
    try:
        north, east, down = map(LENGTH, rows)
    except ValueError:
        top.fail(sim.WORLD_SIZE, str(rows), "three lengths, Inf for no end")
    return north, east, down


def _agents(top: Section, constants: dict[str, str], datum: list[float]) -> tuple[Agent, ...]:
    sections = top.sections(sim.AGENTS)
    if not sections:
        raise InvalidValue("agents is missing: expected a list of vessels", str(top.path))
    sections, beyond = _counted(top, sections)
    names = [section.text(sim.AGENT_NAME) for section in sections]
    shared = {key: top.text(key) for key in FILES if key in top}
    if shared:
        warning = f"{top.where(next(iter(shared)))}: stands at the margin, and not in an agent"
        beyond.append(f"{warning}: {', '.join(shared)} taken for every agent without its own")
    absent = []
    agents = []
    for i, (name, section) in enumerate(zip(names, sections, strict=True)):
        named = {key: section.text(key, shared.get(key, "")) for key in FILES}
        paths = {key: path.replace("{name}", name) for key, path in named.items()}
        geometry = paths["geometry"] or f"{name}/geometry.yml"
        found = by_tail(geometry, *_search_folders(top.path.parent)) or by_tail(geometry, SHIPPED)
        if found is None:
            absent.append(f"{name} ({geometry})")
            continue
        alike = names.count(name) > 1
        known = f"{name}_{names[:i].count(name):02d}" if alike else name
        files = _files(section, paths, found)
        avoids = top.choice(AVOID)
        agent = _agent(section, known, files, constants, datum)
        agent = replace(agent, avoidance=section.choice(AVOID, default=avoids))
        section.finish((sim.AGENT_NAME, *FILES))
        remarks = (*_source_warnings(section, paths, found), *beyond, *agent.remarks)
        agents.append(replace(agent, remarks=remarks))
        beyond = []
    if absent:
        raise InvalidValue(
            f"{top.where(sim.AGENTS)}: no files for {', '.join(absent)}: expected them there, or "
            f"by the tail of the path below {top.path.parent} or its parent, or below {SHIPPED}"
        )
    return tuple(agents)


def _counted(top: Section, sections: list[Section]) -> tuple[list[Section], list[str]]:
    """Return the first ``nagents`` agents, and a warning about the others."""
    most = len(sections)
    count = top.whole(sim.NAGENTS, most, low=1, high=most)
    taken = sections[:count]
    left = [section.text(sim.AGENT_NAME) for section in sections[count:]]
    if not left:
        return taken, []
    warning = f"{top.where(sim.NAGENTS)}: {count:g}: the first of {most} agents"
    return taken, [f"{warning}, without {', '.join(left)}"]


def _search_folders(base: Path) -> tuple[Path, Path]:
    """Return the search folders of a main file's vessels: its folder, and the parent."""
    return base, base.resolve().parent


def _files(section: Section, paths: dict[str, str], geometry: Path) -> dict[str, Path]:
    """Return the paths of an agent's files: as named, or else in the folder of its geometry.

    Files that a shipped vessel lacks are omitted.

    Raises:
        InvalidValue: a named file does not exist.
    """
    files = {"geometry": geometry}
    base = section.path.parent
    for key in FILES[1:]:
        own, named = geometry.with_name(f"{key}.yml"), paths[key]
        found = by_tail(named, *_search_folders(base)) or by_tail(named, SHIPPED) if named else own
        if found is None and SHIPPED in geometry.parents and _is_own_file(named, own):
            found = own
        if found is None:
            absent = f"{named}: no such file"
            section.fail(key, absent, f"a file, or its tail below {base} or its parent")
        files[key] = found
    return files


def _is_own_file(named: str, own: Path) -> bool:
    """Whether a path has the tail of a vessel's own file."""
    return Path(named).parts[-2:] == own.parts[-2:]


def _source_warnings(section: Section, paths: dict[str, str], geometry: Path) -> Iterator[str]:
    """Return a warning if a vessel is from another folder or shipped, with the files it lacks."""
    folder, base = geometry.parent, section.path.parent
    warning = (
        f"{section.where(sim.AGENT_NAME)}: {folder.name}: not below {base}: taken from {folder}"
    )
    if SHIPPED not in geometry.parents:
        as_named = (base / paths["geometry"]).is_file()
        if not as_named and base.resolve() not in geometry.resolve().parents:
            yield warning
        return
    lacks = [key for key in FILES if paths[key] and not by_tail(paths[key], *_search_folders(base))]
    lacks = [key for key in lacks if not (folder / f"{key}.yml").is_file()]
    without = f"; it has no {', '.join(lacks)}" if lacks else ""
    yield f"{warning}, which comes with Steerageway{without}"


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
    folder = files["geometry"].parent
    elsewhere = {
        key: files[key].resolve()
        for key in sim.MAKE_IT
        if files[key].resolve() != (folder / f"{key}.yml").resolve()
    }
    guidance, control = (read_if_there(files[key]) for key in ("guidance", "control"))
    steering = read_steering(guidance, control, datum)
    sensors = files["sensors"] if sen.SENSORS in read_if_there(files["sensors"]) else None
    gaps, remarks = _replacements(files)
    start = read_if_there(files["initial_conditions"]).vector(ini.START_LOCATION)
    place = (float(start[0]), float(start[1]))
    return Agent(
        *(name, folder, elsewhere, overrides | gaps, sensors, *steering, place),
        remarks=tuple(remarks),
    )


def _replacements(files: dict[str, Path]) -> tuple[dict[str, str], list[str]]:
    """Return replacements for tables that a vessel's files name but that do not exist.

    Added mass is then omitted, as if no file were named; a profile is replaced by a shipped one.
    """
    overrides, remarks = {}, []
    for name, key in (("hydrodynamics", hyd.HYDRA_FILE), ("control_surfaces", srf.NACA_FILE)):
        section = read_if_there(files[name])
        named = section.text(key)
        if not named or table_of(named, files[name].parent, files["geometry"].parent):
            continue
        warning = f"{section.where(key)}: {named}: no such file"
        if name == "hydrodynamics":
            overrides[f"{name}.{key}"] = "None"
            remarks.append(f"{warning}: without its added mass")
        elif alike := _profile(named):
            overrides[f"{name}.{key}"] = str(alike)
            remarks.append(f"{warning}: {alike.name} of {alike.parent} in its place")
    return overrides, remarks


def _profile(named: str) -> Path | None:
    """Return the table of a shipped foil profile, by its name in any case."""
    name = Path(named).name.lower()
    return next(
        (path for path in sorted(SHIPPED.glob("*/*.csv")) if path.name.lower() == name), None
    )


class Steering(NamedTuple):
    """Contents of ``guidance.yml`` and ``control.yml``; see ``Agent``."""

    waypoints: tuple[tuple[float, float, float], ...]
    lookahead: float | None
    acceptance: float | None
    angle: float | None
    rpm: float | None


def read_steering(guidance: Section, control: Section, datum: Sequence[float]) -> Steering:
    """Read both files; ``datum`` is latitude, longitude [deg], height [m]."""
    angle = rpm = None
    if ctl.CONTROLLER in control:
        control.choice(ctl.CONTROLLER)
    if control.choice(ctl.SURFACE_CONTROL) != "pid":
        angle = control.number(ctl.RUDDER_ANGLE)
    if control.choice(ctl.THRUSTER_CONTROL) != "pid":
        rpm = control.number(ctl.RPM)
    control.finish()
    lookahead, acceptance = (
        guidance.number(key) or None for key in (gui.LOOKAHEAD, gui.ACCEPTANCE)
    )
    kind = guidance.choice(gui.GUIDANCE_TYPE)
    waypoints = _waypoints(guidance, datum)
    guidance.finish()
    ahead = lookahead if kind == "los" else None
    return Steering(waypoints, ahead, acceptance, angle, rpm)


def _waypoints(guidance: Section, datum: Sequence[float]) -> tuple[tuple[float, float, float], ...]:
    """Return waypoints in NED [m]; ``XYZ`` is Panisim's own frame, which is NED."""
    kind = guidance.choice(gui.WAYPOINTS_TYPE)
    rows = guidance.rows(gui.WAYPOINTS)
    if kind != "LLA":
        for north, east, _ in rows:
            try:
                check_local(east, north)
            except ValueError as error:
                raise guidance.mistake(gui.WAYPOINTS, str(error)) from None
        return tuple((north, east, down) for north, east, down in rows)
    plane, points = Datum(datum[0], datum[1]), []
    for lat, lon, height in rows:
        east, north = plane.to_local(lat, lon)
        points.append((north, east, datum[2] - height))
    return tuple(points)


def read_ring(
    top: Section, key: str, datum: Sequence[float], starts: Sequence[Place]
) -> tuple[Ring, list[str]]:
    """Read a ring, () for none, and the warnings about it.

    Panisim's document specifies a fence in metres, its own files in latitude and longitude. The
    correct interpretation is the one in which the ring is near some vessel's start.

    Args:
        top: main file. key: ``geofence`` or ``static_obstacle``.
        datum: latitude, longitude [deg]. starts: of the vessels, north and east of the datum [m].

    Returns:
        Ring of latitudes and longitudes [deg].

    Raises:
        InvalidValue: fewer than three points, or not near any start, in degrees or metres.
    """
    rows = top.rows(key, 2)
    if not rows:
        return (), []
    if len(rows) < 3:
        expected = "three or more of [latitude, longitude], or of [north, east] in metres"
        top.fail(key, f"{len(rows)} points", expected)
    plane = Datum(datum[0], datum[1])
    metres = [(north, east) for north, east in rows]
    degrees = _in_metres(rows, plane)
    far = _distance(degrees, starts) if degrees else inf
    wide = max(_extent(degrees)) if degrees else inf
    if far <= FAR and wide <= WIDEST:
        return tuple((lat, lon) for lat, lon in rows), []
    nearest = _distance(metres, starts)
    if nearest > FAR:
        where = f"{min(far, nearest) / 1e3:.0f} km from every start at the nearest"
        top.fail(key, where, f"a ring around a start, or within {FAR / 1e3:.0f} km of one")
    warning = f"{top.where(key)}: read as north and east of the datum [m]: "
    if not degrees:
        warning += "they are no latitudes and longitudes"
    elif far > FAR:
        warning += f"as latitudes and longitudes it is {far / 1e3:.0f} km from every start"
    else:
        warning += f"as latitudes and longitudes it is {wide / 1e3:.0f} km wide"
    try:
        return tuple(plane.to_latlon(east, north) for north, east in metres), [warning]
    except ValueError as error:
        top.fail(key, str(error), "a ring around a start")


def _in_metres(rows: Sequence[Sequence[float]], plane: Datum) -> list[Place]:
    """Return north and east [m] of latitudes and longitudes; empty if they are invalid."""
    if any(abs(lat) > 90.0 or abs(lon) > 180.0 for lat, lon in rows):
        return []
    try:
        return [plane.to_local(lat, lon)[::-1] for lat, lon in rows]
    except ValueError:
        return []


def _distance(ring: Sequence[Place], starts: Sequence[Place]) -> float:
    """Return the distance of a ring's bounding box to the nearest start [m]; 0: start inside."""
    norths, easts = zip(*ring, strict=True)
    return min(
        hypot(
            max(min(norths) - north, 0.0, north - max(norths)),
            max(min(easts) - east, 0.0, east - max(easts)),
        )
        for north, east in starts
    )


def _extent(ring: Sequence[Place]) -> tuple[float, float]:
    norths, easts = zip(*ring, strict=True)
    return max(norths) - min(norths), max(easts) - min(easts)
