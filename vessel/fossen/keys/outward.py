"""Keys of ``sensors.yml`` for LiDAR, cameras and sonar.

Keys common to all sensors are in ``sensors``.
"""

from __future__ import annotations

from math import inf

from steerageway.world.key_declarations import Key, Kind

KINDS = ("LiDAR", "LiDAR2D", "Camera", "DepthCamera", "Sonar")


def _count(name: str, default: int | None, most: int, meaning: str, usual: str = "") -> Key:
    return Key(
        name,
        Kind.WHOLE,
        default=None if default is None else float(default),
        usual=usual,
        low=1.0,
        high=float(most),
        ours=True,
        meaning=meaning,
    )


def _flag(name: str, meaning: str, *, default: bool = False) -> Key:
    return Key(name, Kind.FLAG, default=default, ours=True, meaning=meaning)


def _number(
    name: str,
    unit: str,
    default: float | None,
    meaning: str,
    *,
    usual: str = "",
    low: float = -inf,
    above: float = -inf,
    high: float = inf,
) -> Key:
    return Key(
        name,
        unit=unit,
        default=default,
        usual=usual,
        low=low,
        above=above,
        high=high,
        ours=True,
        meaning=meaning,
    )


RANGE_MIN = _number(
    "range_min",
    "m",
    None,
    "minimum range of a LiDAR, camera or sonar",
    usual="by sensor type",
    low=0.0,
)
RANGE_MAX = _number(
    "range_max",
    "m",
    None,
    "maximum range of a LiDAR, camera or sonar",
    usual="by sensor type",
    above=0.0,
)
TRUTH = _flag("truth", "error-free measurements of a LiDAR, camera or sonar in addition")
THIN = _number(
    "thin", "", 1.0, "thinning of a LiDAR, camera or sonar: every N-th ray is kept", low=1.0
)
HORIZONTAL_FOV = _number(
    "horizontal_fov",
    "deg",
    None,
    "horizontal field of view of a LiDAR, camera (at most 170) or sonar",
    usual="by sensor type",
    above=0.0,
    high=360.0,
)
DEVICE = (RANGE_MIN, RANGE_MAX, TRUTH, THIN, HORIZONTAL_FOV)

COLUMNS = _count("columns", 500, 100_000, "beams per turn of a LiDAR")
CHANNELS = _count("channels", None, 4096, "vertical beams of a LiDAR", "16; LiDAR2D: 1")
VERTICAL_FOV = _number(
    "vertical_fov", "deg", 30.0, "vertical field of view of a LiDAR", above=0.0, high=180.0
)
ELEVATIONS = Key(
    "elevations",
    Kind.VECTOR,
    "deg",
    usual="from channels and vertical_fov",
    ours=True,
    meaning="elevations of a LiDAR's channels, upward",
)
RANGE_RMS = _number("range_rms", "m", 0.02, "standard deviation of a LiDAR's ranges", low=0.0)
RANGE_RESOLUTION = _number("range_resolution", "m", 0.0, "resolution of a LiDAR's ranges", low=0.0)
RAY_DROPOUT = _number("ray_dropout", "", 0.0, "fraction of a LiDAR's rays lost", low=0.0, high=1.0)
SOLID, SPECULAR, NONE = "solid", "specular", "none"
WATER = Key(
    "water",
    Kind.CHOICE,
    default=SPECULAR,
    choices=(SOLID, SPECULAR, NONE),
    ours=True,
    meaning="response of a LiDAR to water: always, within 20 degrees of the vertical, or never",
)
LEAST_REFLECTANCE = _number(
    "least_reflectance",
    "",
    0.01,
    "minimum detectable reflectance of a LiDAR at range_max",
    low=0.0,
    high=1.0,
)
OWN_TIMES = _flag("own_times", "separate time of each ray in a turn of a LiDAR")
LIDAR = (
    *(COLUMNS, CHANNELS, VERTICAL_FOV, ELEVATIONS, RANGE_RMS, RANGE_RESOLUTION, RAY_DROPOUT),
    *(WATER, LEAST_REFLECTANCE, OWN_TIMES),
)

