"""Keys of ``initial_conditions.yml``: initial pose, velocities and actuator states."""

from __future__ import annotations

from steerageway.vessel.fossen.keys.vessel import MODELS
from steerageway.world.key_declarations import Key, Kind

START_LOCATION = Key(
    "start_location",
    Kind.VECTOR,
    "m",
    default=(0.0,) * 3,
    size=3,
    meaning="north, east, down; default of a hull that floats by its form: at rest",
)
START_ORIENTATION = Key(
    "start_orientation",
    Kind.VECTOR,
    "rad",
    default=(0.0,) * 3,
    size=3,
    meaning="roll, pitch, yaw",
)
START_VELOCITY = Key(
    "start_velocity",
    Kind.VECTOR,
    "m/s, rad/s",
    default=(0.0,) * 6,
    size=6,
    meaning="u v w p q r over ground, or u v w",
)
USE_QUATERNION = Key(
    "use_quaternion",
    Kind.FLAG,
    default=False,
    meaning="integration of attitude by quaternions, without singularity at a pitch of 90 degrees",
)
START_ACTUATORS = Key(
    "start_actuators",
    Kind.VECTOR,
    "deg, rpm",
    usual="0",
    ours=True,
    models=MODELS[1:],
    meaning="initial state of each command's actuator, in its file's unit",
)

KEYS = (START_LOCATION, START_ORIENTATION, START_VELOCITY, USE_QUATERNION, START_ACTUATORS)
