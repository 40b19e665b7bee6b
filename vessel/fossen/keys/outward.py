"""Keys of ``sensors.yml`` for LiDAR, cameras and sonar.

Keys common to all sensors are in ``sensors``.
"""

from __future__ import annotations

from steerageway.declarations.key import Keys

KINDS = ("LiDAR", "LiDAR2D", "Camera", "DepthCamera", "Sonar")

ours = Keys(ours=True)


RANGE_MIN = ours.number("range_min", "m", usual="by sensor type", low=0).means(
    "minimum range of a LiDAR, camera or sonar"
)
RANGE_MAX = ours.number("range_max", "m", usual="by sensor type", above=0).means(
    "maximum range of a LiDAR, camera or sonar"
)
TRUTH = ours.flag("truth").means("error-free measurements of a LiDAR, camera or sonar in addition")
THIN = ours.number("thin", "", 1, low=1).means(
    "thinning of a LiDAR, camera or sonar: every N-th ray is kept"
)
HORIZONTAL_FOV = ours.number(
    "horizontal_fov", "deg", usual="by sensor type", above=0, high=360
).means("horizontal field of view of a LiDAR, camera (at most 170) or sonar")
LABELS = ours.flag("labels").means(
    "class and instance of each point of a LiDAR's cloud, and oriented boxes of the objects that a "
    "LiDAR or a camera sees"
)
DEVICE = (RANGE_MIN, RANGE_MAX, TRUTH, THIN, HORIZONTAL_FOV, LABELS)

COLUMNS = ours.whole("columns", 500, low=1, high=100000).means("beams per turn of a LiDAR")
CHANNELS = ours.whole("channels", usual="16; LiDAR2D: 1", low=1, high=4096).means(
    "vertical beams of a LiDAR"
)
VERTICAL_FOV = ours.number("vertical_fov", "deg", 30, above=0, high=180).means(
    "vertical field of view of a LiDAR"
)
ELEVATIONS = ours.vector("elevations", "deg", 0, usual="from channels and vertical_fov").means(
    "elevations of a LiDAR's channels, upward"
)
RANGE_RMS = ours.number("range_rms", "m", 0.02, low=0).means(
    "standard deviation of a LiDAR's ranges"
)
RANGE_RESOLUTION = ours.number("range_resolution", "m", 0, low=0).means(
    "resolution of a LiDAR's ranges"
)
RAY_DROPOUT = ours.number("ray_dropout", "", 0, low=0, high=1).means(
    "fraction of a LiDAR's rays lost"
)
SOLID, SPECULAR, NONE = "solid", "specular", "none"
WATER = ours.choice("water", (SOLID, SPECULAR, NONE), default=SPECULAR).means(
    "response of a LiDAR to water: always, within 20 degrees of the vertical, or never"
)
LEAST_REFLECTANCE = ours.number("least_reflectance", "", 0.01, low=0, high=1).means(
    "minimum detectable reflectance of a LiDAR at range_max"
)
OWN_TIMES = ours.flag("own_times").means("separate time of each ray in a turn of a LiDAR")
LIDAR = (
    *(COLUMNS, CHANNELS, VERTICAL_FOV, ELEVATIONS, RANGE_RMS, RANGE_RESOLUTION, RAY_DROPOUT),
    *(WATER, LEAST_REFLECTANCE, OWN_TIMES),
)

OUTPUTS = ours.words("outputs", usual="rgb; DepthCamera: depth").means(
    "images of a camera: some of rgb, depth, semantic, instance, coloured"
)
WIDTH = ours.whole("width", 320, low=1, high=10000).means("image width of a camera [pixels]")
HEIGHT = ours.whole("height", 240, low=1, high=10000).means("image height of a camera [pixels]")
FX = ours.number("fx", "pixels", usual="from horizontal_fov", above=0).means(
    "horizontal focal length of a camera"
)
FY = ours.number("fy", "pixels", usual="fx", above=0).means("vertical focal length of a camera")
CX = ours.number("cx", "pixels", usual="image centre").means("column of a camera's optical axis")
CY = ours.number("cy", "pixels", usual="image centre").means("row of a camera's optical axis")
DISTORTION = ours.choice("distortion", ("none", "opencv", "uv")).means(
    "lens distortion model of a camera"
)
DISTORTION_K = ours.vector("distortion_k", "", 3, 0).means(
    "radial distortion coefficients of a camera"
)
DISTORTION_P = ours.vector("distortion_p", "", 2, 0).means(
    "tangential distortion coefficients of a camera"
)
SEES_WATER = ours.flag("sees_water", True).means("water is visible to a camera")
NOISE_GAIN = ours.number("noise_gain", "", 1, low=0).means(
    "noise factor gain (1 + N(0, 1)) on a camera's colours and depths"
)
NOISE_BOUNDS = ours.vector("noise_bounds", "", 2, (1.0, 1.0)).means(
    "minimum and maximum of a camera's noise factor"
)
CAMERA = (
    *(OUTPUTS, WIDTH, HEIGHT, FX, FY, CX, CY, DISTORTION, DISTORTION_K, DISTORTION_P),
    *(SEES_WATER, NOISE_GAIN, NOISE_BOUNDS),
)

BEAMS = ours.whole("beams", 120, low=1, high=4096).means("horizontal beams of a sonar")
BINS = ours.whole("bins", 250, low=1, high=10000).means("range bins of a sonar")
RAYS = ours.whole("rays", 41, low=1, high=1001).means("rays per beam of a sonar")
VERTICAL_APERTURE = ours.number("vertical_aperture", "deg", 20, above=0, high=90).means(
    "vertical aperture of a sonar's beam"
)
FREQUENCY = ours.number("frequency", "Hz", 450000, low=50000, high=900000).means(
    "frequency of a sonar, for absorption"
)
SOURCE_LEVEL = ours.number("source_level", "dB", 200).means(
    "source level of a sonar, re 1 µPa at 1 m"
)
SCATTERING_STRENGTH = ours.number("scattering_strength", "dB", -27).means(
    "scattering strength of surfaces for a sonar"
)
NOISE_LEVEL = ours.number("noise_level", "dB", 60).means("noise level of a sonar, re 1 µPa")
SPECKLE = ours.flag("speckle", True).means("speckle noise of a sonar")
SEES_SURFACE = ours.flag("sees_surface").means("water surface is visible to a sonar")
ECHOES = ours.flag("echoes").means("nearest echo of each beam of a sonar in addition")
SONAR = (
    *(BEAMS, BINS, RAYS, VERTICAL_APERTURE, FREQUENCY, SOURCE_LEVEL, SCATTERING_STRENGTH),
    *(NOISE_LEVEL, SPECKLE, SEES_SURFACE, ECHOES),
)
KEYS = (*DEVICE, *LIDAR, *CAMERA, *SONAR)
