"""Where the figures of a benchmark go, and how busy the machine was that they were taken on."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from steerageway.bus import wall

LOGS = Path(__file__).parent.parent / "logs"


def options_of(about: str, name: str) -> argparse.ArgumentParser:
    """Give a benchmark's options so far: where its figures go.

    Args:
        about: its docstring, whose first line the help shows.
        name: of the file in ``logs`` that they go to unless told otherwise.
    """
    parser = argparse.ArgumentParser(description=about.partition("\n")[0])
    parser.add_argument("--json", type=Path, metavar="FILE", default=LOGS / f"{name}.json")
    return parser


def load_before() -> dict[str, float]:
    """Give the first figure: how many processes wanted a core in the last minute."""
    return {"load_before": os.getloadavg()[0]}


def write(figures: Mapping[str, Any], file: Path) -> None:
    """Write figures, of which ``load_before`` is one, as JSON; say how busy the machine was."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(figures, indent=1) + "\n")
    busy = f"load before {figures['load_before']:.2f} on {os.cpu_count()} cores"
    print(f"{busy}; written to {file}")


def best(action: Callable[[], object], repeats: int) -> float:
    """Give the shortest of some runs [s]; one before them does not count."""
    action()
    times = []
    for _ in range(repeats):
        start = wall()
        action()
        times.append(wall() - start)
    return min(times)
