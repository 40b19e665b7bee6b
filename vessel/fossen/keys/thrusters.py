"""Keys of ``thrusters.yml``: propellers, polynomial and rotor thrusters, azimuth."""

from __future__ import annotations

from math import inf

from steerageway.vessel.fossen.keys.vessel import COEFFICIENTS
from steerageway.world.key_declarations import Key, Kind

UNITS = ("rpm", "rad/s", "fraction", "volt")
CLIPS = ("command", "before", "after", "never")
OWN = "rpm, or in the unit"
FORCES = ("clarke83", "navalvessel", "osv")

THRUSTER_NAME = Key("thruster_name", Kind.TEXT, default="", meaning="name, for information only")
THRUSTER_ID = Key(
    "thruster_id",
    Kind.TEXT,
    usual="number in the list",
    meaning="identifier in the names of its commands: th_1, az_1",
)
LOCATION = Key(
    "thruster_location", Kind.VECTOR, "m", size=3, meaning="position in the drawing frame"
)
ORIENTATION = Key(
    "thruster_orientation",
    Kind.VECTOR,
    "rad",
    default=(0.0,) * 3,
    size=3,
    meaning="roll, pitch, yaw; thrust is along its x axis",
)
UNIT = Key(
    "unit",
    Kind.CHOICE,
    default=UNITS[0],
    choices=UNITS,
    ours=True,
    models=COEFFICIENTS,
    meaning="unit of the command",
)
N_MAX = Key("n_max", unit=OWN, above=0.0, meaning="maximum command")
N_MIN = Key(
    "n_min", unit=OWN, usual="-n_max", ours=True, models=COEFFICIENTS, meaning="minimum command"
)
T_PROP = Key("T_prop", unit="s", default=0.0, low=0.0, meaning="time constant; 0: no lag")
RATE_MAX = Key(
    "rate_max",
    unit="rpm a second, or in the unit",
    default=inf,
    above=0.0,
    ours=True,
    models=COEFFICIENTS,
    meaning="maximum rate of change",
)
CLIP = Key(
    "clip",
    Kind.CHOICE,
    default=CLIPS[0],
    choices=CLIPS,
    ours=True,
    models=COEFFICIENTS,
    meaning="limited quantity: command; as references: state, before or after a step",
)
DELAY = Key("delay", unit="s", default=0.0, low=0.0, ours=True, meaning="dead time of commands")
BACKLASH = Key("backlash", unit=OWN, default=0.0, low=0.0, ours=True, meaning="backlash")
D_PROP = Key("D_prop", unit="m", above=0.0, meaning="propeller diameter")
KT_AT_J0 = Key("KT_at_J0", low=0.0, meaning="K_T at J = 0, linear to 0 at J = 1")
KT_SLOPE = Key(
    "KT_slope",
    usual="-KT_at_J0",
    high=0.0,
    ours=True,
    meaning="slope of K_T over J, instead of that to J = 1",
)
J_VS_KT = Key(
    "J_vs_KT",
    Kind.FILE,
    usual="none",
    suffixes=(".csv",),
    meaning="table of K_T over J, as CSV J,KT",
)
TP = Key("tp", default=0.0, low=0.0, high=1.0, meaning="thrust deduction number")
WAKE = Key("wake", default=0.0, low=-1.0, high=1.0, ours=True, meaning="wake fraction number")
KQ_AT_J0 = Key("KQ_at_J0", default=0.0, low=0.0, ours=True, meaning="K_Q at J = 0")
KQ_SLOPE = Key("KQ_slope", default=0.0, high=0.0, ours=True, meaning="slope of K_Q over J")
TORQUE_FACTOR = Key(
    "torque_factor", default=1.0, ours=True, meaning="fraction of the torque that acts on the hull"
)
ADVANCE = Key(
    "advance",
    Kind.CHOICE,
    default="water",
    choices=("water", "ground"),
    ours=True,
    meaning="speed used for J: through water, or over ground as in a reference program",
)
PITCH_RATIO = Key(
    "pitch_ratio",
    usual="none",
    above=0.0,
    high=10.0,
    ours=True,
    meaning="pitch over diameter, for a blade modelled as a flat plate",
)
CT = Key(
    "CT",
    Kind.ROWS,
    usual="none",
    size=2,
    ours=True,
    meaning="Fourier series of C_T*: rows [a, b] from k = 0",
)
CQ = Key(
    "CQ",
    Kind.ROWS,
    usual="none",
    size=2,
    ours=True,
    meaning="Fourier series of C_Q*: rows [a, b] from k = 0",
)
QUADRANTS_FILE = Key(
    "file",
    Kind.FILE,
    usual="none",
    ours=True,
    suffixes=(".csv",),
    meaning="table CSV beta,CT,CQ, beta in degrees",
)
FOUR_QUADRANTS = Key(
    "four_quadrants",
    Kind.SECTION,
    usual="none",
    keys=(PITCH_RATIO, CT, CQ, QUADRANTS_FILE),
    ours=True,
    models=COEFFICIENTS,
    meaning="four-quadrant propeller, by one of these keys",
)
BLADES = Key("blades", Kind.WHOLE, low=2.0, high=7.0, ours=True, meaning="number of blades")
AREA_RATIO = Key("area_ratio", low=0.3, high=1.05, ours=True, meaning="blade area ratio A_E/A_0")
B_PITCH_RATIO = Key("pitch_ratio", low=0.5, high=1.4, ours=True, meaning="pitch ratio P/D")
WAGENINGEN = Key(
    "wageningen",
    Kind.SECTION,
    usual="none",
    keys=(BLADES, AREA_RATIO, B_PITCH_RATIO),
    ours=True,
    models=COEFFICIENTS,
    meaning="propeller of the Wageningen B series",
)
AHEAD = Key(
    "ahead",
    Kind.VECTOR,
    "N s, N s², N s³, or N",
    size=3,
    usual="propeller",
    ours=True,
    models=COEFFICIENTS,
    meaning="c1, c2, c3 of thrust c1 n + c2 n|n| + c3 n³; n in rad/s, or a fraction",
)
ASTERN = Key(
    "astern",
    Kind.VECTOR,
    "as ahead",
    size=3,
    usual="ahead",
    ours=True,
    models=COEFFICIENTS,
    meaning="c1, c2, c3 of thrust for n below 0",
)
ANGLE_MAX = Key(
    "angle_max",
    unit="deg",
    default=180.0,
    above=0.0,
    ours=True,
    meaning="maximum azimuth angle to either side",
)
AZIMUTH_RATE = Key(
    "rate_max", unit="deg/s", default=inf, above=0.0, ours=True, meaning="maximum azimuth rate"
)
AZIMUTH_T = Key(
    "T", unit="s", default=0.0, low=0.0, ours=True, meaning="time constant of the azimuth"
)
AZIMUTH_BACKLASH = Key(
    "backlash", unit="deg", default=0.0, low=0.0, ours=True, meaning="backlash of the azimuth"
)
AZIMUTH = Key(
    "azimuth",
    Kind.SECTION,
    usual="fixed",
    keys=(ANGLE_MAX, AZIMUTH_RATE, AZIMUTH_T, DELAY, AZIMUTH_BACKLASH),
    ours=True,
    models=("coefficients", "osv"),
    meaning="azimuth rotation about z, positive from ahead to starboard",
)
ROTOR_TYPE = Key(
    "type",
    Kind.CHOICE,
    default="first_order",
    choices=("zero_order", "first_order", "yoerger", "bessa"),
    ours=True,
    meaning="rotor dynamics",
)
TIME_CONSTANT = Key(
    "time_constant", unit="s", above=0.0, ours=True, meaning="time constant of first_order"
)
ROTOR_BETA = Key("beta", above=0.0, ours=True, meaning="coefficient of the command in yoerger")
ROTOR_ALPHA = Key(
    "alpha", above=0.0, ours=True, meaning="coefficient of the squared speed in yoerger"
)
ROTOR_INERTIA = Key(
    "inertia", unit="kg m²", above=0.0, ours=True, meaning="moment of inertia in bessa"
)
KV1 = Key("kv1", unit="N m s", low=0.0, ours=True, meaning="linear drag in bessa")
KV2 = Key("kv2", unit="N m s²", low=0.0, ours=True, meaning="quadratic drag in bessa")
MOTOR_KT = Key("kt", unit="N m/A", above=0.0, ours=True, meaning="motor torque constant in bessa")
MOTOR_RESISTANCE = Key(
    "resistance", unit="ohm", above=0.0, ours=True, meaning="motor resistance in bessa"
)
ROTOR = Key(
    "rotor",
    Kind.SECTION,
    usual="T_prop",
    keys=(
        *(ROTOR_TYPE, TIME_CONSTANT, ROTOR_BETA, ROTOR_ALPHA, ROTOR_INERTIA, KV1, KV2),
        *(MOTOR_KT, MOTOR_RESISTANCE),
    ),
    ours=True,
    models=COEFFICIENTS,
    meaning="rotor dynamics as in the UUV Simulator, instead of T_prop",
)
CONVERSION_TYPE = Key(
    "type",
    Kind.CHOICE,
    default="basic",
    choices=("basic", "bessa", "linear_interp"),
    ours=True,
    meaning="conversion of rotor speed to thrust",
)
ROTOR_CONSTANT = Key(
    "rotor_constant", unit="N s²/rad²", above=0.0, ours=True, meaning="thrust over n|n| in basic"
)
LEFT, RIGHT = (
    Key(name, unit="N s²/rad²", low=0.0, ours=True, meaning=f"thrust over n|n| {side} in bessa")
    for name, side in (("left", "astern"), ("right", "ahead"))
)
DELTA_LEFT = Key(
    "delta_left", unit="rad²/s²", high=0.0, ours=True, meaning="dead zone of n|n| astern in bessa"
)
DELTA_RIGHT = Key(
    "delta_right", unit="rad²/s²", low=0.0, ours=True, meaning="dead zone of n|n| ahead in bessa"
)
CONVERSION_TABLE = Key(
    "table",
    Kind.ROWS,
    "rad/s, N",
    size=2,
    usual="none",
    ours=True,
    meaning="rows [speed, thrust] of linear_interp",
)
CONVERSION = Key(
    "conversion",
    Kind.SECTION,
    usual="propeller",
    keys=(
        *(CONVERSION_TYPE, ROTOR_CONSTANT, LEFT, RIGHT, DELTA_LEFT, DELTA_RIGHT),
        CONVERSION_TABLE,
    ),
    ours=True,
    models=COEFFICIENTS,
    meaning="conversion of rotor speed to thrust as in the UUV Simulator, instead of a propeller",
)
GAIN = Key("gain", default=1.0, ours=True, models=COEFFICIENTS, meaning="gain of a rotor's command")
ON = Key("on", Kind.FLAG, default=True, ours=True, models=COEFFICIENTS, meaning="enables a rotor")
THRUST_MIN = Key(
    "thrust_min",
    unit="N",
    default=-inf,
    ours=True,
    models=COEFFICIENTS,
    meaning="minimum thrust of a conversion",
)
THRUST_MAX = Key(
    "thrust_max", unit="N", default=inf, ours=True, meaning="maximum thrust of a conversion"
)
FORCE_MAX = Key(
    "thrust_max", unit="N", above=0.0, ours=True, models=FORCES, meaning="maximum force"
)
PROPELLER_EFFICIENCY, THRUST_EFFICIENCY = (
    Key(
        name,
        default=1.0,
        low=0.0,
        high=1.0,
        ours=True,
        models=COEFFICIENTS,
        meaning=f"efficiency of a conversion: factor on its {of}",
    )
    for name, of in (("propeller_efficiency", "speed"), ("thrust_efficiency", "thrust"))
)
THRUST_COEFFICIENT = Key(
    "thrust_coefficient",
    unit="N/rpm²",
    ours=True,
    models=("station_keeping",),
    meaning="thrust over n|n|",
)

THRUSTERS = Key(
    "thrusters",
    Kind.LIST,
    usual="none",
    keys=(
        *(THRUSTER_NAME, THRUSTER_ID, LOCATION, ORIENTATION, UNIT, N_MAX, N_MIN, T_PROP),
        *(RATE_MAX, CLIP, DELAY, BACKLASH, D_PROP, KT_AT_J0, KT_SLOPE, J_VS_KT, TP, WAKE),
        *(
            KQ_AT_J0,
            KQ_SLOPE,
            TORQUE_FACTOR,
            ADVANCE,
            WAGENINGEN,
            FOUR_QUADRANTS,
            AHEAD,
            ASTERN,
            AZIMUTH,
        ),
        *(ROTOR, CONVERSION, GAIN, ON, THRUST_MIN, THRUST_MAX),
        *(PROPELLER_EFFICIENCY, THRUST_EFFICIENCY, THRUST_COEFFICIENT),
    ),
    meaning="thrusters",
)
KEYS = (THRUSTERS,)
