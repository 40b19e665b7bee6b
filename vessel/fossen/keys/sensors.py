"""Keys of ``sensors.yml``: a vessel's sensors, their positions, rates and errors.

``PART`` is a part of a sensor's measurement: ``position_bias``, ``angular_velocity_rms``.
"""

from __future__ import annotations

from math import inf

from steerageway.declarations.key import Key, Keys
from steerageway.vessel.fossen.keys import outward

KINDS = (
    *("IMU", "GPS", "UWB", "DVL", "encoder", "encoders", "compass", "speed_log", "depth"),
    *("altimeter", "rate_gyro", "wind"),
    *outward.KINDS,
)
PART = r"[a-z]\w*"

panisim = Keys()
ours = Keys(ours=True)

TYPE = panisim.choice("sensor_type", KINDS, required=True).means("type of the sensor")
TOPIC = panisim.text("sensor_topic").means("alternative name of its record")
NAME = ours.text("sensor_name", usual="from its type").means("prefix of its variables")
RATE = panisim.number("publish_rate", "Hz", above=0).means("measurement rate")
LOCATION = panisim.vector("sensor_location", "m", 3, 0).means("position in the drawing frame")
ORIENTATION = panisim.vector("sensor_orientation", "rad", 3, 0).means(
    "roll, pitch, yaw of its axes"
)
LATENCY = ours.number("latency", "s", 0, low=0).means("delay until a measurement is posted")
ACTUATOR_TYPE = panisim.text("actuator_type").means(
    "actuator of an encoder: a control surface's type, thruster or azimuth"
)
ACTUATOR_ID = panisim.text("actuator_id").means("identifier of an encoder's actuator")
BOTTOM_RANGE = ours.vector("bottom_range", "m", 2, usual="unlimited").means(
    "minimum and maximum distance of the bottom for a DVL"
)
LOST_BELOW = ours.number("lost_below", "m", usual="never lost").means(
    "antenna depth of a GPS or UWB below which nothing is received"
)
USE_COVARIANCE = panisim.flag("use_custom_covariance").means("enables custom_covariance")
PART_COVARIANCE = panisim.vector(
    "PART_covariance", "the part's, squared", 0, usual="none", pattern=PART + "_covariance"
).means("covariance matrix of the white noise, row by row")
COVARIANCE = panisim.section("custom_covariance", (PART_COVARIANCE,)).means(
    "covariance of each part"
)
DROPOUT = ours.number("dropout", "", 0, low=0, high=1).means("fraction of measurements lost")
OUTLIER_RATE = ours.number("outlier_rate", "", 0, low=0, high=1).means(
    "fraction of measurements that are outliers"
)
OUTLIER_SCALE = ours.number("outlier_scale", "", 10, above=0).means(
    "noise of outliers, as a multiple of the normal noise"
)


def _part(of: str, meaning: str, default: float | None = 0.0, **more: float | str) -> Key:
    return ours.number(
        f"PART_{of}",
        str(more.get("unit", "the part's")),
        default,
        usual=str(more.get("usual", "")),
        low=float(more.get("low", -inf)),
        above=float(more.get("above", -inf)),
        pattern=f"{PART}_{of}",
    ).means(meaning)


PART_RMS = _part("rms", "standard deviation of white noise", None, usual="Panisim's", low=0.0)
PART_BIAS = _part("bias", "constant bias")
PART_DRIFT_RMS = _part("drift_rms", "standard deviation of a drifting bias", low=0.0)
PART_DRIFT_TIME = _part(
    "drift_time", "time constant of the drifting bias", inf, unit="s", above=0.0
)
PART_SCALE = _part("scale", "scale error; 0.01 is one per cent", unit="1")
PART_LIMIT = _part("limit", "maximum magnitude", inf, above=0.0)
PART_RESOLUTION = _part("resolution", "resolution of measurements", low=0.0)
SENSORS = panisim.sections(
    "sensors",
    (
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
).means("sensors")
CLASSES = ours.words("sensor_class", usual="none").means(
    "user-defined sensor classes, as MODULE.Class or FILE.py:Class"
)
KEYS = (SENSORS, CLASSES)
