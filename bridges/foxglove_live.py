"""``--foxglove``: shows a running mission in Foxglove, by its WebSocket protocol; an observer.

The protocol has no passwords, and a web page of anybody's could connect to the port. Foxglove may
therefore post and control only in a run that everybody on the machine may control (``--open``).
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import isfinite
from pathlib import Path
from queue import Full, Queue
from typing import Any, NamedTuple

import foxglove
from foxglove import MessageSchema, Parameter, Service, ServiceRequest, ServiceSchema
from foxglove.websocket import Capability, ClientChannel, ServerListener
from foxglove.websocket import Client as Peer

from steerageway.apps.shared.board import connected
from steerageway.apps.shared.foxglove import SCHEMAS
from steerageway.apps.shared.run_files import begun_by
from steerageway.apps.shared.runs import PATIENCE, run_at
from steerageway.bridges.crowd import Crowd
from steerageway.bridges.hulls import Hulls
from steerageway.bridges.intake import WAIT, answered
from steerageway.bridges.scene import Scene, time_of
from steerageway.bus import (
    NANO,
    BackPressure,
    BusError,
    Client,
    Message,
    Value,
    is_name,
    is_there,
    nanoseconds,
    sleep,
    wall,
)
from steerageway.declarations import Whole, json_of
from steerageway.declarations.arguments import Parser, argument
from steerageway.web.viewer.block import Choice, ViewerBlock
from steerageway.web.viewer.mission_facts import facts_of

LOOK = 0.02  # wall seconds of one wait for mail
TOLD = 0.5  # wall seconds between two looks at time and warp
MOST_ORDERS = 1000  # of Foxglove that wait; further ones are refused
MOST_TOPICS = 200  # of one client
LONGEST = 65_536  # bytes of a value that Foxglove posts
TOO_MANY = "too many orders wait"
SERVICES = ("pause", "resume", "step")
OPEN = {"title": "steerageway.Variable", "type": "object", "properties": {"value": {}}}

Order = Callable[[], Any]
Buttons = Mapping[str, tuple[str, Choice]]  # by the name of the service: community, button


def buttons_of(blocks: Iterable[ViewerBlock]) -> Buttons:
    """Return the viewer's buttons as services, /COMMUNITY/LABEL."""
    return {
        f"/{block.community}/{re.sub(r'[^A-Za-z0-9_]+', '_', one.label)}": (block.community, one)
        for block in blocks
        for one in block.buttons.values()
    }


