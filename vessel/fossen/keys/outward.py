"""What ``sensors.yml`` says of sensors that look outward: LiDAR, cameras, sonar.

Keys that they share with the others are in ``sensors``.
"""

from __future__ import annotations

from math import inf

from steerageway.world.declared import Key, Kind

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
    "nearest that a LiDAR, camera or sonar sees",
    usual="by kind",
    low=0.0,
)
RANGE_MAX = _number("range_max", "m", None, "farthest that it sees", usual="by kind", above=0.0)
TRUTH = _flag("truth", "of a LiDAR, camera or sonar: what it would measure without errors, too")
THIN = _number("thin", "", 1.0, "of a LiDAR, camera or sonar: every N-th ray is kept", low=1.0)
HORIZONTAL_FOV = _number(
    "horizontal_fov",
    "deg",
    None,
    "how broad a LiDAR, camera or sonar sees; a camera at most 170",
    usual="by kind",
    above=0.0,
    high=360.0,
)
DEVICE = (RANGE_MIN, RANGE_MAX, TRUTH, THIN, HORIZONTAL_FOV)

COLUMNS = _count("columns", 500, 100_000, "of a LiDAR: beams around")
CHANNELS = _count("channels", None, 4096, "of a LiDAR: beams above one another", "16; LiDAR2D: 1")
VERTICAL_FOV = _number(
    "vertical_fov", "deg", 30.0, "of a LiDAR: from the lowest to the highest", above=0.0, high=180.0
)
ELEVATIONS = Key(
    "elevations",
    Kind.VECTOR,
    "deg",
    usual="of channels and vertical_fov",
    ours=True,
    meaning="of a LiDAR: of its channels one by one, upward",
)
RANGE_RMS = _number("range_rms", "m", 0.02, "of a LiDAR: standard deviation of ranges", low=0.0)
RANGE_RESOLUTION = _number(
    "range_resolution", "m", 0.0, "of a LiDAR: ranges are multiples of it", low=0.0
)
RAY_DROPOUT = _number("ray_dropout", "", 0.0, "of a LiDAR: share of rays lost", low=0.0, high=1.0)
SOLID, SPECULAR, NONE = "solid", "specular", "none"
WATER = Key(
    "water",
    Kind.CHOICE,
    default=SPECULAR,
    choices=(SOLID, SPECULAR, NONE),
    ours=True,
    meaning="of a LiDAR: answers always, within 20 degrees of the vertical only, or never",
)
LEAST_REFLECTANCE = _number(
    "least_reflectance",
    "",
    0.01,
    "of a LiDAR: of a surface at range_max that just answers",
    low=0.0,
    high=1.0,
)
OWN_TIMES = _flag("own_times", "of a LiDAR: each ray of a turn leaves at its own time")
LIDAR = (
    *(COLUMNS, CHANNELS, VERTICAL_FOV, ELEVATIONS, RANGE_RMS, RANGE_RESOLUTION, RAY_DROPOUT),
    *(WATER, LEAST_REFLECTANCE, OWN_TIMES),
)

OUTPUTS = Key(
    "outputs",
    Kind.WORDS,
    usual="rgb; DepthCamera: depth",
    ours=True,
    meaning="of a camera: some of rgb, depth, semantic, instance, coloured",
)
WIDTH = _count("width", 320, 10_000, "of a camera: columns of its pixels")
HEIGHT = _count("height", 240, 10_000, "of a camera: rows of its pixels")
FX = _number(
    "fx", "pixels", None, "of a camera: focal length", usual="by horizontal_fov", above=0.0
)
FY = _number("fy", "pixels", None, "of a camera: downward", usual="fx", above=0.0)
CX = _number("cx", "pixels", None, "of a camera: column of its axis", usual="the middle")
CY = _number("cy", "pixels", None, "of a camera: row of its axis", usual="the middle")
DISTORTION = Key(
    "distortion",
    Kind.CHOICE,
    default="none",
    choices=("none", "opencv", "uv"),
    ours=True,
    meaning="of a camera: how its lens distorts",
)
DISTORTION_K = Key(
    "distortion_k",
    Kind.VECTOR,
    default=(0.0,) * 3,
    size=3,
    ours=True,
    meaning="of a camera: radial numbers of its distortion",
)
DISTORTION_P = Key(
    "distortion_p",
    Kind.VECTOR,
    default=(0.0,) * 2,
    size=2,
    ours=True,
    meaning="of a camera: tangential numbers of its distortion",
)
SEES_WATER = _flag("sees_water", "of a camera: whether water is seen", default=True)
NOISE_GAIN = _number(
    "noise_gain", "", 1.0, "of a camera: colours and depths are times it (1 + N(0, 1))", low=0.0
)
NOISE_BOUNDS = Key(
    "noise_bounds",
    Kind.VECTOR,
    default=(1.0, 1.0),
    size=2,
    ours=True,
    meaning="of a camera: least and greatest of that factor",
)
CAMERA = (
    *(OUTPUTS, WIDTH, HEIGHT, FX, FY, CX, CY, DISTORTION, DISTORTION_K, DISTORTION_P),
    *(SEES_WATER, NOISE_GAIN, NOISE_BOUNDS),
)

BEAMS = _count("beams", 120, 4096, "of a sonar: how many beside one another")
BINS = _count("bins", 250, 10_000, "of a sonar: of range")
RAYS = _count("rays", 41, 1001, "of a sonar: of each beam")
VERTICAL_APERTURE = _number(
    "vertical_aperture", "deg", 20.0, "of a sonar: of each beam", above=0.0, high=90.0
)
FREQUENCY = _number(
    "frequency", "Hz", 450e3, "of a sonar: gives the absorption", low=50e3, high=900e3
)
SOURCE_LEVEL = _number("source_level", "dB", 200.0, "of a sonar: re 1 µPa at 1 m")
SCATTERING_STRENGTH = _number("scattering_strength", "dB", -27.0, "of what a sonar meets")
NOISE_LEVEL = _number("noise_level", "dB", 60.0, "of a sonar: re 1 µPa")
SPECKLE = _flag("speckle", "of a sonar: its levels are rough", default=True)
SEES_SURFACE = _flag("sees_surface", "of a sonar: whether the water's surface is seen")
ECHOES = _flag("echoes", "of a sonar: the nearest echo of each beam, too")
SONAR = (
    *(BEAMS, BINS, RAYS, VERTICAL_APERTURE, FREQUENCY, SOURCE_LEVEL, SCATTERING_STRENGTH),
    *(NOISE_LEVEL, SPECKLE, SEES_SURFACE, ECHOES),
)
KEYS = (*DEVICE, *LIDAR, *CAMERA, *SONAR)
