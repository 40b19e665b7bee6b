"""A program that speaks DDS as a node of ROS 2: ``python ros_peer.py DOMAIN``.

It prints what it hears and who is there, and sends what it reads from its input: a topic and its
numbers a line. Its types are written by hand, after the .msg files of ROS 2. (No annotations are
postponed here, as Cyclone does not read those.)
"""

import json
import sys
from dataclasses import asdict, dataclass
from threading import Thread
from time import sleep

from cyclonedds.builtin import BuiltinDataReader, BuiltinTopicDcpsPublication
from cyclonedds.core import Policy, Qos
from cyclonedds.domain import Domain, DomainParticipant
from cyclonedds.idl import IdlStruct
from cyclonedds.idl import types as t
from cyclonedds.pub import DataWriter
from cyclonedds.sub import DataReader
from cyclonedds.topic import Topic

LO = (
    "<CycloneDDS><Domain><General><Interfaces><NetworkInterface name='lo' multicast='true'/>"
    "</Interfaces></General></Domain></CycloneDDS>"
)


@dataclass
class Time(IdlStruct, typename="builtin_interfaces::msg::dds_::Time_"):
    sec: t.int32
    nanosec: t.uint32


@dataclass
class Clock(IdlStruct, typename="rosgraph_msgs::msg::dds_::Clock_"):
    clock: Time


@dataclass
class Header(IdlStruct, typename="std_msgs::msg::dds_::Header_"):
    stamp: Time
    frame_id: str


@dataclass
class Vector3(IdlStruct, typename="geometry_msgs::msg::dds_::Vector3_"):
    x: t.float64
    y: t.float64
    z: t.float64


@dataclass
class Point(IdlStruct, typename="geometry_msgs::msg::dds_::Point_"):
    x: t.float64
    y: t.float64
    z: t.float64


@dataclass
class Quaternion(IdlStruct, typename="geometry_msgs::msg::dds_::Quaternion_"):
    x: t.float64
    y: t.float64
    z: t.float64
    w: t.float64


@dataclass
class Twist(IdlStruct, typename="geometry_msgs::msg::dds_::Twist_"):
    linear: Vector3
    angular: Vector3


@dataclass
class Pose(IdlStruct, typename="geometry_msgs::msg::dds_::Pose_"):
    position: Point
    orientation: Quaternion


@dataclass
class PoseWithCovariance(IdlStruct, typename="geometry_msgs::msg::dds_::PoseWithCovariance_"):
    pose: Pose
    covariance: t.array[t.float64, 36]


@dataclass
class TwistWithCovariance(IdlStruct, typename="geometry_msgs::msg::dds_::TwistWithCovariance_"):
    twist: Twist
    covariance: t.array[t.float64, 36]


@dataclass
class Odometry(IdlStruct, typename="nav_msgs::msg::dds_::Odometry_"):
    header: Header
    child_frame_id: str
    pose: PoseWithCovariance
    twist: TwistWithCovariance


@dataclass
class Float64(IdlStruct, typename="std_msgs::msg::dds_::Float64_"):
    data: t.float64


@dataclass
class TriggerRequest(IdlStruct, typename="std_srvs::srv::dds_::Trigger_Request_"):
    client: t.uint64
    number: t.int64
    structure_needs_at_least_one_member: t.uint8


@dataclass
class TriggerResponse(IdlStruct, typename="std_srvs::srv::dds_::Trigger_Response_"):
    client: t.uint64
    number: t.int64
    success: bool
    message: str


@dataclass
class Gid(IdlStruct, typename="rmw_dds_common::msg::dds_::Gid_"):
    data: t.array[t.uint8, 16]


@dataclass
class Node(IdlStruct, typename="rmw_dds_common::msg::dds_::NodeEntitiesInfo_"):
    node_namespace: t.bounded_str[256]
    node_name: t.bounded_str[256]
    reader_gid_seq: t.sequence[Gid]
    writer_gid_seq: t.sequence[Gid]


@dataclass
class Graph(IdlStruct, typename="rmw_dds_common::msg::dds_::ParticipantEntitiesInfo_"):
    gid: Gid
    node_entities_info_seq: t.sequence[Node]


RELIABLE = Policy.Reliability.Reliable(10**9)
LATCHED = Qos(RELIABLE, Policy.History.KeepLast(1), Policy.Durability.TransientLocal)
USUAL = Qos(RELIABLE, Policy.History.KeepLast(10))


def main(domain: int) -> None:
    """Speak until the input ends."""
    kept = Domain(domain, LO)
    me = DomainParticipant(domain)
    heard = {
        "odometry": DataReader(me, Topic(me, "rt/otter/pose", Odometry), qos=USUAL),
        "clock": DataReader(me, Topic(me, "rt/clock", Clock), qos=USUAL),
        "graph": DataReader(me, Topic(me, "ros_discovery_info", Graph), qos=LATCHED),
        "answer": DataReader(me, Topic(me, "rr/otter/pauseReply", TriggerResponse), qos=USUAL),
    }
    writers = BuiltinDataReader(me, BuiltinTopicDcpsPublication)
    say = {
        "cmd_vel": DataWriter(me, Topic(me, "rt/otter/cmd_vel", Twist), qos=USUAL),
        "thrust": DataWriter(me, Topic(me, "rt/thrust", Float64), qos=USUAL),
        "pause": DataWriter(me, Topic(me, "rq/otter/pauseRequest", TriggerRequest), qos=USUAL),
    }
    over = []

    def obey() -> None:
        for line in sys.stdin:
            word, *numbers = line.split()
            values = list(map(float, numbers))
            if word == "cmd_vel":
                say[word].write(Twist(Vector3(values[0], 0, 0), Vector3(0, 0, values[1])))
            elif word == "thrust":
                say[word].write(Float64(values[0]))
            else:
                say[word].write(TriggerRequest(77, int(values[0]), 0))
        over.append(True)

    Thread(target=obey, daemon=True).start()
    while not over:
        for one in writers.take(100):
            about = one.qos[Policy.Userdata] if one.qos else None
            hashed = about.data.decode() if about else ""
            print(json.dumps(["writer", one.topic_name, one.type_name, hashed]), flush=True)
        for name, reader in heard.items():
            for sample in reader.take(100):
                if sample.sample_info.valid_data:
                    del sample.sample_info
                    print(json.dumps([name, asdict(sample)], default=list), flush=True)
        sleep(0.01)
    del kept


if __name__ == "__main__":
    main(int(sys.argv[1]))
