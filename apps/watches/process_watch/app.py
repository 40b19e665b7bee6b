"""``uProcessWatch``: monitors which processes of a community are connected.

The processes of the launch list and those watched by name are assumed present at the start, and may
be missing for the first ten simulated seconds. PROC_WATCH_TIME_WARP is the mission file's
MOOSTimeWarp, independent of the actual warp.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from steerageway.apps.watches.process_watch.options import Selection, WatchOptions
from steerageway.apps.watches.process_watch.variables import PUBLICATIONS, SUBSCRIPTIONS
from steerageway.bus import App, Message, variables
from steerageway.moos.values import is_number, pairs, trimmed

TIMEOUT = 10.0  # [s] after the start, in which absences are ignored
ALL_PRESENT = "All Present"


@dataclass(slots=True)
class Watched:
    """A watched process.

    Attributes:
        variable: posts whether it is present; "" for none.
        present: whether it is present.
        reported: the last value of its variable.
        appeared, disappeared: counts.
    """

    variable: str
    present: bool = False
    reported: str = ""
    appeared: int = 0
    disappeared: int = 0


class ProcessWatch(App):
    """Monitors which processes of a community are connected, by DB_CLIENTS."""

    keeps_quotes = True
    may_lag = True
    publications = PUBLICATIONS
    publishes: Sequence[str] = variables.names(publications)
    subscriptions = SUBSCRIPTIONS
    subscribes = ("DB_CLIENTS", "EXITED_NORMALLY", "*_STATUS of every process watched")
    parameters = WatchOptions.parameters()

    def configure(self) -> None:
        """Read the parameters."""
        options = WatchOptions.read(self.config)
        self._selection, self._names = Selection(options), options.names
        self._repeat, self._retract_within = options.repeat, options.allow_retractions
        self._warp = self.setting.globals.number("MOOSTimeWarp", default=1.0)
        self._watched: dict[str, Watched] = {}
        self._excused: dict[str, None] = {}
        self._statuses: dict[str, str] = {}
        self._summary = ""
        self._changed = False
        self._posted_at = self._started = 0.0
        self.publishes = (
            *self._names.values(),
            *filter(None, self._selection.named.values()),
        )

    def on_start(self) -> None:
        """Register, and assume the processes of the launch list present."""
        selection = self._selection
        self._started = self._posted_at = self.time
        self.register("DB_CLIENTS", "EXITED_NORMALLY")
        self._post("PROC_WATCH_TIME_WARP", self._warp)
        for name in selection.named:
            self._watch(name)
        for name in self.setting.launch_list if selection.launched else ():
            if name in selection.named or selection.admits(name):
                self._watch(name)

    def _watch(self, name: str) -> None:
        if name == self.name or name in self._watched:
            return
        self._watched[name] = Watched(self._selection.named.get(name, ""))
        self.register(f"{name.upper()}_STATUS")
        self._note_present(name)

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Update the presence of processes."""
        for message in mail:
            text = str(message.value)
            if message.name == "DB_CLIENTS":
                self._update_presence(text.split(","))
            elif message.name == "EXITED_NORMALLY":
                self._excused[text] = None
            else:
                self._statuses[message.name] = text

    def _update_presence(self, clients: list[str]) -> None:
        there = [name for client in clients if (name := client.strip())]
        for name in there:
            if self._selection.wants(name):
                self._watch(name)
        settled = self.time - self._started > TIMEOUT
        missing = []
        for name, watched in self._watched.items():
            if name in there:
                if not watched.present:
                    self._note_present(name)
            elif settled:
                if watched.present:
                    self._note_missing(name)
                if name not in self._excused:
                    missing.append(name)
        summary = "AWOL: " + ",".join(missing) if missing else ALL_PRESENT
        if summary != self._summary:
            self._summary, self._changed = summary, True

    def _note_present(self, name: str) -> None:
        watched = self._watched[name]
        watched.present = True
        watched.appeared += 1
        if watched.appeared == 1:
            text = f"Noted to be present: [{name}]"
        else:
            text = f"Resurrected: [{name}]"
            if self.time - self._posted_at <= self._retract_within:
                self.retract_run_warning(f"Process [{name}] is missing.")
        self._post("PROC_WATCH_EVENT", text)
        self.event(text)

    def _note_missing(self, name: str) -> None:
        watched = self._watched[name]
        watched.present = False
        watched.disappeared += 1
        if name in self._excused:
            text = f"Process [{name}] is gone but excused."
        else:
            text = f"Process [{name}] is missing."
            self.run_warning(text)
        self._post("PROC_WATCH_EVENT", text)
        self.event(text)

    def iterate(self) -> None:
        """Post the summary when it changes, and again after ``summary_wait``."""
        if self._changed or self.time - self._posted_at > self._repeat:
            self._post("PROC_WATCH_SUMMARY", self._summary)
            self._posted_at = self.time
        if self._changed:
            self._changed = False
            self._post("PROC_WATCH_ALL_OK", "true" if self._summary == ALL_PRESENT else "false")
            self._post("PROC_WATCH_FULL_SUMMARY", self._full_summary())
            self._post_each()

    def _post_each(self) -> None:
        for watched in self._watched.values():
            word = "true" if watched.present else "false"
            if watched.variable and word != watched.reported:
                watched.reported = word
                self.post(watched.variable, word)

    def _full_summary(self) -> str:
        counts = [f"{n}({w.appeared}/{w.disappeared})" for n, w in self._watched.items()]
        return ",".join(counts) or "No processes to watch"

    def _post(self, name: str, value: object) -> None:
        self.post(self._names[name], value)

    def report(self) -> Iterable[str]:
        """Yield the summary, and each process with its state and load."""
        yield f"Summary: {self._summary}"
        for name, watched in self._watched.items():
            state = "OK" if watched.present else "MISSING"
            if not watched.present and name in self._excused:
                state = "EXCUSED"
            status = dict(pairs(self._statuses.get(f"{name.upper()}_STATUS", "")))
            load = status.get("cpuload") or "0"
            load = trimmed(float(load), 2) if is_number(load) else load
            yield f"{name}: {state}, {watched.appeared}/{watched.disappeared}, load {load}"
