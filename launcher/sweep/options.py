"""Command-line options of sweeps."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NoReturn

from steerageway.bus import Placement
from steerageway.declarations import Whole
from steerageway.declarations.arguments import add_options


def add_sweep_options(command: ArgumentParser) -> Any:
    """Add the options of sweeps; return their group."""
    group = command.add_argument_group("sweeps")
    add_options(
        group,
        """
            --case N: run only this case
            --worst N: log the N worst cases, and print the commands that repeat and show them
            --by OUTCOME: rank the worst cases by an outcome: the largest first, of a minimum the \
                smallest
            --jobs N: cases run in parallel (all cores)
            --scheduler ADDRESS: address of a Dask scheduler, as tcp://host:8786; also of \
                --placement cluster
            --results DIR: folder of the results; continues a sweep there
            --table URL: write the table there as Parquet in parts, too: s3://bucket/folder, or a \
                folder
            --memory-limit MB: memory that a case may take in addition to the program's own
            --find-failure N: search with N cases for those that fail, and print the commands that \
                repeat them
            --log-budget MB: limit of the logs of failed cases with --no-log (1000)
        """,
        case=Whole(low=1),
        worst=Whole(low=1),
        jobs=(Whole(low=1), 0),
        results=Path,
        memory_limit=(Whole(low=1), 0),
        find_failure=Whole(low=1),
        log_budget=(Whole(low=0), 1000),
    )
    return group


def check_sweep_options(given: Mapping[str, Any], on_error: Callable[[str], NoReturn]) -> None:
    """Check that options of sweeps are used with --sweep only, and those of one run without it."""
    of_sweeps = (
        *("case", "worst", "by", "jobs", "scheduler", "results"),
        *("table", "memory_limit", "find_failure"),
    )
    of_one_run = (
        "free_run",
        "external",
        "port",
        "keys",
        "open",
        "attach",
        "paused",
        "view",
        "foxglove",
        "graph",
        "log",
        "moosdb",
    )
    if given["sweep"] is None:
        for name in of_sweeps:
            if given[name] and (name, given["placement"]) != ("scheduler", Placement.CLUSTER):
                on_error(f"--{name.replace('_', '-')}: expected together with --sweep")
        return
    for name in ("case", "worst", "by", "table"):
        if given["find_failure"] and given[name]:
            on_error(f"--find-failure and --{name}: expected one of them")
    if given["case"] is None:
        for name in ("view", "foxglove"):
            if given[name] is not None:
                on_error(f"--{name}: not with --sweep, whose runs have none")
        for name in of_one_run:
            if given[name]:
                on_error(f"--{name.replace('_', '-')}: not with --sweep, whose runs have none")
