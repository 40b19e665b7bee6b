"""The cases of a suite: every scenario with every seed, as the runs of a sweep."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from steerageway.apps.shared.encounters import InvalidValue, Scenario, Ship, read_scenarios
from steerageway.launcher.colregs.mission import FOLDER
from steerageway.launcher.errors import LaunchError
from steerageway.launcher.sweep.runs import Run, Sweep

SUITES = {
    "imazu": ("imazu",),
    "dnv": ("dnv",),
    "single": ("single",),
    "channel": ("channel",),
    "separation": ("separation",),
    "shallow": ("shallow",),
    "all": ("imazu", "dnv"),
}
SCORE, TRACKS = "ENCOUNTER_SCORE", "ENCOUNTER_TRACKS"
COLUMNS = ("scenario", "variation")


@dataclass(frozen=True)
class Case:
    """A scenario of a file, with a seed that varies it; 0: as written."""

    file: Path
    scenario: Scenario
    seed: int

    def varied(self, ship: Ship) -> Scenario:
        """Return the scenario as it is sailed by a vessel."""
        return self.scenario.scaled(ship.length, ship.speed).varied(self.seed)


def cases_of(suite: str, file: Path | None, seeds: int) -> tuple[Case, ...]:
    """Return the cases of a suite or a file.

    Raises:
        LaunchError: a file cannot be read; with file, line, key, value and the expected value.
    """
    files = [FOLDER / f"{name}.yml" for name in SUITES[suite]] if file is None else [file]
    found = []
    for path in files:
        try:
            scenarios = read_scenarios(path.resolve())
        except InvalidValue as error:
            raise LaunchError(*error.diagnostics) from error
        except OSError as error:
            raise LaunchError(f"{path}: {error.strerror}") from error
        found += [Case(path.resolve(), one, seed) for one in scenarios for seed in range(seeds)]
    return tuple(found)


def sweep_of(cases: Sequence[Case], mission: Path, ship: Ship, others: Sequence[str]) -> Sweep:
    """Return the sweep that performs the cases.

    Args:
        others: further arguments of each run.
    """
    runs = tuple(
        Run(
            number,
            case.seed,
            {"scenario": case.scenario.name, "variation": str(case.seed)},
            tuple(_arguments(case, ship)),
        )
        for number, case in enumerate(cases, 1)
    )
    shared = (str(mission), "--until=ENCOUNTER = over", *others)
    return Sweep(shared, (), COLUMNS, runs, (SCORE,))


def _arguments(case: Case, ship: Ship) -> Iterator[str]:
    """Yield the arguments of one case."""
    start = case.varied(ship).start
    yield f"--config=uEncounter.file={case.file}"
    yield f"--config=uEncounter.scenario={case.scenario.name}"
    yield f"--config=uEncounter.variation={case.seed}"
    pose = f"x={start.x:.3f},y={start.y:.3f},heading={start.heading:.3f},speed={start.speed:.3f}"
    yield f"--config=uSimMarineV22.start_pos={pose}"
    yield f"--seed={case.seed}"
