"""Attacks at length: ``make soak``; goes on where it was, and prints figures.

Every unit of work is seeded by its kind and number, and written to a journal once it is done. A
unit that finds something wrong is a line of the journal with ``wrong``; the exit code is 1 then,
and the printed command repeats that unit alone. The journal also adds up the simulated time of all
runs with faults, of all nights and seeds.
"""

from __future__ import annotations

import argparse
import json
import resource
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout, suppress
from io import BytesIO, TextIOWrapper
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(Path(__file__).parent), str(ROOT / "tests/bus")]

from clusters import CAMPAIGN, swept  # noqa: E402
from disks import disk, missing, stall  # noqa: E402
from disturbances import (  # noqa: E402
    at_limits,
    crowd,
    flood,
    pause_and_go_on,
    readers,
    unknown_clients,
    watched,
)
from kills import ATTACKS, SPARING, disturb  # noqa: E402
from launches import Launch, Log, logs_of  # noqa: E402
from mail import Fed, apps, broken  # noqa: E402
from messages import carried  # noqa: E402
from mutation import Mutator  # noqa: E402
from serving import Serving  # noqa: E402

from steerageway.apps.logs.alog.command import main as alog  # noqa: E402
from steerageway.bus import CannotGoOn, ConfigError, load_inputs, stopwatch  # noqa: E402
from steerageway.bus.transport.wire import pack  # noqa: E402
from steerageway.launcher.options import parse_options  # noqa: E402
from steerageway.launcher.plan import plan_launch  # noqa: E402
from steerageway.moos.alog import read_entries  # noqa: E402
from steerageway.moos.bhv import parse_behaviors  # noqa: E402
from steerageway.moos.condition import ConditionError, parse_condition  # noqa: E402
from steerageway.moos.errors import FormatError  # noqa: E402
from steerageway.moos.mission import parse_mission  # noqa: E402
from steerageway.moos.nsplug import expand  # noqa: E402
from steerageway.peers.launch_script.commands import Commands  # noqa: E402
from steerageway.peers.launch_script.mission_copy import MissionCopy  # noqa: E402
from steerageway.vessel.errors import InvalidValue  # noqa: E402
from steerageway.world.document import leaves, read  # noqa: E402

Record = dict[str, Any]
FRAMES, FILES, LOGS = 10_000, 1000, 200  # of a unit
LONGEST = 5.0  # seconds of this process that one input may take
LARGEST = 16384  # bytes of a mutated frame or file
BROKEN = 50  # iterations of each app with broken values, in a unit
YEAR = 365.25 * 24 * 3600.0  # s
WARM = 0.9  # of the launches; the others load everything themselves
NIGHT = {
    "kills": 400,
    "pauses": 200,
    "disks": 400,
    "frames": 100,
    "files": 100,
    "mail": 40,
    "messages": 20,
    "floods": 10,
    "crowds": 2,
    "observers": 20,
    "limits": 10,
    "logs": 50,
    "clusters": 3,
    "campaigns": 1,
}
_ALPHA = ("missions/alpha", "--for", "300", "--warp", "max", "--placement")
_FLEET = ("missions/fleet", "--vessels", "2", "--for", "100", "--warp", "max", "--placement")
MISSIONS = ((*_ALPHA, "process"), (*_ALPHA, "community"), (*_FLEET, "community"))
ALONE = (*_ALPHA, "one")


class Terminal(TextIOWrapper):
    """What tools take for a terminal."""

    def isatty(self) -> bool:
        """Return True."""
        return True


