"""Keys of ``thrusters.yml``: propellers, polynomial and rotor thrusters, azimuth."""

from __future__ import annotations

from steerageway.declarations.key import declared

KEYS, (
    THRUSTERS, THRUSTER_NAME, THRUSTER_ID, LOCATION, ORIENTATION, UNIT, N_MAX, N_MIN, T_PROP,
    RATE_MAX, CLIP, DELAY, BACKLASH, D_PROP, KT_AT_J0, KT_SLOPE, J_VS_KT, TP, WAKE, KQ_AT_J0,
    KQ_SLOPE, TORQUE_FACTOR, ADVANCE, WAGENINGEN, BLADES, AREA_RATIO, B_PITCH_RATIO,
    FOUR_QUADRANTS, PITCH_RATIO, CT, CQ, QUADRANTS_FILE, AHEAD, ASTERN, AZIMUTH, ANGLE_MAX,
    AZIMUTH_RATE, AZIMUTH_T, AZIMUTH_BACKLASH, ROTOR, ROTOR_TYPE, TIME_CONSTANT, ROTOR_BETA,
    ROTOR_ALPHA, ROTOR_INERTIA, KV1, KV2, MOTOR_KT, MOTOR_RESISTANCE, CONVERSION,
    CONVERSION_TYPE, ROTOR_CONSTANT, LEFT, RIGHT, DELTA_LEFT, DELTA_RIGHT, CONVERSION_TABLE,
    GAIN, ON, THRUST_MIN, THRUST_MAX, PROPELLER_EFFICIENCY, THRUST_EFFICIENCY,
    THRUST_COEFFICIENT, SAIL, SAIL_AREA, SAIL_POLAR,
) = declared("""
    thrusters[]: thrusters
        thruster_name text: name, for information only
        thruster_id text (number in the list): identifier in the names of its commands: th_1, az_1
        thruster_location[3] [m]: position in the drawing frame
        thruster_orientation[3] [rad] = 0: roll, pitch, yaw; thrust is along its x axis
        unit + @coefficients rpm|rad/s|fraction|volt: unit of the command
        n_max [rpm, or in the unit] > 0: maximum command
        n_min + @coefficients [rpm, or in the unit] (-n_max): minimum command
        T_prop [s] >= 0 = 0: time constant; 0: no lag
        rate_max + @coefficients [rpm a second, or in the unit] > 0 = inf: maximum rate of change
        clip + @coefficients command|before|after|never: limited quantity: command; as references: \
            state, before or after a step; with before, one without lag moves at the start of a \
            step
        delay + [s] >= 0 = 0: dead time of commands
        backlash + [rpm, or in the unit] >= 0 = 0: backlash
        D_prop [m] > 0: propeller diameter
        KT_at_J0 >= 0: K_T at J = 0, linear to 0 at J = 1
        KT_slope + <= 0 (-KT_at_J0): slope of K_T over J, instead of that to J = 1
        J_vs_KT .csv: table of K_T over J, as CSV J,KT
        tp from 0 to 1 = 0: thrust deduction number
        wake + from -1 to 1 = 0: wake fraction number
        KQ_at_J0 + >= 0 = 0: K_Q at J = 0
        KQ_slope + <= 0 = 0: slope of K_Q over J
        torque_factor + = 1: fraction of the torque that acts on the hull
        advance + water|ground: speed used for J: through water, or over ground as in a reference \
            program
        wageningen + @coefficients: propeller of the Wageningen B series
            blades whole from 2 to 7: number of blades
            area_ratio from 0.3 to 1.05: blade area ratio A_E/A_0
            pitch_ratio from 0.5 to 1.4: pitch ratio P/D
        four_quadrants + @coefficients: four-quadrant propeller, by one of these keys
            pitch_ratio > 0 <= 10 (none): pitch over diameter, for a blade modelled as a flat plate
            CT[][2] (none): Fourier series of C_T*: rows [a, b] from k = 0
            CQ[][2] (none): Fourier series of C_Q*: rows [a, b] from k = 0
            file .csv: table CSV beta,CT,CQ, beta in degrees
        ahead[3] + @coefficients [N s, N s², N s³, or N] (propeller): c1, c2, c3 of thrust c1 n + \
            c2 n|n| + c3 n³; n in rad/s, or a fraction
        astern[3] + @coefficients [as ahead] (ahead): c1, c2, c3 of thrust for n below 0
        azimuth + @coefficients,osv (fixed): azimuth rotation about z, positive from ahead to \
            starboard
            angle_max [deg] > 0 = 180: maximum azimuth angle to either side
            rate_max [deg/s] > 0 = inf: maximum azimuth rate
            T [s] >= 0 = 0: time constant of the azimuth
            delay
            backlash [deg] >= 0 = 0: backlash of the azimuth
        rotor + @coefficients (T_prop): rotor dynamics as in the UUV Simulator, instead of T_prop
            type zero_order|first_order|yoerger|bessa = first_order: rotor dynamics
            time_constant [s] > 0: time constant of first_order
            beta > 0: coefficient of the command in yoerger
            alpha > 0: coefficient of the squared speed in yoerger
            inertia [kg m²] > 0: moment of inertia in bessa
            kv1 [N m s] >= 0: linear drag in bessa
            kv2 [N m s²] >= 0: quadratic drag in bessa
            kt [N m/A] > 0: motor torque constant in bessa
            resistance [ohm] > 0: motor resistance in bessa
        conversion + @coefficients (propeller): conversion of rotor speed to thrust as in the UUV \
            Simulator, instead of a propeller
            type basic|bessa|linear_interp: conversion of rotor speed to thrust
            rotor_constant [N s²/rad²] > 0: thrust over n|n| in basic
            left [N s²/rad²] >= 0: thrust over n|n| astern in bessa
            right [N s²/rad²] >= 0: thrust over n|n| ahead in bessa
            delta_left [rad²/s²] <= 0: dead zone of n|n| astern in bessa
            delta_right [rad²/s²] >= 0: dead zone of n|n| ahead in bessa
            table[][2] [rad/s, N] (none): rows [speed, thrust] of linear_interp
        gain + @coefficients = 1: gain of a rotor's command
        on + @coefficients flag = true: enables a rotor
        thrust_min + @coefficients [N] = -inf: minimum thrust of a conversion
        thrust_max + [N] = inf: maximum thrust of a conversion
        propeller_efficiency + @coefficients from 0 to 1 = 1: efficiency of a conversion: factor \
            on its speed
        thrust_efficiency + @coefficients from 0 to 1 = 1: efficiency of a conversion: factor on \
            its thrust
        thrust_coefficient + @station_keeping [N/rpm²]: thrust over n|n|
        sail + @coefficients (propeller): sail with its centre at thruster_location; the command \
            is the share of its power
            area [m²] > 0: area of the sail
            polar .csv: CSV beta,cl,cd, beta the angle of the apparent wind from ahead, 0 to 180 \
                degrees
""")  # fmt: skip
_, (FORCE_MAX,) = declared("thrust_max + @clarke83,navalvessel,osv [N] > 0: maximum force")
UNITS, CLIPS = UNIT.choices, CLIP.choices
FORCES = FORCE_MAX.models
