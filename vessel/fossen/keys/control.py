"""Keys of ``control.yml``: control of the actuators; defaults are Panisim's."""

from __future__ import annotations

from steerageway.declarations.key import Keys

panisim = Keys()

CONTROLLER = panisim.choice("controller_type", ("pid",)).means(
    "controller: the marine PID with the gains of vessel tune"
)
SURFACES = panisim.choice("control_surface_control_type", ("pid", "fixed_rudder")).means(
    "control of surfaces; fixed_rudder: constant rudder_angle"
)
RUDDER_ANGLE = panisim.number("rudder_angle", "deg", 15).means("angle of fixed_rudder")
THRUSTERS = panisim.choice("thruster_control_type", ("pid", "fixed_rpm")).means(
    "control of thrusters; fixed_rpm: constant rpm"
)
RPM = panisim.number("rpm", "rpm", 1000).means("speed of fixed_rpm")
KEYS = (CONTROLLER, SURFACES, RUDDER_ANGLE, THRUSTERS, RPM)
