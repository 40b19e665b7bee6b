"""``RosApp``: exchanges messages of ROS 2 with other programs, by a transport of a subclass."""

from __future__ import annotations

from abc import abstractmethod
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar

from steerageway.apps.shared import heard
from steerageway.apps.shared.foxglove import WORLD, time_of
from steerageway.apps.shared.measurements import VARIABLES
from steerageway.bridges.frames import flu
from steerageway.bridges.intake import Intake
from steerageway.bridges.links import Counts, Told
from steerageway.bridges.ros import readings, services
from steerageway.bridges.ros.messages import message, of_scene, topic_name, variable
from steerageway.bridges.ros.options import RosOptions, Tables
from steerageway.bridges.ros.topics import Incoming, NotTaken, Outgoing
from steerageway.bridges.ros.transport import Transport
from steerageway.bridges.scene import NAVIGATION, Scene
from steerageway.bus import NANO, App, CannotGoOn, Message, Value, nanoseconds

STATE, SPEED, SENSORS, READING = "USM_STATE", "NAV_SPEED", "SENSORS", "_DATA"
SCENE_SENSORS, CLOUD = "SCENE_SENSORS", "foxglove.PointCloud"
REPORT, MAP = "NODE_REPORT", "OCCUPANCY_MAP"
SEEN = (
    *(*NAVIGATION, SPEED, STATE, SENSORS, f"*{READING}", REPORT, "VIEW_*", *VARIABLES),
    *(SCENE_SENSORS, MAP, "*_WARNING", "*_ERROR"),
)
SUBSCRIPTIONS = (heard.NODE_REPORT,)
CLOCK, CLOCK_KIND = "/clock", "rosgraph_msgs/msg/Clock"
TRANSFORMS, STATIC = "tf", "tf_static"


