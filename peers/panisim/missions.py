"""Converts Panisim's main file to mission files, one for each vessel of its world.

Each of several vessels shares its node reports with an additional community, ``shoreside``, whose
``uFldNodeComms`` delivers them to all others at any distance: Panisim's topics have no range.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import NamedTuple

from steerageway.apps.shared.measurements import VARIABLES
from steerageway.moos.globals import names_a_folder
from steerageway.moos.values import trimmed
from steerageway.peers.panisim.main_file import Agent, Ring, World, read_world
from steerageway.vessel.errors import InvalidValue, VesselError
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.file_warnings import file_doubts
from steerageway.vessel.fossen.folder import load, read_folder
from steerageway.vessel.fossen.keys import outward
from steerageway.vessel.fossen.keys import sensors as sen
from steerageway.vessel.fossen.orders import orders_of
from steerageway.vessel.fossen.state import NU
from steerageway.vessel.tools.inertia import is_coefficient_form
from steerageway.vessel.tools.trials import full_ahead, thrust_for
from steerageway.vessel.tools.tune import MOST_THRUST, tune
from steerageway.world.document import Section, read

LAUNCHES = ("MOOSDB", "pLogger", "uSimMarineV22", "pNodeReporter")
STEERING = ("pMarinePIDV22", "pHelmIvP")
TICK = 10.0  # tick of apps without a faster requirement [Hz]
DECIMALS = 9  # of lengths in metres
CRUISE = 60.0  # thrust [%] of a vessel without a speed
MIN_SPEED = 0.1  # [m/s]

SHORE = "shoreside"
APPS = ("pContactMgrV20", "pShare")
SHARE_PORT = 9200  # of the shore; those of the vessels follow
MIN_DISTANCE = 2.0  # minimum distance of the centres of two vessels [lengths]
TURN_TIME = 12.0  # [s] in which a vessel of 1 m length has turned away; scaled by sqrt(L)
START_FACTOR = 3.0  # multiple of that time at which avoidance begins
BEHAVIORS = {"true": "BHV_AvoidCollision", "colregs": "BHV_AvdColregsV22"}


def block(name: str, *lines: str) -> Iterator[str]:
    """Yield a process's block."""
    yield from (f"ProcessConfig = {name}", "{", *(f"  {line}" for line in lines), "}")


def behavior(kind: str, *lines: str) -> Iterator[str]:
    """Yield a behavior."""
    yield from (f"Behavior = {kind}", "{", *(f"  {line}" for line in lines), "}")


def sharing(place: int) -> Iterator[str]:
    """Yield the blocks of a vessel, by its place from 0, for exchanging node reports."""
    yield from block("pContactMgrV20", "AppTick = 4")
    report = "src_name = NODE_REPORT_LOCAL, dest_name = NODE_REPORT"
    yield from block(
        "pShare",
        f"Input  = route = localhost:{SHARE_PORT + 1 + place}",
        f"Output = {report}, route = localhost:{SHARE_PORT}",
    )


def shore(names: Sequence[str], globals_: Sequence[str]) -> Iterator[str]:
    """Yield the mission file of the shore; ``globals_`` are its global lines with the datum."""
    yield f"Community = {SHORE}"
    yield from globals_
    runs = [f"Run = {name}" for name in ("MOOSDB", "pLogger", "uFldNodeComms", "pShare")]
    yield from block("ANTLER", "MSBetweenLaunches = 100", *runs)
    yield from block("pLogger", "AppTick = 4", "WildCardLogging = true")
    yield from block(
        "uFldNodeComms", "AppTick = 10", "comms_range = nolimit", "view_node_rpt_pulses = false"
    )
    outputs = [
        f"Output = src_name = NODE_REPORT_{name.upper()}, dest_name = NODE_REPORT, "
        f"route = localhost:{SHARE_PORT + 1 + i}"
        for i, name in enumerate(names)
    ]
    yield from block("pShare", f"Input = route = localhost:{SHARE_PORT}", *outputs)


