"""Keys of ``environment.yml``: declarations of every key of the environment file.

A number may be followed by its unit; without one it is in the unit declared here.
"""

from __future__ import annotations

from steerageway.declarations.key import declared
from steerageway.world import constants, gusts, sea_state, spreading
from steerageway.world.contact import BOTTOMS, FORCE, OFF, SIDES, STAND
from steerageway.world.ground import DOWNWARD, UPWARD
from steerageway.world.tide import M2

KEYS, (
    WATER, DENSITY, GRAVITY, DEPTH, SEED, WAVES, SPECTRUM, HS, TP, SEA_STATE, WIND_SPEED, FETCH,
    GAMMA, WAVES_FILE, DIRECTION_FROM, DIRECTION_TO, SPREADING, SPREADING_KIND, EXPONENT,
    COMPONENTS, SPACING, FREQUENCY_RANGE, RAMP, STRETCHING, DRIFT, STOKES, SWELL, WIND, SPEED,
    PROFILE, HEIGHT, GUST, GUST_SPECTRUM, INTENSITY, GUST_TIME, WANDER, DEVIATION, WANDER_TIME,
    CURRENT, CURRENT_SPEED, GAUSS_MARKOV, WANDER_CONSTANT, DIRECTION_CONSTANT, SPEED_DEVIATION,
    DIRECTION_DEVIATION, SPEED_MIN, SPEED_MAX, CURRENT_FILE, TIDE, TIDE_RANGE, PERIOD, HIGH_WATER,
    STREAM, GROUND, GROUND_FILE, VERTICAL, CONTACT, WALLS, LABEL, POINTS, AT_WALLS, AT_BOATS,
    AT_BOTTOM, RESTITUTION, FRICTION, DURATION,
) = declared(f"""
    water (deep): properties of the water
        density [kg/m3] from 500 to 1500 = {constants.DENSITY}: density of the water
        gravity [m/s2] from 0.1 to 100 = {constants.GRAVITY}: acceleration of gravity
        depth [m] > 0 = inf: water depth over a flat bottom
        seed whole = 0: seed of this section, combined with the mission's
    waves: waves
        spectrum {'|'.join(sea_state.SPECTRA)} = jonswap: wave spectrum
        Hs [m] from 0 to 100 (from sea_state, wind_speed or file): significant wave height Hm0; 0: \
            calm
        Tp [s] > 0 (from sea_state or wind_speed): peak period
        sea_state whole from 1 to 8 (none): sea state of the World Meteorological Organization, \
            instead of Hs and Tp
        wind_speed [m/s] >= 0 (none): wind speed of a fully developed sea, or with fetch
        fetch [m] > 0 (none): fetch of the wind
        gamma from 1 to 10 (auto): peak enhancement factor; auto: from Tp/sqrt(Hs)
        file .csv: spectrum table: w [rad/s], S [m² s/rad]
        direction_from [deg] = 0: direction it comes from, clockwise from north
        direction_to [deg] (direction_from): direction it goes to, alternative to direction_from
        spreading (defaults): directional spreading
            kind {'|'.join(spreading.KINDS)} (cosn; for swell cos2s): spreading function
            exponent from 0 to 100 (2; for cos2s 10): exponent of the spreading function
        components whole >= 1 = {sea_state.USUAL_COMPONENTS}: number of wave components
        spacing {'|'.join(sea_state.SPACINGS)}: method that selects the components' frequencies
        frequency_range[2] = {' '.join(map(str, sea_state.USUAL_RANGE))}: lowest and highest \
            component frequency, as multiples of the peak frequency
        ramp [s] >= 0 (2 Tp): rise time of the waves, and of their changes
        stretching wheeler|none: stretching of velocity and pressure profiles to the surface
        drift: wave drift
            stokes flag: vessels drift with the Stokes drift
        swell: second wave system
            spectrum, Hs, Tp, sea_state, wind_speed, fetch, gamma, file, direction_from,
            direction_to, spreading, components, spacing, frequency_range
    wind: wind
        speed [m/s] >= 0: mean wind speed at 10 m
        direction_from, direction_to
        profile none|power|log: variation of wind speed with height
        height [m] > 0 = 10: height of the wind that acts on vessels
        gust: gusts: fluctuations of the wind speed
            spectrum {'|'.join(gusts.KINDS)} (npd): gust spectrum
            intensity from 0 to 1 = 0: standard deviation over mean speed; 0: of the spectrum, for \
                gauss_markov 0.1
            time_constant [s] > 0 = 20: time constant of gauss_markov gusts
            seed
        wander: fluctuations of the wind direction
            deviation [deg] from 0 to 90 = 0: standard deviation of the wind direction
            time_constant [s] > 0 = 60: time constant of the wind direction
    current: current
        speed [m/s] >= 0 = 0: speed of the uniform current
        direction_from, direction_to
        gauss_markov (steady): Gauss-Markov process of current speed and direction
            time_constant [s] > 0 = 300: time constant of the current speed
            direction_time_constant [s] > 0 (time_constant): time constant of the current direction
            deviation [m/s] >= 0 = 0: standard deviation of the current speed
            direction_deviation [deg] from 0 to 90 = 0: standard deviation of the current direction
            min [m/s] >= 0 = 0: minimum current speed
            max [m/s] = inf: maximum current speed
            seed
        file .csv .cfd: current field
    tide: tide
        range [m] from 0 to 20: tidal range, low water to high water
        period [s] > 0 = {M2}: period of the tidal constituent
        high_water [s] = 0: time of the first high water
        stream [m/s] >= 0 = 0: maximum speed of the flood stream
        direction_from, direction_to
    ground (flat): sea bottom
        file .asc .csv required: grid of depths
        vertical {DOWNWARD}|{UPWARD}: sign of the grid's values: depth is positive down, height \
            positive up
    contact (only the bottom, stand): contact of vessels with walls, other vessels and the bottom
        walls[]: quays, piers, piles
            label text (its number): name of the wall
            points[][2] [m]: corners [east, north], at least three
        at_walls {'|'.join(SIDES)} = {FORCE}: response to contact with a wall
        at_boats {'|'.join(SIDES)} = {OFF}: response to contact with another vessel
        at_bottom {'|'.join(BOTTOMS)} = {STAND}: response to contact with the bottom
        restitution from 0 to 1 = 0.3: coefficient of restitution
        friction >= 0 = 0.3: coefficient of friction
        duration [s] >= 0.001 = 0.1: duration of an impact
""")  # fmt: skip
SYSTEM, TALLEST = SWELL.keys, HS.high
