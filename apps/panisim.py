"""Writes missions of Panisim's main file: one for each vessel of its world."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import isfinite
from pathlib import Path

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.dynamics import NU, Dynamics
from steerageway.vessel.fossen.folder import load
from steerageway.vessel.fossen.orders import orders_of
from steerageway.vessel.fossen.panisim import Agent, Ring, World, read_world
from steerageway.vessel.tools.trials import full_ahead
from steerageway.vessel.tools.tune import tune

LAUNCHES = ("MOOSDB", "pLogger", "uSimMarineV22", "pNodeReporter")
STEERING = ("pMarinePIDV22", "pHelmIvP")
FASTEST_TICK = 10.0
CRUISE = 60.0  # thrust [%] of a vessel nobody gives a speed
SLOWEST = 0.1  # [m/s]


@dataclass(frozen=True)
class Mission:
    """A vessel's mission.

    Attributes:
        name: of its community.
        moos, bhv: its mission file and behavior file ("": none).
        warnings: what the user may not expect of it.
    """

    name: str
    moos: str
    bhv: str
    warnings: tuple[str, ...]


def missions_of(path: Path) -> tuple[float, list[Mission]]:
    """Give how long a main file's world lasts [s], and a mission for each of its vessels.

    Raises:
        InvalidValue: naming file, line, key, value and what would be right.
    """
    world = read_world(path)
    return world.sim_time, [_mission(world, agent) for agent in world.agents]


def _mission(world: World, agent: Agent) -> Mission:
    overrides: dict[str, object] = dict(agent.overrides)
    vessel = load(agent.folder, overrides=overrides, elsewhere=agent.elsewhere)
    steered = bool(agent.waypoints) and agent.angle is None and agent.rpm is None
    speed = _speed(vessel, agent) if steered else 0.0
    fence = [*_fence(world, vessel)]
    blocks = [*_common(world, agent, steered, bool(fence)), *_simulator(world, agent, vessel)]
    if steered:
        blocks += [*tune(vessel), *_helm(agent, speed)]
    blocks += [*fence, *_sensors(world, agent)]
    return Mission(
        agent.name,
        "\n".join(blocks) + "\n",
        "\n".join(_behaviors(agent, speed)) * steered,
        (*agent.remarks, *_undriven(agent, vessel)),
    )


def _undriven(agent: Agent, vessel: Dynamics) -> Iterator[str]:
    """Say that no actuator drives a vessel, and what becomes of it."""
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
    """Give the speed to go at: its reference speed, the one it starts at, or what 60 % brings."""
    given = max(float(agent.overrides.get("vessel.U", "0")), float(vessel.initial[NU][0]))
    if given < SLOWEST:
        given = float(full_ahead(vessel, orders_of(vessel), CRUISE)[NU][0])
    if given < SLOWEST:
        raise InvalidValue(f"{agent.folder}: waypoints, but nothing drives {agent.name} ahead")
    return given


def _common(world: World, agent: Agent, steered: bool, fenced: bool) -> Iterator[str]:
    lat, lon, _ = world.datum
    yield f"Community = {agent.name}"
    yield from ("ServerHost = localhost", "ServerPort = 9000")
    yield from (f"LatOrigin = {lat!r}", f"LongOrigin = {lon!r}")
    launches = [*LAUNCHES, *(STEERING if steered else ()), *(["uGeofence"] if fenced else ())]
    launches += ["uSensors"] if agent.sensors is not None else []
    runs = [f"Run = {name}" for name in launches]
    yield from _block("ANTLER", "MSBetweenLaunches = 100", *runs)
    yield from _block("pLogger", "AppTick = 10", "WildCardLogging = true")
    yield from _block("pNodeReporter", "platform_length = 2")


def _simulator(world: World, agent: Agent, vessel: Dynamics) -> Iterator[str]:
    lines = [f"AppTick = {min(FASTEST_TICK, 1 / world.time_step):.12g}", "prefix = NAV"]
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
    yield from _block("uSimMarineV22", *lines)


def _sensors(world: World, agent: Agent) -> Iterator[str]:
    if agent.sensors is None:
        return
    tick, height = f"AppTick = {FASTEST_TICK:.12g}", f"datum_height = {world.datum[2]!r}"
    file = f"sensors_file = {agent.sensors.resolve()}"
    yield from _block("uSensors", tick, file, height)


def _helm(agent: Agent, speed: float) -> Iterator[str]:
    lines = [f"behaviors = {agent.name}.bhv", "domain = course:0:359:360"]
    lines.append(f"domain = speed:0:{2 * speed:.6g}:41")
    if _deepest(agent) > 0:
        lines.append(f"domain = depth:0:{2 * _deepest(agent):.6g}:101")
    yield from _block("pHelmIvP", *lines)


def _deepest(agent: Agent) -> float:
    return max(down for _, _, down in agent.waypoints)


def _behaviors(agent: Agent, speed: float) -> Iterator[str]:
    """Give a behavior for each point, and its depth where the points have depths."""
    yield "initialize MOOS_MANUAL_OVERRIDE = false"
    yield "initialize POINT = 0"
    last = len(agent.waypoints) - 1
    previous: tuple[float, float] | None = None
    for k, (north, east, down) in enumerate(agent.waypoints):
        flag = f"endflag = POINT = {k + 1}" if k < last else "endflag = MISSION = complete"
        points = f"{east:.12g},{north:.12g}"
        lines = [f"name = point_{k}", f"condition = POINT = {k}", flag, f"points = {points}"]
        lines += [f"speed = {speed:.12g}", "slip_radius = 0"]  # a point is reached, not passed
        if agent.acceptance > 0:
            lines.append(f"capture_radius = {agent.acceptance:.12g}")
        if agent.lookahead > 0 and previous is not None:
            lines += [f"lead = {agent.lookahead:.12g}", "lead_to_start = true"]
        yield from _behavior("BHV_Waypoint", *lines)
        if _deepest(agent) > 0:
            yield from _behavior(
                "BHV_ConstantDepth",
                *(f"name = depth_{k}", f"condition = POINT = {k}"),
                *("duration = no-time-limit", f"depth = {max(0.0, down):.12g}"),
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
    yield from _block("uGeofence", *lines)


def _ring(ring: Ring) -> str:
    return " : ".join(f"{lat!r},{lon!r}" for lat, lon in ring)


def _block(name: str, *lines: str) -> Iterator[str]:
    yield from (f"ProcessConfig = {name}", "{", *(f"  {line}" for line in lines), "}")


def _behavior(kind: str, *lines: str) -> Iterator[str]:
    yield from (f"Behavior = {kind}", "{", *(f"  {line}" for line in lines), "}")
