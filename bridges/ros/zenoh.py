"""``Zenoh``: a session that speaks ROS 2's keys, attachments and tokens, as ``rmw_zenoh`` does.

Source: docs/design.md of github.com/ros2/rmw_zenoh, and its ``attachment_helpers.cpp`` and
``liveliness_utils.cpp``.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from hashlib import blake2b
from itertools import count
from json import dumps
from typing import Any, NamedTuple

import zenoh
from zenoh.ext import CacheConfig, MissDetectionConfig, declare_advanced_publisher

from steerageway.bridges.ros.messages import STORE
from steerageway.bridges.ros.transport import Answer, Take, Transport, dds_name, encoded

ADMIN, NOTHING = "@ros2_lv", "%"
NODE, PUBLISHER, SUBSCRIPTION, SERVICE = "NN", "MP", "MS", "SS"
USUAL, LATCHED = "::,10:,:,:,,", ":1:,1:,:,:,,"  # quality of service; what is left out is usual
GID = 16  # bytes


class _Endpoint(NamedTuple):
    """A publisher with what each of its messages needs."""

    publisher: Any
    gid: bytes
    numbers: count[int]


def attachment(number: int, at: int, gid: bytes) -> bytes:
    """Return what accompanies a message: its number, its time [ns], who sends it."""
    return struct.pack("<qqB", number, at, GID) + gid


class Zenoh(Transport):
    """A session.

    Args:
        domain: as ROS_DOMAIN_ID.
        router: address of a router; without one it is found once it is there.
        community, node: name of its node.

    Raises:
        OSError: the address is none, or the session cannot be opened.
    """

    def __init__(self, domain: int, router: str, community: str, node: str) -> None:
        super().__init__()
        self.name = f"Zenoh, domain {domain}"
        self._domain, self._node = domain, f"{NOTHING}/{NOTHING}{community}/{node}"
        self._endpoints: dict[str, _Endpoint] = {}
        self._kept: list[Any] = []
        self._ids = count(1)
        try:
            self._session: zenoh.Session | None = zenoh.open(_configuration(router))
        except zenoh.ZError as error:
            raise OSError(f"{self.name}, {router}: {error}") from error
        self._declare(NODE, 0, "")

    def publish(self, topic: str, kind: str, content: Any, *, latched: bool = False) -> None:
        if self._session is None:
            return
        endpoint = self._endpoints.get(topic)
        if endpoint is None:
            endpoint = self._endpoints[topic] = self._publisher(topic, kind, latched)
        number = next(endpoint.numbers)
        at = _stamp(content)
        data = encoded(kind, content)
        try:
            endpoint.publisher.put(data, attachment=attachment(number, at, endpoint.gid))
        except zenoh.ZError as error:
            self.troubles[f"{topic}: a message was not sent: {error}"] += 1

    def subscribe(self, topic: str, kind: str, take: Take) -> None:
        def receive(sample: zenoh.Sample) -> None:
            content = self.decoded(topic, kind, bytes(sample.payload))
            if content is not None:
                take(content)

        key = self._key(topic, kind)
        self._kept.append(self._open.declare_subscriber(key, receive))
        self._declare(SUBSCRIPTION, next(self._ids), self._about(topic, kind, USUAL))

    def serve(self, name: str, kind: str, answer: Answer) -> None:
        key = self._key(name, kind)

        def receive(query: zenoh.Query) -> None:
            with query:
                data = b"" if query.payload is None else bytes(query.payload)
                asked = self.decoded(name, f"{kind}_Request", data)
                if asked is not None:
                    # A client knows its request by the same attachment.
                    made = encoded(f"{kind}_Response", answer(asked))
                    query.reply(key, made, attachment=query.attachment)

        self._kept.append(self._open.declare_queryable(key, receive, complete=True))
        self._declare(SERVICE, next(self._ids), self._about(name, kind, USUAL))

    def close(self) -> None:
        session, self._session = self._session, None
        if session is not None:
            close: Any = session.close  # it has no types
            close()  # a process with an open session would not end

    @property
    def _open(self) -> zenoh.Session:
        assert self._session is not None
        return self._session

    def _publisher(self, topic: str, kind: str, latched: bool) -> _Endpoint:
        key = self._key(topic, kind)
        made: Any
        if latched:
            made = declare_advanced_publisher(
                self._open,
                key,
                cache=CacheConfig(max_samples=1),
                publisher_detection=True,
                sample_miss_detection=MissDetectionConfig(heartbeat=None, sporadic_heartbeat=None),
            )
        else:
            made = self._open.declare_publisher(key)
        about = self._about(topic, kind, LATCHED if latched else USUAL)
        token = self._declare(PUBLISHER, next(self._ids), about)
        return _Endpoint(made, blake2b(token.encode(), digest_size=GID).digest(), count(1))

    def _key(self, topic: str, kind: str) -> str:
        return f"{self._domain}/{topic.strip('/')}/{dds_name(kind)}/{STORE.hash_rihs01(kind)}"

    def _about(self, topic: str, kind: str, quality: str) -> str:
        name = topic.replace("/", NOTHING)
        return f"/{name}/{dds_name(kind)}/{STORE.hash_rihs01(kind)}/{quality}"

    def _declare(self, entity: str, number: int, about: str) -> str:
        """Declare a token of the graph; return it."""
        session = self._open
        head = f"{ADMIN}/{self._domain}/{session.info.zid()}/0/{number}/{entity}"
        token = f"{head}/{self._node}{about}"
        self._kept.append(session.liveliness().declare_token(token))
        return token


def _configuration(router: str) -> zenoh.Config:
    config = zenoh.Config()
    own: Mapping[str, Any] = {
        "mode": "peer",
        "connect/endpoints": [router],
        "connect/timeout_ms": -1,  # it looks in the background, again and again
        "connect/exit_on_failure": False,
        "listen/endpoints": ["tcp/localhost:0"],
        "scouting/multicast/enabled": False,
        "timestamping/enabled": True,
    }
    for key, value in own.items():
        config.insert_json5(key, dumps(value))
    return config


def _stamp(content: Any) -> int:
    """Return the time in a message's header [ns]; 0 without one."""
    header = getattr(content, "header", None)
    return 0 if header is None else int(header.stamp.sec) * 10**9 + int(header.stamp.nanosec)