class Orders(ServerListener):
    """What Foxglove orders, in threads of its library, for the thread of the run's clients.

    Args:
        clients: by community.
        buttons: of the mission's viewer blocks.

    Attributes:
        waiting: to be done.
        status: of the run, as it was told last.
        rejected: number of posts that were rejected.
        buttons: as given.
    """

    def __init__(self, clients: dict[str, Client], buttons: Buttons) -> None:
        self.buttons = buttons
        self.waiting: Queue[Order] = Queue(MOST_ORDERS)
        self.status: dict[str, Any] = {}
        self.rejected = 0
        self._clients = clients
        self._topics: dict[int, dict[int, str]] = {}  # of each client

    def on_client_advertise(self, client: Peer, channel: ClientChannel) -> None:
        """Note the topic of a channel."""
        topics = self._topics.setdefault(client.id, {})
        if len(topics) < MOST_TOPICS:
            topics[channel.id] = channel.topic

    def on_client_unadvertise(self, client: Peer, client_channel_id: int) -> None:
        """Forget a channel; of a client that leaves, all are told of."""
        topics = self._topics.get(client.id, {})
        topics.pop(client_channel_id, None)
        if not topics:
            self._topics.pop(client.id, None)

    def on_message_data(self, client: Peer, client_channel_id: int, data: bytes) -> None:
        """Post ``{"value": ...}``, sent to /COMMUNITY/VARIABLE."""
        topic = self._topics.get(client.id, {}).get(client_channel_id, "")
        community, _, name = topic.removeprefix("/").partition("/")
        value = value_in(data)
        if community not in self._clients or not is_name(name) or value is None:
            self.rejected += 1
            return
        target = self._clients[community]
        self.give(lambda: self.post(target, name, value))

    def post(self, client: Client, name: str, value: Value) -> None:
        """Post, or drop what the run does not take, as while it is paused."""
        try:
            client.post(name, value)
        except BackPressure:
            self.rejected += client.discard()

    def on_get_parameters(
        self, client: Peer, param_names: list[str], request_id: str | None = None
    ) -> list[Parameter]:
        """Return warp, and whether the run is paused."""
        known = self.parameters()
        return [one for one in known if not param_names or one.name in param_names]

    def on_set_parameters(
        self, client: Peer, parameters: list[Parameter], request_id: str | None = None
    ) -> list[Parameter]:
        """Change the warp, soon: this thread serves other clients, too."""
        warps = [one.get_value() for one in parameters if one.name == "warp"]
        if warps:
            self.give(lambda: self._warp(warps[-1]))
        return self.parameters()

    def _warp(self, warp: Any) -> None:
        client = next(iter(self._clients.values()))
        try:
            client.control("warp", warp)
        except BusError:
            self.rejected += 1

    def parameters(self) -> list[Parameter]:
        """Return the parameters, as they were told last."""
        names = [name for name in ("warp", "paused") if name in self.status]
        return [Parameter(name, value=self.status[name]) for name in names]

    def serve(self, request: ServiceRequest) -> bytes:
        """Press a button, or control the run, as the name of the service says."""
        if request.service_name in self.buttons:
            given = self.give(lambda: self._press(*self.buttons[request.service_name]))
            refused = "" if given else TOO_MANY
        else:
            refused = self.ask(request.service_name.removeprefix("/"))
        return json.dumps({"success": not refused, "message": refused}).encode()

    def _press(self, community: str, button: Choice) -> None:
        client = self._clients[community]
        macros = {"UTC": f"{client.about['epoch'] + self.status.get('time', 0.0):.3f}"}
        for name, value in button.values(macros):
            if is_name(name):
                self.post(client, name, value)

    def ask(self, verb: str, *arguments: Any) -> str:
        """Control the run; return why it refuses, or ""."""
        client = next(iter(self._clients.values()))
        answer = answered(self.give, lambda: client.control(verb, *arguments), BusError)
        return TOO_MANY if answer is None else answer

    def give(self, order: Order) -> bool:
        """Have something done; return False if too much waits."""
        try:
            self.waiting.put_nowait(order)
        except Full:
            self.rejected += 1
            return False
        return True


def value_in(data: bytes) -> Value | None:
    """Return the value in ``{"value": 1.5}``, ``{"data": "text"}``; None if there is none."""
    if len(data) > LONGEST:
        return None
    try:
        given = json_of(data)
        value = given.get("value", given.get("data"))
    except (ValueError, AttributeError):
        return None
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (int, float)):
        return float(value) if isfinite(value) else None
    return value if isinstance(value, str) else None


class Post(NamedTuple):
    """What was posted: UTC [ns], time [s], name, value, source."""

    at: int
    time: float
    name: str
    value: Value
    source: str


class Topics:
    """The channels of Foxglove, made as they are needed."""

    def __init__(self, context: foxglove.Context) -> None:
        self._context = context
        self._channels: dict[str, foxglove.Channel] = {}

    def log(self, topic: str, schema: dict[str, Any], message: dict[str, Any], at: int) -> None:
        """Send a message of a time [ns] to all who have subscribed to its topic."""
        channel = self._channels.get(topic)
        if channel is None:
            channel = foxglove.Channel(topic, schema=schema, context=self._context)
            self._channels[topic] = channel
        channel.log(message, log_time=max(at, 0))

    def show(self, scene: Scene, post: Post) -> None:
        """Send a post of a community, and the messages that its scene makes of it."""
        value, community = post.value, scene.community
        shown: Any = f"{len(value)} bytes" if isinstance(value, bytes) else value
        row = {"time": post.time, "value": shown, "source": post.source}
        self.log(f"/{community}/{post.name}", OPEN, row, post.at)
        self.show_all(scene.take(post.name, value, post.at))

    def show_all(self, made: Iterable[tuple[str, str, Any]]) -> None:
        """Send what a scene makes."""
        for topic, schema, message in made:
            self.log(topic, {"title": schema, **SCHEMAS[schema]}, message, time_of(message))


