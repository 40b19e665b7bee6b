"""Keys of ``initial_conditions.yml``: initial pose, velocities and actuator states."""

from __future__ import annotations

from steerageway.declarations.key import declared
from steerageway.vessel.fossen.keys.vessel import MODELS

KEYS, (
    START_LOCATION, START_ORIENTATION, START_VELOCITY, USE_QUATERNION, START_ACTUATORS,
) = declared(f"""
    start_location[3] [m] = 0: north, east, down; default of a hull that floats by its form: at rest
    start_orientation[3] [rad] = 0: roll, pitch, yaw
    start_velocity[6] [m/s, rad/s] = 0: u v w p q r over ground, or u v w
    use_quaternion flag: integration of attitude by quaternions, without singularity at a pitch of \
        90 degrees
    start_actuators[] + \
        @{",".join(MODELS[1:])} \
        [deg, rpm] (0): initial state of each command's actuator, in its file's unit
""")  # fmt: skip
