"""Keys of ``sensors.yml``: a vessel's sensors, their positions, rates and errors.

``PART`` is a part of a sensor's measurement: ``position_bias``, ``angular_velocity_rms``.
"""

from __future__ import annotations

from steerageway.declarations.key import declared
from steerageway.vessel.fossen.keys import outward

KINDS = (
    *("IMU", "GPS", "UWB", "DVL", "encoder", "encoders", "compass", "speed_log", "depth"),
    *("altimeter", "rate_gyro", "wind"),
    *outward.KINDS,
)
PART = r"[a-z]\w*"
OF_PART = (
    *("covariance", "drift_rms", "drift_time", "rms", "bias", "scale", "limit", "resolution"),
)

KEYS, (
    SENSORS, TYPE, TOPIC, NAME, RATE, LOCATION, ORIENTATION, LATENCY, ACTUATOR_TYPE,
    ACTUATOR_ID, BOTTOM_RANGE, LOST_BELOW, USE_COVARIANCE, COVARIANCE, PART_COVARIANCE, DROPOUT,
    OUTLIER_RATE, OUTLIER_SCALE, PART_DRIFT_RMS, PART_DRIFT_TIME, PART_RMS, PART_BIAS,
    PART_SCALE, PART_LIMIT, PART_RESOLUTION, SENSOR_CLASS,
) = declared(
    f"""
    sensors[]: sensors
        sensor_type {'|'.join(KINDS)} required: type of the sensor
        sensor_topic text: alternative name of its record
        sensor_name + text (from its type): prefix of its variables
        publish_rate [Hz] > 0: measurement rate
        sensor_location[3] [m] = 0: position in the drawing frame
        sensor_orientation[3] [rad] = 0: roll, pitch, yaw of its axes
        latency + [s] >= 0 = 0: delay until a measurement is posted
        actuator_type text: actuator of an encoder: a control surface's type, thruster or azimuth
        actuator_id text: identifier of an encoder's actuator
        bottom_range[2] + [m] (unlimited): minimum and maximum distance of the bottom for a DVL
        lost_below + [m] (never lost): antenna depth of a GPS or UWB below which nothing is received
        use_custom_covariance flag: enables custom_covariance
        custom_covariance: covariance of each part
            PART_covariance[] [the part's, squared] (none): covariance matrix of the white noise, \
                row by row
        dropout + from 0 to 1 = 0: fraction of measurements lost
        outlier_rate + from 0 to 1 = 0: fraction of measurements that are outliers
        outlier_scale + > 0 = 10: noise of outliers, as a multiple of the normal noise
        {', '.join(outward.KEYS)}
        PART_drift_rms + [the part's] >= 0 = 0: standard deviation of a drifting bias
        PART_drift_time + [s] > 0 = inf: time constant of the drifting bias
        PART_rms + [the part's] >= 0 (Panisim's): standard deviation of white noise
        PART_bias + [the part's] = 0: constant bias
        PART_scale + [1] = 0: scale error; 0.01 is one per cent
        PART_limit + [the part's] > 0 = inf: maximum magnitude
        PART_resolution + [the part's] >= 0 = 0: resolution of measurements
    sensor_class + words (none): user-defined sensor classes, as MODULE.Class or FILE.py:Class
    """,
    *outward.KEYS,
    patterns={f"PART_{of}": f"{PART}_{of}" for of in OF_PART},
)  # fmt: skip
