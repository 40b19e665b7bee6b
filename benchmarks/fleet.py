"""Speed of a fleet, and equality of its results: ``python benchmarks/fleet.py``.

Launches ``missions/fleet``, prints a table with targets and writes JSON:

speed      simulated seconds per wall second of 20 vessels in placements community, one and process,
           with contact avoidance and without it
fidelity   the logs of all 21 communities: the same in two runs, and in every placement
contacts   average number of others within the outer distance of a vessel's avoidance
start-up   from the start of launch.py until the apps of 20 vessels may iterate
many       50 vessels
growth     processor time of a simulated second in placement one, from 20 to 500 vessels
"""

from __future__ import annotations

import json
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import dist, log
from pathlib import Path
from statistics import fmean, median
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.figures import load_before, options_of, write
from steerageway.moos.alog import read_entries

ROOT = Path(__file__).parent.parent
FLEET = ROOT / "missions" / "fleet"
VESSELS, MANY, MOST = 20, 50, 500
OUTER = 50.0  # pwt_outer_dist of the mission's avoidance [m]
MAX_CONTACTS = 3.0
SPEEDS = {"avoiding": 15.0, "not avoiding": 40.0}  # of placement community, on two cores
EXPONENT = 1.2  # of the growth of processor time with the number of vessels
START_UP = 2.0  # of placement process [s]
PLACEMENTS = ("community", "one", "process")


@contextmanager
def mission(*, avoids: bool) -> Iterator[Path]:
    """Yield the mission's folder, or a copy whose vessels do not avoid each other."""
    if avoids:
        yield FLEET
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "fleet"
        shutil.copytree(FLEET, folder)
        file = folder / "meta_vehicle.bhv"
        head, found, _ = file.read_text().partition("Behavior = BHV_AvoidCollision")
        if not found:
            sys.exit(f"{file}: expected a BHV_AvoidCollision")
        file.write_text(re.sub(r"//[^\n]*\n\s*\Z", "", head))
        yield folder


def launch(folder: Path, vessels: int, seconds: float, placement: str, log: Path | None) -> Any:
    """Launch a fleet for a simulated time [s]; return the summary."""
    with tempfile.NamedTemporaryFile(suffix=".json") as summary:
        command = [sys.executable, str(ROOT / "launch.py"), str(folder), "--warp", "max"]
        command += ["--vessels", str(vessels), "--for", str(seconds), "--placement", placement]
        command += ["--json", summary.name, *(["--log", str(log)] if log else ["--no-log"])]
        command += [] if placement == "one" else ["--port", "auto"]
        ended = subprocess.run(command, capture_output=True, text=True, check=False)
        if ended.returncode:
            sys.exit(f"{' '.join(command)} ended with {ended.returncode}:\n{ended.stderr}")
        return json.loads(Path(summary.name).read_text())


def speed(rounds: int, seconds: float) -> dict[str, Any]:
    """Measure speeds, alternating between all kinds."""
    found: dict[str, Any] = {}
    print(f"speed     {VESSELS} vessels          best  median  target")
    for title, target in SPEEDS.items():
        rates: dict[str, list[float]] = {placement: [] for placement in PLACEMENTS}
        with mission(avoids=title == "avoiding") as folder:
            for _ in range(rounds):
                for placement, taken in rates.items():
                    summary = launch(folder, VESSELS, seconds, placement, None)
                    taken.append(summary["warp_achieved"])
        for placement, taken in rates.items():
            best, middle = max(taken), median(taken)
            goal = f"{target:8.0f}" if placement == "community" else ""
            print(f"            {f'{title}, {placement}':22}{best:6.1f}{middle:8.1f}{goal}")
        found[title] = rates
    return found