def avoiding(kind: str, length: float, speed: float) -> Iterator[str]:
    """Yield the collision-avoidance behavior; none for ``false``.

    Args:
        kind: one of Panisim's agents' ``avoidance``.
        length: of the longest vessel [m].
        speed: maximum closing speed of two vessels [m/s].
    """
    if kind not in BEHAVIORS:
        return
    clear = MIN_DISTANCE * length
    turning = TURN_TIME * max(1.0, length) ** 0.5
    inner = 2.0 * clear + speed * turning
    outer = 2.0 * clear + START_FACTOR * speed * turning
    yield from behavior(
        BEHAVIORS[kind],
        *("name = avd_", "pwt = 300", "templating = spawn", "updates = CONTACT_INFO"),
        *(f"pwt_outer_dist = {outer:.6g}", f"pwt_inner_dist = {inner:.6g}"),
        f"completed_dist = {1.25 * outer:.6g}",
        *(f"min_util_cpa_dist = {clear:.6g}", f"max_util_cpa_dist = {2.0 * clear:.6g}"),
    )


@dataclass(frozen=True)
class Mission:
    """A vessel's mission.

    Attributes:
        name: of its community.
        moos, bhv: contents of its mission file and behavior file ("": none).
        warnings: differences that the user may not expect.
    """

    name: str
    moos: str
    bhv: str
    warnings: tuple[str, ...]


def missions_of(path: Path) -> tuple[float, list[Mission]]:
    """Return the duration of a main file's world [s], and a mission for each of its vessels.

    Raises:
        InvalidValue: with file, line, key, value and the expected value.
    """
    world = read_world(path)
    for agent in world.agents:
        if not names_a_folder(agent.name):
            expected = "expected a name without / and \\, not with a dot first"
            raise InvalidValue(f"agents: name = {agent.name!r}: {expected}", str(path))
    found: dict[object, tuple[str, ...]] = {}
    crafts = [_craft(agent, found) for agent in world.agents]
    missions = [_mission(world, crafts, place) for place in range(len(crafts))]
    if len(crafts) > 1:
        names = [agent.name for agent in world.agents]
        missions.append(Mission(SHORE, _text(shore(names, [*_globals(world)])), "", ()))
    return world.sim_time, missions


class _Craft(NamedTuple):
    """An agent with its vessel, the block of its controller if it is steered, and its speed."""

    agent: Agent
    vessel: Dynamics
    length: float
    gains: tuple[str, ...]
    speed: float
    remarks: tuple[str, ...]


def _craft(agent: Agent, found: dict[object, tuple[str, ...]]) -> _Craft:
    """Return an agent's vessel; ``found`` holds the gains of those before it."""
    overrides: dict[str, object] = dict(agent.overrides)
    vessel = load(agent.folder, overrides=overrides, elsewhere=agent.elsewhere)
    gains: tuple[str, ...] = ()
    speed, unsteered = float(vessel.initial[NU][0]), []
    if agent.waypoints and agent.angle is None and agent.rpm is None:
        try:
            speed = _speed(vessel, agent)
            key = _gains_key(agent, vessel)
            gains = found[key] = found.get(key) or _gains(vessel, speed)
        except VesselError as error:
            why = getattr(error, "what", error)  # of a state that ended, without its numbers
            unsteered.append(f"{agent.name}: no helm, its waypoints are not followed: {why}")
    files = read_folder(agent.folder, overrides=overrides, elsewhere=agent.elsewhere)
    doubts = file_doubts(files) if is_coefficient_form(vessel) else ()
    remarks = (*agent.remarks, *doubts, *unsteered, *_propulsion_warning(agent, vessel))
    return _Craft(agent, vessel, files["geometry"].positive("length"), gains, speed, remarks)


def _gains_key(agent: Agent, vessel: Dynamics) -> object:
    """Return a key of vessels with the same gains: all parameters but name and position."""
    said = {key: value for key, value in agent.overrides.items() if key != "vessel.name"}
    files = {key: path for key, path in agent.elsewhere.items() if key != "initial_conditions"}
    return (agent.folder, *said.items(), *files.items(), vessel.initial[NU].tobytes())


def _gains(vessel: Dynamics, speed: float) -> tuple[str, ...]:
    """Return a controller's block for cruising speed; if that fails, for the mission's speed."""
    try:
        return tuple(tune(vessel))
    except VesselError:
        slower = thrust_for(vessel, orders_of(vessel), speed)
        if slower is None or slower > MOST_THRUST:
            raise
        return tuple(tune(vessel, slower))


