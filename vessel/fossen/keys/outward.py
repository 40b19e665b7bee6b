"""Keys of ``sensors.yml`` for LiDAR, cameras and sonar.

Keys common to all sensors are in ``sensors``.
"""

from __future__ import annotations

from steerageway.declarations.key import declared

KINDS = ("LiDAR", "LiDAR2D", "Camera", "DepthCamera", "Sonar")
SOLID, SPECULAR, NONE = "solid", "specular", "none"

KEYS, (
    RANGE_MIN, RANGE_MAX, TRUTH, THIN, HORIZONTAL_FOV, LABELS, COLUMNS, CHANNELS, VERTICAL_FOV,
    ELEVATIONS, RANGE_RMS, RANGE_RESOLUTION, RAY_DROPOUT, WATER, LEAST_REFLECTANCE, OWN_TIMES,
    OUTPUTS, WIDTH, HEIGHT, FX, FY, CX, CY, DISTORTION, DISTORTION_K, DISTORTION_P, SEES_WATER,
    NOISE_GAIN, NOISE_BOUNDS, BEAMS, BINS, RAYS, VERTICAL_APERTURE, FREQUENCY, SOURCE_LEVEL,
    SCATTERING_STRENGTH, NOISE_LEVEL, SPECKLE, SEES_SURFACE, ECHOES,
) = declared("""
    range_min + [m] >= 0 (by sensor type): minimum range of a LiDAR, camera or sonar
    range_max + [m] > 0 (by sensor type): maximum range of a LiDAR, camera or sonar
    truth + flag: error-free measurements of a LiDAR, camera or sonar in addition
    thin + >= 1 = 1: thinning of a LiDAR, camera or sonar: every N-th ray is kept
    horizontal_fov + [deg] > 0 <= 360 (by sensor type): horizontal field of view of a LiDAR, \
        camera (at most 170) or sonar
    labels + flag: class and instance of each point of a LiDAR's cloud, and oriented boxes of the \
        objects that a LiDAR or a camera sees
    columns + whole from 1 to 100000 = 500: beams per turn of a LiDAR
    channels + whole from 1 to 4096 (16; LiDAR2D: 1): vertical beams of a LiDAR
    vertical_fov + [deg] > 0 <= 180 = 30: vertical field of view of a LiDAR
    elevations[] + [deg] (from channels and vertical_fov): elevations of a LiDAR's channels, upward
    range_rms + [m] >= 0 = 0.02: standard deviation of a LiDAR's ranges
    range_resolution + [m] >= 0 = 0: resolution of a LiDAR's ranges
    ray_dropout + from 0 to 1 = 0: fraction of a LiDAR's rays lost
    water + solid|specular|none = specular: response of a LiDAR to water: always, within 20 \
        degrees of the vertical, or never
    least_reflectance + from 0 to 1 = 0.01: minimum detectable reflectance of a LiDAR at range_max
    own_times + flag: separate time of each ray in a turn of a LiDAR
    outputs + words (rgb; DepthCamera: depth): images of a camera: some of rgb, depth, semantic, \
        instance, coloured
    width + whole from 1 to 10000 = 320: image width of a camera [pixels]
    height + whole from 1 to 10000 = 240: image height of a camera [pixels]
    fx + [pixels] > 0 (from horizontal_fov): horizontal focal length of a camera
    fy + [pixels] > 0 (fx): vertical focal length of a camera
    cx + [pixels] (image centre): column of a camera's optical axis
    cy + [pixels] (image centre): row of a camera's optical axis
    distortion + none|opencv|uv: lens distortion model of a camera
    distortion_k[3] + = 0: radial distortion coefficients of a camera
    distortion_p[2] + = 0: tangential distortion coefficients of a camera
    sees_water + flag = true: water is visible to a camera
    noise_gain + >= 0 = 1: noise factor gain (1 + N(0, 1)) on a camera's colours and depths
    noise_bounds[2] + = 1: minimum and maximum of a camera's noise factor
    beams + whole from 1 to 4096 = 120: horizontal beams of a sonar
    bins + whole from 1 to 10000 = 250: range bins of a sonar
    rays + whole from 1 to 1001 = 41: rays per beam of a sonar
    vertical_aperture + [deg] > 0 <= 90 = 20: vertical aperture of a sonar's beam
    frequency + [Hz] from 50000 to 900000 = 450000: frequency of a sonar, for absorption
    source_level + [dB] = 200: source level of a sonar, re 1 µPa at 1 m
    scattering_strength + [dB] = -27: scattering strength of surfaces for a sonar
    noise_level + [dB] = 60: noise level of a sonar, re 1 µPa
    speckle + flag = true: speckle noise of a sonar
    sees_surface + flag: water surface is visible to a sonar
    echoes + flag: nearest echo of each beam of a sonar in addition
""")  # fmt: skip
