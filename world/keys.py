"""Keys of ``environment.yml``: declarations of every key of the environment file.

A number may be followed by its unit; without one it is in the unit declared here.
"""

from __future__ import annotations

from math import inf

from steerageway.world import constants, gusts, sea_state, spreading
from steerageway.world.contact import BOTTOMS, FORCE, OFF, SIDES, STAND
from steerageway.world.ground import DOWNWARD, UPWARD
from steerageway.world.key_declarations import Key, Kind
from steerageway.world.tide import M2

DENSITY = Key(
    "density",
    unit="kg/m3",
    default=constants.DENSITY,
    low=500.0,
    high=1500.0,
    meaning="density of the water",
)
GRAVITY = Key(
    "gravity",
    unit="m/s2",
    default=constants.GRAVITY,
    low=0.1,
    high=100.0,
    meaning="acceleration of gravity",
)
DEPTH = Key("depth", unit="m", default=inf, above=0.0, meaning="water depth over a flat bottom")
SEED = Key(
    "seed", Kind.WHOLE, default=0.0, meaning="seed of this section, combined with the mission's"
)
WATER = Key(
    "water",
    Kind.SECTION,
    usual="deep",
    keys=(DENSITY, GRAVITY, DEPTH, SEED),
    meaning="properties of the water",
)

