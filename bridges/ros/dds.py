"""``Dds``: a participant of DDS that speaks ROS 2's names and types, as ``rmw_cyclonedds`` does.

The bytes of messages are those of rosbags. Cyclone's types are made of the same definitions: they
tell other participants what the bytes contain.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from threading import Event, Lock, Thread
from types import new_class
from typing import Any
from xml.sax.saxutils import quoteattr

from cyclonedds.core import DDSException, DDSStatus, Policy, Qos, WaitSet
from cyclonedds.domain import Domain, DomainParticipant
from cyclonedds.idl import IdlStruct, types
from cyclonedds.internal import load_cyclonedds
from cyclonedds.pub import DataWriter
from cyclonedds.sub import DataReader
from cyclonedds.topic import Topic
from rosbags.interfaces import Nodetype

from steerageway.bridges.ros.messages import STORE, message
from steerageway.bridges.ros.transport import Answer, Take, Transport, dds_name, encoded
from steerageway.bus import NANO

DEPTH = 10  # of a queue, ROS's default
MOST_WAITING = 1000  # messages of a topic that have not been taken yet
AT_ONCE = 100
LOOK = NANO // 10
REQUEST_HEAD = 16  # bytes of rmw_cyclonedds before a request and its answer
_HEAD: dict[str, Any] = {"client": types.uint64, "number": types.int64}
DISCOVERY = "rmw_dds_common/msg/ParticipantEntitiesInfo"
_BASE = {"bool": bool, "string": str, "octet": types.byte, "byte": types.byte, "char": types.uint8}
_ANY = "auto"
_ERRORS = 0x3  # DDS_LC_FATAL and DDS_LC_ERROR
load_cyclonedds().dds_set_log_mask(ctypes.c_uint32(_ERRORS))  # a peer could flood the terminal

_domains: dict[int, Domain] = {}  # one a process; it ends with its last participant
_structs: dict[str, type[Any]] = {}


def struct_of(kind: str) -> type[Any]:
    """Return Cyclone's class of a type; an instance has its CDR bytes as ``cdr``."""
    if kind not in _structs:
        fields = dict(_HEAD) if "/srv/" in kind else {}
        fields |= {name: _type_of(one) for name, one in STORE.fielddefs[kind][1]}

        def fill(namespace: dict[str, Any]) -> None:
            namespace["__annotations__"].update(fields)
            namespace["serialize"] = lambda self, **_: self.cdr
            namespace["deserialize"] = classmethod(lambda cls, data, **_: _holding(cls, data))
            namespace["deserialize_key"] = namespace["deserialize"]

        name = dds_name(kind)
        _structs[kind] = dataclass(new_class("Message", (IdlStruct,), {"typename": name}, fill))
    return _structs[kind]


def _holding(kind: type[Any], cdr: bytes) -> Any:
    sample = object.__new__(kind)
    sample.cdr = bytes(cdr)
    return sample


def _type_of(definition: Any) -> Any:
    node, about = definition
    known: Any = types  # its classes are made by functions
    if node == Nodetype.BASE:
        name, bound = about
        if name == "string" and bound:
            return known.bounded_str[bound]
        return _BASE.get(name) or getattr(known, name)
    if node == Nodetype.NAME:
        return struct_of(about)
    inner, length = about
    if node == Nodetype.ARRAY:
        return known.array[_type_of(inner), length]
    return known.sequence[_type_of(inner), length] if length else known.sequence[_type_of(inner)]


