"""``control.yml``: who moves the actuators; the figures are Panisim's own."""

from __future__ import annotations

from steerageway.world.declared import Key, Kind

CONTROLLER = Key(
    "controller_type",
    Kind.CHOICE,
    default="pid",
    choices=("pid",),
    meaning="the marine PID with the gains of vessel tune",
)
SURFACES = Key(
    "control_surface_control_type",
    Kind.CHOICE,
    default="pid",
    choices=("pid", "fixed_rudder"),
    meaning="fixed_rudder: all are held at rudder_angle",
)
RUDDER_ANGLE = Key("rudder_angle", unit="deg", default=15.0, meaning="of fixed_rudder")
THRUSTERS = Key(
    "thruster_control_type",
    Kind.CHOICE,
    default="pid",
    choices=("pid", "fixed_rpm"),
    meaning="fixed_rpm: all are held at rpm",
)
RPM = Key("rpm", unit="rpm", default=1000.0, meaning="of fixed_rpm")
KEYS = (CONTROLLER, SURFACES, RUDDER_ANGLE, THRUSTERS, RPM)