def _mission(world: World, crafts: list[_Craft], place: int) -> Mission:
    agent, vessel, length, gains, speed, remarks = crafts[place]
    fence = [*_fence(world, vessel)]
    launches = [*LAUNCHES, *(STEERING if gains else ()), *(["uGeofence"] if fence else ())]
    launches += ["uSensors"] if _own(agent) else []
    launches += ["uSceneSensors"] if _outward(agent) else []
    launches += ["uNavFilter"] if _filters(world, agent) else []
    launches += APPS if len(crafts) > 1 else ()
    blocks = [f"Community = {agent.name}", *_globals(world), *_common(launches, length)]
    blocks += _simulator(world, agent, vessel)
    if gains:
        blocks += [*gains, *_helm(agent, speed)]
    blocks += [*fence, *_sensors(world, agent)]
    blocks += sharing(place) if len(crafts) > 1 else ()
    behaviors = [*_behaviors(agent, speed)] if gains else []
    if gains and len(crafts) > 1:
        longest = max(craft.length for craft in crafts)
        others = (craft.speed for craft in crafts if craft.agent is not agent)
        behaviors += avoiding(agent.avoidance, longest, speed + max(others))
    if world.filtered and not _own(agent):
        remarks += (
            f"{agent.name}: no sensors, so no filter: helm and controller use the true state",
        )
    return Mission(agent.name, _text(blocks), _text(behaviors), remarks)


