"""Keys of ``control.yml``: control of the actuators; defaults are Panisim's."""

from __future__ import annotations

from steerageway.declarations.key import declared

KEYS, (
    CONTROLLER, SURFACE_CONTROL, RUDDER_ANGLE, THRUSTER_CONTROL, RPM,
) = declared("""
    controller_type pid|: controller: the marine PID with the gains of vessel tune
    control_surface_control_type pid|fixed_rudder: control of surfaces; fixed_rudder: constant \
        rudder_angle
    rudder_angle [deg] = 15: angle of fixed_rudder
    thruster_control_type pid|fixed_rpm: control of thrusters; fixed_rpm: constant rpm
    rpm [rpm] = 1000: speed of fixed_rpm
""")  # fmt: skip
