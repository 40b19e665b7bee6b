"""Variables that ``uSceneSensors`` publishes and subscribes to."""

from steerageway.bus import variables

PUBLICATIONS = variables.published("""
    SCENE_SENSORS | text | m, rad, Hz | | once | list of the sensors, as JSON: name, type, place,
        rate, range, variables
    SCENE_INDEX | text | | | once, and when an obstacle appears | visible objects, as JSON:
        instance, name, class, obstacle, contact
    SCENE_POSE | text | s, m, deg, m/s, NED | | |
        `NAME=ben,TIME=12.3,N=1,E=2,D=0,ROLL=0,PITCH=0,YAW=0,VN=1,VE=0,VD=0`: true pose of the
        vessel, for other vessels' sensors
    LIDAR_* | bytes | m, sensor's axes | | each measurement | a point cloud: x, y, z, intensity,
        ring
    DEPTH_* | bytes | m along the camera's axis | | each measurement | a depth image
    RGB_* | bytes | 0 to 255 | | each measurement | a colour image
    SEMANTIC_* | bytes | number of the class | | each measurement | an image of classes, with boxes
    INSTANCE_* | bytes | instance | | each measurement | an image of instances, with boxes
    COLOURED_* | bytes | m, sensor's axes | | each measurement | a point cloud: x, y, z, r, g, b
    CAMERA_INFO_* | text | pixels | | once | ROS' CameraInfo as JSON
    SONAR_* | bytes | dB re 1 µPa | | each measurement | an image: range bins by beams
    ECHOES_* | bytes | rad, m | | each measurement, with `echoes` | a list: azimuth, range,
        elevation of each beam's nearest echo
""")
