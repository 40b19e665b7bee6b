"""A program that speaks DDS as a node of ROS 2: ``python ros_peer.py DOMAIN [LINE]``.

It prints what it hears and who is there, and sends what it reads from its input: a topic and its
numbers a line. With a LINE it sends that at each tick of the clock, for 35 s of a mission. Its
types are written by hand, after the .msg files of ROS 2. (No annotations are postponed here, as
Cyclone does not read those.)
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

# As rmw_cyclonedds has it for ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST: without multicast.
LOCALHOST = (
    "<CycloneDDS><Domain><General><AllowMulticast>false</AllowMulticast></General><Discovery>"
    "<ParticipantIndex>auto</ParticipantIndex><MaxAutoParticipantIndex>32</MaxAutoParticipantIndex>"
    "<Peers><Peer address='localhost'/></Peers></Discovery></Domain></CycloneDDS>"
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


END = 1_767_225_600 + 35  # seconds after the missions' epoch
RELIABLE = Policy.Reliability.Reliable(10**9)
LATCHED = Qos(RELIABLE, Policy.History.KeepLast(1), Policy.Durability.TransientLocal)
USUAL = Qos(RELIABLE, Policy.History.KeepLast(10))


class Peer:
    """What hears and speaks in a domain.

    Attributes:
        over: whether it is to leave.
    """

    def __init__(self, domain: int, line: str | None) -> None:
        self._kept = Domain(domain, LOCALHOST)
        me = DomainParticipant(domain)
        self._heard = {
            "odometry": DataReader(me, Topic(me, "rt/otter/pose", Odometry), qos=USUAL),
            "clock": DataReader(me, Topic(me, "rt/clock", Clock), qos=USUAL),
            "graph": DataReader(me, Topic(me, "ros_discovery_info", Graph), qos=LATCHED),
            "answer": DataReader(me, Topic(me, "rr/otter/pauseReply", TriggerResponse), qos=USUAL),
        }
        self._writers = BuiltinDataReader(me, BuiltinTopicDcpsPublication)
        self._say = {
            "cmd_vel": DataWriter(me, Topic(me, "rt/otter/cmd_vel", Twist), qos=USUAL),
            "thrust": DataWriter(me, Topic(me, "rt/thrust", Float64), qos=USUAL),
            "pause": DataWriter(me, Topic(me, "rq/otter/pauseRequest", TriggerRequest), qos=USUAL),
        }
        self._line = line
        self.over = False

    def say(self, line: str) -> None:
        """Send a topic's numbers."""
        word, *numbers = line.split()
        values = list(map(float, numbers))
        if word == "cmd_vel":
            self._say[word].write(Twist(Vector3(values[0], 0, 0), Vector3(0, 0, values[1])))
        elif word == "thrust":
            self._say[word].write(Float64(values[0]))
        else:
            self._say[word].write(TriggerRequest(77, int(values[0]), 0))

    def hear(self) -> None:
        """Print what has come; at each tick of the clock say the line, until its end."""
        for one in self._writers.take(100):
            about = one.qos[Policy.Userdata] if one.qos else None
            hashed = about.data.decode() if about else ""
            print(json.dumps(["writer", one.topic_name, one.type_name, hashed]), flush=True)
        for name, reader in self._heard.items():
            for sample in reader.take(100):
                if sample.sample_info.valid_data:
                    del sample.sample_info
                    print(json.dumps([name, asdict(sample)], default=list), flush=True)
                    if name == "clock" and self._line is not None:
                        self.over = sample.clock.sec >= END
                        if self._line:
                            self.say(self._line)

    def obey(self) -> None:
        """Say what comes in by the input, until it ends."""
        for line in sys.stdin:
            self.say(line)
        self.over = True


def main(domain: int, line: str | None = None) -> None:
    """Speak until the input ends, or with a line until its end."""
    peer = Peer(domain, line)
    if line is None:
        Thread(target=peer.obey, daemon=True).start()
    while not peer.over:
        peer.hear()
        sleep(0.01)


if __name__ == "__main__":
    main(int(sys.argv[1]), *sys.argv[2:])
