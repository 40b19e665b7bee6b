"""Keys of ``initial_conditions.yml``: initial pose, velocities and actuator states."""

from __future__ import annotations

from steerageway.declarations.key import Keys
from steerageway.vessel.fossen.keys.vessel import MODELS

panisim = Keys()
published = Keys(ours=True, models=MODELS[1:])

START_LOCATION = panisim.vector("start_location", "m", 3, 0).means(
    "north, east, down; default of a hull that floats by its form: at rest"
)
START_ORIENTATION = panisim.vector("start_orientation", "rad", 3, 0).means("roll, pitch, yaw")
START_VELOCITY = panisim.vector("start_velocity", "m/s, rad/s", 6, 0).means(
    "u v w p q r over ground, or u v w"
)
USE_QUATERNION = panisim.flag("use_quaternion").means(
    "integration of attitude by quaternions, without singularity at a pitch of 90 degrees"
)
START_ACTUATORS = published.vector("start_actuators", "deg, rpm", 0, usual="0").means(
    "initial state of each command's actuator, in its file's unit"
)

KEYS = (START_LOCATION, START_ORIENTATION, START_VELOCITY, USE_QUATERNION, START_ACTUATORS)
