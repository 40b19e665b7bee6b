"""Writes Panisim's main file, and a ``guidance.yml`` for each vessel, from a plan."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf, isfinite
from pathlib import Path
from typing import NamedTuple

from steerageway.declarations import write_whole
from steerageway.declarations.key import Key
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.keys import guidance as gui
from steerageway.vessel.fossen.keys import simulation as sim
from steerageway.world.constants import DENSITY, GRAVITY

Ring = tuple[tuple[float, float], ...]
LEAST = 3  # minimum number of points of a ring


class Sailing(NamedTuple):
    """A vessel in a plan.

    Attributes:
        name: of its community, and of its folder if ``folder`` is "".
        folder: relative to the main file, as ``vessels/boat``; "" for a shipped vessel.
        waypoints: (north, east, down) [m], or (latitude, longitude, height) if ``kind`` is LLA.
        kind: ``XYZ``, ``NED`` or ``LLA``.
        speed: U [m/s]; 0: not written. maintain_speed: None: not written.
        active_dof: (6,); () for all.
        type: as in Panisim.
        guidance_type: as in Panisim. lookahead, acceptance: as in ``guidance.yml`` [m]; None: not
            written.
    """

    name: str
    folder: str = ""
    waypoints: tuple[tuple[float, float, float], ...] = ()
    kind: str = "XYZ"
    speed: float = 0.0
    maintain_speed: bool | None = None
    active_dof: tuple[int, ...] = ()
    type: str = "usv"
    guidance_type: str = "los"
    lookahead: float | None = None
    acceptance: float | None = None


@dataclass(frozen=True)
class Plan:
    """A run as described by Panisim's main file.

    Attributes:
        datum: latitude, longitude [deg], height [m].
        agents: the vessels, with unique names.
        sim_time, time_step: [s]. density, gravity: [kg/m³], [m/s²].
        size: extent of the world north, east, down [m]; inf: unbounded.
        geofence, obstacle: rings of (latitude, longitude) [deg]; () for none.
    """

    datum: tuple[float, float, float]
    agents: tuple[Sailing, ...]
    sim_time: float = 100.0
    time_step: float = 0.1
    density: float = DENSITY
    gravity: float = GRAVITY
    size: tuple[float, float, float] = (inf, inf, inf)
    geofence: Ring = ()
    obstacle: Ring = ()


def write_plan(plan: Plan, folder: Path) -> list[Path]:
    """Write ``simulation_input.yml``, and ``NAME_guidance.yml`` of each vessel with waypoints.

    Returns: the files, the main one first, which ``launch.py`` can run.

    Raises:
        InvalidValue: the plan is invalid.
    """
    main = folder / "simulation_input.yml"
    texts = {main: main_text(plan)}
    for agent in plan.agents:
        if agent.waypoints:
            texts[folder / guidance_name(agent)] = guidance_text(agent)
    for path, text in texts.items():
        write_whole(path, text)
    return list(texts)


def guidance_name(agent: Sailing) -> str:
    """Return the name of a vessel's guidance file, beside the main file."""
    return f"{agent.name}_guidance.yml"


def main_text(plan: Plan) -> str:
    """Return the text of the main file. Raises: as ``write_plan``."""
    _check(plan)
    lines = [
        _line(sim.SIM_TIME, plan.sim_time),
        _line(sim.TIME_STEP, plan.time_step),
        *(_line(key, v) for key, v in zip(sim.OF_WATER, (plan.density, plan.gravity), strict=True)),
        _line(sim.WORLD_SIZE, plan.size),
        _line(sim.GPS_DATUM, plan.datum),
        *_ring(sim.GEOFENCE, plan.geofence),
        *_ring(sim.STATIC_OBSTACLE, plan.obstacle),
        _line(sim.NAGENTS, len(plan.agents)),
        f"{sim.AGENTS}:",
    ]
    for agent in plan.agents:
        lines += _agent(agent)
    return "\n".join(lines) + "\n"


def guidance_text(agent: Sailing) -> str:
    """Return the text of a vessel's ``guidance.yml``."""
    lines = [
        f"{gui.WAYPOINTS_TYPE}: {agent.kind}",
        f"{gui.GUIDANCE_TYPE}: {agent.guidance_type}",
        f"{gui.WAYPOINTS}:",
        *(f"  - {_value(point)}" for point in agent.waypoints),
    ]
    for key, value in ((gui.LOOKAHEAD, agent.lookahead), (gui.ACCEPTANCE, agent.acceptance)):
        if value is not None:
            lines.append(_line(key, value))
    return "\n".join(lines) + "\n"


def _agent(agent: Sailing) -> list[str]:
    kind, U, maintained = sim.OF_AGENT
    base = agent.folder or agent.name
    lines = [f"{sim.AGENT_NAME}: {agent.name}", f"{kind}: {agent.type}"]
    if agent.speed:
        lines.append(_line(U, agent.speed))
    if agent.maintain_speed is not None:
        lines.append(f"{maintained}: {str(agent.maintain_speed).lower()}")
    if agent.active_dof:
        lines.append(f"active_dof: {_value(agent.active_dof)}")
    lines.append(f"geometry: {base}/geometry.yml")
    if agent.waypoints:
        lines.append(f"guidance: {guidance_name(agent)}")
    return [f"  {'- ' if i == 0 else '  '}{line}" for i, line in enumerate(lines)]


def _ring(key: Key, ring: Ring) -> list[str]:
    return [f"{key}:", *(f"  - {_value(point)}" for point in ring)] if ring else []


def _line(key: Key, value: float | Sequence[float]) -> str:
    return f"{key}: {_value(value)}"


def _value(value: float | Iterable[float]) -> str:
    """Return the shortest text that reads back equal; Panisim writes ``Inf``."""
    if isinstance(value, Iterable):
        return f"[{', '.join(_value(item) for item in value)}]"
    if value in (inf, -inf):
        return "Inf" if value > 0 else "-Inf"
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(float(value))


def _check(plan: Plan) -> None:
    """Raise InvalidValue for what the reader would reject."""
    if not plan.agents:
        raise InvalidValue("a plan without vessels: expected one or more")
    names = [agent.name for agent in plan.agents]
    for name in names:
        if names.count(name) > 1:
            raise InvalidValue(f"{name}: used twice: expected a unique name for each vessel")
        if not name.replace("_", "").replace("-", "").isalnum():
            raise InvalidValue(f"{name!r}: expected a name of letters, digits, _ and -")
    for what, value in (("sim_time", plan.sim_time), ("time_step", plan.time_step)):
        if not (isfinite(value) and value > 0.0):
            raise InvalidValue(f"{what} {value:g}: expected a number above zero [s]")
    for ring_name, ring in ((sim.GEOFENCE, plan.geofence), (sim.STATIC_OBSTACLE, plan.obstacle)):
        if 0 < len(ring) < LEAST:
            raise InvalidValue(f"{ring_name}: {len(ring)} points: expected {LEAST} or more")
        if any(not (-90 <= lat <= 90 and -180 <= lon <= 180) for lat, lon in ring):
            raise InvalidValue(f"{ring_name}: expected latitudes and longitudes in degrees")
    for agent in plan.agents:
        if agent.kind not in gui.WAYPOINTS_TYPE.choices:
            choices = ", ".join(gui.WAYPOINTS_TYPE.choices)
            raise InvalidValue(f"{agent.name}: waypoints {agent.kind}: expected one of {choices}")
        if not all(isfinite(value) for point in agent.waypoints for value in point):
            raise InvalidValue(f"{agent.name}: a waypoint is no number")