def fidelity(seconds: float) -> dict[str, Any]:
    """Compare the logs, and count contacts."""
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as name:
        for number, placement in enumerate((PLACEMENTS[0], *PLACEMENTS)):
            log = Path(name) / str(number)
            summary = launch(FLEET, VESSELS, seconds, placement, log)
            hashes = {where: one["log_sha256"] for where, one in summary["communities"].items()}
            found[f"{placement}, run {number}"] = hashes
        found["contacts"] = contacts(Path(name) / "0", seconds)
    runs = [hashes for title, hashes in found.items() if title != "contacts"]
    same = all(hashes == runs[0] for hashes in runs)
    print(
        f"fidelity  {len(runs)} runs of {len(runs[0])} logs {'are the same' if same else 'DIFFER'}"
    )
    within = found["contacts"]
    print(f"contacts  within {OUTER:.0f} m: {within:.1f} on average (at most {MAX_CONTACTS:.0f})")
    return found


def contacts(folder: Path, seconds: float) -> float:
    """Return the average number of others near a vessel, sampled each second."""
    tracks = [track(log) for log in sorted(folder.rglob("*.alog"))]
    counts = []
    for second in range(1, int(seconds)):
        places = [place for here in tracks if (place := here.get(second)) is not None]
        counts += [sum(dist(a, b) <= OUTER for b in places) - 1 for a in places]
    return fmean(counts)


def track(log: Path) -> dict[int, tuple[float, float]]:
    """Return a vessel's position at each whole second; empty for the shore."""
    now: dict[str, float] = {}
    found: dict[int, tuple[float, float]] = {}
    for entry in read_entries(log):
        if entry.name in ("NAV_X", "NAV_Y"):
            now[entry.name] = float(entry.value)
            if len(now) == 2:
                found[int(entry.time)] = (now["NAV_X"], now["NAV_Y"])
    return found


def start_up(rounds: int) -> list[float]:
    """Measure start-up in placement process."""
    times = [launch(FLEET, VESSELS, 2.0, "process", None)["startup_seconds"] for _ in range(rounds)]
    print(f"start-up  best {min(times):.2f} s, median {median(times):.2f} s (target {START_UP} s)")
    return times


def many(seconds: float) -> dict[str, float]:
    """Run many vessels."""
    summary = launch(FLEET, MANY, seconds, "community", None)
    print(f"many      {MANY} vessels: {summary['warp_achieved']:.1f} simulated seconds a second")
    return {"vessels": MANY, "warp": summary["warp_achieved"]}


def growth(seconds: float) -> dict[str, float]:
    """Measure how processor time grows with the number of vessels, at constant density.

    Their surveys begin in the first 20 s; start-up is subtracted with the run until then.
    """
    cost = {}
    for vessels in (VESSELS, MOST):
        taken = []
        for length in (20.0, 20.0 + seconds):
            before = processor_time()
            launch(FLEET, vessels, length, "one", None)
            taken.append(processor_time() - before)
        cost[vessels] = (taken[1] - taken[0]) / seconds
    power = log(cost[MOST] / cost[VESSELS]) / log(MOST / VESSELS)
    each = ", ".join(f"{n} vessels {1e3 * s / n:.2f} ms" for n, s in cost.items())
    print(f"growth    a vessel-second of {each}: n^{power:.2f} (target below n^{EXPONENT})")
    return {**{str(vessels): taken for vessels, taken in cost.items()}, "power": power}


def processor_time() -> float:
    """Return the processor time of all processes that this one has run [s]."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print, write."""
    parser = options_of(__doc__, "fleet")
    parser.add_argument("--rounds", type=int, default=3, help="rounds of each speed and start-up")
    parser.add_argument(
        "--seconds", type=float, default=60.0, help="simulated time of each run [s]"
    )
    options = parser.parse_args(arguments)
    figures = {
        **load_before(),
        "speed": speed(options.rounds, options.seconds),
        "fidelity": fidelity(options.seconds),
        "start_up": start_up(options.rounds),
        "many": many(options.seconds / 3),
        "growth": growth(options.seconds / 3),
    }
    write(figures, options.json)


if __name__ == "__main__":
    main()
