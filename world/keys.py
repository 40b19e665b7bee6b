"""Keys of ``environment.yml``: declarations of every key of the environment file.

A number may be followed by its unit; without one it is in the unit declared here.
"""

from __future__ import annotations

from math import inf

from steerageway.declarations.key import Keys
from steerageway.world import constants, gusts, sea_state, spreading
from steerageway.world.contact import BOTTOMS, FORCE, OFF, SIDES, STAND
from steerageway.world.ground import DOWNWARD, UPWARD
from steerageway.world.tide import M2

key = Keys()

DENSITY = key.number("density", "kg/m3", constants.DENSITY, low=500, high=1500).means(
    "density of the water"
)
GRAVITY = key.number("gravity", "m/s2", constants.GRAVITY, low=0.1, high=100).means(
    "acceleration of gravity"
)
DEPTH = key.number("depth", "m", inf, above=0).means("water depth over a flat bottom")
SEED = key.whole("seed", 0).means("seed of this section, combined with the mission's")
WATER = key.section("water", (DENSITY, GRAVITY, DEPTH, SEED), usual="deep").means(
    "properties of the water"
)

SPECTRUM = key.choice("spectrum", sea_state.SPECTRA, default="jonswap").means("wave spectrum")
TALLEST = 100.0  # significant wave height [m], five times the highest sea that was measured
HS = key.number("Hs", "m", usual="from sea_state, wind_speed or file", low=0, high=TALLEST).means(
    "significant wave height Hm0; 0: calm"
)
TP = key.number("Tp", "s", usual="from sea_state or wind_speed", above=0).means("peak period")
SEA_STATE = key.whole("sea_state", usual="none", low=1, high=8).means(
    "sea state of the World Meteorological Organization, instead of Hs and Tp"
)
WIND_SPEED = key.number("wind_speed", "m/s", usual="none", low=0).means(
    "wind speed of a fully developed sea, or with fetch"
)
FETCH = key.number("fetch", "m", usual="none", above=0).means("fetch of the wind")
GAMMA = key.number("gamma", usual="auto", low=1, high=10).means(
    "peak enhancement factor; auto: from Tp/sqrt(Hs)"
)
WAVES_FILE = key.file("file", ".csv").means("spectrum table: w [rad/s], S [m² s/rad]")
DIRECTION_FROM = key.number("direction_from", "deg", 0).means(
    "direction it comes from, clockwise from north"
)
DIRECTION_TO = key.number("direction_to", "deg", usual="direction_from").means(
    "direction it goes to, alternative to direction_from"
)
SPREADING_KIND = key.choice("kind", tuple(spreading.KINDS), usual="cosn; for swell cos2s").means(
    "spreading function"
)
EXPONENT = key.number("exponent", usual="2; for cos2s 10", low=0, high=100).means(
    "exponent of the spreading function"
)
SPREADING = key.section("spreading", (SPREADING_KIND, EXPONENT), usual="defaults").means(
    "directional spreading"
)
COMPONENTS = key.whole("components", float(sea_state.USUAL_COMPONENTS), low=1).means(
    "number of wave components"
)
SPACING = key.choice("spacing", sea_state.SPACINGS, default="equal_energy").means(
    "method that selects the components' frequencies"
)
FREQUENCY_RANGE = key.vector("frequency_range", "", 2, tuple(sea_state.USUAL_RANGE)).means(
    "lowest and highest component frequency, as multiples of the peak frequency"
)
SYSTEM = (
    *(SPECTRUM, HS, TP, SEA_STATE, WIND_SPEED, FETCH, GAMMA, WAVES_FILE, DIRECTION_FROM),
    *(DIRECTION_TO, SPREADING, COMPONENTS, SPACING, FREQUENCY_RANGE),
)
RAMP = key.number("ramp", "s", usual="2 Tp", low=0).means(
    "rise time of the waves, and of their changes"
)
STRETCHING = key.choice("stretching", ("wheeler", "none")).means(
    "stretching of velocity and pressure profiles to the surface"
)
STOKES = key.flag("stokes").means("vessels drift with the Stokes drift")
DRIFT = key.section("drift", (STOKES,)).means("wave drift")
SWELL = key.section("swell", SYSTEM).means("second wave system")
WAVES = key.section("waves", (*SYSTEM, RAMP, STRETCHING, DRIFT, SWELL)).means("waves")
SPEED = key.number("speed", "m/s", low=0).means("mean wind speed at 10 m")
PROFILE = key.choice("profile", ("none", "power", "log")).means(
    "variation of wind speed with height"
)
HEIGHT = key.number("height", "m", 10, above=0).means("height of the wind that acts on vessels")
GUST_SPECTRUM = key.choice("spectrum", tuple(gusts.KINDS), usual="npd").means("gust spectrum")
INTENSITY = key.number("intensity", "", 0, low=0, high=1).means(
    "standard deviation over mean speed; 0: of the spectrum, for gauss_markov 0.1"
)
GUST_TIME = key.number("time_constant", "s", 20, above=0).means(
    "time constant of gauss_markov gusts"
)
GUST = key.section("gust", (GUST_SPECTRUM, INTENSITY, GUST_TIME, SEED)).means(
    "gusts: fluctuations of the wind speed"
)
DEVIATION = key.number("deviation", "deg", 0, low=0, high=90).means(
    "standard deviation of the wind direction"
)
WANDER_TIME = key.number("time_constant", "s", 60, above=0).means(
    "time constant of the wind direction"
)
WANDER = key.section("wander", (DEVIATION, WANDER_TIME)).means("fluctuations of the wind direction")
WIND = key.section(
    "wind", (SPEED, DIRECTION_FROM, DIRECTION_TO, PROFILE, HEIGHT, GUST, WANDER)
).means("wind")
WANDER_CONSTANT = key.number("time_constant", "s", 300, above=0).means(
    "time constant of the current speed"
)
DIRECTION_CONSTANT = key.number(
    "direction_time_constant", "s", usual="time_constant", above=0
).means("time constant of the current direction")
SPEED_DEVIATION = key.number("deviation", "m/s", 0, low=0).means(
    "standard deviation of the current speed"
)
DIRECTION_DEVIATION = key.number("direction_deviation", "deg", 0, low=0, high=90).means(
    "standard deviation of the current direction"
)
LEAST = key.number("min", "m/s", 0, low=0).means("minimum current speed")
MOST = key.number("max", "m/s", inf).means("maximum current speed")
GAUSS_MARKOV = key.section(
    "gauss_markov",
    (
        *(WANDER_CONSTANT, DIRECTION_CONSTANT, SPEED_DEVIATION, DIRECTION_DEVIATION, LEAST, MOST),
        SEED,
    ),
    usual="steady",
).means("Gauss-Markov process of current speed and direction")
CURRENT_SPEED = key.number("speed", "m/s", 0, low=0).means("speed of the uniform current")
CURRENT_FILE = key.file("file", ".csv", ".cfd").means("current field")
CURRENT = key.section(
    "current", (CURRENT_SPEED, DIRECTION_FROM, DIRECTION_TO, GAUSS_MARKOV, CURRENT_FILE)
).means("current")
TIDE_RANGE = key.number("range", "m", low=0, high=20).means("tidal range, low water to high water")
PERIOD = key.number("period", "s", M2, above=0).means("period of the tidal constituent")
HIGH_WATER = key.number("high_water", "s", 0).means("time of the first high water")
STREAM = key.number("stream", "m/s", 0, low=0).means("maximum speed of the flood stream")
TIDE = key.section(
    "tide", (TIDE_RANGE, PERIOD, HIGH_WATER, STREAM, DIRECTION_FROM, DIRECTION_TO)
).means("tide")
VERTICAL = key.choice("vertical", (DOWNWARD, UPWARD)).means(
    "sign of the grid's values: depth is positive down, height positive up"
)
GROUND_FILE = key.file("file", ".asc", ".csv", usual="").means("grid of depths")
GROUND = key.section("ground", (GROUND_FILE, VERTICAL), usual="flat").means("sea bottom")
LABEL = key.text("label", usual="its number").means("name of the wall")
POINTS = key.rows("points", "m", 2).means("corners [east, north], at least three")
WALLS = key.sections("walls", (LABEL, POINTS)).means("quays, piers, piles")
AT_WALLS = key.choice("at_walls", SIDES, default=FORCE).means("response to contact with a wall")
AT_BOATS = key.choice("at_boats", SIDES, default=OFF).means(
    "response to contact with another vessel"
)
AT_BOTTOM = key.choice("at_bottom", BOTTOMS, default=STAND).means(
    "response to contact with the bottom"
)
RESTITUTION = key.number("restitution", "", 0.3, low=0, high=1).means("coefficient of restitution")
FRICTION = key.number("friction", "", 0.3, low=0).means("coefficient of friction")
DURATION = key.number("duration", "s", 0.1, low=0.001).means("duration of an impact")
CONTACT = key.section(
    "contact",
    (WALLS, AT_WALLS, AT_BOATS, AT_BOTTOM, RESTITUTION, FRICTION, DURATION),
    usual="only the bottom, stand",
).means("contact of vessels with walls, other vessels and the bottom")
KEYS = (WATER, WAVES, WIND, CURRENT, TIDE, GROUND, CONTACT)
