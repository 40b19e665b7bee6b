"""Speed of one mission on many machines, simulated: ``python benchmarks/machines.py``.

The communities of ``missions/fleet`` are the real ones, in this process, and so are the coordinator
of ``--placement cluster`` and the frames between them. Only the machines and their network are
simulated: each machine runs the windows of its communities one after another, as long as they take
here in processor time; a frame travels for half a round trip, and for its size by the bandwidth.
The coordinator takes all answers that have arrived before it grants windows, and is busy as long as
it takes here.

A chain is a number of frames that have to follow each other: no number of machines shortens it.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from heapq import heappop, heappush
from pathlib import Path
from time import process_time
from typing import Any

sys.path.pop(0)  # the mission's own module is not benchmarks/fleet.py
sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.figures import load_before, options_of, write
from steerageway.bus.core.message import NANO
from steerageway.bus.core.runner import Runner
from steerageway.bus.lockstep.community_coordinator import CommunityCoordinator
from steerageway.bus.lockstep.community_group import CommunityGroup
from steerageway.bus.lockstep.windows import (
    Row,
    pack_bounds,
    pack_window,
    read_bounds,
    read_window,
)
from steerageway.bus.transport.wire import pack, unpack
from steerageway.launcher.options import parse_options
from steerageway.launcher.plan import plan_launch

FLEET = Path(__file__).parent.parent / "missions" / "fleet"
VESSELS = (20, 200)
MACHINES = (1, 10, 100, 1000)
ROUND_TRIPS = (0.1e-3, 1e-3)  # in a rack, between sites [s]
BANDWIDTH = 125e6  # of 1 Gbit/s [bytes/s]
BEGIN = 2.0  # simulated seconds before which nothing is counted: apps start


@dataclass
class Machine:
    """A machine that runs the windows of some communities, one frame after another.

    Attributes:
        groups: its communities.
        free: when it has run all that has come [s].
    """

    groups: dict[str, CommunityGroup] = field(default_factory=dict)
    free: float = 0.0

    def run(self, frame: bytes, arrives: float) -> bytes:
        """Run a frame's windows; return the answer, which is ready at ``free``."""
        began = process_time()
        found = [
            (name, pack_bounds(self.groups[name].run_window(read_window(row))))
            for name, row in unpack(frame)[1:]
        ]
        answer = pack("ran", *found)
        self.free = max(self.free, arrives) + process_time() - began
        return answer


@dataclass
class Figures:
    """What a run took and exchanged; times are those of the simulated network [s].

    Attributes:
        elapsed: wall time; coordinating: of it, by the coordinator.
        frames, windows, size: there and back; size in bytes.
        chain: frames of the longest chain in which each was sent because of the one before.
        posted: messages, the same for any number of machines.
    """

    elapsed: float = 0.0
    coordinating: float = 0.0
    frames: int = 0
    windows: int = 0
    size: int = 0
    chain: int = 0
    posted: int = 0


