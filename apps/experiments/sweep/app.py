"""``uSweep``: cases, one after another, unattended.

A case ends when a condition holds or its time is up; a row of a table says what came of it. The
next one is asked for by ``CASE_RESET``, so every app but this one and the logger starts afresh, or,
if the file says so, only the vessel is put elsewhere.
"""

from __future__ import annotations

import csv
import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from io import TextIOWrapper
from itertools import groupby
from typing import ClassVar

from steerageway.apps.experiments.sweep.design import Trial
from steerageway.apps.experiments.sweep.measures import Measures
from steerageway.apps.experiments.sweep.reading import CASE, NOTHING, RESET, SweepPlan, read_sweep
from steerageway.apps.experiments.sweep.variables import PUBLICATIONS
from steerageway.bus import (
    CASE_RESET,
    NANO,
    App,
    AtLaunch,
    CannotGoOn,
    Case,
    Message,
    Parameter,
    Value,
    nanoseconds,
)
from steerageway.vessel.errors import InvalidValue

SWEEP, COMPLETE = "SWEEP", "complete"
_SPAN = re.compile(r"(\d+)(?:\s*:\s*(\d+))?")


class Sweep(App):
    """Runs the cases of a file and writes a table with a row for each."""

    last_wins = True
    observes_case_reset = True
    publications = PUBLICATIONS
    publishes: Sequence[str] = (CASE_RESET, CASE, RESET, SWEEP)
    subscribes: ClassVar[Sequence[str]] = ("DB_CLIENTS",)
    parameters: ClassVar[Sequence[Parameter]] = (
        Parameter("cases", "", "the YAML file of the cases, from the mission's folder"),
        Parameter("only", "all", "the cases to run, as 3, 10:20; the others are left out"),
        Parameter("table", "sweep.csv", "the table's file, in the folder of the logs"),
    )

    def configure(self) -> None:
        """Read the cases."""
        self._plan = self._read_plan()
        self._left = deque(self._wanted())
        self._path = self.config.text("table", default="sweep.csv")
        self.publishes = (*type(self).publishes, *self._plan.posts)
        self.at_launch = AtLaunch(awaits=self._plan.awaits, pokes=self._plan.pokes)
        self._measures = Measures(self._plan.record)
        self._limit = nanoseconds(self._plan.limit)
        self._trial: Trial | None = None
        self._asked: Trial | None = None
        self._values: dict[str, Value] = {}
        self._began = self._done = 0
        self._over = False
        self._awaited = set(self.setting.launch_list)
        self._table: TextIOWrapper | None = None

    def on_start(self) -> None:
        """Register; the first case begins when every app is there."""
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
        """Follow the present case, instant by instant, to its end."""
        for instant, messages in groupby(mail, key=lambda message: message.instant):
            if self._trial is not None:
                self._look(self._trial, instant, messages)
            elif self._awaited:
                self._await(messages)

    def iterate(self) -> None:
        """End the case whose time is up; begin the next one when there is none."""
        if self._trial is not None and self.instant > self._began + self._limit:
            self._end(self._trial, "limit", self._limit)
        if self._trial is None and self._asked is None and not self._awaited:
            self._begin_next()

    def on_case(self, number: int, seed: int) -> None:
        """Follow the case that was asked for; after anybody else's reset, ask once more."""
        if self._asked is not None:
            self._begin(self._asked)
        elif self._trial is not None:
            self._left.appendleft(self._trial)
            self._trial = None
        self._asked = None

    def on_stop(self) -> None:
        """Close the table."""
        if self._table is not None:
            self._table.close()

    def report(self) -> Iterable[str]:
        """Give how far the sweep is."""
        yield f"cases: {self._done} done, {len(self._left)} to come"
        if self._trial is not None:
            yield f"case {self._trial.number}: {dict(self._trial.values)}"

    def _await(self, messages: Iterable[Message]) -> None:
        """Strike off who is there by now."""
        for message in messages:
            if message.name == "DB_CLIENTS":
                self._awaited.difference_update(str(message.value).split(","))

    def _begin_next(self) -> None:
        if not self._left:
            if not self._over:
                self.post(SWEEP, COMPLETE)
                self._over = True
            return
        trial, plan = self._left.popleft(), self._plan
        if plan.rebuilds:
            self._asked = trial
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

    def _look(self, trial: Trial, instant: int, messages: Iterable[Message]) -> None:
        """Take what was posted at an instant, and see whether the case ends with it."""
        since = instant - self._began
        if since > self._limit:
            self._end(trial, "limit", self._limit)
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

    def _read_plan(self) -> SweepPlan:
        entry = self.config.entry("cases")
        if entry is None:
            self.config_warning("there are no cases: nothing is swept")
            return NOTHING
        try:
            return read_sweep(self.setting.folder / entry.value.strip(), self.setting.seed)
        except InvalidValue as error:
            raise self.config.error(entry, str(error)) from None
        except OSError as error:
            raise self.config.error(entry, f"cannot be read: {error.strerror}") from None

    def _wanted(self) -> Iterator[Trial]:
        """Give the trials that are to be run."""
        entry = self.config.entry("only")
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
