"""Step times of compiled vessels: single, batch, cold and warm cache, missions.

Run it as ``python -m benchmarks.physics``. Times are minima; a sine timed in the same run indicates
the speed of the machine. The reference, Python Vehicle Simulator, takes 47 µs (Otter) and 54 µs
(REMUS 100) for one evaluation of the right-hand side on the author's machine; if it is installed,
it
is measured as well.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numba import njit

from benchmarks.figures import load_before, options_of, write
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.folder import load

ROOT = Path(__file__).parents[1]
INPUTS = ROOT / "inputs"
SURVEY = str(ROOT / "missions" / "otter_survey" / "otter_survey.moos")
SURVEY_RATE, VESSELS, VESSELS_START = 500, 20, 4.0  # targets: times real time; vessels, s
COMMANDS = {
    "otter": [80.0, 60.0],
    "remus100": [0.05, -0.05, 150.0],
    "rexrov": [100.0] * 4 + [600.0, 500.0, -600.0, -500.0],
}
REFERENCE_US = {
    "otter": 47.0,
    "remus100": 54.0,
}  # one evaluation, where the reference is not installed
DT, REPEATS, FLEET = 0.02, 40, 1000
FIRST_STEP = """
import time
start = time.perf_counter()
from steerageway.vessel.fossen.folder import load
otter = load({folder!r})
otter.step(otter.initial, [80.0, 60.0], otter.surroundings(), 0.02)
print(time.perf_counter() - start)
"""


def fastest(work: Callable[[], object], units: int) -> float:
    """Return the minimum time per unit of the work [µs]."""
    least = float("inf")
    for _ in range(REPEATS):
        start = time.perf_counter()
        work()
        least = min(least, time.perf_counter() - start)
    return 1e6 * least / units


@njit
def sines(count: int) -> float:
    """Return a sum of sines."""
    total = 0.0
    for i in range(count):
        total += np.sin(i * 1e-3)
    return total


def stepping(name: str) -> dict[str, float]:
    """Measure Runge-Kutta steps [µs] of one moving vessel in a current, and of a fleet."""
    craft = load(INPUTS / name)
    command, around = np.array(COMMANDS[name]), craft.surroundings((0.3, 0.2, 0.0))
    x = craft.step(craft.initial, command, around, DT, 500)
    fleet = tuple(np.tile(row, (FLEET, 1)) for row in (x, command, around))
    craft.batch_step(*fleet, DT)
    batch = fastest(lambda: craft.batch_step(*fleet, DT, 5), 5 * FLEET)
    return {
        "step_us": fastest(lambda: craft.step(x, command, around, DT, 200), 200),
        "call_us": fastest(lambda: craft.step(x, command, around, DT), 1),
        "batch_us": batch,
        "batch_steps_per_s": 1e6 / batch,
        "reference_evaluation_us": reference(name, craft) or REFERENCE_US.get(name, float("nan")),
    }


def reference(name: str, craft: Dynamics) -> float | None:
    """Measure the reference's own step, one evaluation, if it is installed."""
    try:
        module = import_module(f"python_vehicle_simulator.vehicles.{name}")
    except ImportError:
        return None
    theirs: Any = getattr(module, name)()
    eta, nu, states = np.zeros(6), np.ones(6) * 0.1, np.zeros(len(craft.commands))
    command = np.array(COMMANDS[name])
    return fastest(lambda: theirs.dynamics(eta, nu, states, command, DT), 1)


def first_steps() -> dict[str, float]:
    """Measure the time [s] from the start of a process to the first step, cold and warm."""
    program = FIRST_STEP.format(folder=str(INPUTS / "otter"))
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "NUMBA_CACHE_DIR": cache}

        def run() -> float:
            command = [sys.executable, "-c", program]
            out = subprocess.run(
                command, env=environment, capture_output=True, text=True, check=True
            )
            return float(out.stdout)

        return {"cold_s": run(), "warm_s": min(run() for _ in range(3))}


def launched(*arguments: str) -> tuple[dict[str, Any], float]:
    """Return the summary of a mission, and its wall time from start to end [s]."""
    with tempfile.TemporaryDirectory() as folder:
        summary = Path(folder) / "summary.json"
        options = ("--warp", "max", "--no-log", "--json", str(summary))
        command = [sys.executable, str(ROOT / "launch.py"), *arguments, *options]
        start = time.perf_counter()
        subprocess.run(command, check=False, capture_output=True, cwd=folder)
        took = time.perf_counter() - start
        if not summary.is_file():
            sys.exit(f"{' '.join(command)}: failed")
        return json.loads(summary.read_text()), took


def survey() -> dict[str, float]:
    """Measure the survey in one process: simulated seconds per wall second, without start-up."""
    done = ("--placement", "one", "--until", "MISSION = complete")
    rates = [launched(SURVEY, *done)[0]["warp_achieved"] for _ in range(5)]
    return {"best": max(rates), "median": float(np.median(rates)), "target": SURVEY_RATE}


def forked() -> dict[str, float]:
    """Measure the time [s] in which simulators in processes start, step and end."""
    fleet = [f"{SURVEY}@v{i:02d}" for i in range(VESSELS)]
    how = ("--only", "uSimMarineV22", "--port", "auto", "--placement", "process", "--for", "2")
    times = []
    for _ in range(3):
        summary, took = launched(*fleet, *how)
        assert summary["exit_reason"] == "for", summary["exit_reason"]
        assert all(app["grants"] > 5 for app in summary["apps"].values())
        times.append(took)
    return {"best": min(times), "median": float(np.median(times)), "target": VESSELS_START}


def main() -> None:
    """Measure, print a table, write JSON."""
    options = options_of(__doc__, "physics").parse_args()
    results: dict[str, Any] = {**load_before()}
    sines(10)
    results["sine_ns"] = 1000 * fastest(lambda: sines(1000), 1000)
    for name in COMMANDS:
        results[name] = stepping(name)
    results["first_step"] = first_steps()
    results["survey"], results["forked"] = survey(), forked()
    print(f"sine: {results['sine_ns']:.1f} ns")
    for name in COMMANDS:
        row = results[name]
        longer = 4 * row["reference_evaluation_us"] / row["step_us"]
        beside = f"; reference: {longer:.0f} times as long" if longer == longer else ""
        print(
            f"{name}: {row['step_us']:.2f} µs a step, {row['call_us']:.2f} µs when called for one; "
            f"batch of {FLEET}: {row['batch_steps_per_s'] / 1e6:.2f} million steps/s{beside}"
        )
    share = results["rexrov"]["step_us"] / results["remus100"]["step_us"]
    print(f"rexrov, eight thrusters and quaternions: {share:.2f} of remus100's step (target 5)")
    first = results["first_step"]
    print(f"first step: {first['cold_s']:.1f} s cold, {first['warm_s']:.2f} s warm")
    row = results["survey"]
    print(
        f"otter_survey in one process, 50 steps/s: {row['best']:.0f} simulated s/s, "
        f"median {row['median']:.0f} (target {row['target']})"
    )
    row = results["forked"]
    print(
        f"{VESSELS} vessels, a process each, have stepped and ended after: {row['best']:.2f} s, "
        f"median {row['median']:.2f} (target {row['target']:g})"
    )
    write(results, options.json)


if __name__ == "__main__":
    main()