SPECTRUM = Key(
    "spectrum",
    Kind.CHOICE,
    default="jonswap",
    choices=sea_state.SPECTRA,
    meaning="wave spectrum",
)
HS = Key(
    "Hs",
    unit="m",
    low=0.0,
    usual="from sea_state, wind_speed or file",
    meaning="significant wave height Hm0; 0: calm",
)
TP = Key("Tp", unit="s", above=0.0, usual="from sea_state or wind_speed", meaning="peak period")
SEA_STATE = Key(
    "sea_state",
    Kind.WHOLE,
    low=1.0,
    high=8.0,
    usual="none",
    meaning="sea state of the World Meteorological Organization, instead of Hs and Tp",
)
WIND_SPEED = Key(
    "wind_speed",
    unit="m/s",
    low=0.0,
    usual="none",
    meaning="wind speed of a fully developed sea, or with fetch",
)
FETCH = Key("fetch", unit="m", above=0.0, usual="none", meaning="fetch of the wind")
GAMMA = Key(
    "gamma",
    low=1.0,
    high=10.0,
    usual="auto",
    meaning="peak enhancement factor; auto: from Tp/sqrt(Hs)",
)
WAVES_FILE = Key(
    "file",
    Kind.FILE,
    usual="none",
    suffixes=(".csv",),
    meaning="spectrum table: w [rad/s], S [m² s/rad]",
)
DIRECTION_FROM = Key(
    "direction_from",
    unit="deg",
    default=0.0,
    meaning="direction it comes from, clockwise from north",
)
DIRECTION_TO = Key(
    "direction_to",
    unit="deg",
    usual="direction_from",
    meaning="direction it goes to, alternative to direction_from",
)
SPREADING_KIND = Key(
    "kind",
    Kind.CHOICE,
    usual="cosn; for swell cos2s",
    choices=tuple(spreading.KINDS),
    meaning="spreading function",
)
EXPONENT = Key(
    "exponent",
    low=0.0,
    high=100.0,
    usual="2; for cos2s 10",
    meaning="exponent of the spreading function",
)
SPREADING = Key(
    "spreading",
    Kind.SECTION,
    usual="defaults",
    keys=(SPREADING_KIND, EXPONENT),
    meaning="directional spreading",
)
COMPONENTS = Key(
    "components",
    Kind.WHOLE,
    default=float(sea_state.USUAL_COMPONENTS),
    low=1.0,
    meaning="number of wave components",
)
SPACING = Key(
    "spacing",
    Kind.CHOICE,
    default="equal_energy",
    choices=sea_state.SPACINGS,
    meaning="method that selects the components' frequencies",
)
FREQUENCY_RANGE = Key(
    "frequency_range",
    Kind.VECTOR,
    default=tuple(sea_state.USUAL_RANGE),
    size=2,
    meaning="lowest and highest component frequency, as multiples of the peak frequency",
)
SYSTEM = (
    *(SPECTRUM, HS, TP, SEA_STATE, WIND_SPEED, FETCH, GAMMA, WAVES_FILE, DIRECTION_FROM),
    *(DIRECTION_TO, SPREADING, COMPONENTS, SPACING, FREQUENCY_RANGE),
)
RAMP = Key(
    "ramp", unit="s", low=0.0, usual="2 Tp", meaning="rise time of the waves, and of their changes"
)
STRETCHING = Key(
    "stretching",
    Kind.CHOICE,
    default="wheeler",
    choices=("wheeler", "none"),
    meaning="stretching of velocity and pressure profiles to the surface",
)
STOKES = Key("stokes", Kind.FLAG, default=False, meaning="vessels drift with the Stokes drift")
DRIFT = Key("drift", Kind.SECTION, usual="none", keys=(STOKES,), meaning="wave drift")
SWELL = Key("swell", Kind.SECTION, usual="none", keys=SYSTEM, meaning="second wave system")
WAVES = Key(
    "waves",
    Kind.SECTION,
    usual="none",
    keys=(*SYSTEM, RAMP, STRETCHING, DRIFT, SWELL),
    meaning="waves",
)
SPEED = Key("speed", unit="m/s", low=0.0, meaning="mean wind speed at 10 m")
PROFILE = Key(
    "profile",
    Kind.CHOICE,
    default="none",
    choices=("none", "power", "log"),
    meaning="variation of wind speed with height",
)
HEIGHT = Key(
    "height", unit="m", default=10.0, above=0.0, meaning="height of the wind that acts on vessels"
)
GUST_SPECTRUM = Key(
    "spectrum", Kind.CHOICE, usual="npd", choices=tuple(gusts.KINDS), meaning="gust spectrum"
)
INTENSITY = Key(
    "intensity",
    default=0.0,
    low=0.0,
    high=1.0,
    meaning="standard deviation over mean speed; 0: of the spectrum, for gauss_markov 0.1",
)
GUST_TIME = Key(
    "time_constant",
    unit="s",
    default=20.0,
    above=0.0,
    meaning="time constant of gauss_markov gusts",
)
GUST = Key(
    "gust",
    Kind.SECTION,
    usual="none",
    keys=(GUST_SPECTRUM, INTENSITY, GUST_TIME, SEED),
    meaning="gusts: fluctuations of the wind speed",
)
DEVIATION = Key(
    "deviation",
    unit="deg",
    default=0.0,
    low=0.0,
    high=90.0,
    meaning="standard deviation of the wind direction",
)
WANDER_TIME = Key(
    "time_constant",
    unit="s",
    default=60.0,
    above=0.0,
    meaning="time constant of the wind direction",
)
WANDER = Key(
    "wander",
    Kind.SECTION,
    usual="none",
    keys=(DEVIATION, WANDER_TIME),
    meaning="fluctuations of the wind direction",
)
WIND = Key(
    "wind",
    Kind.SECTION,
    usual="none",
    keys=(SPEED, DIRECTION_FROM, DIRECTION_TO, PROFILE, HEIGHT, GUST, WANDER),
    meaning="wind",
)
WANDER_CONSTANT = Key(
    "time_constant",
    unit="s",
    default=300.0,
    above=0.0,
    meaning="time constant of the current speed",
)
DIRECTION_CONSTANT = Key(
    "direction_time_constant",
    unit="s",
    usual="time_constant",
    above=0.0,
    meaning="time constant of the current direction",
)
SPEED_DEVIATION = Key(
    "deviation", unit="m/s", default=0.0, low=0.0, meaning="standard deviation of the current speed"
)
DIRECTION_DEVIATION = Key(
    "direction_deviation",
    unit="deg",
    default=0.0,
    low=0.0,
    high=90.0,
    meaning="standard deviation of the current direction",
)
LEAST = Key("min", unit="m/s", default=0.0, low=0.0, meaning="minimum current speed")
MOST = Key("max", unit="m/s", default=inf, meaning="maximum current speed")
GAUSS_MARKOV = Key(
    "gauss_markov",
    Kind.SECTION,
    usual="steady",
    keys=(
        *(WANDER_CONSTANT, DIRECTION_CONSTANT, SPEED_DEVIATION, DIRECTION_DEVIATION, LEAST, MOST),
        SEED,
    ),
    meaning="Gauss-Markov process of current speed and direction",
)
CURRENT_SPEED = Key(
    "speed", unit="m/s", default=0.0, low=0.0, meaning="speed of the uniform current"
)
CURRENT_FILE = Key(
    "file", Kind.FILE, usual="none", suffixes=(".csv", ".cfd"), meaning="current field"
)
CURRENT = Key(
    "current",
    Kind.SECTION,
    usual="none",
    keys=(CURRENT_SPEED, DIRECTION_FROM, DIRECTION_TO, GAUSS_MARKOV, CURRENT_FILE),
    meaning="current",
)
TIDE_RANGE = Key(
    "range", unit="m", low=0.0, high=20.0, meaning="tidal range, low water to high water"
)
PERIOD = Key("period", unit="s", default=M2, above=0.0, meaning="period of the tidal constituent")
HIGH_WATER = Key("high_water", unit="s", default=0.0, meaning="time of the first high water")
STREAM = Key(
    "stream", unit="m/s", default=0.0, low=0.0, meaning="maximum speed of the flood stream"
)
TIDE = Key(
    "tide",
    Kind.SECTION,
    usual="none",
    keys=(TIDE_RANGE, PERIOD, HIGH_WATER, STREAM, DIRECTION_FROM, DIRECTION_TO),
    meaning="tide",
)
VERTICAL = Key(
    "vertical",
    Kind.CHOICE,
    default=DOWNWARD,
    choices=(DOWNWARD, UPWARD),
    meaning="sign of the grid's values: depth is positive down, height positive up",
)
GROUND_FILE = Key("file", Kind.FILE, suffixes=(".asc", ".csv"), meaning="grid of depths")
GROUND = Key(
    "ground", Kind.SECTION, usual="flat", keys=(GROUND_FILE, VERTICAL), meaning="sea bottom"
)
LABEL = Key("label", Kind.TEXT, usual="its number", meaning="name of the wall")
POINTS = Key("points", Kind.ROWS, "m", size=2, meaning="corners [east, north], at least three")
WALLS = Key("walls", Kind.LIST, usual="none", keys=(LABEL, POINTS), meaning="quays, piers, piles")
AT_WALLS = Key(
    "at_walls", Kind.CHOICE, default=FORCE, choices=SIDES, meaning="response to contact with a wall"
)
AT_BOATS = Key(
    "at_boats",
    Kind.CHOICE,
    default=OFF,
    choices=SIDES,
    meaning="response to contact with another vessel",
)
AT_BOTTOM = Key(
    "at_bottom",
    Kind.CHOICE,
    default=STAND,
    choices=BOTTOMS,
    meaning="response to contact with the bottom",
)
RESTITUTION = Key(
    "restitution", default=0.3, low=0.0, high=1.0, meaning="coefficient of restitution"
)
FRICTION = Key("friction", default=0.3, low=0.0, meaning="coefficient of friction")
DURATION = Key("duration", unit="s", default=0.1, low=1e-3, meaning="duration of an impact")
CONTACT = Key(
    "contact",
    Kind.SECTION,
    usual="only the bottom, stand",
    keys=(WALLS, AT_WALLS, AT_BOATS, AT_BOTTOM, RESTITUTION, FRICTION, DURATION),
    meaning="contact of vessels with walls, other vessels and the bottom",
)
KEYS = (WATER, WAVES, WIND, CURRENT, TIDE, GROUND, CONTACT)
