"""Keys of ``simulation_input.yml``, Panisim's main file: the world and its vessels."""

from __future__ import annotations

from dataclasses import replace

from steerageway.vessel.fossen.keys.vessel import (
    ACTIVE_DOF,
    DENSITY,
    GRAVITY,
    MAINTAIN_SPEED,
    TYPE,
    U,
)
from steerageway.world.key_declarations import Key, Kind

MAKE_IT = (
    *("geometry", "inertia", "hydrodynamics", "control_surfaces", "thrusters"),
    "initial_conditions",
)
FILES = (*MAKE_IT, "sensors", "guidance", "control")

SIM_TIME = Key("sim_time", unit="s", above=0.0, meaning="duration of a run")
TIME_STEP = Key("time_step", unit="s", above=0.0, meaning="time step of the simulators")
OF_WATER = tuple(
    replace(key, default=None, usual="each vessel's own", ours=False) for key in (DENSITY, GRAVITY)
)
WORLD_SIZE = Key(
    "world_size",
    Kind.WORDS,
    "m",
    size=3,
    usual="unlimited",
    meaning="extent of the world from the datum north and east, and water depth; Inf: unlimited",
)
GPS_DATUM = Key(
    "gps_datum",
    Kind.VECTOR,
    "deg, deg, m",
    size=3,
    meaning="latitude, longitude and height of the datum",
)
GEOFENCE = Key(
    "geofence",
    Kind.ROWS,
    "deg",
    size=2,
    usual="none",
    meaning="ring of [latitude, longitude] that vessels must not leave",
)
STATIC_OBSTACLE = Key(
    "static_obstacle",
    Kind.ROWS,
    "deg",
    size=2,
    usual="none",
    meaning="ring of [latitude, longitude] that vessels must not enter",
)
AVOID = Key(
    "collision_avoidance",
    Kind.CHOICE,
    default="false",
    choices=("false", "true", "colregs"),
    meaning="collision avoidance: none, by course and speed, or by COLREGs",
)
FILTER = Key(
    "vessel_states_ekf",
    Kind.FLAG,
    default=False,
    meaning="estimation of vessel states from the sensors by a filter",
)
NAGENTS = Key("nagents", Kind.WHOLE, usual="all", meaning="number of agents used")
AGENT_NAME = Key("name", Kind.TEXT, default="", meaning="name of the vessel")
OF_AGENT = (TYPE, U, MAINTAIN_SPEED)
AGENT_FILES = tuple(
    Key(
        name,
        Kind.FILE,
        usual=f"{name}.yml next to its geometry" if name != "geometry" else "{name}/geometry.yml",
        suffixes=(".yml",),
        meaning="path of the file; {name} is replaced by the vessel's name",
    )
    for name in FILES
)
AGENTS = Key(
    "agents",
    Kind.LIST,
    keys=(AGENT_NAME, *OF_AGENT, ACTIVE_DOF, AVOID, *AGENT_FILES),
    meaning="vessels",
)
KEYS = (
    *(SIM_TIME, TIME_STEP, *OF_WATER, GPS_DATUM, WORLD_SIZE, GEOFENCE, STATIC_OBSTACLE, NAGENTS),
    *(FILTER, AVOID, AGENTS, *AGENT_FILES),
)