class Network:
    """A run on a number of machines."""

    def __init__(self, vessels: int, seconds: float, machines: int, round_trip: float) -> None:
        """Plan the mission.

        Args:
            vessels: of ``missions/fleet``.
            seconds: simulated.
            machines: with one processor each.
            round_trip: of the network [s].
        """
        words = [str(FLEET), "--vessels", str(vessels), "--for", str(seconds), "--no-log"]
        plan = plan_launch(parse_options([*words, "--placement", "community"])).plan
        runners = [Runner(app.app) for app in plan.apps]
        self._coordinator = CommunityCoordinator(plan)
        self._hosts = [Machine() for _ in range(min(machines, len(self._coordinator.remotes)))]
        self._host_of: dict[str, int] = {}
        for place, name in enumerate(self._coordinator.remotes):
            self._host_of[name] = place % len(self._hosts)
            self._hosts[self._host_of[name]].groups[name] = CommunityGroup(plan, runners, name)
        self._round_trip = round_trip
        self._now, self._chain = 0.0, 0
        self._arriving: list[tuple[float, int, int, bytes]] = []  # time, number, chain, answer
        self._figures = Figures()

    def run(self) -> Figures:
        """Run to the end; return the figures since ``BEGIN``."""
        # A machine has only its own communities' objects to collect; here all would be its.
        gc.collect()
        gc.disable()
        before: Figures | None = None
        while self._advance():
            instant = self._coordinator.idle_until
            if before is None and instant is not None and instant >= BEGIN * NANO:
                before = self._taken()
        gc.enable()
        assert before is not None
        first, last = asdict(before), asdict(self._taken())
        del first["posted"]  # all of the run's
        return Figures(**last | {name: last[name] - value for name, value in first.items()})

    def _advance(self) -> bool:
        """Grant what may run, and take the next answer; return whether there was one."""
        figures = self._figures
        rows: dict[int, list[tuple[str, Row]]] = {}
        with self._coordinating():
            for remote, window in self._coordinator.windows(None):
                row = remote.name, pack_window(window)
                rows.setdefault(self._host_of[remote.name], []).append(row)
            frames = {place: pack("windows", *granted) for place, granted in rows.items()}
        for place, frame in frames.items():
            host = self._hosts[place]
            answer = host.run(frame, self._now + self._travel(frame))
            figures.frames += 1
            figures.windows += len(rows[place])
            figures.size += len(frame) + len(answer)
            at = host.free + self._travel(answer)
            heappush(self._arriving, (at, figures.frames, self._chain + 1, answer))
        if not self._arriving:
            return False
        self._now = max(self._now, self._arriving[0][0])
        self._chain = 0
        while self._arriving and self._arriving[0][0] <= self._now:
            self._take(*heappop(self._arriving)[2:])
        return True

    def _take(self, chain: int, answer: bytes) -> None:
        self._chain = max(self._chain, chain)
        self._figures.chain = max(self._figures.chain, chain)
        with self._coordinating():
            for name, bounds in unpack(answer)[1:]:
                self._coordinator.take(self._coordinator.remotes[name], read_bounds(bounds))

    @contextmanager
    def _coordinating(self) -> Iterator[None]:
        began = process_time()
        yield
        took = process_time() - began
        self._now += took
        self._figures.coordinating += took

    def _travel(self, frame: bytes) -> float:
        return self._round_trip / 2 + len(frame) / BANDWIDTH

    def _taken(self) -> Figures:
        groups = (group for host in self._hosts for group in host.groups.values())
        databases = [one for group in groups for one in group.kernel.state.databases.values()]
        posted = sum(database.posted for database in databases)
        return Figures(**{**asdict(self._figures), "elapsed": self._now, "posted": posted})


def table(vessels: int, seconds: float) -> list[dict[str, Any]]:
    """Simulate and print the numbers of machines for a number of vessels."""
    found: list[dict[str, Any]] = []
    per = seconds - BEGIN
    print(f"{vessels} vessels, figures a simulated second")
    print("machines  round trip    speed  coordinator  chain  windows  kB there and back")
    for round_trip in ROUND_TRIPS:
        for machines in MACHINES:
            if machines > 10 * vessels:
                continue  # each community has a machine of its own already
            one = Network(vessels, seconds, machines, round_trip).run()
            about = {"vessels": vessels, "machines": machines, "round_trip": round_trip}
            found.append({**about, "speed": per / one.elapsed, **asdict(one)})
            print(
                f"{machines:8} {1e3 * round_trip:8.1f} ms {per / one.elapsed:8.2f}"
                f"{100 * one.coordinating / one.elapsed:11.0f} %{one.chain / per:7.1f}"
                f"{one.windows / per:9.0f}{one.size / per / 1000:10.1f}",
                flush=True,
            )
    posted = {one["posted"] for one in found}
    print(f"messages posted: {'the same for all' if len(posted) == 1 else 'DIFFER'}")
    return found


def main() -> None:
    """Print tables."""
    parser = options_of(__doc__ or "", "machines")
    parser.add_argument("--vessels", type=int, nargs="+", default=VESSELS)
    parser.add_argument("--seconds", type=float, default=12.0, help="simulated, of each")
    options = parser.parse_args()
    figures: dict[str, Any] = dict(load_before())
    for vessels in options.vessels:
        figures[str(vessels)] = table(vessels, options.seconds)
    write(figures, options.json)


if __name__ == "__main__":
    main()
