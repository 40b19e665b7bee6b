"""Keys of ``simulation_input.yml``, Panisim's main file: the world and its vessels."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from steerageway.declarations.key import Keys
from steerageway.vessel.fossen.keys.vessel import (
    ACTIVE_DOF,
    DENSITY,
    GRAVITY,
    MAINTAIN_SPEED,
    TYPE,
    U,
)

MAKE_IT = (
    *("geometry", "inertia", "hydrodynamics", "control_surfaces", "thrusters"),
    "initial_conditions",
)
FILES = (*MAKE_IT, "sensors", "guidance", "control")
SUFFIXES = (".yml", ".yaml")

panisim = Keys()

SIM_TIME = panisim.number("sim_time", "s", above=0).means("duration of a run")
TIME_STEP = panisim.number("time_step", "s", above=0).means("time step of the simulators")
OF_WATER = tuple(
    replace(key, default=None, usual="each vessel's own", ours=False) for key in (DENSITY, GRAVITY)
)
WORLD_SIZE = panisim.words("world_size", "m", 3, usual="unlimited").means(
    "extent of the world from the datum north and east, and water depth; Inf: unlimited"
)
GPS_DATUM = panisim.vector("gps_datum", "deg, deg, m", 3).means(
    "latitude, longitude and height of the datum"
)
GEOFENCE = panisim.rows("geofence", "deg", 2, usual="none").means(
    "ring of [latitude, longitude] that vessels must not leave"
)
STATIC_OBSTACLE = panisim.rows("static_obstacle", "deg", 2, usual="none").means(
    "ring of [latitude, longitude] that vessels must not enter"
)
AVOID = panisim.choice("collision_avoidance", ("false", "true", "colregs")).means(
    "collision avoidance: none, by course and speed, or by COLREGs"
)
FILTER = panisim.flag("vessel_states_ekf").means(
    "estimation of vessel states from the sensors by a filter"
)
NAGENTS = panisim.whole("nagents", usual="all").means("number of agents used")
AGENT_NAME = panisim.text("name").means("name of the vessel")
OF_AGENT = (TYPE, U, MAINTAIN_SPEED)
AGENT_FILES = tuple(
    panisim.file(
        name,
        ".yml",
        usual=f"{name}.yml next to its geometry" if name != "geometry" else "{name}/geometry.yml",
    ).means("path of the file; {name} is replaced by the vessel's name")
    for name in FILES
)
AGENTS = panisim.sections(
    "agents", (AGENT_NAME, *OF_AGENT, ACTIVE_DOF, AVOID, *AGENT_FILES), usual=""
).means("vessels")
KEYS = (
    *(SIM_TIME, TIME_STEP, *OF_WATER, GPS_DATUM, WORLD_SIZE, GEOFENCE, STATIC_OBSTACLE, NAGENTS),
    *(FILTER, AVOID, AGENTS, *AGENT_FILES),
)


def is_main_file(text: str) -> bool:
    """Whether a text names a main file, or a vessel in one: ``simulation_input.yml@NAME``."""
    return Path(text.rpartition("@")[0] or text).suffix in SUFFIXES
