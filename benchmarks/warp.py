"""Speed of missions, and equality of their results: ``python benchmarks/warp.py``.

Prints tables and writes JSON. Four parts, each with its target:

fidelity   the alpha mission at several warps, in every placement, next to busy processes, and with
           apps that answer with random delays: the log must be the same every time
sleepers   two apps that each sleep 100 ms at one instant: they must do so at the same time
speed      simulated seconds per wall second of the whole alpha mission, without start-up
start-up   from the start of launch.py until the apps may iterate, and the memory of 100 apps

Speeds are measured in rounds in which all kinds alternate, so that their ratios hold on a busy
machine too. The best round shows the capability of the code, the median the effect of the machine.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from math import inf
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.figures import load_before, options_of, write
from steerageway.bus import NANO, App, AppPlan, Placement, Runner, RunPlan, Setting, run, sleep
from steerageway.launcher.options import parse_options
from steerageway.launcher.plan import plan_launch
from steerageway.launcher.summary import log_sha256

ROOT = Path(__file__).parent.parent
ALPHA = str(ROOT / "missions" / "alpha")
WHOLE = ("--until", "MISSION = complete")
SHORT = ("--for", "20")
LATEST = 0.05  # maximum delay of an app's answer [wall s]
SLEEP = 0.1

SPEEDS = {
    "one, no log": (("--placement", "one", "--no-log"), 1200),
    "one, log": (("--placement", "one"), 800),
    "process, log": (("--placement", "process"), 400),
    "community, log": (("--placement", "community"), None),
}  # title: arguments, and the target for an idle machine
STARTS = {"one": 0.4, "process": 0.6}
CROWD, CROWD_START, CROWD_PSS = 100, 1.5, 6.0  # apps, s, MB an app


def launch(*arguments: str) -> dict[str, Any]:
    """Launch a mission in a separate process with its own log folder; return its summary."""
    with tempfile.TemporaryDirectory() as folder:
        return finish(start(Path(folder), *arguments), Path(folder))


def start(folder: Path, *arguments: str) -> subprocess.Popen[bytes]:
    """Start a mission."""
    log = [] if "--no-log" in arguments else ["--log", str(folder / "log")]
    port = [] if "one" in arguments else ["--port", "auto"]
    summary = ["--json", str(folder / "summary.json")]
    command = [sys.executable, str(ROOT / "launch.py"), *arguments, *log, *port, *summary]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def finish(mission: subprocess.Popen[bytes], folder: Path) -> dict[str, Any]:
    """Wait for a mission's end; return its summary."""
    _, errors = mission.communicate()
    if mission.returncode:
        sys.exit(f"{mission.args!r} ended with {mission.returncode}:\n{errors.decode()}")
    summary: dict[str, Any] = json.loads((folder / "summary.json").read_text())
    return summary


@contextmanager
def busy(count: int) -> Iterator[None]:
    """Keep a number of processes busy."""
    command = [sys.executable, "-c", "while True: pass"]
    loads = [subprocess.Popen(command) for _ in range(count)]
    try:
        yield
    finally:
        for load in loads:
            load.kill()
            load.wait()


class DelayedRunner(Runner):
    """A runner that answers after a random wall time."""

    def run(self, *granted: Any) -> Any:
        """Wait, then run the app."""
        sleep(Random().uniform(0.0, LATEST))
        return super().run(*granted)


def fidelity() -> dict[str, Any]:
    """Compare the logs of the short and of the whole mission, each launched in several ways."""
    found = {
        "whole": {title: log_hash(*WHOLE, *way) for title, way in ways("100", "max")},
        "short": {title: log_hash(*SHORT, *way) for title, way in ways("10", "100", "max")},
    }
    found["short"]["warp max, process, answers late"] = late_hash()
    with busy(4):
        hashed = log_hash(*WHOLE, "--warp", "max")
    found["whole"]["warp max, process, 4 busy"] = hashed
    for length, hashes in found.items():
        same = len(set(hashes.values())) == 1
        print(f"fidelity  {length}: {len(hashes)} logs {'are the same' if same else 'DIFFER'}")
        for way, hashed in hashes.items():
            print(f"            {hashed[:16]}  {way}")
    return found


