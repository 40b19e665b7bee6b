"""Keys of ``control_surfaces.yml``: rudders, planes, fins."""

from __future__ import annotations

from steerageway.declarations.key import declared

PREFIX = "control_surface_"

KEYS, (
    NACA_FILE, _, _, _, _, CONTROL_SURFACES, TYPE, NAME, ID, LOCATION, ORIENTATION, AREA, NACA,
    DELTA_MAX, DELTAD_MAX, T, CLIP, DELAY, BACKLASH, OWN_NACA_FILE, HYDRODYNAMICS, _, _, _, _,
    _, _, CL_DELTA, CD_DELTA, LIFT_DRAG, LAW_TYPE, LAW_AREA, LAW_DENSITY, A0, ALPHA_STALL, CLA,
    CLA_STALL, CDA, CDA_STALL, AS_CODED, LIFT_CONSTANT, DRAG_CONSTANT,
) = declared("""
    naca_file @coefficients .csv: default polar of foils: CSV alpha,cl,cd, alpha in degrees
    naca_number text (none): value for a YAML anchor; no effect
    delta_max text (none): value for a YAML anchor; no effect
    deltad_max text (none): value for a YAML anchor; no effect
    area text (none): value for a YAML anchor; no effect
    control_surfaces[]: control surfaces
        control_surface_type text: type for information, e.g. Rudder, Elevator
        control_surface_name text: name, for information only
        control_surface_id text (number in the list): identifier in the name of its command: cs_1
        control_surface_location[3] [m] = 0: position in the drawing frame
        control_surface_orientation[3] [rad] = 0: roll, pitch, yaw; x along the chord, y along the \
            span; upright: roll -pi/2
        control_surface_area [m²] >= 0 = 0: area of the foil or fin
        control_surface_NACA text: name of the profile; the table is used
        control_surface_delta_max [deg] from 0 to 180 = 90: maximum angle; 0: a fixed fin, such as \
            a keel, without a command
        control_surface_deltad_max [deg/s] > 0 = inf: maximum rate
        control_surface_T [s] >= 0 = 0: time constant; 0: no lag
        control_surface_clip + @coefficients command|before|after|never: limited quantity: \
            command; as references: state, before or after a step
        control_surface_delay + [s] >= 0 = 0: dead time of commands
        control_surface_backlash + [deg] >= 0 = 0: backlash
        control_surface_naca_file @coefficients .csv (naca_file): polar of a foil in the local \
            flow: CSV alpha,cl,cd, alpha in degrees
        control_surface_hydrodynamics @coefficients: surface defined by coefficients; prime ones \
            are multiplied by 1/2 rho L² U²
            X_delta [SI, or 1] = 0: force or moment per radian
            Y_delta [SI, or 1] = 0: force or moment per radian
            Z_delta [SI, or 1] = 0: force or moment per radian
            K_delta [SI, or 1] = 0: force or moment per radian
            M_delta [SI, or 1] = 0: force or moment per radian
            N_delta [SI, or 1] = 0: force or moment per radian
        control_surface_CL_delta + @coefficients [1/rad] (none): lift coefficient of a fin per angle
        control_surface_CD_delta + @coefficients [1/rad²] >= 0 = 0: drag coefficient of a fin per \
            squared angle
        control_surface_lift_drag + @coefficients: fin as in the UUV Simulator
            type two_lines|quadratic: law of lift and drag
            area [m²] > 0 (control_surface_area): area of the fin
            density [kg/m³] > 0 (density): density of the water for this fin
            a0 [rad] = 0: angle of zero lift
            alpha_stall [rad] > 0: stall angle
            cla [1/rad]: slope of lift
            cla_stall [1/rad]: slope of lift beyond stall
            cda [1/rad] >= 0: slope of drag
            cda_stall [1/rad]: slope of drag beyond stall
            as_coded flag: reproduces errors of the UUV Simulator's plugin
            lift_constant [N s²/m²]: lift constant of quadratic
            drag_constant [N s²/m²] >= 0: drag constant of quadratic
""")  # fmt: skip
ANCHORS, DELTA_FORCES = KEYS[1:5], HYDRODYNAMICS.keys
