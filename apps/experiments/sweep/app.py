"""``uSweep``: runs the cases of a sweep one after another in one mission, and tabulates results.

A case ends when a condition holds or its time limit is reached; a row of the table holds its
results.
The next case is requested by ``CASE_RESET``, so every app but this one and the logger is rebuilt;
or,
if the file says so, only the vessel is reset.
"""

from __future__ import annotations

import csv
import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import TextIOWrapper
from itertools import groupby
from typing import ClassVar

from steerageway.apps.experiments.sweep.design import Trial
from steerageway.apps.experiments.sweep.measures import Measures
from steerageway.apps.experiments.sweep.reading import CASE, NOTHING, RESET, SweepPlan, read_sweep
from steerageway.apps.shared.block_readers import parse_file_name
from steerageway.bus import (
    CASE_RESET,
    NANO,
    App,
    AtLaunch,
    CannotGoOn,
    Case,
    Entry,
    Message,
    Options,
    Value,
    declare,
    nanoseconds,
    variables,
)
from steerageway.vessel.errors import InvalidValue

SWEEP, COMPLETE = "SWEEP", "complete"
_SPAN = re.compile(r"(\d+)(?:\s*:\s*(\d+))?")


@dataclass(frozen=True)
class SweepOptions(Options):
    """Parameters of the configuration block."""

    cases: Entry | None = declare.line("YAML file of the cases, relative to the mission's folder")
    only: Entry | None = declare.line("numbers of the cases to run, as 3, 10:20", default="all")
    table: str = declare.value("sweep.csv", parse_file_name, "file of the table, in the log folder")


