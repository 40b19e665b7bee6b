"""Speed of sweeps, and equality of their tables: ``python benchmarks/sweep.py``.

Prints a table and writes JSON. Three parts, each with its target:

missions   200 runs of the alpha mission over four parameters, without logs, on all cores
killed     a sweep that is killed at random times and resumed must give the same table
cases      1000 cases of missions/reset_sweep in one run; a sample of them, each run separately,
must
           give the same rows
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random
from resource import RUSAGE_CHILDREN, getrusage
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.figures import load_before, options_of, write
from steerageway.bus import sleep, wall

ROOT = Path(__file__).parent.parent
MISSIONS = ROOT / "missions"
SWEEP = MISSIONS / "monte_alpha" / "sweep.yml"
RUNS, RUNS_TARGET = 200, 60.0  # runs, wall seconds on two cores
KILLED = 40  # runs of the sweep that is killed
CASES = 1000


def launch(*arguments: str | Path) -> list[str]:
    """Return a command of launch.py."""
    return [sys.executable, str(ROOT / "launch.py"), *map(str, arguments)]


def sweep(file: Path, folder: Path, *more: str) -> list[str]:
    """Return the command of a sweep of alpha."""
    alpha = MISSIONS / "alpha"
    return launch(alpha, "--sweep", file, "--no-log", "--results", folder, *more)


def perform(command: list[str]) -> None:
    """Run a command, and exit if it fails."""
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def missions(folder: Path) -> dict[str, Any]:
    """Time the sweep of alpha, including start-up, tables and figures."""
    began, before = wall(), getrusage(RUSAGE_CHILDREN)
    perform(sweep(SWEEP, folder / "missions", "--json", str(folder / "missions.json")))
    took, after = wall() - began, getrusage(RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    summary = json.loads((folder / "missions.json").read_text())
    assert summary["cases"] == RUNS
    assert not summary["failed"]
    print(
        f"missions  {RUNS} runs, {summary['jobs']} at a time: {took:.1f} s (target {RUNS_TARGET} s)"
    )
    print(f"          {spent:.1f} s of processor time")
    return {"runs": RUNS, "wall_seconds": took, "cpu_seconds": spent, "jobs": summary["jobs"]}


def killed(folder: Path, seed: int) -> dict[str, Any]:
    """Kill a sweep at random times until it completes; compare its table."""
    file = folder / "killed.yml"
    file.write_text(SWEEP.read_text().replace(f"cases: {RUNS}", f"cases: {KILLED}"))
    perform(sweep(file, folder / "undisturbed"))
    rng, kills = Random(seed), 0
    while True:
        command = sweep(file, folder / "killed")
        quiet = subprocess.DEVNULL
        with subprocess.Popen(command, stdout=quiet, stderr=quiet) as running:
            sleep(rng.uniform(0.5, 6.0))
            if running.poll() == 0:
                break
            running.kill()
            kills += 1
    tables = [(folder / name / "results.csv").read_bytes() for name in ("undisturbed", "killed")]
    same = tables[0] == tables[1]
    print(f"killed    {KILLED} runs, killed {kills} times: {_verdict(same)}")
    return {"runs": KILLED, "kills": kills, "same": same}


def cases(folder: Path, picks: int, seed: int) -> dict[str, Any]:
    """Run all cases in one run, and some of them separately; compare their rows."""
    began = wall()
    rows = _swept(folder / "all", "all")
    took = wall() - began
    assert [row.partition(",")[0] for row in rows] == [str(n) for n in range(1, CASES + 1)]
    chosen = Random(seed).sample(range(1, CASES + 1), picks)
    differing = [n for n in chosen if _swept(folder / f"alone{n}", str(n)) != [rows[n - 1]]]
    same = not differing
    print(f"cases     {CASES} in one run: {took:.1f} s; {picks} alone: rows are {_verdict(same)}")
    return {"cases": CASES, "wall_seconds": took, "picks": chosen, "differing": differing}


def _swept(logs: Path, only: str) -> list[str]:
    """Run some cases of reset_sweep; return their rows."""
    options = ("--placement", "one", "--warp", "max", "--until", "SWEEP = complete")
    more = ("--config", f"uSweep.only={only}", "--log", logs)
    perform(launch(MISSIONS / "reset_sweep", *options, *more))
    return (logs / "sweep.csv").read_text().splitlines()[1:]


def _verdict(same: bool) -> str:
    return "the same" if same else "NOT THE SAME"


def main() -> None:
    """Measure, print, write."""
    parser = options_of(__doc__, "sweep")
    parser.add_argument("--picks", type=int, default=20, help="number of cases to run separately")
    parser.add_argument(
        "--seed", type=int, default=1, help="seed of the sample and of the times of kills"
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        figures = {
            **load_before(),
            "missions": missions(folder),
            "killed": killed(folder, options.seed),
            "cases": cases(folder, options.picks, options.seed),
        }
    write(figures, options.json)


if __name__ == "__main__":
    main()