class RosApp(App):
    """Publishes what a vessel posts as messages of ROS 2, and takes in theirs.

    ``kind`` declares the parameters of its block.
    """

    kind: ClassVar[type[RosOptions]]
    publications = ()
    publishes: Sequence[str] = ()
    subscriptions = SUBSCRIPTIONS
    subscribes = (*SEEN, "the variables of publish")
    may_lag = True
    observes_case_reset = True

    @abstractmethod
    def connect(self) -> Transport:
        """Open the transport.

        Raises:
            OSError: it cannot be opened.
        """

    def configure(self) -> None:
        """Read the parameters."""
        self._options = self.kind.read(self.config)
        self._tables: Tables = self._options.tables
        self._epoch = nanoseconds(self.setting.epoch)  # a sum of floats would round to 200 ns
        self._space = f"/{self._options.namespace or self.community}".replace("//", "/")
        self._routes: Mapping[str, list[str]] = defaultdict(list)
        self._rules: Mapping[str, list[Outgoing]] = defaultdict(list)
        for rule in self._tables.outgoing:
            if rule.is_made:
                self._routes[rule.source].append(self._full(rule.topic))
            else:
                self._rules[rule.source].append(rule)
        self.publishes = tuple(dict.fromkeys(one.variable for one in self._tables.incoming))
        self._intake = Intake(self)
        self._transport: Transport | None = None
        self._kinds: dict[str, str] = {}
        self._told = Told()
        self._sent = Counts()
        self._taken = Counts()
        self._rejected = Counts()
        self._begin()

    def _begin(self) -> None:
        """Forget what was known of the vessel."""
        self._scene = Scene(self.community)
        self._twist: Sequence[float] = (0.0,) * 6
        self._flat: dict[str, Any] = {}  # LiDARs that scan a plane

    def _full(self, topic: str) -> str:
        """Return a topic with its namespace."""
        return topic_name(topic if topic.startswith("/") else f"{self._space}/{topic}")

    def on_start(self) -> None:
        """Open the transport, and register."""
        try:
            self._transport = self.connect()
        except (OSError, OverflowError) as error:
            raise CannotGoOn(f"{self.name}: it cannot be opened: {error}") from error
        if not self._intake.replayed:
            self._subscribe(self._transport)
        self._intake.begin()
        made = self._tables.everything or self._routes
        self.register(*(SEEN if made else ()), *self._rules)

    def _subscribe(self, transport: Transport) -> None:
        """Take the messages of the tables, and requests."""
        by_topic: dict[tuple[str, str], list[Incoming]] = defaultdict(list)
        for rule in self._tables.incoming:
            by_topic[self._full(rule.topic), rule.kind].append(rule)
        for (topic, kind), rules in by_topic.items():
            transport.subscribe(topic, kind, self._taker(topic, rules))
        if self._options.services:
            for name, (kind, answer) in services.of(self._intake, self._options.reset).items():
                transport.serve(self._full(name), kind, answer)

    def _taker(self, topic: str, rules: Sequence[Incoming]) -> Callable[[Any], None]:
        def take(content: Any) -> None:
            self._taken[topic] += 1
            for rule in rules:
                try:
                    self._intake.post(rule.variable, rule.value(content))
                except NotTaken as error:
                    self._rejected[f"{topic}: {error}"] += 1

        return take

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Publish what was posted."""
        for post in mail:
            at = self._epoch + nanoseconds(post.time)
            for rule in self._rules.get(post.name, ()):
                self._publish_variable(rule, post.value, at)
            if self._tables.everything or self._routes:
                try:
                    self._note(post.name, post.value, at)
                except ValueError as error:
                    self.run_warning(f"{post.name}: {error}")
                for one in self._scene.take(post.name, post.value, at):
                    self._publish_scene(one)

    def _publish_variable(self, rule: Outgoing, value: Value, at: int) -> None:
        topic = self._full(rule.topic)
        try:
            if isinstance(value, bytes):
                raise ValueError("bytes have no type of ROS")
            if not rule.kind:
                scaled = value * rule.factor if isinstance(value, float) else value
                _, kind, content = variable(scaled)
            else:
                kind, content = rule.kind, rule.message(value, _head(at, self.community))
            self._send(topic, kind, content)
        except (ValueError, TypeError, OverflowError) as error:
            self.run_warning(f"{rule.source} = {str(value)[:80]!r}: {topic}: {error}")

    def _note(self, name: str, value: Value, at: int) -> None:
        """Publish what the scene has no drawing of."""
        if name == SPEED and isinstance(value, float):
            self._twist = (value, *self._twist[1:])
        if name == MAP and isinstance(value, bytes):
            self._publish("map", *readings.of_map(value, _head(at, WORLD)))
        if not isinstance(value, str):
            return
        if name == STATE:
            twist, (kind, members) = readings.of_state(value, _head(at, self.community))
            self._twist = twist or self._twist
            self._publish("actuators", kind, members)
        elif name == SENSORS:
            made = readings.of_sensors(value, self.community, lambda _: _head(at, self.community))
            self._publish(STATIC, *made)
        elif name == SCENE_SENSORS:
            self._flat = readings.flat_scans(value)
        elif name == REPORT:
            found = readings.of_report(value, self.community, _head(at, WORLD))
            if found is not None:
                self._publish("contacts", *found)
        elif name.endswith(READING):
            source = name.removesuffix(READING).lower()
            for place, (kind, members) in enumerate(readings.of_reading(value, self._frame_at(at))):
                self._publish(source if place == 0 else f"{source}_range", kind, members)

    def _frame_at(self, at: int) -> Callable[[str], dict[str, Any]]:
        def head(frame: str) -> dict[str, Any]:
            world = frame == WORLD
            return _head(at, frame if world else f"{self.community}/{frame}")

        return head

    def _publish_scene(self, one: tuple[str, str, Any]) -> None:
        for topic, kind, content in of_scene(*one):
            source = topic.removeprefix(f"/{self.community}/").removesuffix("/view").lstrip("/")
            if kind == "nav_msgs/msg/Odometry":
                twist = content.twist.twist
                twist.linear.x, twist.linear.y, twist.linear.z = flu(self._twist[:3])
                twist.angular.x, twist.angular.y, twist.angular.z = flu(self._twist[3:])
            self._publish(source.lower(), kind, content)
            if one[1] == CLOUD and (about := self._flat.get(one[2]["frame_id"])):
                head = _head(time_of(one[2]), one[2]["frame_id"])
                self._publish(f"{source.lower()}/scan", *readings.of_scan(one[2], about, head))

    def _publish(self, source: str, kind: str, made: Any) -> None:
        """Publish a made message, or the members of one, on its topics."""
        topics = self._routes.get(source)
        if topics is None:
            if not self._tables.everything:
                return
            topics = [f"/{source}" if source in (TRANSFORMS, STATIC) else self._full(source)]
        content = message(kind, made) if isinstance(made, dict) else made
        for topic in topics:
            self._send(topic, kind, content, latched=source == STATIC)

    def _send(self, topic: str, kind: str, content: Any, *, latched: bool = False) -> None:
        if self._transport is None:
            return
        known = self._kinds.setdefault(topic, kind)
        if known != kind:
            self.run_warning(f"{topic}: a {kind} was not sent: the topic has {known}")
            return
        self._transport.publish(topic, kind, content, latched=latched)
        self._sent[topic] += 1

    def iterate(self) -> None:
        """Publish pose and time, and tell what went wrong."""
        for one in self._scene.poses():
            self._publish_scene(one)
        if self._options.clock:
            now = _time(self._epoch + nanoseconds(self.time))
            self._send(CLOCK, CLOCK_KIND, message(CLOCK_KIND, {"clock": now}))
        self._intake.warn()
        if self._transport is not None:
            counted = {self._transport.name: self._transport.troubles, "received": self._rejected}
            for name, troubles in counted.items():
                for what in self._told.new(name, troubles):
                    self.run_warning(f"{name}: {what}")

    def on_case(self, number: int, seed: int) -> None:
        """Forget the vessel of the case before; the transport stays open."""
        self._begin()

    def on_stop(self) -> None:
        """Close the transport."""
        self._intake.close()
        if self._transport is not None:
            self._transport.close()

    def report(self) -> Iterable[str]:
        """Yield the transport, and counts of messages by topic."""
        if self._transport is not None:
            yield self._transport.name
        for what, counted in (("Sent", self._sent), ("Taken", self._taken)):
            yield f"{what}:"
            yield from (f"  {count:8} {topic}" for topic, count in sorted(counted.items()))


def _time(at: int) -> Mapping[str, int]:
    return {"sec": at // NANO, "nanosec": at % NANO}


def _head(at: int, frame: str) -> dict[str, Any]:
    return {"stamp": _time(at), "frame_id": frame}
