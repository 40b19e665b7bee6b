"""``RunPlan`` and ``Outcome``: what the launcher asks of the bus, and what a run gives back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from steerageway.bus.core.app import App
from steerageway.bus.core.cases import CASE_RESET, Case, Order
from steerageway.bus.core.message import Message
from steerageway.bus.core.sharing_app import SharingApp
from steerageway.bus.core.stamps import AFTER, INPUT, nth, stamp
from steerageway.declarations.posted import Value


class Placement(StrEnum):
    """Which apps share a process; it never changes a result."""

    PROCESS = "process"  # each app a process of its own
    COMMUNITY = "community"  # the apps of one community share a process
    ONE = "one"  # everything in one process, no sockets
    CLUSTER = "cluster"  # communities on other machines, see ``Cluster``


class Phase:
    """The order of events within one instant."""

    INPUT = 0  # observers' posts: seen by all activations of the instant
    RUN = 1  # starts, then iterations
    AFTER = 2  # posts that follow those of the instant's apps


@dataclass(frozen=True, slots=True)
class AppPlan:
    """One line of a launch list, ready to run.

    Attributes:
        app: configured.
        rebuild: makes a new, configured one with another seed (case reset, restart).
        start: instant of ``on_start`` [ns].
        period: of the iterations, an exact fraction of nanoseconds (numerator, denominator).
        mode: IterateMode, 0 by tick, 1 by mail, 2 by tick with mail as it comes.
        least_gap: least time between two activations caused by mail [ns]; 0: no limit.
        external: started by hand; simulated time waits until it has connected.
    """

    app: App
    rebuild: Callable[[int], App]
    start: int
    period: tuple[int, int]
    mode: int = 0
    least_gap: int = 0
    external: bool = False

    @property
    def name(self) -> str:
        """The app's name on the bus."""
        return self.app.name

    @property
    def community(self) -> str:
        """The community it belongs to."""
        return self.app.community

    @property
    def sharing(self) -> SharingApp | None:
        """The app, if it may send messages to other communities or receive theirs; else None."""
        app = self.app
        return app if isinstance(app, SharingApp) and not app.alone else None

    @property
    def asks_for_cases(self) -> bool:
        """Whether the app may request the next case."""
        return self.app.observes_case_reset and CASE_RESET in self.app.publishes

    @property
    def first_iteration(self) -> int:
        """Instant of its first iteration [ns]; its start if only mail makes it iterate."""
        return self.start if self.mode == 1 else self.start + nth(1, self.period)


@dataclass(frozen=True, slots=True)
class Condition:
    """Something that ends a run once it is true.

    Attributes:
        text: as the user wrote it, for the summary.
        variables: the variables in it.
        holds: evaluates it, given a function from variable to value (None: never posted).
        community: "" for any community, "*" for every one, else a community's name.
    """

    text: str
    variables: tuple[str, ...]
    holds: Callable[[Callable[[str], Value | None]], bool]
    community: str = ""


class Poke(NamedTuple):
    """A post from outside the mission.

    Attributes:
        community, name, value, source: of the message.
        time: the stamp [s]; None for that of the instant at which it is committed.
        aux: a comment stored beside the source.
    """

    community: str
    name: str
    value: Value
    source: str = "uPokeDB"
    time: float | None = None
    aux: str = ""

    def at(self, instant: int) -> Input:
        """Return it with its place in time: before the activations of an instant [ns]."""
        return Input(instant, Phase.INPUT, *self)


class Input(NamedTuple):
    """A post from outside the mission, with its exact place in time.

    Attributes:
        instant [ns] and phase (``Phase.INPUT`` or ``Phase.AFTER``): when it is committed.
        community, name, value, source: of the message.
        time: the stamp [s]; None for the instant's own.
        aux: a comment stored beside the source.
        case: the number of the case that it belongs to; None for every case.
    """

    instant: int
    phase: int
    community: str
    name: str
    value: Value
    source: str = "uPokeDB"
    time: float | None = None
    aux: str = ""
    case: int | None = None

    @property
    def place(self) -> int:
        """Its stamp."""
        return stamp(self.instant, INPUT if self.phase == Phase.INPUT else AFTER)

    @property
    def poke(self) -> Poke:
        """The post without its place in time."""
        return Poke(*self[2:8])


class Cluster(Protocol):
    """Machines that run communities, for placement ``cluster``."""

    def connect(self) -> list[str]:
        """Connect, and check the machines; return the machine's name of each process there.

        Raises:
            ServerError: one cannot take part.
        """

    def host(self) -> str:
        """Return this machine's address for the others."""

    def start(self, address: str, keys: str, groups: list[list[str]]) -> None:
        """Start the processes.

        Args:
            address: where the broker listens for them.
            keys: text of their file of keys, see ``bus.transport.keys``.
            groups: the communities of each process.
        """

    def failed(self) -> list[tuple[int, str]]:
        """Return the processes that have failed since the last call, by number, and why."""

    def close(self, *, complete: bool) -> None:
        """Take over what the processes have logged, if they have run, and disconnect."""


class Tap(Protocol):
    """Aggregates committed messages inside the broker (the distance sailed, for example)."""

    names: tuple[str, ...]

    def take(self, message: Message) -> None:
        """Process one committed message; those of one variable come in order."""

    def result(self) -> dict[str, Any]:
        """Return the aggregate, of types that msgpack carries."""


