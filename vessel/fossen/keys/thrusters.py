"""Keys of ``thrusters.yml``: propellers, polynomial and rotor thrusters, azimuth."""

from __future__ import annotations

from math import inf

from steerageway.declarations.key import Keys
from steerageway.vessel.fossen.keys.vessel import COEFFICIENTS

UNITS = ("rpm", "rad/s", "fraction", "volt")
CLIPS = ("command", "before", "after", "never")
OWN = "rpm, or in the unit"
FORCES = ("clarke83", "navalvessel", "osv")

panisim = Keys()
our_coefficients = Keys(ours=True, models=COEFFICIENTS)
ours = Keys(ours=True)
coefficients_osv = Keys(ours=True, models=("coefficients", "osv"))
forces = Keys(ours=True, models=FORCES)
station_keeping = Keys(ours=True, models=("station_keeping",))

THRUSTER_NAME = panisim.text("thruster_name").means("name, for information only")
THRUSTER_ID = panisim.text("thruster_id", usual="number in the list").means(
    "identifier in the names of its commands: th_1, az_1"
)
LOCATION = panisim.vector("thruster_location", "m", 3).means("position in the drawing frame")
ORIENTATION = panisim.vector("thruster_orientation", "rad", 3, 0).means(
    "roll, pitch, yaw; thrust is along its x axis"
)
UNIT = our_coefficients.choice("unit", UNITS).means("unit of the command")
N_MAX = panisim.number("n_max", OWN, above=0).means("maximum command")
N_MIN = our_coefficients.number("n_min", OWN, usual="-n_max").means("minimum command")
T_PROP = panisim.number("T_prop", "s", 0, low=0).means("time constant; 0: no lag")
RATE_MAX = our_coefficients.number("rate_max", "rpm a second, or in the unit", inf, above=0).means(
    "maximum rate of change"
)
CLIP = our_coefficients.choice("clip", CLIPS).means(
    "limited quantity: command; as references: state, before or after a step; with before, one "
    "without lag moves at the start of a step"
)
DELAY = ours.number("delay", "s", 0, low=0).means("dead time of commands")
BACKLASH = ours.number("backlash", OWN, 0, low=0).means("backlash")
D_PROP = panisim.number("D_prop", "m", above=0).means("propeller diameter")
KT_AT_J0 = panisim.number("KT_at_J0", low=0).means("K_T at J = 0, linear to 0 at J = 1")
KT_SLOPE = ours.number("KT_slope", usual="-KT_at_J0", high=0).means(
    "slope of K_T over J, instead of that to J = 1"
)
J_VS_KT = panisim.file("J_vs_KT", ".csv").means("table of K_T over J, as CSV J,KT")
TP = panisim.number("tp", "", 0, low=0, high=1).means("thrust deduction number")
WAKE = ours.number("wake", "", 0, low=-1, high=1).means("wake fraction number")
KQ_AT_J0 = ours.number("KQ_at_J0", "", 0, low=0).means("K_Q at J = 0")
KQ_SLOPE = ours.number("KQ_slope", "", 0, high=0).means("slope of K_Q over J")
TORQUE_FACTOR = ours.number("torque_factor", "", 1).means(
    "fraction of the torque that acts on the hull"
)
ADVANCE = ours.choice("advance", ("water", "ground")).means(
    "speed used for J: through water, or over ground as in a reference program"
)
PITCH_RATIO = ours.number("pitch_ratio", usual="none", above=0, high=10).means(
    "pitch over diameter, for a blade modelled as a flat plate"
)
CT = ours.rows("CT", "", 2, usual="none").means("Fourier series of C_T*: rows [a, b] from k = 0")
CQ = ours.rows("CQ", "", 2, usual="none").means("Fourier series of C_Q*: rows [a, b] from k = 0")
QUADRANTS_FILE = ours.file("file", ".csv").means("table CSV beta,CT,CQ, beta in degrees")
FOUR_QUADRANTS = our_coefficients.section(
    "four_quadrants", (PITCH_RATIO, CT, CQ, QUADRANTS_FILE)
).means("four-quadrant propeller, by one of these keys")
BLADES = ours.whole("blades", low=2, high=7).means("number of blades")
AREA_RATIO = ours.number("area_ratio", low=0.3, high=1.05).means("blade area ratio A_E/A_0")
B_PITCH_RATIO = ours.number("pitch_ratio", low=0.5, high=1.4).means("pitch ratio P/D")
WAGENINGEN = our_coefficients.section("wageningen", (BLADES, AREA_RATIO, B_PITCH_RATIO)).means(
    "propeller of the Wageningen B series"
)
AHEAD = our_coefficients.vector("ahead", "N s, N s², N s³, or N", 3, usual="propeller").means(
    "c1, c2, c3 of thrust c1 n + c2 n|n| + c3 n³; n in rad/s, or a fraction"
)
ASTERN = our_coefficients.vector("astern", "as ahead", 3, usual="ahead").means(
    "c1, c2, c3 of thrust for n below 0"
)
ANGLE_MAX = ours.number("angle_max", "deg", 180, above=0).means(
    "maximum azimuth angle to either side"
)
AZIMUTH_RATE = ours.number("rate_max", "deg/s", inf, above=0).means("maximum azimuth rate")
AZIMUTH_T = ours.number("T", "s", 0, low=0).means("time constant of the azimuth")
AZIMUTH_BACKLASH = ours.number("backlash", "deg", 0, low=0).means("backlash of the azimuth")
AZIMUTH = coefficients_osv.section(
    "azimuth", (ANGLE_MAX, AZIMUTH_RATE, AZIMUTH_T, DELAY, AZIMUTH_BACKLASH), usual="fixed"
).means("azimuth rotation about z, positive from ahead to starboard")
ROTOR_TYPE = ours.choice(
    "type", ("zero_order", "first_order", "yoerger", "bessa"), default="first_order"
).means("rotor dynamics")
TIME_CONSTANT = ours.number("time_constant", "s", above=0).means("time constant of first_order")
ROTOR_BETA = ours.number("beta", above=0).means("coefficient of the command in yoerger")
ROTOR_ALPHA = ours.number("alpha", above=0).means("coefficient of the squared speed in yoerger")
ROTOR_INERTIA = ours.number("inertia", "kg m²", above=0).means("moment of inertia in bessa")
KV1 = ours.number("kv1", "N m s", low=0).means("linear drag in bessa")
KV2 = ours.number("kv2", "N m s²", low=0).means("quadratic drag in bessa")
MOTOR_KT = ours.number("kt", "N m/A", above=0).means("motor torque constant in bessa")
MOTOR_RESISTANCE = ours.number("resistance", "ohm", above=0).means("motor resistance in bessa")
ROTOR = our_coefficients.section(
    "rotor",
    (
        *(ROTOR_TYPE, TIME_CONSTANT, ROTOR_BETA, ROTOR_ALPHA, ROTOR_INERTIA, KV1, KV2),
        *(MOTOR_KT, MOTOR_RESISTANCE),
    ),
    usual="T_prop",
).means("rotor dynamics as in the UUV Simulator, instead of T_prop")
CONVERSION_TYPE = ours.choice("type", ("basic", "bessa", "linear_interp")).means(
    "conversion of rotor speed to thrust"
)
ROTOR_CONSTANT = ours.number("rotor_constant", "N s²/rad²", above=0).means(
    "thrust over n|n| in basic"
)
LEFT, RIGHT = (
    ours.number(name, "N s²/rad²", low=0).means(f"thrust over n|n| {side} in bessa")
    for name, side in (("left", "astern"), ("right", "ahead"))
)
DELTA_LEFT = ours.number("delta_left", "rad²/s²", high=0).means("dead zone of n|n| astern in bessa")
DELTA_RIGHT = ours.number("delta_right", "rad²/s²", low=0).means("dead zone of n|n| ahead in bessa")
CONVERSION_TABLE = ours.rows("table", "rad/s, N", 2, usual="none").means(
    "rows [speed, thrust] of linear_interp"
)
CONVERSION = our_coefficients.section(
    "conversion",
    (*(CONVERSION_TYPE, ROTOR_CONSTANT, LEFT, RIGHT, DELTA_LEFT, DELTA_RIGHT), CONVERSION_TABLE),
    usual="propeller",
).means("conversion of rotor speed to thrust as in the UUV Simulator, instead of a propeller")
GAIN = our_coefficients.number("gain", "", 1).means("gain of a rotor's command")
ON = our_coefficients.flag("on", True).means("enables a rotor")
THRUST_MIN = our_coefficients.number("thrust_min", "N", -inf).means(
    "minimum thrust of a conversion"
)
THRUST_MAX = ours.number("thrust_max", "N", inf).means("maximum thrust of a conversion")
FORCE_MAX = forces.number("thrust_max", "N", above=0).means("maximum force")
PROPELLER_EFFICIENCY, THRUST_EFFICIENCY = (
    our_coefficients.number(name, "", 1, low=0, high=1).means(
        f"efficiency of a conversion: factor on its {of}"
    )
    for name, of in (("propeller_efficiency", "speed"), ("thrust_efficiency", "thrust"))
)
THRUST_COEFFICIENT = station_keeping.number("thrust_coefficient", "N/rpm²").means(
    "thrust over n|n|"
)
SAIL_AREA = ours.number("area", "m²", above=0).means("area of the sail")
SAIL_POLAR = ours.file("polar", ".csv").means(
    "CSV beta,cl,cd, beta the angle of the apparent wind from ahead, 0 to 180 degrees"
)
SAIL = our_coefficients.section("sail", (SAIL_AREA, SAIL_POLAR), usual="propeller").means(
    "sail with its centre at thruster_location; the command is the share of its power"
)

THRUSTERS = panisim.sections(
    "thrusters",
    (
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
        *(PROPELLER_EFFICIENCY, THRUST_EFFICIENCY, THRUST_COEFFICIENT, SAIL),
    ),
).means("thrusters")
KEYS = (THRUSTERS,)
