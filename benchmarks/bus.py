"""Speed of the bus, round trips and throughput; prints a table: ``python benchmarks/bus.py``.

Round trip: a process posts a variable, another receives it and posts one back, which the first
receives: four hops through the broker. For comparison, in the same minute and over the same
transport, a minimal relay: a ROUTER socket that forwards frames unread. Rounds of both alternate;
the
relevant figure is their ratio, which is independent of the machine and its load.

Throughput: one process posts short texts under ten names, one at a time through ``Client.post``;
another receives all of them and checks names, values and order. The peak memory of each process is
printed too, as messages not yet read could accumulate.
"""

from __future__ import annotations

import multiprocessing
import resource
import statistics
import sys
import tempfile
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import zmq

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.figures import load_before, options_of, write
from steerageway.bus import Client, RunPlan, sleep, stopwatch
from steerageway.bus.free.broker import FreeBroker
from steerageway.bus.transport.channel import Channel
from steerageway.bus.transport.wire import APP, pack

HOST = "127.0.0.1"
NAMES = tuple(f"BENCH_{index}" for index in range(10))
VALUES = tuple(f"{index:04d}".ljust(100, "x") for index in range(1000))  # 100 bytes each

_fork = multiprocessing.get_context("fork")


class Child:
    """A forked process that runs one function and sends its results."""

    def __init__(self, work: Callable[..., None], *args: Any) -> None:
        self._ours, theirs = _fork.Pipe()
        self._process = _fork.Process(target=work, args=(theirs, *args))
        self._process.start()
        theirs.close()

    def receive(self) -> Any:
        """Wait for the next object that it sends."""
        return self._ours.recv()

    def send(self, word: Any) -> None:
        """Send it an object."""
        self._ours.send(word)

    def end(self) -> None:
        """Terminate it."""
        self._process.terminate()
        self._process.join()


def broker(pipe: Connection) -> None:
    """Run a free-running broker: send the port; at the end, the peak memory [MB]."""
    link, _ = Channel.pair()
    plan = RunPlan(("bench",), (), 1.0, free_run=True, port=0, host=HOST)
    with tempfile.TemporaryDirectory() as folder:
        free_broker = FreeBroker(plan, Path(folder), link)
        pipe.send(free_broker.server.port)
        free_broker.serve()
    pipe.send(peak_memory())


def echo(pipe: Connection, port: int) -> None:
    """Reply to every PING with a PONG."""
    with Client.connect(f"{HOST}:{port}", "echo", role=APP) as client:
        client.register("PING")
        pipe.send("ready")
        while not client.stopping and not client.ended:
            for message in client.fetch(1.0):
                client.post("PONG", message.value)
                client.flush()


def pinger(port: int) -> Callable[[int], list[float]]:
    """Return a function that measures a number of round trips through the broker [s]."""
    client = Client.connect(f"{HOST}:{port}", "ping", role=APP)
    client.register("PONG")

    def measure(count: int) -> list[float]:
        times = []
        for index in range(count):
            began = stopwatch()
            client.post("PING", float(index))
            answer = client.fetch(1.0)
            times.append(stopwatch() - began)
            assert [message.value for message in answer] == [index], answer
        return times

    return measure


def relay(pipe: Connection) -> None:
    """Forward frames between two clients without reading them."""
    socket = zmq.Context().socket(zmq.ROUTER)
    pipe.send(socket.bind_to_random_port(f"tcp://{HOST}"))
    other = {b"ping": b"echo", b"echo": b"ping"}
    while True:
        sender, frame = socket.recv(), socket.recv()
        socket.send(other[sender], zmq.SNDMORE)
        socket.send(frame)


def relayed_echo(pipe: Connection, port: int) -> None:
    """Send every frame back."""
    socket = relay_client(b"echo", port)
    pipe.send("ready")
    while True:
        socket.send(socket.recv())


def relay_client(name: bytes, port: int) -> zmq.Socket[bytes]:
    """Connect to the relay."""
    socket: zmq.Socket[bytes] = zmq.Context.instance().socket(zmq.DEALER)
    socket.setsockopt(zmq.ROUTING_ID, name)
    socket.connect(f"tcp://{HOST}:{port}")
    return socket


def relayed_pinger(port: int) -> Callable[[int], list[float]]:
    """Return a function that measures a number of round trips through the relay [s]."""
    socket = relay_client(b"ping", port)
    frame = pack("post", [("PING", 1.0, None, "")])  # the same size as a frame of the bus

    def measure(count: int) -> list[float]:
        times = []
        for _ in range(count):
            began = stopwatch()
            socket.send(frame)
            socket.recv()
            times.append(stopwatch() - began)
        return times

    return measure


