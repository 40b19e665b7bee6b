"""Variables that ``uSceneSensors`` publishes and subscribes to."""

from steerageway.bus import variables

PUBLICATIONS = (
    variables.text(
        "SCENE_SENSORS",
        "list of the sensors, as JSON: name, type, place, rate, range, variables",
        unit="m, rad, Hz",
        when="once",
    ),
    variables.text(
        "SCENE_INDEX",
        "visible objects, as JSON: instance, name, class, obstacle, contact",
        when="once, and when an obstacle appears",
    ),
    variables.text(
        "SCENE_POSE",
        "`NAME=ben,TIME=12.3,N=1,E=2,D=0,ROLL=0,PITCH=0,YAW=0,VN=1,VE=0,VD=0`: true pose "
        "of the vessel, for other vessels' sensors",
        unit="s, m, deg, m/s, NED",
    ),
    variables.binary(
        "LIDAR_*",
        "a point cloud: x, y, z, intensity, ring",
        unit="m, sensor's axes",
        when="each measurement",
    ),
    variables.binary(
        "DEPTH_*", "a depth image", unit="m along the camera's axis", when="each measurement"
    ),
    variables.binary("RGB_*", "a colour image", unit="0 to 255", when="each measurement"),
    variables.binary(
        "SEMANTIC_*",
        "an image of classes, with boxes",
        unit="number of the class",
        when="each measurement",
    ),
    variables.binary(
        "INSTANCE_*", "an image of instances, with boxes", unit="instance", when="each measurement"
    ),
    variables.binary(
        "COLOURED_*",
        "a point cloud: x, y, z, r, g, b",
        unit="m, sensor's axes",
        when="each measurement",
    ),
    variables.text("CAMERA_INFO_*", "ROS' CameraInfo as JSON", unit="pixels", when="once"),
    variables.binary(
        "SONAR_*", "an image: range bins by beams", unit="dB re 1 µPa", when="each measurement"
    ),
    variables.binary(
        "ECHOES_*",
        "a list: azimuth, range, elevation of each beam's nearest echo",
        unit="rad, m",
        when="each measurement, with `echoes`",
    ),
)