class Live:
    """A run, shown to Foxglove.

    Args:
        address: of the run's broker.
        port: of the WebSocket; 0: any free one.
        control: whether Foxglove may post and control.
    """

    def __init__(self, address: str, port: int, *, control: bool) -> None:
        run = run_at(address)
        names = run.communities
        facts = facts_of({name: Path(file) for name, file in run.about.get("files", {}).items()})
        self._hulls = Hulls(facts.vessels)
        self._clients = connected(run, "foxglove", names, PATIENCE)
        self._scenes = {name: Scene(name) for name in names}
        self._first = self._clients[names[0]]
        self._epoch = nanoseconds(self._first.about["epoch"])
        blocks = [block for block in facts.blocks if block.community in self._clients]
        self._orders = Orders(self._clients, buttons_of(blocks))
        context = foxglove.Context()
        self._topics = Topics(context)
        may = [Capability.ClientPublish, Capability.Services, Capability.Parameters]
        schema = ServiceSchema("std_srvs/Trigger", request=_empty("Request"), response=_empty(""))
        called = (*(f"/{name}" for name in SERVICES), *self._orders.buttons)
        services = [Service(name, schema=schema, handler=self._orders.serve) for name in called]
        self.server = foxglove.start_server(
            name="Steerageway",
            port=port,
            capabilities=[Capability.Time, *(may if control else ())],
            server_listener=self._orders if control else None,
            supported_encodings=["json"] if control else None,
            services=services if control else None,
            asset_handler=self._hulls.file,
            context=context,
        )
        self._crowd = Crowd(self.server.port)
        self._told = 0.0

    def run(self) -> None:
        """Show the run until it ends."""
        for client in self._clients.values():
            client.on_refused = self._refuse
            client.register("*")
            client.timeout = WAIT
        while not all(client.ended for client in self._clients.values()):
            self._obey()
            for name, client in self._clients.items():
                for message in self._mail(client):
                    at = self._epoch + nanoseconds(message.time)
                    said = message.time, message.name, message.value, message.source
                    self._topics.show(self._scenes[name], Post(at, *said))
            self._tell()
        for scene in self._scenes.values():
            self._topics.show_all(scene.poses())
        self._crowd.close()
        self.server.stop()

    def _mail(self, client: Client) -> list[Message]:
        try:
            return client.fetch(LOOK / len(self._clients))
        except BackPressure:
            self._orders.rejected += client.discard()
            return []

    def _refuse(self, text: str) -> None:
        self._orders.rejected += 1
        self.server.publish_status(text, foxglove.StatusLevel.Warning, id="refused")

    def _obey(self) -> None:
        for _ in range(self._orders.waiting.qsize()):  # what comes meanwhile may be without end
            self._orders.waiting.get_nowait()()

    def _tell(self) -> None:
        """Tell time, warp and pause, every half second; look at the connections."""
        client = self._first
        if wall() < self._told + TOLD or client.ended:
            return
        self._told = wall()
        self._crowd.limit()
        try:
            status = client.control("status")
        except BusError:
            return  # the run has just ended
        known = self._orders.parameters()
        self._orders.status = status
        if (parameters := self._orders.parameters()) != known:
            self.server.publish_parameter_values(parameters)
        now = self._epoch + round(status["time"] * NANO)
        self.server.broadcast_time(now)
        self._topics.show_all(self._hulls.updates(now))


def _empty(name: str) -> MessageSchema:
    schema = foxglove.Schema(name=f"std_srvs/Trigger{name}", encoding="jsonschema", data=b"{}")
    return MessageSchema(encoding="json", schema=schema)


def main(arguments: Sequence[str] | None = None) -> int:
    """Show the run that a process has launched; return the exit code."""
    parser = Parser(prog="foxglove_live", description="Show a running mission in Foxglove.")
    parser.add_argument("--of", type=int, required=True, help="the process that launched the run")
    parser.add_argument("--port", type=argument(Whole(low=0, high=65535)), default=0)
    parser.add_argument("--control", action="store_true", help="Foxglove may post and control")
    options = parser.parse_args(arguments)
    while not (address := begun_by(options.of)):  # first it may compile, for a minute
        if not is_there(options.of):
            print("--foxglove: the run has not begun", file=sys.stderr)
            return 1
        sleep(LOOK)
    foxglove.set_log_level("CRITICAL")  # else a peer could flood the terminal
    try:
        live = Live(address, options.port, control=options.control)
        print(f"Foxglove: ws://127.0.0.1:{live.server.port}", file=sys.stderr, flush=True)
        live.run()
    except (BusError, RuntimeError) as error:
        print(f"--foxglove: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