def _text(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _propulsion_warning(agent: Agent, vessel: Dynamics) -> Iterator[str]:
    """Yield a warning if no actuator drives a vessel, with the consequence."""
    if orders_of(vessel).thrust.any():
        return
    going = vessel.initial[NU][0] > 0
    rates = vessel.derivative(vessel.initial, [0.0] * len(vessel.commands), vessel.surroundings())
    if agent.overrides.get("vessel.maintain_speed", "").lower() == "true":
        fate = "maintain_speed keeps it going, after a stop, too"
    elif rates[NU][0] < 0:
        fate = "it loses the speed it starts with: maintain_speed would keep it"
    else:
        fate = "it keeps the speed it starts with" if going else "it stays where it is"
    yield f"{agent.name}: nothing of its own drives it ahead: {fate}"


def _speed(vessel: Dynamics, agent: Agent) -> float:
    """Return the vessel's speed: its reference speed, initial speed, or that at 60 % thrust."""
    given = max(float(agent.overrides.get("vessel.U", "0")), float(vessel.initial[NU][0]))
    if given < MIN_SPEED:
        given = float(full_ahead(vessel, orders_of(vessel), CRUISE)[NU][0])
    if given < MIN_SPEED:
        raise InvalidValue(f"waypoints, but nothing drives {agent.name} ahead", str(agent.folder))
    return given


def _globals(world: World) -> Iterator[str]:
    lat, lon, _ = world.datum
    yield from ("ServerHost = localhost", "ServerPort = 9000")
    yield from (f"LatOrigin = {lat!r}", f"LongOrigin = {lon!r}")


def _common(launches: Iterable[str], length: float) -> Iterator[str]:
    runs = [f"Run = {name}" for name in launches]
    yield from block("ANTLER", "MSBetweenLaunches = 100", *runs)
    large = [f"WildCardOmitPattern = {', '.join(VARIABLES)}"] if "uSceneSensors" in launches else []
    yield from block("pLogger", "AppTick = 10", "WildCardLogging = true", *large)
    yield from block("pNodeReporter", "AppTick = 4", f"platform_length = {length:.6g}")


def _simulator(world: World, agent: Agent, vessel: Dynamics) -> Iterator[str]:
    # The simulator must post a state for each measurement of the fastest sensor.
    lines = [f"AppTick = {max(1 / world.time_step, _fastest(agent)):.12g}"]
    lines += [] if _filters(world, agent) else ["prefix = NAV"]
    lines += ["model = fossen", f"vessel = {agent.folder.resolve()}"]
    lines += [f"vessel_file = {key} = {path}" for key, path in agent.elsewhere.items()]
    lines += [f"vessel_override = {key} = {value}" for key, value in agent.overrides.items()]
    lines.append(f"time_step = {world.time_step:.12g}")
    if isfinite(world.size[2]):
        lines.append(f"default_water_depth = {world.size[2]:.12g}")
    fixed = [
        f"{channel.name}={value:.12g}"
        for prefix, value in (("cs_", agent.angle), ("th_", agent.rpm))
        for channel in vessel.commands
        if value is not None and channel.name.startswith(prefix)
    ]
    if fixed:
        lines.append(f"actuator_cmd = {','.join(fixed)}")
    yield from block("uSimMarineV22", *lines)


def _sensors(world: World, agent: Agent) -> Iterator[str]:
    """Yield the blocks of the sensors, at the rate of the fastest, and of the filter."""
    if agent.sensors is None:
        return
    tick = f"AppTick = {max(TICK, _fastest(agent)):.12g}"
    file = f"sensors_file = {agent.sensors.resolve()}"
    if _own(agent):
        yield from block("uSensors", tick, file, f"datum_height = {world.datum[2]!r}")
    if _outward(agent):
        yield from block("uSceneSensors", tick, file)
    if _filters(world, agent):
        gravity = agent.overrides.get("vessel.gravity")
        yield from block(
            "uNavFilter", f"AppTick = {TICK:.12g}", *([f"gravity = {gravity}"] if gravity else [])
        )


def _filters(world: World, agent: Agent) -> bool:
    return world.filtered and bool(_own(agent))


def _listed(agent: Agent) -> list[Section]:
    return read(agent.sensors).sections(sen.SENSORS) if agent.sensors else []


def _own(agent: Agent) -> list[Section]:
    """Return the sensors of the vessel's own motion."""
    return [one for one in _listed(agent) if one.text(sen.TYPE) not in outward.KINDS]


def _outward(agent: Agent) -> list[Section]:
    """Return the sensors of what is around: LiDARs, cameras, sonars."""
    return [one for one in _listed(agent) if one.text(sen.TYPE) in outward.KINDS]


def _fastest(agent: Agent) -> float:
    """Return the rate of the fastest sensor [Hz]; 0 without sensors."""
    return max((section.number(sen.RATE, 0.0) for section in _listed(agent)), default=0.0)


def _helm(agent: Agent, speed: float) -> Iterator[str]:
    lines = [f"behaviors = {agent.name}.bhv", "domain = course:0:359:360"]
    lines.append(f"domain = speed:0:{2 * speed:.6g}:41")
    if _deepest(agent) > 0:
        lines.append(f"domain = depth:0:{2 * _deepest(agent):.6g}:101")
    yield from block("pHelmIvP", *lines)


def plain(value: float) -> str:
    """Return a number of metres without an exponent, which many readers of MOOS files reject."""
    return trimmed(value, DECIMALS)


def _deepest(agent: Agent) -> float:
    return max(down for _, _, down in agent.waypoints)


def _behaviors(agent: Agent, speed: float) -> Iterator[str]:
    """Yield a behavior for each waypoint, and one for its depth if the waypoints have depths."""
    yield "initialize MOOS_MANUAL_OVERRIDE = false"
    yield "initialize POINT = 0"
    if len(agent.waypoints) > 1:
        points = ":".join(f"{plain(east)},{plain(north)}" for north, east, _ in agent.waypoints)
        yield f'initialize VIEW_SEGLIST = "pts={{{points}}},label={agent.name}_route"'
    last = len(agent.waypoints) - 1
    previous: tuple[float, float] | None = None
    for k, (north, east, down) in enumerate(agent.waypoints):
        flag = f"endflag = POINT = {k + 1}" if k < last else "endflag = MISSION = complete"
        points = f"{plain(east)},{plain(north)}"
        lines = [f"name = point_{k}", f"condition = POINT = {k}", flag, f"points = {points}"]
        lines += [f"speed = {plain(speed)}", "slip_radius = 0"]  # reached, not only passed
        if agent.acceptance is not None:
            lines.append(f"capture_radius = {plain(agent.acceptance)}")
        if agent.lookahead is not None and previous is not None:
            lines += [f"lead = {plain(agent.lookahead)}", "lead_to_start = true"]
        yield from behavior("BHV_Waypoint", *lines)
        if _deepest(agent) > 0:
            yield from behavior(
                "BHV_ConstantDepth",
                *(f"name = depth_{k}", f"condition = POINT = {k}"),
                *("duration = no-time-limit", f"depth = {plain(max(0.0, down))}"),
            )
        previous = east, north


def _fence(world: World, vessel: Dynamics) -> Iterator[str]:
    lines = [f"fence = {_ring(world.geofence)}"] if world.geofence else []
    lines += [f"obstacle = {_ring(world.obstacle)}"] if world.obstacle else []
    for key, far in zip(("world_north", "world_east"), world.size, strict=False):
        if isfinite(far):
            lines.append(f"{key} = {far:.12g}")
    if not lines:
        return
    lines.append("stop = " + ",".join(f"{channel.name}=0" for channel in vessel.commands))
    yield from block("uGeofence", *lines)


def _ring(ring: Ring) -> str:
    return " : ".join(f"{lat!r},{lon!r}" for lat, lon in ring)