OUTPUTS = Key(
    "outputs",
    Kind.WORDS,
    usual="rgb; DepthCamera: depth",
    ours=True,
    meaning="images of a camera: some of rgb, depth, semantic, instance, coloured",
)
WIDTH = _count("width", 320, 10_000, "image width of a camera [pixels]")
HEIGHT = _count("height", 240, 10_000, "image height of a camera [pixels]")
FX = _number(
    "fx",
    "pixels",
    None,
    "horizontal focal length of a camera",
    usual="from horizontal_fov",
    above=0.0,
)
FY = _number("fy", "pixels", None, "vertical focal length of a camera", usual="fx", above=0.0)
CX = _number("cx", "pixels", None, "column of a camera's optical axis", usual="image centre")
CY = _number("cy", "pixels", None, "row of a camera's optical axis", usual="image centre")
DISTORTION = Key(
    "distortion",
    Kind.CHOICE,
    default="none",
    choices=("none", "opencv", "uv"),
    ours=True,
    meaning="lens distortion model of a camera",
)
DISTORTION_K = Key(
    "distortion_k",
    Kind.VECTOR,
    default=(0.0,) * 3,
    size=3,
    ours=True,
    meaning="radial distortion coefficients of a camera",
)
DISTORTION_P = Key(
    "distortion_p",
    Kind.VECTOR,
    default=(0.0,) * 2,
    size=2,
    ours=True,
    meaning="tangential distortion coefficients of a camera",
)
SEES_WATER = _flag("sees_water", "water is visible to a camera", default=True)
NOISE_GAIN = _number(
    "noise_gain",
    "",
    1.0,
    "noise factor gain (1 + N(0, 1)) on a camera's colours and depths",
    low=0.0,
)
NOISE_BOUNDS = Key(
    "noise_bounds",
    Kind.VECTOR,
    default=(1.0, 1.0),
    size=2,
    ours=True,
    meaning="minimum and maximum of a camera's noise factor",
)
CAMERA = (
    *(OUTPUTS, WIDTH, HEIGHT, FX, FY, CX, CY, DISTORTION, DISTORTION_K, DISTORTION_P),
    *(SEES_WATER, NOISE_GAIN, NOISE_BOUNDS),
)

BEAMS = _count("beams", 120, 4096, "horizontal beams of a sonar")
BINS = _count("bins", 250, 10_000, "range bins of a sonar")
RAYS = _count("rays", 41, 1001, "rays per beam of a sonar")
VERTICAL_APERTURE = _number(
    "vertical_aperture", "deg", 20.0, "vertical aperture of a sonar's beam", above=0.0, high=90.0
)
FREQUENCY = _number(
    "frequency", "Hz", 450e3, "frequency of a sonar, for absorption", low=50e3, high=900e3
)
SOURCE_LEVEL = _number("source_level", "dB", 200.0, "source level of a sonar, re 1 µPa at 1 m")
SCATTERING_STRENGTH = _number(
    "scattering_strength", "dB", -27.0, "scattering strength of surfaces for a sonar"
)
NOISE_LEVEL = _number("noise_level", "dB", 60.0, "noise level of a sonar, re 1 µPa")
SPECKLE = _flag("speckle", "speckle noise of a sonar", default=True)
SEES_SURFACE = _flag("sees_surface", "water surface is visible to a sonar")
ECHOES = _flag("echoes", "nearest echo of each beam of a sonar in addition")
SONAR = (
    *(BEAMS, BINS, RAYS, VERTICAL_APERTURE, FREQUENCY, SOURCE_LEVEL, SCATTERING_STRENGTH),
    *(NOISE_LEVEL, SPECKLE, SEES_SURFACE, ECHOES),
)
KEYS = (*DEVICE, *LIDAR, *CAMERA, *SONAR)
