"""``environment.yml``: every key of the world's file, declared once.

A number may be followed by its unit; alone it is in the unit given here.
"""

from __future__ import annotations

from math import inf

from steerageway.world import gusts, sea_state, spreading
from steerageway.world.declared import Key, Kind
from steerageway.world.ground import DOWNWARD, UPWARD
from steerageway.world.tide import M2

DENSITY = Key(
    "density", unit="kg/m3", default=1025.0, low=500.0, high=1500.0, meaning="of the water"
)
GRAVITY = Key("gravity", unit="m/s2", default=9.81, low=0.1, high=100.0, meaning="of gravity")
DEPTH = Key("depth", unit="m", default=inf, above=0.0, meaning="of flat ground")
SEED = Key("seed", Kind.WHOLE, default=0.0, meaning="mixed with the mission's: another sea")
WATER = Key(
    "water", Kind.SECTION, usual="deep", keys=(DENSITY, GRAVITY, DEPTH, SEED), meaning="the water"
)

SPECTRUM = Key(
    "spectrum",
    Kind.CHOICE,
    default="jonswap",
    choices=sea_state.SPECTRA,
    meaning="of the elevation",
)
HS = Key("Hs", unit="m", above=0.0, usual="by sea_state, wind_speed or file", meaning="height Hm0")
TP = Key(
    "Tp", unit="s", above=0.0, usual="by sea_state or wind_speed", meaning="period of the peak"
)
SEA_STATE = Key(
    "sea_state",
    Kind.WHOLE,
    low=1.0,
    high=8.0,
    usual="none",
    meaning="of the World Meteorological Organization, instead of Hs and Tp",
)
WIND_SPEED = Key(
    "wind_speed", unit="m/s", above=0.0, usual="none", meaning="of a sea fully developed"
)
FETCH = Key("fetch", unit="m", above=0.0, usual="none", meaning="over which the wind blew")
GAMMA = Key(
    "gamma", low=1.0, high=10.0, usual="auto", meaning="peak enhancement; auto: by Tp/sqrt(Hs)"
)
WAVES_FILE = Key(
    "file", Kind.FILE, usual="none", suffixes=(".csv",), meaning="of table: w [rad/s], S [m² s/rad]"
)
DIRECTION_FROM = Key(
    "direction_from", unit="deg", default=0.0, meaning="where it comes from, clockwise from north"
)
DIRECTION_TO = Key(
    "direction_to", unit="deg", usual="direction_from", meaning="where it goes to, instead"
)
SPREADING_KIND = Key(
    "kind",
    Kind.CHOICE,
    usual="cosn; of swell cos2s",
    choices=tuple(spreading.KINDS),
    meaning="of the directions",
)
EXPONENT = Key("exponent", low=0.0, high=100.0, usual="2; of cos2s 10", meaning="of the spreading")
SPREADING = Key(
    "spreading",
    Kind.SECTION,
    usual="usual",
    keys=(SPREADING_KIND, EXPONENT),
    meaning="of directions",
)
COMPONENTS = Key(
    "components",
    Kind.WHOLE,
    default=float(sea_state.USUAL_COMPONENTS),
    low=1.0,
    meaning="how many waves it is made of",
)
SPACING = Key(
    "spacing",
    Kind.CHOICE,
    default="equal_energy",
    choices=sea_state.SPACINGS,
    meaning="of their frequencies",
)
FREQUENCY_RANGE = Key(
    "frequency_range",
    Kind.VECTOR,
    default=tuple(sea_state.USUAL_RANGE),
    size=2,
    meaning="of the peak's frequency",
)
SYSTEM = (
    *(SPECTRUM, HS, TP, SEA_STATE, WIND_SPEED, FETCH, GAMMA, WAVES_FILE, DIRECTION_FROM),
    *(DIRECTION_TO, SPREADING, COMPONENTS, SPACING, FREQUENCY_RANGE),
)
RAMP = Key("ramp", unit="s", low=0.0, usual="2 Tp", meaning="how long waves take to rise")
STRETCHING = Key(
    "stretching", Kind.CHOICE, default="wheeler", choices=("wheeler", "none"), meaning="of profiles"
)
STOKES = Key("stokes", Kind.FLAG, default=False, meaning="vessels drift with the Stokes drift, too")
DRIFT = Key("drift", Kind.SECTION, usual="none", keys=(STOKES,), meaning="of the waves")
SWELL = Key("swell", Kind.SECTION, usual="none", keys=SYSTEM, meaning="a second system")
WAVES = Key(
    "waves",
    Kind.SECTION,
    usual="none",
    keys=(*SYSTEM, RAMP, STRETCHING, DRIFT, SWELL),
    meaning="the sea",
)
SPEED = Key("speed", unit="m/s", low=0.0, meaning="mean at 10 m")
PROFILE = Key(
    "profile", Kind.CHOICE, default="none", choices=("none", "power", "log"), meaning="over height"
)
HEIGHT = Key("height", unit="m", default=10.0, above=0.0, meaning="at which vessels feel it")
GUST_SPECTRUM = Key(
    "spectrum", Kind.CHOICE, usual="npd", choices=tuple(gusts.KINDS), meaning="of the gusts"
)
INTENSITY = Key("intensity", default=0.0, low=0.0, high=1.0, meaning="of gauss_markov, of the mean")
GUST_TIME = Key("time_constant", unit="s", default=20.0, above=0.0, meaning="of gauss_markov")
GUST = Key(
    "gust",
    Kind.SECTION,
    usual="none",
    keys=(GUST_SPECTRUM, INTENSITY, GUST_TIME, SEED),
    meaning="of its speed",
)
DEVIATION = Key(
    "deviation", unit="deg", default=0.0, low=0.0, high=90.0, meaning="of the direction"
)
WANDER_TIME = Key("time_constant", unit="s", default=60.0, above=0.0, meaning="of the direction")
WANDER = Key(
    "wander", Kind.SECTION, usual="none", keys=(DEVIATION, WANDER_TIME), meaning="of its direction"
)
WIND = Key(
    "wind",
    Kind.SECTION,
    usual="none",
    keys=(SPEED, DIRECTION_FROM, DIRECTION_TO, PROFILE, HEIGHT, GUST, WANDER),
    meaning="the wind",
)
WANDER_CONSTANT = Key(
    "time_constant", unit="s", default=300.0, above=0.0, meaning="of the speed's wandering"
)
DIRECTION_CONSTANT = Key(
    "direction_time_constant",
    unit="s",
    usual="time_constant",
    above=0.0,
    meaning="of the direction's",
)
SPEED_DEVIATION = Key("deviation", unit="m/s", default=0.0, low=0.0, meaning="of the speed")
DIRECTION_DEVIATION = Key(
    "direction_deviation", unit="deg", default=0.0, low=0.0, high=90.0, meaning="of the direction"
)
LEAST = Key("min", unit="m/s", default=0.0, low=0.0, meaning="least speed")
MOST = Key("max", unit="m/s", default=inf, meaning="greatest speed")
GAUSS_MARKOV = Key(
    "gauss_markov",
    Kind.SECTION,
    usual="steady",
    keys=(
        *(WANDER_CONSTANT, DIRECTION_CONSTANT, SPEED_DEVIATION, DIRECTION_DEVIATION, LEAST, MOST),
        SEED,
    ),
    meaning="how it wanders",
)
CURRENT_SPEED = Key("speed", unit="m/s", default=0.0, low=0.0, meaning="of the uniform current")
CURRENT_FILE = Key(
    "file", Kind.FILE, usual="none", suffixes=(".csv", ".cfd"), meaning="a field of currents"
)
CURRENT = Key(
    "current",
    Kind.SECTION,
    usual="none",
    keys=(CURRENT_SPEED, DIRECTION_FROM, DIRECTION_TO, GAUSS_MARKOV, CURRENT_FILE),
    meaning="the current",
)
TIDE_RANGE = Key("range", unit="m", low=0.0, high=20.0, meaning="high water to low water")
PERIOD = Key("period", unit="s", default=M2, above=0.0, meaning="of the constituent")
HIGH_WATER = Key("high_water", unit="s", default=0.0, meaning="when the water is high")
STREAM = Key("stream", unit="m/s", default=0.0, low=0.0, meaning="of the flood at its strongest")
TIDE = Key(
    "tide",
    Kind.SECTION,
    usual="none",
    keys=(TIDE_RANGE, PERIOD, HIGH_WATER, STREAM, DIRECTION_FROM, DIRECTION_TO),
    meaning="the tide",
)
VERTICAL = Key(
    "vertical",
    Kind.CHOICE,
    default=DOWNWARD,
    choices=(DOWNWARD, UPWARD),
    meaning="height counts up",
)
GROUND_FILE = Key("file", Kind.FILE, suffixes=(".asc", ".csv"), meaning="a grid of depths")
GROUND = Key(
    "ground", Kind.SECTION, usual="flat", keys=(GROUND_FILE, VERTICAL), meaning="the bottom"
)
KEYS = (WATER, WAVES, WIND, CURRENT, TIDE, GROUND)
