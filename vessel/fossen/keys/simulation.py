"""Keys of ``simulation_input.yml``, Panisim's main file: the world and its vessels."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from steerageway.declarations.key import declared
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
OF_WATER = tuple(
    replace(key, default=None, usual="each vessel's own", ours=False) for key in (DENSITY, GRAVITY)
)
OF_AGENT = (TYPE, U, MAINTAIN_SPEED)
_, AGENT_FILES = declared(
    "\n".join(
        f"{name} .yml ({'{name}/geometry' if name == 'geometry' else name}.yml"
        f"{'' if name == 'geometry' else ' next to its geometry'}): path of the file; {{name}} is "
        "replaced by the vessel's name"
        for name in FILES
    )
)

KEYS, (
    SIM_TIME, TIME_STEP, GPS_DATUM, WORLD_SIZE, GEOFENCE, STATIC_OBSTACLE, NAGENTS, EKF,
    AVOIDANCE, AGENTS, AGENT_NAME,
) = declared(
    """
    sim_time [s] > 0: duration of a run
    time_step [s] > 0: time step of the simulators
    density, gravity
    gps_datum[3] [deg, deg, m]: latitude, longitude and height of the datum
    world_size[3] words [m] (unlimited): extent of the world from the datum north and east, and \
        water depth; Inf: unlimited
    geofence[][2] [deg] (none): ring of [latitude, longitude] that vessels must not leave
    static_obstacle[][2] [deg] (none): ring of [latitude, longitude] that vessels must not enter
    nagents whole (all): number of agents used
    vessel_states_ekf flag: estimation of vessel states from the sensors by a filter
    collision_avoidance false|true|colregs: collision avoidance: none, by course and speed, or by \
        COLREGs
    agents[] required: vessels
        name text: name of the vessel
        type, U, maintain_speed, active_dof, collision_avoidance, geometry, inertia,
        hydrodynamics, control_surfaces, thrusters, initial_conditions, sensors, guidance, control
    geometry, inertia, hydrodynamics, control_surfaces, thrusters, initial_conditions, sensors,
    guidance, control
    """,
    *OF_WATER,
    *OF_AGENT,
    ACTIVE_DOF,
    *AGENT_FILES,
)  # fmt: skip


def is_main_file(text: str) -> bool:
    """Whether a text names a main file, or a vessel in one: ``simulation_input.yml@NAME``."""
    return Path(text.rpartition("@")[0] or text).suffix in SUFFIXES