class Sweep(App):
    """Runs the cases of a sweep in one mission, and writes a table with a row for each."""

    last_wins = True
    observes_case_reset = True
    publications = variables.published("""
        CASE_RESET | text | | | before each case | `{"number": 3, "seed": 2, "first": {..}, "then":
            {..}}`: begin this case at once
        SWEEP_CASE | number | | >= 0 | once a case | number of the case
        SWEEP | text | | `complete` | at the end | all cases are complete
        USM_RESET | text | m, deg, m/s | | once a case | `x=1,y=2,heading=90,speed=0,depth=0`: the
            vessel's new state; users may post it, too
    """)
    publishes: Sequence[str] = (CASE_RESET, CASE, RESET, SWEEP)
    subscribes: ClassVar[Sequence[str]] = ("DB_CLIENTS",)
    parameters = SweepOptions.parameters()

    def configure(self) -> None:
        """Read the cases."""
        options = SweepOptions.read(self.config)
        self._plan = self._read_plan(options.cases)
        self._remaining = deque(self._selected(options.only))
        self._path = options.table
        self.publishes = (*type(self).publishes, *self._plan.posts)
        self.at_launch = AtLaunch(measures=self._plan.awaits, pokes=self._plan.pokes)
        self._measures = Measures(self._plan.record)
        self._limit = nanoseconds(self._plan.limit)
        self._trial: Trial | None = None
        self._requested: Trial | None = None
        self._values: dict[str, Value] = {}
        self._began = self._done = 0
        self._over = False
        self._awaited = set(self.setting.launch_list)
        self._table: TextIOWrapper | None = None

    def on_start(self) -> None:
        """Register; the first case begins when all apps are connected."""
        self.register(*dict.fromkeys(("DB_CLIENTS", *self._plan.subscriptions)))
        if self.setting.log_folder is None:
            self.run_warning("nothing may be logged: there is no table")
            return
        path = self.setting.log_folder / self._path
        try:
            self._table = path.open("x", encoding="utf-8", newline="", buffering=1)
        except OSError as error:
            raise CannotGoOn(f"{path}: {error.strerror}") from error
        self._write(self._plan.columns)

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Update the present case, instant by instant, until it ends."""
        for instant, messages in groupby(mail, key=lambda message: message.instant):
            if self._trial is not None:
                self._update(self._trial, instant, messages)
            elif self._awaited:
                self._update_awaited(messages)

    def iterate(self) -> None:
        """End the case whose time limit is reached; begin the next one if none is running."""
        if self._trial is not None and self.instant > self._began + self._limit:
            self._end(self._trial, "limit", self._limit)
        if self._trial is None and self._requested is None and not self._awaited:
            self._begin_next()

    def on_case(self, number: int, seed: int) -> None:
        """Begin the requested case; after a reset by another client, request the case again."""
        if self._requested is not None:
            self._begin(self._requested)
        elif self._trial is not None:
            self._remaining.appendleft(self._trial)
            self._trial = None
        self._requested = None

    def on_stop(self) -> None:
        """Close the table."""
        if self._table is not None:
            self._table.close()

    def report(self) -> Iterable[str]:
        """Yield the progress of the sweep."""
        yield f"cases: {self._done} done, {len(self._remaining)} to come"
        if self._trial is not None:
            yield f"case {self._trial.number}: {dict(self._trial.values)}"

    def _update_awaited(self, messages: Iterable[Message]) -> None:
        """Remove connected apps from those that are awaited."""
        for message in messages:
            if message.name == "DB_CLIENTS":
                self._awaited.difference_update(str(message.value).split(","))

    def _begin_next(self) -> None:
        if not self._remaining:
            if not self._over:
                self.post(SWEEP, COMPLETE)
                self._over = True
            return
        trial, plan = self._remaining.popleft(), self._plan
        if plan.rebuilds:
            self._requested = trial
            case = Case(trial.number, trial.seed, plan.first(trial), plan.then(trial))
            self.post(CASE_RESET, case.text())
            return
        for name, value in (*plan.first(trial).items(), *plan.then(trial).items()):
            self.post(name, value)
        self._begin(trial)

    def _begin(self, trial: Trial) -> None:
        self._trial, self._began = trial, self.instant
        self._values.clear()
        self._measures.clear()

    def _update(self, trial: Trial, instant: int, messages: Iterable[Message]) -> None:
        """Take the posts of an instant, and check whether the case ends with it."""
        since = instant - self._began
        if since > self._limit:
            self._end(trial, "limit", self._limit)
        # Posts at the instant of a mere vessel reset still belong to the case before.
        elif since > 0 or self._plan.rebuilds:
            for message in messages:
                self._values[message.name] = message.value
                self._measures.take(message)
            until = self._plan.until
            if until is not None and until.holds(self._values.get):
                self._end(trial, "until", since)

    def _end(self, trial: Trial, how: str, lasted: int) -> None:
        self._trial = None
        self._done += 1
        names = (trial.values[name] for name in (*self._plan.state, *self._plan.posts))
        found = self._measures.result().values()
        self._write((trial.number, trial.seed, *names, how, lasted / NANO, *found))

    def _write(self, row: Iterable[object]) -> None:
        if self._table is not None:
            csv.writer(self._table, lineterminator="\n").writerow(row)

    def _read_plan(self, entry: Entry | None) -> SweepPlan:
        if entry is None:
            self.config_warning("there are no cases: nothing is swept")
            return NOTHING
        try:
            return read_sweep(self.setting.folder / entry.value.strip(), self.setting.seed)
        except InvalidValue as error:
            raise self.config.error(entry, str(error)) from None
        except OSError as error:
            raise self.config.error(entry, f"cannot be read: {error.strerror}") from None

    def _selected(self, entry: Entry | None) -> Iterator[Trial]:
        """Yield the trials to run."""
        trials = self._plan.trials
        if entry is None or entry.value.strip().lower() == "all":
            yield from trials
            return
        for text in entry.value.split(","):
            span = _SPAN.fullmatch(text.strip())
            first, last = (int(end) for end in span.groups(default=span[1])) if span else (0, 0)
            if not 1 <= first <= last <= len(trials):
                expected = f"expected numbers of cases, 1 to {len(trials)}, as in 3, 10:20"
                raise self.config.error(entry, expected)
            yield from trials[first - 1 : last]