@dataclass(frozen=True, slots=True)
class Progress:
    """State of a run in progress; given to the launcher about twice a wall second.

    Attributes:
        time: simulated time reached [s]; warp: achieved over the last interval.
        waiting_for: apps that have not answered for 5 wall seconds, or are started by hand and
            not there yet; usually empty.
        values: community -> variable -> latest value, of the plan's ``shown`` variables.
    """

    time: float
    warp: float
    waiting_for: tuple[str, ...] = ()
    paused: bool = False
    values: Mapping[str, Mapping[str, Value]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AppOutcome:
    """Figures of one app at the end of a run."""

    name: str
    community: str
    grants: int
    wall_seconds: float  # spent inside the app
    refused: int
    run_warnings: Mapping[str, int]
    config_warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Failure:
    """An app that failed: where, when and why."""

    name: str
    community: str
    time: float
    reason: str  # one line
    details: str = ""  # a traceback or dumped stacks


@dataclass(slots=True)
class Outcome:
    """Result of a run.

    ``exit_reason``: "until", "for", "fail_if", "stopped" (by an observer), "interrupted",
    "wall_limit", "app_failed", "broker_failed" or "finished" (no app has anything left to do).
    ``startup_seconds``: from the start of the launcher's process until the apps may iterate.
    """

    exit_reason: str
    condition: str = ""  # the text of the condition that ended it
    simulated_seconds: float = 0.0
    wall_seconds: float = 0.0
    startup_seconds: float = 0.0
    posted: int = 0
    delivered: int = 0
    thinned: int = 0
    refused: int = 0
    lost: int = 0
    missed_ticks: int = 0
    deterministic: bool = True
    apps: list[AppOutcome] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)  # refused posts from outside
    values: dict[str, dict[str, Value]] = field(default_factory=dict)  # community -> last values
    taps: dict[str, Any] = field(default_factory=dict)  # community -> Tap.result()


@dataclass(frozen=True, slots=True)
class RunPlan:
    """Everything a run needs.

    Attributes:
        apps: in launch order, community by community.
        warp: simulated seconds per wall second; ``math.inf`` does not pace.
        paused: whether time stands at 0 until an observer resumes it.
        until: all must have held (each is latched); fail_if: any ends the run.
        stop_at: the last instant that is run [ns].
        inputs: posts known beforehand (``--set``, ``--inputs``).
        orders: resets and clears of cases (``--inputs``), in their order.
        shown: variables whose latest values ``Progress`` carries.
        tap: makes a community's tap.
        port: TCP port of the broker for observers; 0 for any free one; None for no server.
        host: address the port is bound to; beyond loopback only with ``keys``.
        keys: folder of CURVE keys, see ``bus.transport.keys``.
        token: what clients must present to connect; "": none is needed.
        grant_timeout, start_timeout: wall seconds an app may take to answer; 0: no limit.
        restarts: how often a failed app is started again.
        cluster: the machines of placement ``cluster``.
        wall_limit: wall seconds after which the run is stopped; 0: never.
        run_folder: where ``run.json`` and ``inputs.jsonl`` go; None for none.
        files: community -> the user's file it was launched from, as observers are told.
        generated: community -> the mission file that was made from that, if one was.
        wrap: wraps each app's runner, for tests that delay it.
    """

    communities: tuple[str, ...]
    apps: tuple[AppPlan, ...]
    warp: float
    placement: Placement = Placement.PROCESS
    free_run: bool = False
    paused: bool = False
    until: tuple[Condition, ...] = ()
    fail_if: tuple[Condition, ...] = ()
    stop_at: int | None = None
    inputs: tuple[Input, ...] = ()
    orders: tuple[Order, ...] = ()
    shown: tuple[str, ...] = ()
    tap: Callable[[str], Tap] | None = None
    port: int | None = None
    host: str = "127.0.0.1"
    keys: Path | None = None
    token: str = ""
    grant_timeout: float = 10.0
    start_timeout: float = 60.0
    restarts: int = 0
    cluster: Cluster | None = None
    wall_limit: float = 0.0
    run_folder: Path | None = None
    files: Mapping[str, str] = field(default_factory=dict)
    generated: Mapping[str, str] = field(default_factory=dict)
    seed: int = 0
    epoch: float = 0.0
    wrap: Callable[[Any], Any] | None = None

    @property
    def asks_for_cases(self) -> bool:
        """Whether an app may request the next case."""
        return any(app.asks_for_cases for app in self.apps)

    def of_case(self, case: Case, age: int) -> RunPlan:
        """Return the plan of a case that begins when the run has this age [ns]."""
        # ``stop_at`` counts from the start of the run, not of the case.
        stop_at = None if self.stop_at is None else max(0, self.stop_at - age)
        return replace(self, stop_at=stop_at, inputs=(*self.inputs, *self._inputs_of(case)))

    def _inputs_of(self, case: Case) -> Iterator[Input]:
        """Yield a case's posts with their stamps."""
        # After the last app's first iteration: by then every app has registered and posted.
        ready = max(app.first_iteration for app in self.apps)
        for instant, phase, posts in (
            (0, Phase.INPUT, case.first),
            (ready, Phase.AFTER, case.then),
        ):
            for key, value in posts.items():
                community, name = case.place(key, self.communities)
                yield Input(instant, phase, community, name, value, case.source)

    def overrides(self) -> list[tuple[str, str, str, str, str]]:
        """Return the lines that override lines of files: community, app, key, value, where."""
        overrides = {app.community: app.app.setting.overrides for app in self.apps}
        return [
            (community, name, *entry)
            for community, by_app in overrides.items()
            for name, entries in by_app.items()
            for entry in entries
        ]
