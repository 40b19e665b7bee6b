"""``uProcessWatch``: monitors which processes of a community are connected.

The processes of the launch list and those watched by name are assumed present at the start, and may
be missing for the first ten simulated seconds. PROC_WATCH_TIME_WARP is the mission file's
MOOSTimeWarp, independent of the actual warp.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from math import inf

from steerageway.apps.shared.limited import Limited
from steerageway.bus import App, Message, Options, declare, variables
from steerageway.declarations import Doubted, Number, truth
from steerageway.moos.values import number_of, pairs, split_first, trimmed

MAPPED = (
    "PROC_WATCH_SUMMARY",
    "PROC_WATCH_FULL_SUMMARY",
    "PROC_WATCH_ALL_OK",
    "PROC_WATCH_EVENT",
    "PROC_WATCH_TIME_WARP",
)
WATCHED = ("true", "false", "antler", "dbclients")

TIMEOUT = 10.0  # [s] after the start, in which absences are ignored
ALL_PRESENT = "All Present"

NAMES = "expected names of processes without blanks"


def _names(text: str) -> list[str]:
    return [":".join(part.strip() for part in item.split(":")) for item in text.split(",")]


def _is_name(text: str) -> bool:
    return bool(text) and not any(map(str.isspace, text))


def _read_names(text: str) -> list[str]:
    return [name for name in _names(text) if _is_name(name)]


def _doubtful_names(text: str) -> Iterator[str]:
    yield from (f'{NAMES}, not "{name}"' for name in _names(text) if not _is_name(name))


parse_names = Doubted(_read_names, _doubtful_names)
"""Parses names of processes, separated by commas; also ``pX:VAR`` and ``pX*``.

As in MOOS-IvP an empty name, or one with a blank, is left out with a warning.
"""


def parse_watch_all(text: str) -> str:
    """Parse ``watch_all``, a word of ``WATCHED``.

    Raises:
        ValueError: it is unknown.
    """
    word = text.strip().lower().replace("db_clients", "dbclients")
    if word not in WATCHED:
        raise ValueError(f"expected one of {', '.join(WATCHED)}")
    return word


def parse_retractions(text: str) -> float:
    """Parse true, false or seconds: the maximum absence after which a warning is retracted [s].

    Raises:
        ValueError: the text has another form.
    """
    allowed = truth(text)
    if allowed is not None:
        return inf if allowed else -1.0
    return Number(words={"true": inf, "false": -1.0})(text)


def parse_mapping(text: str) -> tuple[str, str]:
    """Parse ``VAR,NEW``.

    Raises:
        ValueError: the text has another form, or VAR is not published.
    """
    old, new = split_first(text, ",")
    if old not in MAPPED or not new or " " in new:
        raise ValueError(f"expected VAR,NEW with VAR one of {', '.join(MAPPED)}")
    return old, new


@dataclass(frozen=True)
class WatchOptions(Options):
    """Parameters of the configuration block."""

    watch: tuple[list[str], ...] = declare.lines(
        parse_names, "pX, pX:VAR (VAR: true while pX is present) or pX*; comma list"
    )
    nowatch: tuple[list[str], ...] = declare.lines(
        parse_names, "pX or pX* to exclude, unless watched by name; comma list"
    )
    watch_all: str = declare.value(
        "true",
        parse_watch_all,
        "other processes to watch: true, false, antler (launch list) or dbclients",
    )
    summary_wait: float = declare.number(
        -1, "time after which an unchanged summary is posted again; below 0: never", unit="s"
    )
    allow_retractions: float = declare.value(
        "true",
        parse_retractions,
        "true: retract the warning when the process is back; or up to this absence [s]",
    )
    post_mapping: tuple[tuple[str, str], ...] = declare.lines(
        parse_mapping, "VAR,NEW: post NEW instead of VAR"
    )

    @property
    def repeat(self) -> float:
        """Time after which a summary is posted again [s]; inf: never."""
        return self.summary_wait if self.summary_wait >= 0 else inf

    @property
    def names(self) -> dict[str, str]:
        """Variable -> its name after ``post_mapping``."""
        return {name: name for name in MAPPED} | dict(self.post_mapping)


class Selection:
    """Selects the processes to watch.

    Attributes:
        named: watched regardless of nowatch: process -> variable of its presence, or "".
        launched: whether the launch list is watched.
    """

    def __init__(self, options: WatchOptions) -> None:
        watched, excluded = list(chain(*options.watch)), list(chain(*options.nowatch))
        self.named = dict(split_first(item, ":") for item in watched if not item.endswith("*"))
        self.launched = options.watch_all in ("true", "antler")
        self._connected = options.watch_all in ("true", "dbclients")
        self._starts = _starts(watched)
        self._excluded = tuple(item for item in excluded if not item.endswith("*"))
        self._excluded_starts = _starts(excluded)

    def wants(self, process: str) -> bool:
        """Whether a connected process is watched."""
        if process in self.named or process.startswith(self._starts):
            return True
        return self._connected and self.admits(process)

    def admits(self, process: str) -> bool:
        """Whether a process is not excluded by nowatch."""
        return process not in self._excluded and not process.startswith(self._excluded_starts)


def _starts(items: list[str]) -> tuple[str, ...]:
    return tuple(item[:-1] for item in items if item.endswith("*"))


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
    publications = variables.published("""
        PROC_WATCH_SUMMARY | text | | | on change, `summary_wait` | `All Present` or `AWOL: pA,pB`
        PROC_WATCH_FULL_SUMMARY | text | | | on change | `pA(1/0),pB(2/1)`: appearances,
            disappearances
        PROC_WATCH_ALL_OK | text | | `true`, `false` | on change | whether no process is missing
        PROC_WATCH_EVENT | text | | | when it happens | a process that appeared or disappeared
        PROC_WATCH_TIME_WARP | number | | > 0 | once | the file's MOOSTimeWarp, independent of the
            actual warp
    """)
    subscriptions = (
        variables.heard("EXITED_NORMALLY", what="name of an app whose absence is excused"),
    )
    subscribes = ("DB_CLIENTS", "EXITED_NORMALLY", "*_STATUS of every process watched")
    parameters = WatchOptions.parameters()

    def configure(self) -> None:
        options = WatchOptions.read(self.config)
        self._selection, self._names = Selection(options), options.names
        self._repeat, self._retract_within = options.repeat, options.allow_retractions
        self._warp = self.setting.globals.number("MOOSTimeWarp", default=1.0)
        self._watched = Limited[Watched]()
        self._excused = Limited[None]()
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
            try:
                if message.name == "DB_CLIENTS":
                    self._update_presence(text.split(","))
                elif message.name == "EXITED_NORMALLY":
                    self._excused[text] = None
                else:
                    self._statuses[message.name] = text
            except ValueError as error:
                self.run_warning(f"{message.name}: {error}")

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
            number = number_of(load)
            load = load if number is None else trimmed(number, 2)
            yield f"{name}: {state}, {watched.appeared}/{watched.disappeared}, load {load}"
