"""``App``: the base class of every app, which users subclass.

    class Odometer(App):
        publishes = ("ODOMETRY",)

        def on_start(self):
            self.register("NAV_X", "NAV_Y")
            self.here, self.total = {}, 0.0

        def on_mail(self, mail):
            before = dict(self.here)
            self.here.update((m.name, m.value) for m in mail)
            if len(before) == 2:
                self.total += math.dist(before.values(), self.here.values())

        def iterate(self):
            self.post("ODOMETRY", self.total)

The same class runs in a process of its own or beside others in one process, paced or as fast as
possible: an app sees only mail and simulated time.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from math import inf
from numbers import Real
from random import Random
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple

from steerageway.bus.core.common_options import CommonOptions
from steerageway.bus.core.config import Config, Entry
from steerageway.bus.core.errors import RegistrationRefused
from steerageway.bus.core.message import NANO, Message, Row, as_value, is_name
from steerageway.bus.core.setting import Setting
from steerageway.bus.core.shares import Copy
from steerageway.declarations import Parameter
from steerageway.declarations.patterns import any_matches
from steerageway.declarations.variables import Publication, Subscription, names
from steerageway.diagnostics.diagnostic import Diagnostic

APPCAST_SEPARATOR = "!@#"
MOST_POSTED = 65_536  # variables of one app: the broker keeps each to the end
LONGEST_WARNING = 1000  # characters; a warning may quote a posted value of any length
_LEGAL_NAME = "a name is printable, of at most 256 characters, without blanks at its ends"
_new = tuple.__new__  # creates a named tuple in half the time


class Registration(NamedTuple):
    """One subscription of an app.

    Attributes:
        pattern: a variable's name, or a pattern with * and ?.
        source: which apps' posts: a name or a pattern.
        interval: least time between two deliveries of one variable [s]; 0: every post.
        active: False cancels an earlier registration of the same pattern.
    """

    pattern: str
    source: str = "*"
    interval: float = 0.0
    active: bool = True

    def checked(self) -> Registration:
        """Return it normalized for the bus.

        Raises:
            RegistrationRefused: a pattern or source is no str, or the interval no number >= 0.
        """
        for name in (self.pattern, self.source):
            if not isinstance(name, str):
                as_interval = f", seconds as interval={name!r}" if isinstance(name, Real) else ""
                expected = f"a name or a pattern, several as several arguments{as_interval}"
                raise RegistrationRefused(name, expected)
        interval = self.interval
        # In a new process each function that is called costs memory: for a float, none here is.
        if not isinstance(interval, (float, Real)) or not 0 <= interval < inf:
            raise RegistrationRefused(interval, "an interval [s] of at least 0", self.pattern)
        return self if type(interval) is float else self._replace(interval=float(interval))


class AtLaunch(NamedTuple):
    """What the launcher reads from an app before the run starts.

    Attributes:
        start_lag: delay of its start after its line's place in the launch [ns], so that its ticks
            do not coincide with those of other apps.
        awaits: variables in its conditions, each with its line; the launch warns of those that seem
            to be misspelt.
        measures: variables of its cases' ends and results, each with its line; one that nobody
            posts is an error.
        pokes: variables that it posts because a user's line says so, likewise.
        reads: other variables that its block subscribes to, each with its line; the launch warns of
            those that nobody posts if an app is missing.
        requests: variables that it asks other apps to post, each with the variable that asks.
        holds_for: apps that must be present before it does its work, each with its line; the launch
            warns of those that are not started.
        missing: names of those of its parts that do not exist here.
    """

    start_lag: int = 0
    awaits: Sequence[tuple[str, Diagnostic]] = ()
    measures: Sequence[tuple[str, Diagnostic]] = ()
    reads: Sequence[tuple[str, Diagnostic]] = ()
    pokes: Sequence[tuple[str, Diagnostic]] = ()
    requests: Sequence[tuple[str, str]] = ()
    holds_for: Sequence[tuple[str, Entry]] = ()
    missing: Sequence[str] = ()


# Many methods: the hooks that apps override, and the calls that they make, in one base class.
class App:
    """One app of a mission. Override any of ``configure``, ``on_start``, ``on_mail``,
    ``iterate``, ``on_stop`` and ``report``.

    Class attributes a subclass may set:
        publishes: the variables it may post, names or patterns. An exact list lets the broker run
            others ahead of it; ``("*",)`` allows everything and makes them wait. A post outside it
            is refused with a run warning. Default: the names of the ``publications`` of the same
            class, or else ``("*",)``. May be replaced in ``configure``.
        subscribes: what it registers for in every mission, names or patterns, by ``on_start`` if
            that is not overridden; for ``--interface`` and ``--check``. With an ``on_start`` of its
            own that registers instead, also a description of what depends on its block. Default:
            the names of the ``subscriptions`` of the same class.
        publications: the posted variables with type, unit, meaning, for ``VARIABLES.md``; see
            ``variables``.
        subscriptions: the variables it subscribes to that others post, likewise.
        parameters: what its configuration block may hold, for ``--example`` and ``--help``.
        common: the parameters of every app; a subclass of ``CommonOptions`` where an app has
            other defaults.
        superseded_by: the app that replaces it, for a config warning; "": none does.
        last_wins: which line counts when a scalar parameter is repeated: the last, or the first.
        keeps_quotes: whether double quotes reach the app or are taken off its values.
        peer_lines: lines of its block in a mission with ``AsMOOS = true``, unless the block has
            others: key -> value.
        may_lag: whether the broker may let it lag behind, a simulated second at ``--warp max``, a
            tenth of a wall second at others above 1 while no console is connected; for apps that
            record or report. It changes no result.
        idles: set in ``on_start`` by an app that registers nothing, and has nothing to do in this
            run: where several apps share a process, it is activated for its status only.
        observes_case_reset: True for the apps that live through a case reset (logger, sweep); they
            are the last to stop.
        at_launch: see ``AtLaunch``. May be replaced in ``configure``.

    Attributes an app may read:
        name, community, config, setting: see ``Setting``.
        common_options: the values of the parameters that every app has.
        time: simulated time [s] of the present activation; constant while the app runs.
        instant: the same as whole nanoseconds. iteration: how often ``iterate`` has run, with this.
        config_warnings, run_warnings, events, events_total, refused: the contents of the appcast.
        diagnostics: ``config_warnings`` as data.
    Every other name is free for the subclass, except those that begin with ``_bus_``.
    """

    # Slots, since the runner reads these attributes of apps of many classes at every activation:
    # a slot is found faster than a key of an instance's dict.
    __slots__ = ("__dict__", "__weakref__", "_bus_allowed", "_bus_copies", "_bus_outbox",
                 "_bus_posted", "_bus_registered", "_bus_registrations", "_bus_since",
                 "common_options", "community", "config", "diagnostics", "events", "events_total",
                 "instant", "iteration", "name", "refused", "run_warnings", "setting",
                 "time")  # fmt: skip

    publishes: Sequence[str] = ("*",)
    subscribes: ClassVar[Sequence[str]] = ()
    publications: ClassVar[Sequence[Publication]] = ()
    subscriptions: ClassVar[Sequence[Subscription]] = ()
    parameters: ClassVar[Sequence[Parameter]] = ()
    common: ClassVar[type[CommonOptions]] = CommonOptions
    superseded_by: ClassVar[str] = ""
    last_wins: ClassVar[bool] = False
    keeps_quotes: ClassVar[bool] = False
    peer_lines: ClassVar[Mapping[str, str]] = MappingProxyType({})
    may_lag: ClassVar[bool] = False
    idles: bool = False
    observes_case_reset: ClassVar[bool] = False
    at_launch: AtLaunch = AtLaunch()

    def __init_subclass__(cls, **named: Any) -> None:
        super().__init_subclass__(**named)
        if "publications" in vars(cls) and "publishes" not in vars(cls):
            cls.publishes = names(cls.publications)
        if "subscriptions" in vars(cls) and "subscribes" not in vars(cls):
            cls.subscribes = tuple(name for one in cls.subscriptions for name in one.names)

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.name = setting.name
        self.community = setting.community
        self.config: Config = setting.config
        self.common_options = self.common.read(setting.config)
        self.time = 0.0
        self.iteration = 0
        self.refused = 0
        self.diagnostics: list[Diagnostic] = []
        self.run_warnings: dict[str, int] = {}
        self.events: deque[str] = deque(maxlen=self.common_options.events)
        self.events_total = 0
        self.instant = 0
        self._bus_since = 0  # start of the present case [ns]
        self._bus_outbox: list[Row] = []
        self._bus_registrations: list[Registration] = []
        self._bus_copies: list[Copy] = []
        self._bus_registered: dict[str, None] = {}
        self._bus_posted: dict[str, None] = {}
        self._bus_allowed: set[str] = set()
        if self.superseded_by and not self.common_options.deprecated_ok:
            self.config_warning(f"{self.name} is deprecated; use {self.superseded_by}")

    def configure(self) -> None:
        """Read ``self.config``, before anything of the mission starts.

        Raises:
            ConfigError: a line is wrong; the mission is not started.
        """

    def on_start(self) -> None:
        """Register and post first values; called once, at the app's place in the launch list.

        This one registers for what ``subscribes`` names.
        """
        self.register(*self.subscribes)

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Handle the mail received since the last iteration, oldest first; never empty."""

    def iterate(self) -> None:
        """Do the work of one tick."""

    def on_case(self, number: int, seed: int) -> None:
        """Handle a case reset; called only for apps with ``observes_case_reset``."""

    def on_stop(self) -> None:
        """Finish: the mission ends after this activation."""

    def report(self) -> Iterable[str]:
        """Return the lines of the app's appcast, for people to read."""
        return ()

    def register(self, *names: str, interval: float = 0.0, source: str = "*") -> None:
        """Subscribe to these variables: to all later posts, and at once to their present values.

        A name that is not legal, as one composed of others' texts may be, is refused with a run
        warning.

        Args:
            names: variables, or patterns with * and ?.
            interval: least time between two deliveries of one variable [s].
            source: only posts of this app (a name or a pattern).
        Raises:
            RegistrationRefused: a name is not a str, or the interval not a number >= 0.
        """
        for name in names:
            registration = Registration(name, source, interval).checked()
            if not (is_name(name) and is_name(source)):
                self._bus_refuse(f"{name!r}: not registered: {_LEGAL_NAME}")
                continue
            self._bus_registrations.append(registration)
            self._bus_registered[name] = None

    def unregister(self, *names: str, source: str = "*") -> None:
        """Cancel the registrations of exactly these names or patterns."""
        for name in filter(is_name, names):
            self._bus_registered.pop(name, None)
            self._bus_registrations.append(Registration(name, source, 0.0, active=False))

    def post(self, name: str, value: object, *, time: float | None = None, aux: str = "") -> None:
        """Post a value; it is committed once this activation is answered.

        Args:
            name: the variable.
            value: float, str or bytes; other real numbers become floats.
            time: the stamp [s]; the present time if not given. May not lie in the future.
            aux: a comment stored beside the source.
        Raises:
            ValueRefused: a bool, or anything that is not a number, text or bytes.
        A post is refused with a run warning and counted, and the app goes on, if its number is not
        finite, its stamp lies in the future, its variable is outside ``publishes``, or the name
        is empty or not printable.
        """
        kind = value.__class__
        if kind is not float and kind is not str:
            value = as_value(name, value)
            kind = value.__class__
        if kind is float and value - value != 0.0:  # type: ignore[operator]  # infinite or NaN
            self._bus_refuse(f"{name} = {value!r}: not a finite number, not posted")
            return
        if name not in self._bus_allowed and not self._bus_may_post(name):
            return
        if time is None:
            time = self.time
        elif not time <= self.time:
            self._bus_refuse(f"{name}: its stamp {time!r} lies in the future, not posted")
            return
        self._bus_outbox.append((name, value, time, aux))  # type: ignore[arg-type]

    def post_all(
        self, names: Sequence[str], values: Sequence[object], *, time: float | None = None
    ) -> None:
        """Post several values with one stamp; equal to a ``post`` of each, but faster."""
        time = self.time if time is None else time
        plain = time <= self.time and self._bus_allowed.issuperset(names)
        outbox = self._bus_outbox
        for name, value in zip(names, values, strict=True):
            kind = type(value)
            if plain and (kind is str or (kind is float and value - value == 0.0)):  # type: ignore[operator]
                outbox.append((name, value, time, ""))  # type: ignore[arg-type]
            else:
                self.post(name, value, time=time)

    @property
    def utc(self) -> float:
        """The present time as UTC [s]: the mission's epoch plus simulated time."""
        return self.setting.epoch + self.time

    def random(self, stream: str = "") -> Random:
        """Return a generator seeded by (mission seed, community, app, stream): one per purpose."""
        key = "\0".join((str(self.setting.seed), self.community, self.name, stream))
        return Random(int.from_bytes(hashlib.sha256(key.encode()).digest()[:8]))

    def config_warning(self, doubt: str | Diagnostic, where: str = "") -> None:
        """Add a warning about the configuration to the appcast and the summary.

        Args:
            doubt: the text.
            where: the place of the line it is about, as ``Entry.where``.
        """
        one = doubt if isinstance(doubt, Diagnostic) else Diagnostic(where, expected=doubt)
        if one not in self.diagnostics:
            self.diagnostics.append(one)

    @property
    def config_warnings(self) -> list[str]:
        """The texts of the configuration warnings."""
        return list(map(str, self.diagnostics))

    def run_warning(self, text: str) -> None:
        """Add a run warning; equal texts are counted."""
        text = text[:LONGEST_WARNING]
        limit = self.common_options.run_warnings
        if text in self.run_warnings or len(self.run_warnings) < limit:
            self.run_warnings[text] = self.run_warnings.get(text, 0) + 1
        else:
            # Bounded: an app may produce a new text at every tick.
            self.run_warnings["other run warnings"] = (
                self.run_warnings.get("other run warnings", 0) + 1
            )

    def retract_run_warning(self, text: str) -> None:
        """Remove a run warning whose cause is gone."""
        self.run_warnings.pop(text, None)

    def event(self, text: str) -> None:
        """Add an event to the appcast."""
        self.events_total += 1
        self.events.append(f"[{self.time:.2f}]: {text}")

    def appcast(self) -> str:
        """Return the appcast in MOOS-IvP's format (``proc=..!@#iter=..!@#messages=..``)."""
        fields = [
            f"proc={self.name}",
            f"iter={self.iteration}",
            f"node={self.community}",
            "messages=" + "!@".join(self.report()),
        ]
        if self.diagnostics:
            fields.append("config_warnings=" + "!@".join(self.config_warnings))
        if self.events:
            fields.append(f"events_total={self.events_total}")
            fields.append("events=" + "!@".join(self.events))
        if self.run_warnings:
            fields.append(f"run_warning_total={sum(self.run_warnings.values())}")
            fields.append(
                "run_warnings="
                + "!@".join(f"{count}:{text}" for text, count in self.run_warnings.items())
            )
        return APPCAST_SEPARATOR.join(fields)

    def _bus_may_post(self, name: str) -> bool:
        if not isinstance(name, str):
            raise TypeError(f"post {name!r}: expected a variable's name, and then its value")
        if not is_name(name):
            self._bus_refuse(f"{name!r}: not posted: {_LEGAL_NAME}")
            return False
        if len(self._bus_posted) >= MOST_POSTED and name not in self._bus_posted:
            self._bus_refuse(f"not posted: this app has posted {MOST_POSTED} variables already")
            return False
        if any_matches(self.publishes, name):
            self._bus_allowed.add(name)
            self._bus_posted[name] = None
            return True
        self._bus_refuse(f"{name}: not posted: expected among what `publishes` tells")
        return False

    def _bus_refuse(self, warning: str) -> None:
        self.refused += 1
        self.run_warning(warning)

    def _bus_status(self) -> str:
        """Return the text of ``<APP>_STATUS``; figures that depend on the machine are 0."""
        subscribed, posted = ",".join(self._bus_registered), ",".join(self._bus_posted)
        uptime = (self.instant - self._bus_since) / NANO
        return (
            f"AppErrorFlag=false,Uptime={uptime:.2f},cpuload=0,memory_kb=0,memory_max_kb=0,"
            f'MOOSName={self.name},Publishing="{posted},",Subscribing="{subscribed},"'
        )