class Dds(Transport):
    """A participant in a domain.

    Args:
        domain: its number, as ROS_DOMAIN_ID.
        interface: of the network, or auto: Cyclone's choice, and CYCLONEDDS_URI.
        namespace, node: of its node.

    Raises:
        OSError: the interface does not exist.
    """

    def __init__(self, domain: int, interface: str, namespace: str, node: str) -> None:
        super().__init__()
        self.name = f"DDS, domain {domain}"
        self._writers: dict[str, DataWriter[Any]] = {}
        self._readers: list[tuple[DataReader[Any], Callable[[bytes], None]]] = []
        self._node = (namespace, node)
        self._lock = Lock()
        self._over = Event()
        self._thread: Thread | None = None
        try:
            if interface != _ANY and domain not in _domains:
                _domains[domain] = Domain(domain, _configuration(interface))
            self._participant = DomainParticipant(domain, qos=Qos(Policy.Userdata(b"enclave=/;")))
            self._waiting = WaitSet(self._participant)
        except DDSException as error:
            raise OSError(f"{self.name}, interface {interface}: {error}") from error

    def publish(self, topic: str, kind: str, content: Any, *, latched: bool = False) -> None:
        name = f"rt{topic}"
        if name not in self._writers:
            self._add_writer(name, kind, latched)
            self._tell_node()
        self._write(name, kind, encoded(kind, content))

    def subscribe(self, topic: str, kind: str, take: Take) -> None:
        def decode(data: bytes) -> None:
            content = self.decoded(topic, kind, data)
            if content is not None:
                take(content)

        # Best effort matches all writers; a reader that does not read keeps nobody waiting.
        self._add_reader(f"rt{topic}", kind, Policy.Reliability.BestEffort, decode)

    def serve(self, name: str, kind: str, answer: Answer) -> None:
        request, response = f"{kind}_Request", f"{kind}_Response"
        self._add_writer(f"rr{name}Reply", response, latched=False)

        def reply(data: bytes) -> None:
            head, rest = data[4 : 4 + REQUEST_HEAD], data[:4] + data[4 + REQUEST_HEAD :]
            asked = self.decoded(name, request, rest)
            if asked is not None:
                made = encoded(response, answer(asked))
                self._write(f"rr{name}Reply", response, made[:4] + head + made[4:])

        reliable = Policy.Reliability.Reliable(NANO)
        self._add_reader(f"rq{name}Request", request, reliable, reply)

    def close(self) -> None:
        self._over.set()
        if self._thread is not None:
            self._thread.join(2.0)
            self._thread = None
        self._writers.clear()
        self._readers.clear()
        self.__dict__.pop("_waiting", None)
        self.__dict__.pop("_participant", None)

    def _add_writer(self, name: str, kind: str, latched: bool) -> None:
        durability = Policy.Durability.TransientLocal if latched else Policy.Durability.Volatile
        qos = Qos(
            Policy.Reliability.Reliable(max_blocking_time=0),
            Policy.History.KeepLast(1 if latched else DEPTH),
            durability,
            *_common(kind),
        )
        topic = Topic(self._participant, name, struct_of(kind))
        self._writers[name] = DataWriter(self._participant, topic, qos=qos)

    def _add_reader(
        self, name: str, kind: str, reliability: Any, take: Callable[[bytes], None]
    ) -> None:
        qos = Qos(reliability, Policy.History.KeepLast(MOST_WAITING), *_common(kind))
        topic = Topic(self._participant, name, struct_of(kind))
        reader = DataReader(self._participant, topic, qos=qos)
        reader.set_status_mask(DDSStatus.DataAvailable)
        self._waiting.attach(reader)
        self._readers.append((reader, take))
        self._tell_node()
        if self._thread is None:
            self._thread = Thread(target=self._read, name="dds", daemon=True)
            self._thread.start()

    def _read(self) -> None:
        while not self._over.is_set():
            self._waiting.wait(LOOK)
            for reader, take in list(self._readers):
                for sample in reader.take(AT_ONCE):
                    if sample.sample_info.valid_data:
                        take(sample.cdr)

    def _write(self, name: str, kind: str, data: bytes) -> None:
        try:
            with self._lock:
                self._writers[name].write(_holding(struct_of(kind), data))
        except DDSException:
            self.troubles[f"{name}: a message was not sent, as a reader does not read"] += 1

    def _tell_node(self) -> None:
        """Tell which endpoints belong to the node, for ``ros2 node list``."""
        name = "ros_discovery_info"
        if name not in self._writers:
            self._add_writer(name, DISCOVERY, latched=True)
        writers = [one for topic, one in self._writers.items() if topic != name]
        node = {
            "node_namespace": self._node[0],
            "node_name": self._node[1],
            "reader_gid_seq": [_gid(reader) for reader, _ in self._readers],
            "writer_gid_seq": [_gid(writer) for writer in writers],
        }
        members = {"gid": _gid(self._participant), "node_entities_info_seq": [node]}
        self._write(name, DISCOVERY, encoded(DISCOVERY, message(DISCOVERY, members)))


def _common(kind: str) -> tuple[Any, ...]:
    told = Policy.Userdata(f"typehash={STORE.hash_rihs01(kind)};".encode())
    return (Policy.DataRepresentation(use_cdrv0_representation=True), told)


def _gid(entity: Any) -> dict[str, Any]:
    return {"data": list(entity.guid.bytes)}


def _configuration(interface: str) -> str:
    """Return Cyclone's configuration for one interface.

    On this machine nodes find each other also without multicast, which rmw_cyclonedds leaves off
    for ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST: it looks at the ports of the first 33 participants.
    """
    local = interface == "lo"  # it has another name on other systems
    place = "address='127.0.0.1'" if local else f"name={quoteattr(interface)}"
    found = (
        "<Discovery><ParticipantIndex>auto</ParticipantIndex>"
        "<MaxAutoParticipantIndex>119</MaxAutoParticipantIndex>"
        "<Peers><Peer address='localhost'/></Peers></Discovery>"
    )
    return (
        "<CycloneDDS><Domain><General><Interfaces>"
        f"<NetworkInterface {place} multicast='true'/>"
        f"</Interfaces></General>{found if local else ''}</Domain></CycloneDDS>"
    )