class Soak:
    """The work, and its earlier results."""

    def __init__(self, seed: int, journal: Path) -> None:
        self._seed = seed
        self._references: dict[tuple[str, ...], dict[str, Log]] = {}
        self._path = journal
        self.done: dict[tuple[str, int], Record] = {}
        if journal.exists():
            for line in journal.read_text().splitlines():
                unit = json.loads(line)
                if unit["seed"] == seed:
                    self.done[unit["kind"], unit["number"]] = unit

    def run(self, kind: str, number: int) -> Record:
        """Do a unit, unless it has been done."""
        if (kind, number) not in self.done:
            rng, began = Random(f"{self._seed}:{kind}:{number}"), stopwatch()
            with tempfile.TemporaryDirectory(prefix="soak-") as folder:
                reported: Record = getattr(self, kind)(rng, Path(folder))
            unit = {"kind": kind, "number": number, "seed": self._seed, **reported}
            unit["seconds"] = round(stopwatch() - began, 3)
            self.done[kind, number] = unit
            with self._path.open("a") as journal:
                journal.write(json.dumps(unit) + "\n")
        return self.done[kind, number]

    def reference(self, arguments: tuple[str, ...]) -> dict[str, Log]:
        """Return the logs of a mission that nothing disturbs."""
        if arguments not in self._references:
            with tempfile.TemporaryDirectory(prefix="soak-") as folder:
                launch = Launch(arguments, Path(folder), warm=True)
                assert launch.end() == 0, launch.said.read_text()
                self._references[arguments] = logs_of(launch.log)
        return self._references[arguments]

    def kills(self, rng: Random, folder: Path) -> Record:
        """Kill processes of a run at random moments."""
        attack = rng.choice(tuple(ATTACKS))
        missions = {"again": MISSIONS[:1]}.get(attack, MISSIONS)
        arguments = rng.choice((*missions, ALONE) if attack in SPARING else missions)
        warm = rng.random() < WARM
        kill = disturb(arguments, self.reference(arguments), folder, rng, attack, warm=warm)
        posted = {
            "runs": 1,
            "simulated": _simulated(folder / "summary.json"),
            "kills": len(kill.killed),
            "messages": kill.posted,
            "wrong": kill.wrong,
        }
        return {**posted, "attack": attack, "killed": kill.killed, "sent": kill.sent}

    def pauses(self, rng: Random, folder: Path) -> Record:
        """Stop and resume processes, with unknown clients and readers; the log is the same."""
        disturbance = rng.choice((pause_and_go_on, unknown_clients, readers))
        record = self._unchanged(rng, folder, lambda launch: disturbance(launch, rng))
        return {**record, "disturbance": disturbance.__name__}

    def disks(self, rng: Random, folder: Path) -> Record:
        """Let the disk of a run stall; the log is the same."""
        if why := missing():
            return {"left_out": why, "wrong": ""}
        stalls = 0

        def disturb_disk(launch: Launch) -> None:
            nonlocal stalls
            stalls = stall(launch, place, rng)

        with disk(folder, rng) as place:
            record = self._unchanged(rng, place, disturb_disk)
        return {**record, "stalls": stalls}

    def _unchanged(
        self, rng: Random, folder: Path, disturbance: Callable[[Launch], None]
    ) -> Record:
        """Disturb a run, and compare its logs with those of one that nothing disturbs."""
        arguments = rng.choice(MISSIONS)
        totals = self.reference(arguments)
        launch = Launch(arguments, folder, warm=rng.random() < WARM)
        launch.grow_to(1)
        disturbance(launch)
        code = launch.end()
        same = {k: v.lines for k, v in logs_of(launch.log).items()} == {
            k: v.lines for k, v in totals.items()
        }
        wrong = "" if code == 0 and same else f"code {code}, same: {same}"
        posted = json.loads(launch.summary.read_text())["posted"] if code == 0 else 0
        simulated = _simulated(launch.summary)
        return {"runs": 1, "simulated": simulated, "messages": posted, "wrong": wrong}

    def mail(self, rng: Random, folder: Path) -> Record:
        """Feed every app with broken values."""
        count, wrong = 0, ""
        for name, app in apps():
            fed = Fed(app)
            for _ in range(BROKEN):
                known = fed.variables(rng)
                values = [(one, broken(one, rng)) for one in rng.sample(known, min(3, len(known)))]
                count += len(values)
                try:
                    fed.take(values)
                except CannotGoOn:
                    break  # a vessel was driven out of its model's range, which has an end
                except Exception as error:  # it is what is looked for
                    wrong = wrong or f"{name}: {error!r}: {str(values)[:400]}"
                    break
        return {"messages": count, "wrong": wrong}

    def messages(self, rng: Random, folder: Path) -> Record:
        """Carry messages in a run whose processes are stopped; each comes once, in order."""
        return carried(folder, rng)

    def clusters(self, rng: Random, folder: Path) -> Record:
        """Kill workers and schedulers of a cluster that performs a sweep."""
        return swept(folder, rng)

    def campaigns(self, rng: Random, folder: Path) -> Record:
        """Interrupt one campaign on clusters thirty times; its table is the same."""
        return swept(folder, rng, 30, CAMPAIGN)

    def floods(self, rng: Random, folder: Path) -> Record:
        """Post as fast as a run lets one; it keeps its warp, and all that it took is in the log."""
        return flood(folder, 20.0, rng.choice(("process", "community", "one")))

    def observers(self, rng: Random, folder: Path) -> Record:
        """Watch a run at full speed; its memory stays."""
        mission = rng.choice((("missions/alpha",), ("missions/fleet", "--vessels", "5")))
        placement = rng.choice(("process", "community", "one"))
        return watched(folder, (*mission, "--placement", placement), 40.0)

    def limits(self, rng: Random, folder: Path) -> Record:
        """Post values and names of sizes at their limits."""
        return at_limits(folder, rng)

    def logs(self, rng: Random, folder: Path) -> Record:
        """Hand mutated log files to the tools that read logs."""
        (folder / "out").mkdir()
        log, out = folder / "log.alog", folder / "out"
        seeds = [
            b"%%%% LOG FILE: ./a.alog\n%%%% LOGSTART 1\n\n0.5 NAV_X uSim 1.0 \n"
            b"1 MODE pHelm a:b \n1.5 NAV_X uSim \x1b]0;x\x07 \n"
            b"2 NODE_REPORT p NAME=a,X=1,Y=2,TIME=3 \n"
        ]

        def take(data: bytes) -> None:
            log.write_bytes(data)
            for tool, *more in _LOG_TOOLS:
                output = Terminal(BytesIO(), "utf-8", "backslashreplace", newline="")
                with redirect_stdout(output), redirect_stderr(output), suppress(SystemExit):
                    alog([tool, str(log), *more])
                output.seek(0)
                text = output.read()
                if not {*text} <= {"\n", "\t"} | {c for c in text if c.isprintable()}:
                    raise AssertionError(f"{tool} sends a terminal {text!r}")
            if any(out.iterdir()) or {*folder.iterdir()} != {log, out}:
                raise AssertionError("a tool writes a file that was not named")

        return {"files": LOGS, **_fuzz(seeds, take, LOGS, rng, LARGEST)}

    def crowds(self, rng: Random, folder: Path) -> Record:
        """Come in five hundred times, with keys."""
        return crowd(folder, 500)

    def frames(self, rng: Random, folder: Path) -> Record:
        """Hand mutated frames to a server."""
        with Serving() as server:
            server.take([b"known", pack("hello", 1, "known", {"credit": 8192})])
            seeds = [pack(*parts) for parts in _FRAMES]

            def take(frame: bytes) -> None:
                server.take([rng.choice((b"known", b"new")), frame])
                for peer in list(server.peers.values()):  # it goes on as if time did
                    peer.granted, peer.held = peer.posted + 8192, 0
                if b"known" not in server.peers:
                    server.take([b"known", pack("hello", 1, "known", {"credit": 8192})])

            return {"frames": FRAMES, **_fuzz(seeds, take, FRAMES, rng, LARGEST)}

    def files(self, rng: Random, folder: Path) -> Record:
        """Hand mutated files to the readers of each kind."""
        reported: Record = {"files": 0, "reached": 0, "wrong": ""}
        for seeds, take in _readers(folder):
            found = _fuzz(seeds, take, FILES // 8, rng, LARGEST)
            reported["files"] += FILES // 8
            reported["reached"] += found["reached"]
            reported["wrong"] = reported["wrong"] or found["wrong"]
        return reported


_SUMMED = ("runs", "kills", "stalls", "messages", "frames", "files", "clients", "seconds")
_LOG_TOOLS = (
    ("grep", "NAV_*"),
    ("scan",),
    ("avg", "NAV_X"),
    ("csv", "NAV_X"),
    ("hash",),
    ("helm",),
)
_FRAMES: tuple[tuple[Any, ...], ...] = (
    ("hello", 1, "new", {"role": "observer", "community": "alpha", "whole": False, "credit": 9}),
    ("register", [["NAV_*", "*", 0.5, True], ["X", "u?", 0.0, True], ["X", "u?", 0.0, False]]),
    ("post", [["X", 1.0, None, ""], ["Y", "text", 2.5, "aux"], ["Z", b"bytes", None, ""]]),
    ("credit", 9000),
    *(("control", 1, verb, [1]) for verb in ("status", "step", "run_until", "warp", "reset")),
    *(("control", 1, verb, []) for verb in ("pause", "resume", "clear")),
    ("appcast", 1, "pIdle"),
    ("reported", "text"),
    ("bye", {"missed_ticks": 5}),
    ("who",),
)


def _readers(folder: Path) -> Iterator[tuple[list[bytes], Callable[[bytes], object]]]:
    """Yield the readers of files, each with files to begin with."""
    file = folder / "file.yml"
    log = folder / "log.alog"

    def written(path: Path, data: bytes) -> Path:
        path.write_bytes(data)
        return path

    missions = [path.read_bytes() for path in sorted(ROOT.glob("missions/*/*.moos"))]
    yield missions, lambda data: parse_mission(data.decode("latin-1"), "x.moos").antler()
    yield missions, lambda data: expand(written(folder / "x.moos", data), {})
    asked = [
        b"1 2\0/\0nsplug\0a.moos\0b.moos\0-f\0A=1",
        b"1\0/\0pickpos\0--amt=2\0--hdg=0,0,9",
        b"1\0/\0shuf\0-i\x000-9\0-n\x001",
        b"1\0/\0uPokeDB\0a.moos\0--port=9000\0A=1",
    ]
    copy = MissionCopy(folder, folder, folder, folder, {})
    yield asked, Commands(copy, lambda name: {}, [], 0).answer
    behaviors = [path.read_bytes() for path in sorted(ROOT.glob("missions/*/*.bhv"))]
    yield behaviors, lambda data: parse_behaviors(data.decode("latin-1"), "x.bhv")
    vessels = [path.read_bytes() for path in sorted(ROOT.glob("inputs/*/*.yml"))][:40]
    yield vessels, lambda data: list(leaves(read(written(file, data))))
    conditions = [b"(A = 1) and (B != $(C))", b"not (X_DELTA > 5)", b'MODE == "A:B"']
    yield conditions, lambda data: parse_condition(data.decode("latin-1")).holds(lambda n: 1.0)
    entries = [b"%% LOGSTART 1\n0.5 NAV_X uSim 1.0 \n1 MODE pHelm a:b \n"]
    yield entries, lambda data: list(read_entries(written(log, data)))
    inputs = [b'{"instant": 5, "phase": 0, "community": "a", "name": "X", "value": 1}\n']
    yield inputs, lambda data: load_inputs(data.decode("latin-1").splitlines())


def _simulated(summary: Path) -> float:
    """Return the simulated seconds of a run; 0 for one that left no summary."""
    return float(json.loads(summary.read_text())["simulated_seconds"]) if summary.exists() else 0.0


def _fuzz(
    seeds: list[bytes], take: Callable[[bytes], object], count: int, rng: Random, most: int
) -> Record:
    """Feed mutated inputs; return the number of lines reached, and the errors."""
    mutator, wrong = Mutator(seeds, rng, most), ""

    def bounded(data: bytes) -> None:
        nonlocal wrong
        began = process_time()
        try:
            with suppress(FormatError, InvalidValue, ConditionError, ConfigError, UnicodeError):
                take(data)
        except Exception as error:  # it is what is looked for
            wrong = wrong or f"{type(error).__name__}: {error}: {data[:400]!r}"
        if (took := process_time() - began) > LONGEST:
            wrong = wrong or f"took {took:.1f} s: {data[:400]!r}"

    for _ in range(count):
        mutator.feed(bounded)
    return {"reached": len(mutator.reached), "wrong": wrong}


def main() -> int:
    """Do the remaining work; print figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--share", type=float, default=1.0, help="of a night's work, 1 is all")
    parser.add_argument("--only", choices=NIGHT, default=None, help="this kind of work alone")
    parser.add_argument("--unit", type=int, default=None, help="this unit of it alone")
    parser.add_argument("--journal", type=Path, default=ROOT / "logs/soak.jsonl")
    options = parser.parse_args()
    options.journal.parent.mkdir(parents=True, exist_ok=True)
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))  # and thaw its disks
    soak, faults = Soak(options.seed, options.journal), 0
    for arguments in (*MISSIONS, ALONE):  # what is forked from here has loaded everything
        plan_launch(parse_options([*arguments, "--no-log"]))
    for kind, night in NIGHT.items():
        if options.only not in (None, kind):
            continue
        most = max(1, round(night * options.share))
        numbers = range(most) if options.unit is None else [options.unit]
        units = [soak.run(kind, number) for number in numbers]
        wrong = [unit for unit in units if unit["wrong"]]
        faults += len(wrong)
        sums = {key: sum(unit.get(key, 0) for unit in units) for key in _SUMMED}
        totals = ", ".join(f"{value:.10g} {key}" for key, value in sums.items() if value)
        print(f"{kind:8} {len(units)} units, {len(wrong)} wrong: {totals}", flush=True)
        if why := next((unit["left_out"] for unit in units if "left_out" in unit), ""):
            print(f"  left out: {why}", flush=True)
        if ratios := sorted(unit["ratio"] for unit in units if "ratio" in unit):
            middle = ratios[len(ratios) // 2]
            print(f"  warp beside quiet moments: worst {ratios[0]}, median {middle}", flush=True)
        for unit in wrong:
            again = f"--seed {options.seed} --only {kind} --unit {unit['number']}"
            print(f"  {again} --journal NEW: {unit['wrong']}", flush=True)
    journal = [json.loads(line) for line in options.journal.read_text().splitlines()]
    years = sum(unit.get("simulated", 0.0) for unit in journal) / YEAR
    print(f"simulated with faults so far: {years:.6f} years in {len(journal)} units")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    print(f"seed {options.seed}; largest memory here {peak} MB; {options.journal}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
