"""Keys of ``sensors.yml``: a vessel's sensors, their positions, rates and errors.

``PART`` is a part of a sensor's measurement: ``position_bias``, ``angular_velocity_rms``.
"""

from __future__ import annotations

from math import inf

from steerageway.vessel.fossen.keys import outward
from steerageway.world.key_declarations import Key, Kind

KINDS = (
    *("IMU", "GPS", "UWB", "DVL", "encoder", "encoders", "compass", "speed_log", "depth"),
    *("altimeter", "rate_gyro", "wind"),
    *outward.KINDS,
)
PART = r"[a-z]\w*"

TYPE = Key("sensor_type", Kind.CHOICE, choices=KINDS, meaning="type of the sensor")
TOPIC = Key("sensor_topic", Kind.TEXT, default="", meaning="alternative name of its record")
NAME = Key(
    "sensor_name", Kind.TEXT, usual="from its type", ours=True, meaning="prefix of its variables"
)
RATE = Key("publish_rate", unit="Hz", above=0.0, meaning="measurement rate")
LOCATION = Key(
    "sensor_location",
    Kind.VECTOR,
    "m",
    default=(0.0,) * 3,
    size=3,
    meaning="position in the drawing frame",
)
ORIENTATION = Key(
    "sensor_orientation",
    Kind.VECTOR,
    "rad",
    default=(0.0,) * 3,
    size=3,
    meaning="roll, pitch, yaw of its axes",
)
LATENCY = Key(
    "latency",
    unit="s",
    default=0.0,
    low=0.0,
    ours=True,
    meaning="delay until a measurement is posted",
)
ACTUATOR_TYPE = Key(
    "actuator_type",
    Kind.TEXT,
    default="",
    meaning="actuator of an encoder: a control surface's type, thruster or azimuth",
)
ACTUATOR_ID = Key(
    "actuator_id", Kind.TEXT, default="", meaning="identifier of an encoder's actuator"
)
BOTTOM_RANGE = Key(
    "bottom_range",
    Kind.VECTOR,
    "m",
    size=2,
    usual="unlimited",
    ours=True,
    meaning="minimum and maximum distance of the bottom for a DVL",
)
LOST_BELOW = Key(
    "lost_below",
    unit="m",
    usual="never lost",
    ours=True,
    meaning="antenna depth of a GPS or UWB below which nothing is received",
)
USE_COVARIANCE = Key(
    "use_custom_covariance", Kind.FLAG, default=False, meaning="enables custom_covariance"
)
PART_COVARIANCE = Key(
    "PART_covariance",
    Kind.VECTOR,
    "the part's, squared",
    usual="none",
    pattern=PART + "_covariance",
    meaning="covariance matrix of the white noise, row by row",
)
COVARIANCE = Key(
    "custom_covariance",
    Kind.SECTION,
    usual="none",
    keys=(PART_COVARIANCE,),
    meaning="covariance of each part",
)
DROPOUT = Key(
    "dropout", default=0.0, low=0.0, high=1.0, ours=True, meaning="fraction of measurements lost"
)
OUTLIER_RATE = Key(
    "outlier_rate",
    default=0.0,
    low=0.0,
    high=1.0,
    ours=True,
    meaning="fraction of measurements that are outliers",
)
OUTLIER_SCALE = Key(
    "outlier_scale",
    default=10.0,
    above=0.0,
    ours=True,
    meaning="noise of outliers, as a multiple of the normal noise",
)


def _part(of: str, meaning: str, default: float | None = 0.0, **more: float | str) -> Key:
    return Key(
        f"PART_{of}",
        unit=str(more.get("unit", "the part's")),
        default=default,
        usual=str(more.get("usual", "")),
        low=float(more.get("low", -inf)),
        above=float(more.get("above", -inf)),
        ours=True,
        pattern=f"{PART}_{of}",
        meaning=meaning,
    )


PART_RMS = _part("rms", "standard deviation of white noise", None, usual="Panisim's", low=0.0)
PART_BIAS = _part("bias", "constant bias")
PART_DRIFT_RMS = _part("drift_rms", "standard deviation of a drifting bias", low=0.0)
PART_DRIFT_TIME = _part(
    "drift_time", "time constant of the drifting bias", inf, unit="s", above=0.0
)
PART_SCALE = _part("scale", "scale error; 0.01 is one per cent", unit="1")
PART_LIMIT = _part("limit", "maximum magnitude", inf, above=0.0)
PART_RESOLUTION = _part("resolution", "resolution of measurements", low=0.0)
SENSORS = Key(
    "sensors",
    Kind.LIST,
    usual="none",
    keys=(
        *(TYPE, TOPIC, NAME, RATE, LOCATION, ORIENTATION, LATENCY, ACTUATOR_TYPE, ACTUATOR_ID),
        *(BOTTOM_RANGE, LOST_BELOW, USE_COVARIANCE, COVARIANCE, DROPOUT, OUTLIER_RATE),
        *(
            OUTLIER_SCALE,
            *outward.KEYS,
            PART_DRIFT_RMS,
            PART_DRIFT_TIME,
            PART_RMS,
            PART_BIAS,
            PART_SCALE,
        ),
        *(PART_LIMIT, PART_RESOLUTION),
    ),
    meaning="sensors",
)
CLASSES = Key(
    "sensor_class",
    Kind.WORDS,
    usual="none",
    ours=True,
    meaning="user-defined sensor classes, as MODULE.Class or FILE.py:Class",
)
KEYS = (SENSORS, CLASSES)
