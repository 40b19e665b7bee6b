"""Messages of ROS: units, frames and covariances, and what becomes of those that come in."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from math import pi
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from looking import chances, device, view_into
from rosbags.interfaces import Nodetype
from scipy.spatial.transform import Rotation

from steerageway.apps.shared import foxglove
from steerageway.apps.shared.measurements import Kind
from steerageway.bridges.frames import attitude_in_enu, turned_covariance
from steerageway.bridges.ros import readings, services
from steerageway.bridges.ros.messages import STORE, message
from steerageway.bridges.ros.topics import (
    TABLES,
    NotTaken,
    parse_incoming,
    parse_outgoing,
)
from steerageway.vessel.perception.measurement import Measurement, pack
from steerageway.world.rays.forms import Plane
from steerageway.world.scene.model import MATERIALS, Item, Scene

ZERO = [0.0] * 9
NORTH = {"x": 0.0, "y": 0.0, "z": pytest.approx(0.5**0.5), "w": pytest.approx(0.5**0.5)}


def head(frame: str) -> dict[str, Any]:
    """Return a header."""
    return {"frame_id": frame}


def read(**parts: Any) -> dict[str, Any]:
    """Return the messages of a reading, by type."""
    found = readings.of_reading(json.dumps({"sensor": "S", "time": 1, **parts}), head)
    for kind, members in (made := dict(found)).items():
        message(kind, members)  # every member exists
    return made


@settings(deadline=None)
@given(st.lists(st.floats(-1, 1), min_size=4, max_size=4).filter(lambda q: np.linalg.norm(q) > 0.1))
def test_attitudes_turn_vectors_as_they_do_in_ned(parts: list[float]) -> None:
    w, x, y, z = np.array(parts) / np.linalg.norm(parts)
    body_ned = Rotation.from_quat([x, y, z, w])
    made = attitude_in_enu([w, x, y, z])
    flu_enu = Rotation.from_quat([made[key] for key in "xyzw"])
    frd = np.array([0.3, -0.5, 0.9])
    north, east, down = body_ned.apply(frd)
    assert flu_enu.apply(frd * [1, -1, -1]) == pytest.approx([east, north, -down], abs=1e-9)


def test_a_covariance_turns_as_the_vectors_of_a_sample_do() -> None:
    turn = Rotation.from_euler("xyz", [0.3, -0.5, 1.1]).as_matrix()
    rows = np.random.default_rng(4).normal(size=(50, 3)) * [1.0, 2.0, 3.0]
    before, after = np.cov(rows.T), np.cov((rows @ turn.T).T)
    assert turned_covariance(before.ravel(), turn) == pytest.approx(after.ravel())


def test_an_imu_that_rests_level_to_the_north_feels_gravity_upwards_in_flu() -> None:
    imu = read(
        orientation=[1, 0, 0, 0],
        angular_velocity=[0.1, 0.2, 0.3],
        linear_acceleration=[0, 0, -9.81],
        orientation_covariance=ZERO,
        angular_velocity_covariance=ZERO,
        linear_acceleration_covariance=ZERO,
    )["sensor_msgs/msg/Imu"]
    assert imu["orientation"] == NORTH  # a quarter turn left of east
    assert imu["angular_velocity"] == {"x": 0.1, "y": -0.2, "z": -0.3}
    assert imu["linear_acceleration"] == {"x": 0.0, "y": 0.0, "z": 9.81}
    assert imu["header"] == {"frame_id": "S"}


def test_positions_speeds_pressures_and_ranges_are_in_the_units_and_axes_of_ros() -> None:
    covariance = [1, 0.5, 0, 0.5, 4, 0, 0, 0, 9]  # north, east, down
    fix = read(
        latitude=60, longitude=10, altitude=2, position=[1, 2, 3], position_covariance=covariance
    )
    assert fix["sensor_msgs/msg/NavSatFix"]["position_covariance"] == [
        4,
        0.5,
        0,
        0.5,
        1,
        0,
        0,
        0,
        9,
    ]
    place = read(position=[1, 2, 3], position_covariance=covariance)
    pose = place["geometry_msgs/msg/PoseWithCovarianceStamped"]
    assert pose["header"] == {"frame_id": "map"}
    assert pose["pose"]["pose"]["position"] == {"x": 2.0, "y": 1.0, "z": -3.0}
    dvl = read(linear_velocity=[1, 2, 3], linear_velocity_covariance=covariance, range=[7])
    twist = dvl["geometry_msgs/msg/TwistWithCovarianceStamped"]["twist"]
    assert twist["twist"]["linear"] == {"x": 1.0, "y": -2.0, "z": -3.0}
    assert np.reshape(twist["covariance"], (6, 6))[0, :3] == pytest.approx([1, -0.5, 0])
    assert dvl["sensor_msgs/msg/Range"]["range"] == 7
    depth = read(depth=[10], depth_covariance=[0.01])["sensor_msgs/msg/FluidPressure"]
    assert depth["fluid_pressure"] == pytest.approx(201_900, abs=100)  # about one atmosphere more
    for text in ("[]", "7", "{}", '{"sensor":"S","depth":3}', "{" * 50_000):
        with pytest.raises(ValueError):
            list(readings.of_reading(text, head))


def test_sensors_actuators_and_contacts_are_placed_as_ros_has_them() -> None:
    sensor = {"sensor": "GPS", "location": [-0.3, 0.1, -0.6], "orientation": [0, 0, pi / 2]}
    kind, members = readings.of_sensors(json.dumps([sensor]), "otter", lambda _: head("otter"))
    (placed,) = message(kind, members).transforms
    assert placed.child_frame_id == "otter/GPS"
    translation = placed.transform.translation
    assert (translation.x, translation.y, translation.z) == (-0.3, -0.1, 0.6)
    assert placed.transform.rotation.z == pytest.approx(-(0.5**0.5))  # to starboard
    state = "time=1,x=0,u=1,v=2,w=3,p=4,q=5,r=6,u_dot=0,th_1=900,cs_1=90"
    twist, (kind, members) = readings.of_state(state, head("otter"))
    assert twist == [1, 2, 3, 4, 5, 6]
    joints = message(kind, members)
    assert joints.name == ["th_1", "cs_1"]
    assert list(joints.position) == [0, pytest.approx(pi / 2)]
    assert list(joints.velocity) == [900, 0]
    found = readings.of_report("NAME=ben,X=3,Y=4,SPD=1,HDG=0,TYPE=ship", "otter", head("map"))
    assert found is not None
    (one,) = message(*found).detections
    assert (one.id, one.results[0].hypothesis.class_id) == ("ben", "ship")
    assert (one.bbox.center.position.x, one.bbox.center.orientation.w) == (
        3.0,
        pytest.approx(0.5**0.5),
    )
    assert readings.of_report("NAME=otter,X=3,Y=4", "otter", head("map")) is None


def test_a_flat_scan_has_its_beams_counterclockwise_and_inf_where_nothing_is() -> None:
    """Walls 10 m ahead and 4 m to port of a LiDAR with a beam every 10 degrees."""
    lidar = device("sensor_type=LiDAR2D, horizontal_fov=180, columns=19, range_rms=0, thin=1")
    wall = {
        name: Item(name, "quay", MATERIALS["white"], Plane(np.array(at), np.array(normal)))
        for name, at, normal in (
            ("ahead", [10.0, 0.0, 0.0], [-1.0, 0.0, 0.0]),
            ("port", [0.0, -4.0, 0.0], [0.0, 1.0, 0.0]),
        )
    }
    ((_, cloud),) = lidar.sense(view_into(Scene(items=list(wall.values()))), chances())
    _, made = foxglove.message_of(Kind.LIDAR, cloud, "SCAN", 0)
    (about,) = readings.flat_scans(json.dumps([lidar.description()])).values()
    kind, members = readings.of_scan(made, about, head("SCAN"))
    scan = message(kind, members)
    assert (scan.angle_min, scan.angle_max) == pytest.approx((-pi / 2, pi / 2))
    assert (scan.range_min, scan.range_max) == pytest.approx((0.3, 100.0))
    angles = scan.angle_min + scan.angle_increment * np.arange(19)
    with np.errstate(divide="ignore"):
        ahead, port = 10.0 / np.cos(angles), 4.0 / np.sin(angles)
    expected = np.minimum(np.where(port > 0, port, np.inf), np.where(ahead > 0, ahead, np.inf))
    assert scan.ranges[1:] == pytest.approx(expected[1:], rel=1e-5)
    assert np.isinf(scan.ranges[0])  # straight to starboard, along the wall ahead
    with pytest.raises(ValueError, match="list of sensors"):
        readings.flat_scans('[{"beams": 1}]')


def test_a_map_is_a_grid_with_its_first_row_in_the_south_and_minus_one_for_unknown() -> None:
    """A wall to the north-east of a corner at 5 m north, -2 m east."""
    rows = np.array([[0, 50, 255], [0, 0, 100]], np.uint8)
    found = Measurement(1.0, "m", rows, (5.0, -2.0, 0.0, 0.0, 0.0, 0.0), cell=0.5)
    stamped = {"frame_id": "map", "stamp": {"sec": 1, "nanosec": 0}}
    grid = message(*readings.of_map(pack(found), stamped))
    # REP-103 and the definition of OccupancyGrid: row-major from (0, 0), x (east) first
    assert (grid.info.width, grid.info.height, grid.info.resolution) == (3, 2, 0.5)
    assert (grid.info.origin.position.x, grid.info.origin.position.y) == (-2.0, 5.0)
    assert grid.info.origin.orientation.w == 1.0
    assert grid.data.tolist() == [0, 50, -1, 0, 0, 100]
    with pytest.raises(ValueError, match="expected a map"):
        readings.of_map(pack(replace(found, cell=None)), stamped)


def test_whole_messages_become_points_and_commands_of_actuators() -> None:
    path = {"poses": [{"pose": {"position": {"x": x, "y": 2.5}}} for x in (1.0, -3.0)]}
    points = parse_incoming("plan nav_msgs/Path : WPT_UPDATE")
    assert points.value(message(points.kind, path)) == "points = 1,2.5:-3,2.5"
    joints = parse_incoming("j sensor_msgs/JointState : ACTUATOR_CMD")
    names = {"name": ["th_1", "cs_1"], "velocity": [900.0, 5.0]}
    assert joints.value(message(joints.kind, names)) == "th_1=900,cs_1=5"
    port = parse_incoming("j sensor_msgs/JointState velocity.th_1 : th_1 * 0.5")
    assert port.value(message(port.kind, names)) == 450.0
    panisim = parse_incoming("a interfaces/Actuator : ACTUATOR_CMD")
    order = {"actuator_names": ["cs_1"], "actuator_values": [15.0]}
    assert panisim.value(message(panisim.kind, order)) == "cs_1=15"
    flag = parse_incoming("on std_msgs/Bool : DEPLOY")
    assert flag.value(message(flag.kind, {"data": True})) == "true"
    for rule, members in (
        (points, {}),
        (joints, {"name": ["th_1"]}),
        (joints, {"name": ["th 1,x"], "position": [1.0]}),
        (port, {"name": ["th_2"], "velocity": [1.0]}),
        (port, {"name": ["th_1"]}),
        (panisim, {"actuator_names": ["cs_1"], "actuator_values": [float("nan")]}),
    ):
        with pytest.raises(NotTaken):
            rule.value(message(rule.kind, members))


def test_a_variable_becomes_a_member_with_the_header_of_its_vessel() -> None:
    rule = parse_outgoing("DEPTH : d sensor_msgs/FluidPressure fluid_pressure * 10055.25")
    content = rule.message(10.0, {"stamp": {"sec": 5}, "frame_id": "otter"})
    assert (content.fluid_pressure, content.header.frame_id) == (100_552.5, "otter")


def test_ready_made_tables_are_lines_that_can_be_read() -> None:
    for incoming, outgoing in TABLES.values():
        assert all(map(parse_incoming, incoming))
        assert all(map(parse_outgoing, outgoing))


@pytest.mark.parametrize(
    ("table", "topic", "members", "expected"),
    [
        # VRX: newtons, of 250 for each engine; radians to port.
        ("vrx", "/wamv/thrusters/left/thrust", {"data": 125.0}, {"th_1": 0.5}),
        ("vrx", "/wamv/thrusters/right/pos", {"data": pi / 4}, {"az_2": -45.0}),
        (
            "turtleboat",  # rpm; radians to starboard
            "reference/actuation",
            {"name": ["PS_aft_thruster_propeller"], "velocity": [1800.0], "position": [0.0]},
            {"th_1": 1800.0},
        ),
        (
            "turtleboat",
            "reference/actuation",
            {"name": ["SB_aft_thruster_joint"], "position": [pi / 2]},
            {"az_2": 90.0},
        ),
        ("unity_asv", "cmd_vel", {"angular": {"z": pi / 2}}, {"DESIRED_YAW_RATE": -90.0}),
        ("unity_asv", "cmd_force", {"force": {"y": 5.0}}, {"TAU_Y": -5.0}),
    ],
)
def test_a_ready_made_table_has_the_units_of_its_simulator(
    table: str, topic: str, members: dict[str, Any], expected: dict[str, float]
) -> None:
    rules = [one for one in map(parse_incoming, TABLES[table][0]) if one.topic == topic]
    found = {}
    for rule in rules:
        with suppress(NotTaken):  # a joint that is not there
            found[rule.variable] = rule.value(message(rule.kind, members))
    assert {name: found[name] for name in expected} == pytest.approx(expected)


def test_the_hash_of_a_service_is_that_of_rosidl() -> None:
    number = (Nodetype.BASE, ("int64", 0))
    kind = "example_interfaces/srv/AddTwoInts"
    services.register(kind, [("a", number), ("b", number)], [("sum", number)])
    # As docs/design.md of github.com/ros2/rmw_zenoh shows it.
    expected = "RIHS01_e118de6bf5eeb66a2491b5bda11202e7b68f198d6f67922cf30364858239c81a"
    assert STORE.hash_rihs01(kind) == expected
