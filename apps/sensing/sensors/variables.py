"""Variables that ``uSensors`` publishes and subscribes to."""

from steerageway.apps.framework import heard
from steerageway.bus import variables

PUBLICATIONS = (
    variables.text(
        "SENSORS",
        "list of the sensors, as JSON: name, type, place, rate, errors",
        unit="m, rad, Hz",
        when="once",
    ),
    variables.text(
        "*_DATA",
        "a sensor's complete reading with covariances, as JSON",
        unit="SI; deg for angles posted in deg",
        when="each measurement",
    ),
    variables.text(
        "/*",
        "the same under the sensor's `sensor_topic`",
        unit="as `*_DATA`",
        when="each measurement",
    ),
    variables.number(
        "IMU_ROLL",
        "attitude of the sensor",
        unit="rad",
        range="[-3.1416, 3.1416]",
        when="each measurement",
    ),
    variables.number(
        "IMU_PITCH",
        "attitude of the sensor",
        unit="rad",
        range="[-3.1416, 3.1416]",
        when="each measurement",
    ),
    variables.number(
        "IMU_YAW",
        "attitude of the sensor",
        unit="rad, clockwise from north",
        range="[-3.1416, 3.1416]",
        when="each measurement",
    ),
    variables.number(
        "IMU_WX", "angular velocity", unit="rad/s, sensor's axes", when="each measurement"
    ),
    variables.number(
        "IMU_WY", "angular velocity", unit="rad/s, sensor's axes", when="each measurement"
    ),
    variables.number(
        "IMU_WZ", "angular velocity", unit="rad/s, sensor's axes", when="each measurement"
    ),
    variables.number(
        "IMU_AX", "specific force", unit="m/s², sensor's axes", when="each measurement"
    ),
    variables.number(
        "IMU_AY", "specific force", unit="m/s², sensor's axes", when="each measurement"
    ),
    variables.number(
        "IMU_AZ",
        "specific force; -g level and at rest",
        unit="m/s², sensor's axes",
        when="each measurement",
    ),
    variables.number(
        "GPS_LAT",
        "the antenna's latitude",
        unit="deg, WGS84",
        range="[-90, 90]",
        when="each measurement, with a datum",
    ),
    variables.number(
        "GPS_LONG",
        "the antenna's longitude",
        unit="deg, WGS84",
        range="[-180, 180]",
        when="each measurement, with a datum",
    ),
    variables.number(
        "GPS_ALT",
        "height of the antenna above the ellipsoid",
        unit="m, up",
        when="each measurement",
    ),
    variables.number("GPS_X", "position of the antenna", unit="m, east", when="each measurement"),
    variables.number("GPS_Y", "position of the antenna", unit="m, north", when="each measurement"),
    variables.number("UWB_X", "position of the tag", unit="m, east", when="each measurement"),
    variables.number("UWB_Y", "position of the tag", unit="m, north", when="each measurement"),
    variables.number("UWB_DEPTH", "depth of the tag", unit="m, down", when="each measurement"),
    variables.number(
        "DVL_VX", "velocity over ground", unit="m/s, sensor's axes", when="each measurement"
    ),
    variables.number(
        "DVL_VY", "velocity over ground", unit="m/s, sensor's axes", when="each measurement"
    ),
    variables.number(
        "DVL_VZ", "velocity over ground", unit="m/s, sensor's axes", when="each measurement"
    ),
    variables.number(
        "DVL_RANGE",
        "with `bottom_range`: height above the bottom",
        unit="m, sensor's axes",
        range="> 0",
        when="each measurement",
    ),
    variables.number("ENC_CS_*", "a control surface's angle", unit="deg", when="each measurement"),
    variables.number(
        "ENC_TH_*",
        "a thruster's revolutions; fraction or force [N] if it is commanded so",
        unit="rpm",
        when="each measurement",
    ),
    variables.number(
        "ENC_AZ_*", "an azimuth thruster's angle", unit="deg", when="each measurement"
    ),
    variables.number(
        "COMPASS_HEADING",
        "true heading of the sensor",
        unit="deg",
        range="[0, 360)",
        when="each measurement",
    ),
    variables.number(
        "SPEED_LOG_SPEED",
        "speed through the water",
        unit="m/s, sensor's x axis",
        when="each measurement",
    ),
    variables.number(
        "PRESSURE_DEPTH",
        "depth of the sensor, by pressure",
        unit="m, down",
        when="each measurement",
    ),
    variables.number(
        "ALTIMETER_RANGE",
        "range to the bottom along the beam",
        unit="m",
        when="each measurement, with the bottom in range",
    ),
    variables.number(
        "GYRO_RATE", "angular rate", unit="rad/s, sensor's z axis", when="each measurement"
    ),
    variables.number(
        "APPARENT_WIND_SPEED",
        "speed of the apparent wind",
        unit="m/s",
        range=">= 0",
        when="each measurement",
    ),
    variables.number(
        "APPARENT_WIND_ANGLE",
        "direction from which the apparent wind comes",
        unit="deg off the sensor's x axis",
        range="[-180, 180]",
        when="each measurement",
    ),
)

SUBSCRIPTIONS = (
    heard.FAULT,
    heard.WATER_DEPTH,
    heard.WIND_CONDITIONS,
    heard.WORLD_CHANGE,
)