def ways(*warps: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield ways to launch the mission, each twice: title, arguments."""
    for warp in warps:
        for placement in Placement if warp == "max" else (Placement.PROCESS,):
            for number in (1, 2):
                title = f"warp {warp}, {placement}, run {number}"
                yield title, ("--warp", warp, "--placement", str(placement))


def log_hash(*arguments: str) -> str:
    """Launch the mission; return the hash of its log."""
    hashed: str = launch(ALPHA, *arguments)["communities"]["alpha"]["log_sha256"]
    return hashed


def late_hash() -> str:
    """Run the short mission with delayed answers; return the hash of its log."""
    with tempfile.TemporaryDirectory() as folder:
        where = ("--log", f"{folder}/log", "--port", "auto", "--warp", "max")
        mission = plan_launch(parse_options([ALPHA, *SHORT, *where]))
        run(
            replace(mission.plan, wrap=lambda runner: DelayedRunner(runner.app)),
            lambda progress: None,
        )
        return str(log_sha256(mission.log_folders["alpha"]))


class Sleeper(App):
    """An app that sleeps in its only iteration."""

    publishes = ()

    def iterate(self) -> None:
        sleep(SLEEP)


def sleeper(name: str) -> AppPlan:
    """Return the plan of an app that sleeps at the first simulated second."""
    app = Sleeper(Setting(name))
    return AppPlan(app, lambda seed: app, 0, (NANO, 1))


def sleepers() -> dict[str, float]:
    """Measure the time [s] of two apps that sleep at one instant, in two processes and in one."""
    plan = RunPlan(("",), (sleeper("first"), sleeper("second")), inf, stop_at=NANO)
    found = {}
    for placement in (Placement.PROCESS, Placement.ONE):
        outcome = run(replace(plan, placement=placement), lambda progress: None)
        found[str(placement)] = outcome.wall_seconds
    print(
        f"sleepers  process {1e3 * found['process']:.0f} ms (target < 150), "
        f"one {1e3 * found['one']:.0f} ms, ratio {found['process'] / found['one']:.2f}"
    )
    return found


def speed(rounds: int, load: int) -> dict[str, Any]:
    """Measure speeds next to a number of busy processes."""
    runs: dict[str, list[dict[str, Any]]] = {title: [] for title in SPEEDS}
    with busy(load):
        for _ in range(rounds):
            for title, (way, _) in SPEEDS.items():
                runs[title].append(launch(ALPHA, "--warp", "max", *WHOLE, *way))
    print(f"speed     {f'{load} busy beside' if load else 'idle':14}  best  median  target  ratio")
    found = {title: one_speed(measured) for title, measured in runs.items()}
    first = found[next(iter(SPEEDS))]["best"]
    for title, figures in found.items():
        target = SPEEDS[title][1] if not load else None
        print(
            f"            {title:14}{figures['best']:6.0f}{figures['median']:8.0f}"
            f"{target or '':>8}{figures['best'] / first:7.2f}"
        )
        parts = [f"{name} {cost:.0f}" for name, cost in figures["us_a_turn"].items()]
        print(f"              µs a turn: {', '.join(parts)}")
    return found


def one_speed(runs: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return simulated seconds per wall second of several runs, and µs per activation of an app."""
    rates = [run["warp_achieved"] for run in runs]
    best = max(runs, key=lambda run: run["warp_achieved"])
    costs = {name: app["wall_us_per_tick"] for name, app in best["apps"].items()}
    return {"best": max(rates), "median": median(rates), "rates": rates, "us_a_turn": costs}


def start_up(rounds: int) -> dict[str, Any]:
    """Measure start-up, and the memory of many apps."""
    found: dict[str, Any] = {}
    for placement, target in STARTS.items():
        way = ("--placement", placement, "--for", "1", "--warp", "max")
        times = [launch(ALPHA, *way)["startup_seconds"] for _ in range(rounds)]
        found[placement] = times
        show_start(placement, times, target)
    crowds = [crowd() for _ in range(rounds)]
    found["crowd"] = [seconds for seconds, _ in crowds]
    found["crowd_pss_mb"] = max(pss for _, pss in crowds)
    show_start(f"{CROWD} apps", found["crowd"], CROWD_START)
    print(f"            {found['crowd_pss_mb']:.1f} MB an app (target {CROWD_PSS:.0f})")
    return found


def show_start(title: str, times: Sequence[float], target: float) -> None:
    """Print one line of the table."""
    print(
        f"start-up  {title:10} best {min(times):.2f} s, median {median(times):.2f} s"
        f" (target {target} s)"
    )


def crowd() -> tuple[float, float]:
    """Start many apps; return the start-up time [s] and the mean PSS of an app's process [MB]."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file = folder / "crowd.moos"
        lines = [f"  Run = pXRelay @ NewConsole = false ~ pX{number}" for number in range(CROWD)]
        body = "\n".join(["  Run = MOOSDB", *lines])
        file.write_text(f"Community = crowd\nProcessConfig = ANTLER\n{{\n{body}\n}}\n")
        mission = start(folder, str(file), "--warp", "1", "--for", "3", "--no-log")
        while len(children := children_of(mission.pid)) < CROWD + 1 and mission.poll() is None:
            sleep(0.01)
        sleep(1.0)
        sizes = [pss(child) for child in children[1:]]  # the broker is the first
        return finish(mission, folder)["startup_seconds"], sum(sizes) / len(sizes)


def children_of(process: int) -> list[int]:
    """Return a process's children, the oldest first."""
    return [
        int(pid) for pid in Path(f"/proc/{process}/task/{process}/children").read_text().split()
    ]


def pss(process: int) -> float:
    """Return a process's proportional share of memory [MB]."""
    for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) / 1024
    raise ValueError(f"/proc/{process}/smaps_rollup has no line Pss:")


def main() -> None:
    """Measure, print, write."""
    parser = options_of(__doc__, "warp")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of each speed and start-up")
    options = parser.parse_args()
    figures = {
        **load_before(),
        "fidelity": fidelity(),
        "sleepers": sleepers(),
        "idle": speed(options.rounds, 0),
        "loaded": speed(options.rounds, 1),
        "start_up": start_up(options.rounds),
    }
    write(figures, options.json)


if __name__ == "__main__":
    main()
