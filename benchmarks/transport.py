"""Cost of the transports between broker and apps: ``python -m benchmarks.transport``.

Measures a stream socket (``--transport stream``) and ZeroMQ (``zmq``) alternately, run by run, and
prints ratios, which hold on a busy machine, too:

round trip   of a short frame from the coordinator to a forked process and back
alpha        speed of missions/alpha in placement process, without a log and with a full log
fleet        speed of missions/fleet in placement process, without logs
"""

from __future__ import annotations

import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.figures import load_before, options_of, write
from steerageway.bus import RunPlan, Transport, fork
from steerageway.bus.transport.spin_wait import wait_at
from steerageway.bus.transport.transports import address_in, connect, listen

ROOT = Path(__file__).parent.parent
SLICES, TRIPS = 40, 250
LOAD = "x" * 100
KEEPS = 0.75  # fraction of the stream socket's speed that ZeroMQ must reach to replace it
Z95 = 1.96


@contextmanager
def echo(transport: Transport) -> Iterator[Callable[[], None]]:
    """Yield a function for one round trip to a forked process."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        plan = RunPlan((), (), math.inf, transport=transport)
        listener = listen(folder, plan)

        def answer() -> None:
            channel = connect(address_in(folder, transport))
            channel.send("host")
            for parts in channel.frames(wait_at(math.inf)):
                channel.send(*parts)

        fork(answer)
        while not (arrived := listener.receive(1.0)):
            pass
        peer = arrived[0][0]

        def trip() -> None:
            listener.send(peer, "grant", LOAD)
            while not listener.receive(1.0, peer):
                pass

        yield trip
        listener.close()
        os.wait()


def round_trip() -> dict[str, list[float]]:
    """Measure round trips in short slices, alternately [us]."""
    found: dict[str, list[float]] = {transport: [] for transport in Transport}
    with echo(Transport.STREAM) as by_stream, echo(Transport.ZMQ) as by_zmq:
        for _ in range(SLICES):
            for transport, trip in ((Transport.STREAM, by_stream), (Transport.ZMQ, by_zmq)):
                began = time.perf_counter()
                for _ in range(TRIPS):
                    trip()
                found[transport].append((time.perf_counter() - began) / TRIPS * 1e6)
    stream, zmq = (found[transport] for transport in (Transport.STREAM, Transport.ZMQ))
    ratio = statistics.median(slow / fast for fast, slow in zip(stream, zmq, strict=True))
    print(f"round trip     stream {min(stream):.0f} us, zmq {min(zmq):.0f} us (best)  {ratio:.2f}")
    return found


def speed(transport: Transport, arguments: Sequence[str], *, log: bool) -> float:
    """Launch a mission; return its simulated seconds per wall second."""
    with tempfile.TemporaryDirectory() as name:
        summary = Path(name) / "summary.json"
        command = [sys.executable, str(ROOT / "launch.py"), *arguments, "--warp", "max"]
        command += ["--placement", "process", "--transport", transport, "--port", "auto"]
        command += ["--json", str(summary), *(["--log", f"{name}/log"] if log else ["--no-log"])]
        ended = subprocess.run(command, capture_output=True, text=True, check=False)
        if ended.returncode:
            sys.exit(f"{' '.join(command)} ended with {ended.returncode}:\n{ended.stderr}")
        return float(json.loads(summary.read_text())["warp_achieved"])


def compare(title: str, pairs: int, *arguments: str, log: bool = False) -> dict[str, Any]:
    """Measure pairs of runs in alternating order; print the median ratio and its interval."""
    rates: dict[Transport, list[float]] = {transport: [] for transport in Transport}
    for number in range(pairs):
        for transport in list(Transport)[:: 1 if number % 2 == 0 else -1]:
            rates[transport].append(speed(transport, arguments, log=log))
    stream, zmq = rates[Transport.STREAM], rates[Transport.ZMQ]
    ratios = sorted(slow / fast for fast, slow in zip(stream, zmq, strict=True))
    low, high = interval(ratios)
    middle = statistics.median(ratios)
    print(f"{title:15}zmq / stream: {middle:.2f} ({low:.2f} to {high:.2f}); to replace it: {KEEPS}")
    return {"stream": stream, "zmq": zmq, "ratio": middle, "interval": [low, high]}


def interval(ordered: Sequence[float]) -> tuple[float, float]:
    """Return the 95 % interval of a median, from order statistics (binomial, normal limit)."""
    count = len(ordered)
    reach = Z95 * math.sqrt(count) / 2
    first = max(0, math.floor(count / 2 - reach))
    return ordered[first], ordered[count - 1 - first]


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print, write."""
    parser = options_of(__doc__, "transport")
    parser.add_argument("--pairs", type=int, default=20, help="pairs of runs of each mission (20)")
    parser.add_argument(
        "--seconds", type=float, default=4000.0, help="simulated time of alpha [s] (4000)"
    )
    options = parser.parse_args(arguments)
    alpha = (str(ROOT / "missions" / "alpha"), "--for", str(options.seconds))
    fleet = (str(ROOT / "missions" / "fleet"), "--vessels", "5", "--for", str(options.seconds / 50))
    figures = {
        **load_before(),
        "round_trip": round_trip(),
        "alpha, no log": compare("alpha, no log", options.pairs, *alpha),
        "alpha, log": compare("alpha, log", options.pairs, *alpha, log=True),
        "fleet": compare("fleet", options.pairs, *fleet),
    }
    write(figures, options.json)


if __name__ == "__main__":
    main()