def take_turns(pipe: Connection, port: int, relay_port: int, rounds: int, count: int) -> None:
    """Measure both kinds of round trip alternately; send the median of each round [s]."""
    kinds = {"relay": relayed_pinger(relay_port), "bus": pinger(port)}
    found: dict[str, list[float]] = {kind: [] for kind in kinds}
    for measure in kinds.values():
        measure(count // 10)
    for number in range(rounds):
        for kind in sorted(kinds, reverse=bool(number % 2)):
            found[kind].append(statistics.median(kinds[kind](count)))
    pipe.send(found)


def round_trips(rounds: int, count: int) -> dict[str, Any]:
    """Measure round trips through the bus and through the relay."""
    servers = [Child(broker), Child(relay)]
    port, relay_port = (server.receive() for server in servers)
    echoes = [Child(echo, port), Child(relayed_echo, relay_port)]
    for child in echoes:
        child.receive()
    measuring = Child(take_turns, port, relay_port, rounds, count)
    found = measuring.receive()
    for child in (measuring, *echoes, *servers):
        child.end()
    middle = {kind: statistics.median(times) for kind, times in found.items()}
    return {
        "relay_us": 1e6 * middle["relay"],
        "bus_us": 1e6 * middle["bus"],
        "ratio": middle["bus"] / middle["relay"],
        "rounds_us": {kind: [1e6 * time for time in times] for kind, times in found.items()},
    }


def poster(pipe: Connection, port: int, count: int) -> None:
    """Post a number of texts; send the time of the start, then the peak memory [MB]."""
    with Client.connect(f"{HOST}:{port}", "poster", role=APP, timeout=60) as client:
        pipe.send("ready")
        pipe.recv()
        pipe.send(stopwatch())
        post = client.post
        for index in range(count):
            post(NAMES[index % 10], VALUES[index % 1000])
        client.flush()
    pipe.send(peak_memory())


def reader(pipe: Connection, port: int, count: int, pause: float) -> None:
    """Receive and check a number of texts; send the time of the last, then the peak memory [MB]."""
    names, values = NAMES * 2000, VALUES * 20
    read = 0
    with Client.connect(f"{HOST}:{port}", "reader", role=APP) as client:
        client.register("BENCH_*")
        pipe.send("ready")
        while read < count:
            mail = client.fetch(10.0)
            assert mail, f"only {read} of {count} came"
            place, here = read % 1000, len(mail)
            assert [m[0] for m in mail] == list(names[place : place + here]), "order of names"
            assert [m[1] for m in mail] == list(values[place : place + here]), "order of values"
            read += here
            if pause:
                sleep(pause)
        pipe.send(stopwatch())
    pipe.send(peak_memory())


def throughput(rounds: int, count: int, pause: float = 0.0) -> dict[str, Any]:
    """Measure messages per second from ``Client.post`` to ``Client.fetch``."""
    rates, memory = [], {"broker": 0.0, "poster": 0.0, "reader": 0.0}
    for _ in range(rounds):
        server = Child(broker)
        port = server.receive()
        reading, posting = Child(reader, port, count, pause), Child(poster, port, count)
        for child in (reading, posting):
            child.receive()
        posting.send("go")
        began = posting.receive()
        rates.append(count / (reading.receive() - began))
        with Client.connect(f"{HOST}:{port}", "stopper") as client:
            client.control("stop")
        for name, child in (("broker", server), ("poster", posting), ("reader", reading)):
            memory[name] = max(memory[name], child.receive())
            child.end()
    return {"messages_a_second": statistics.median(rates), "rounds": rates, "peak_mb": memory}


def peak_memory() -> float:
    """Return the peak memory of this process [MB]."""
    unit = 1024 if sys.platform == "linux" else 1
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6


def main() -> None:
    """Measure, print, write."""
    parser = options_of(__doc__, "bus")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--trips", type=int, default=10_000, help="round trips a round")
    parser.add_argument("--messages", type=int, default=1_000_000, help="messages a round")
    options = parser.parse_args()
    before = load_before()
    trips = round_trips(options.rounds, options.trips)
    print(
        f"round trip    relay {trips['relay_us']:7.1f} µs   bus {trips['bus_us']:7.1f} µs", end=""
    )
    print(f"   ratio {trips['ratio']:.2f}   (median of {options.rounds} x {options.trips})")
    flow = throughput(options.rounds, options.messages)
    show_flow("throughput", flow)
    slow = throughput(1, options.messages // 10, pause=0.02)
    show_flow("slow reader", slow)
    figures = {**before, "round_trip": trips, "throughput": flow, "slow_reader": slow}
    print("all in order, none lost")
    write(figures, options.json)


def show_flow(title: str, flow: dict[str, Any]) -> None:
    """Print one line of the table."""
    memory = ", ".join(f"{name} {peak:.0f} MB" for name, peak in flow["peak_mb"].items())
    print(f"{title:12}  {flow['messages_a_second']:9.0f} messages/s   peak memory: {memory}")


if __name__ == "__main__":
    main()
