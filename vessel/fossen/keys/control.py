"""Keys of ``control.yml``: control of the actuators; defaults are Panisim's."""

from __future__ import annotations

from steerageway.world.key_declarations import Key, Kind

CONTROLLER = Key(
    "controller_type",
    Kind.CHOICE,
    default="pid",
    choices=("pid",),
    meaning="controller: the marine PID with the gains of vessel tune",
)
SURFACES = Key(
    "control_surface_control_type",
    Kind.CHOICE,
    default="pid",
    choices=("pid", "fixed_rudder"),
    meaning="control of surfaces; fixed_rudder: constant rudder_angle",
)
RUDDER_ANGLE = Key("rudder_angle", unit="deg", default=15.0, meaning="angle of fixed_rudder")
THRUSTERS = Key(
    "thruster_control_type",
    Kind.CHOICE,
    default="pid",
    choices=("pid", "fixed_rpm"),
    meaning="control of thrusters; fixed_rpm: constant rpm",
)
RPM = Key("rpm", unit="rpm", default=1000.0, meaning="speed of fixed_rpm")
KEYS = (CONTROLLER, SURFACES, RUDDER_ANGLE, THRUSTERS, RPM)
