"""Random missions of apps that exchange mail, to compare placements and kernels."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random

from steerageway.bus import App, Message, Setting, SharingApp, Value
from steerageway.bus.core.cases import Case
from steerageway.bus.core.message import NANO, nanoseconds
from steerageway.bus.core.plan import AppPlan, Condition, Input, Phase, RunPlan
from steerageway.bus.core.runner import Runner
from steerageway.bus.core.shares import Inlet, Outlet
from steerageway.bus.core.stamps import tick_period
from steerageway.bus.lockstep.app_coordinator import AppCoordinator
from steerageway.bus.lockstep.case_kernel import CaseKernel
from steerageway.bus.lockstep.case_state import CaseState
from steerageway.bus.lockstep.community_coordinator import CommunityCoordinator, Remote
from steerageway.bus.lockstep.community_group import CommunityGroup
from steerageway.bus.lockstep.kernel import Kernel
from steerageway.bus.lockstep.windows import Window

NAMES = tuple(f"V{i}" for i in range(8))
HEARD = (*NAMES, "V*", "*_STATUS", "DB_*", "DB_UPTIME", "DB_VARSUMMARY", "*")


class Chatter(App):
    """Posts values that depend on all its mail; registers and unregisters as it goes."""

    script = Random(0)
    writes: tuple[str, ...] = ()

    def configure(self) -> None:
        self.publishes = tuple(self.config.text("publishes").split())
        self.heard = hashlib.sha256()
        self.counted = 0
        self.own = self.random("choices")

    def on_start(self) -> None:
        for name in self.config.text("hears").split():
            self.register(name, interval=self.config.number("interval", default=0.0))

    def on_mail(self, mail: Sequence[Message]) -> None:
        for message in mail:
            self.heard.update(repr(message).encode())
            self.counted += 1

    def iterate(self) -> None:
        choice = self.own.random()
        exact = [name for name in self.publishes if "*" not in name]
        for name in exact:
            if self.own.random() < 0.7:
                self.post(name, int.from_bytes(self.heard.digest()[:4]) + self.counted)
        if choice < 0.03:
            self.register(self.own.choice(NAMES), interval=self.own.choice([0.0, 0.3]))
        elif choice < 0.05:
            self.unregister(self.own.choice(NAMES))
        elif choice < 0.07:
            self.register(self.own.choice(["V*", "*_STATUS", "DB_*"]))
        elif choice < 0.10 and exact:
            self.post(exact[0], "a text where numbers go")


class Ferry(SharingApp):
    """Shares its community's messages with others; registers for more as it goes."""

    publishes = ("FERRIED",)

    def configure(self) -> None:
        names = tuple(self.config.text("lets_in").split())
        self.listens = [Inlet(address, names) for address in self.config.text("at").split()]
        self.prefix = self.config.text("prefix")
        self.outlets = [Outlet(to, (f"{self.prefix}*",)) for to in self.config.text("to").split()]
        self.own = self.random("choices")

        self.calm = self.config.text("calm").split()
        self.opening: dict[str, int] = {}

    def on_start(self) -> None:
        self.register(*self.config.text("hears").split(), *self.calm)

    def on_mail(self, mail: Sequence[Message]) -> None:
        ways = self.config.text("to").split()
        ways += [address for address, since in self.opening.items() if since <= self.instant]
        for message in mail:
            if message.community == self.community and message.name not in self.calm:
                for address in ways:
                    self.share(message, address, f"{self.prefix}{message.name}")
        if all(message.name in self.calm for message in mail):
            return
        if self.own.random() < 0.1:
            self.register(self.own.choice(NAMES))
        later = self.config.text("later")
        if later and later not in (*ways, *self.opening) and self.own.random() < 0.1:
            self.opening[later] = self.open_outlet(later, f"{self.prefix}*")

    def iterate(self) -> None:
        self.post("FERRIED", self.iteration)


class Obedient(Ferry):
    """A transfer app whose ``calm`` mail requests a new outlet, which it opens at its ticks.

    It begins with its last mail.
    """

    def configure(self) -> None:
        super().configure()
        self.asked = False
        self.last: Message | None = None
        self.later, self.way = self.config.text("later"), None

    def acts_by_itself(self) -> bool:
        return self.asked or self.way is not None

    def on_mail(self, mail: Sequence[Message]) -> None:
        self.asked = self.asked or any(message.name in self.calm for message in mail)
        self.last = mail[-1]
        for message in mail:
            if message.community == self.community and message.name not in self.calm:
                for outlet in self.outlets:
                    if outlet.since <= self.instant and self.way is None:
                        self.share(message, outlet.address, f"{self.prefix}{message.name}")

    def iterate(self) -> None:
        super().iterate()
        if self.asked and self.later and self.way is None:
            self.way = self.open_outlet(self.later, f"{self.prefix}*")
        elif self.way is not None and self.way <= self.instant:
            self.way, self.later = None, ""
            self.register(self.own.choice(NAMES))
            if self.last is not None:
                name = f"{self.prefix}{self.last.name}"
                self.share(self.last, self.outlets[-1].address, name)
        self.asked = False


class Recorder(App):
    """Records all its mail, like a logger."""

    publishes = ("RECORDED",)
    may_lag = True
    observes_case_reset = True

    def configure(self) -> None:
        self.lines: list[Message] = []

    def on_start(self) -> None:
        self.register("*")

    def on_mail(self, mail: Sequence[Message]) -> None:
        self.lines.extend(mail)

    def on_case(self, number: int, seed: int) -> None:
        self.lines = []

    def on_stop(self) -> None:
        if folder := self.config.text("digests"):
            (Path(folder) / self.community).write_text(self.digest())

    def digest(self) -> str:
        """Return a digest of everything recorded."""
        return hashlib.sha256(repr(self.lines).encode()).hexdigest()


def app_plan(
    kind: type[App],
    name: str,
    start: float,
    tick: str,
    config: dict[str, str] | None = None,
    community: str = "alpha",
    mode: int = 0,
    most: float = 0.0,
) -> AppPlan:
    """Plan one app."""
    from steerageway.bus import Config

    def build(seed: int) -> App:
        lines = [(key, value, "network:1") for key, value in (config or {}).items()]
        app = kind(Setting(name=name, community=community, config=Config(lines), seed=seed))
        app.configure()
        return app

    gap = round(1e9 / most) if most else 0
    return AppPlan(build(0), build, round(start * 1e9), tick_period(tick), mode, gap)


def network(seed: int, *, seconds: float = 4.0, digests: str = "") -> RunPlan:
    """Return a random mission of one or two communities: a recorder and up to six apps in each.

    At the end each recorder writes its digest into a file of its community in ``digests``.
    """
    random = Random(seed)
    communities = ("alpha", "beta")[: random.choice([1, 1, 2])]
    return _made_up(random, communities, seconds, digests)


def fleet(seed: int, *, seconds: float = 1.5, obedient: bool = False, digests: str = "") -> RunPlan:
    """Return a random mission of two to four communities that share messages."""
    random = Random(seed)
    communities = ("alpha", "beta", "gamma", "delta")[: random.randint(2, 4)]
    return _made_up(random, communities, seconds, digests, _obedient if obedient else _ferries)


Ferries = Callable[[Random, int, Sequence[str]], Iterator[AppPlan]]


def _made_up(
    random: Random,
    communities: Sequence[str],
    seconds: float,
    digests: str,
    ferries: Ferries | None = None,
) -> RunPlan:
    plans = []
    for place, community in enumerate(communities):
        plans += _groups(random, community, 2 if ferries else 6, digests)
        if ferries:
            plans += ferries(random, place, communities)
    inputs = tuple(_input(random, communities, seconds) for _ in range(random.randint(0, 5)))
    until = tuple(_condition(random, communities) for _ in range(random.choice([0, 0, 1, 2])))
    fail_if = (_condition(random, communities),) if random.random() < 0.1 else ()
    return RunPlan(
        tuple(communities),
        tuple(plans),
        warp=math.inf,
        stop_at=round(seconds * NANO),
        until=until,
        fail_if=fail_if,
        inputs=inputs,
    )


def _groups(random: Random, community: str, most_apps: int, digests: str) -> Iterator[AppPlan]:
    gap = random.choice([0.0, 0.1, 0.2])
    tick = random.choice(["8", "8", "3.3", "0.4"])
    start, config = gap * random.choice([0, 1]), {"digests": digests}
    yield app_plan(Recorder, "pRecorder", start, tick, config, community=community)
    for index in range(random.randint(1, most_apps)):
        publishes = random.sample(NAMES, random.randint(0, 3)) + ["*"] * (random.random() < 0.15)
        config = {
            "publishes": " ".join(publishes),
            "hears": " ".join(random.sample(HEARD, random.randint(0, 3))),
            "interval": random.choice(["0", "0", "0.2"]),
        }
        tick = random.choice(["20", "10", "7", "4", "3.3", "2", "0.4"])
        mode, most = random.choice([0, 0, 0, 1, 2]), random.choice([0.0, 5.0])
        start = gap * (index + 1)
        yield app_plan(Chatter, f"pChatter{index}", start, tick, config, community, mode, most)


def _ferries(random: Random, place: int, communities: Sequence[str]) -> Iterator[AppPlan]:
    addresses = ["multicast_8", *(f"localhost:{9200 + i}" for i in range(len(communities)))]
    for index in range(random.choice([0, 1, 1, 2])):
        config = {
            "at": random.choice(["", f"localhost:{9200 + place}", f":{9200 + place} multicast_8"]),
            "lets_in": random.choice(["*", "*", "V* W", "X_V1 V2"]),
            "to": " ".join(random.sample(addresses, random.randint(0, 2))),
            "hears": " ".join(random.sample(HEARD, random.randint(1, 3))),
            "prefix": random.choice(["", "X_"]),
            "calm": random.choice(["", "", "V0 X_V1"]),
            "later": random.choice(["", *addresses]),
        }
        start, tick = random.choice([0.0, 0.1, 0.25]), random.choice(["20", "4", "0.4"])
        mode, most = random.choice([0, 1, 2, 2]), random.choice([0.0, 5.0])
        name, community = f"pFerry{index}", communities[place]
        yield app_plan(Ferry, name, start, tick, config, community, mode, most)


def _obedient(random: Random, place: int, communities: Sequence[str]) -> Iterator[AppPlan]:
    addresses = [f"localhost:{9200 + i}" for i in range(len(communities)) if i != place]
    received = [" ".join(random.sample(["V1", "V2", "DB_UPTIME", "FERRIED"], 2)), "QUIET", "QUIET"]
    for index in range(random.choice([1, 1, 2])):
        config = {
            "at": f"localhost:{9200 + place}",
            "lets_in": "*",
            "to": " ".join(random.sample(addresses, random.randint(0, 1))),
            "hears": random.choice(received),
            "prefix": random.choice(["", "X_"]),
            "calm": random.choice(["V0 X_V1", "V3 X_V2 V4", "X_FERRIED V5"]),
            "later": random.choice(addresses),
        }
        start, tick = random.choice([0.0, 0.1, 0.25]), random.choice(["4", "2", "0.8"])
        name, community = f"pFerry{index}", communities[place]
        yield app_plan(Obedient, name, start, tick, config, community, mode=2)


def _input(random: Random, communities: Sequence[str], seconds: float) -> Input:
    instant = random.choice([random.uniform(0, seconds), random.randint(0, 8) / 2])
    return Input(
        round(instant * NANO),
        random.choice([Phase.INPUT, Phase.AFTER]),
        random.choice(communities),
        random.choice(["V0", "V1", "W"]),
        random.uniform(0.0, 4.0),
        time=random.choice([None, 0.5]),
    )


def _condition(random: Random, communities: Sequence[str]) -> Condition:
    name, limit = random.choice([("V1", 2**31), ("V0", 2.0), ("W", 2.0), ("DB_UPTIME", 1.0)])
    where = random.choice(["", "*", communities[-1]])

    def holds(see: Callable[[str], Value | None]) -> bool:
        value = see(name)
        return isinstance(value, float) and value > limit

    return Condition(name, (name,), holds, where)


def recorded(runners: Sequence[Runner]) -> list[str]:
    """Return the digests of the recorders among these runners."""
    return [runner.app.digest() for runner in runners if isinstance(runner.app, Recorder)]


def counts(state: CaseState) -> tuple[int, ...]:
    """Return a run's counts, and its end."""
    databases = state.databases.values()
    return (
        sum(d.posted for d in databases),
        sum(d.delivered for d in databases),
        sum(d.thinned for d in databases),
        sum(d.refused for d in databases),
        state.end_instant,
    )


def leave_alone(kernel: CaseKernel) -> None:
    """Do nothing between two instants."""


def run_serially(
    plan: RunPlan, case: Case | None = None, *, meddle: Callable[[CaseKernel], None] = leave_alone
) -> tuple[list[str], tuple[int, ...]]:
    """Run a plan one app at a time; ``meddle`` is called before each instant."""
    runners = [Runner(app.app) for app in plan.apps]
    kernel = Kernel(CaseState(plan, case, history=False), runners)
    while (instant := kernel.upcoming()) is not None:
        meddle(kernel)
        if kernel.upcoming() == instant:
            kernel.run_instant(instant)
    kernel.stop_all()
    return recorded(runners), counts(kernel.state)


def run_ahead(
    plan: RunPlan,
    seed: int,
    *,
    eager: bool = False,
    step: float = math.inf,
    meddle: Callable[[CaseKernel], None] = leave_alone,
) -> tuple[list[str], tuple[int, ...]]:
    """Run a plan with grants ahead and answers in random order, as slow processes give them.

    Args:
        plan: of the run.
        seed: of the order of answers.
        eager: whether recorders are granted what is due at once.
        step: simulated time [s] after which time goes on once all have answered; recorders run
            after five such steps; inf: time goes on by itself.
        meddle: is called before each round of grants.
    """
    random = Random(seed)
    steps = 0
    runners = [Runner(app.app) for app in plan.apps]
    kernel = AppCoordinator(plan)
    open_grants = []
    while True:
        meddle(kernel)
        if step == math.inf:
            open_grants += kernel.grants(None, eager=eager)
        else:
            allowed, rested = (nanoseconds(n * step) for n in (steps, steps // 5 * 5))
            open_grants += kernel.grants(allowed, eager=eager, recorded=rested)
        if not open_grants and kernel.idle_until is not None and step < math.inf:
            assert kernel.idle_until > nanoseconds(steps // 5 * 5 * step)
            steps += 1
            continue
        if not open_grants:
            break
        random.shuffle(open_grants)
        slot, ticks = open_grants.pop()
        answers = []
        for tick in ticks:
            answers.append(runners[slot.rank].run(*tick))
            if runners[slot.rank].invalidates_rest(answers[-1]):
                break
        kernel.accept(slot, answers)
    leave(kernel, runners)
    return recorded(runners), counts(kernel.state)


def leave(kernel: AppCoordinator, runners: Sequence[Runner]) -> None:
    """Run every app's last activation."""
    kernel.close()
    for recording in (False, True):
        for slot in kernel.state.slots:
            if slot.started and slot.plan.app.observes_case_reset == recording:
                tick = slot.grant_stop(kernel.state.end_instant)
                kernel.accept(slot, [runners[slot.rank].run(*tick)])
        kernel.flush()


def run_in_windows(plan: RunPlan, seed: int) -> tuple[list[str], tuple[int, ...]]:
    """Run a plan, each community separately in windows, answered in random order."""
    random = Random(seed)
    runners = [Runner(app.app) for app in plan.apps]
    coordinator = CommunityCoordinator(plan)
    groups = {name: CommunityGroup(plan, runners, name) for name in coordinator.remotes}
    awaited: list[tuple[Remote, Window]] = []
    while True:
        awaited += coordinator.windows(None)
        if not awaited:
            break
        random.shuffle(awaited)
        remote, window = awaited.pop()
        coordinator.take(remote, groups[remote.name].run_window(window))
    assert coordinator.idle_until is None
    coordinator.close()
    end = coordinator.state.end, coordinator.state.end_instant
    for recording in (False, True):
        for name, remote in coordinator.remotes.items():
            transfers, remote.transfers = remote.transfers, []
            bounds = groups[name].stop_apps(*end, transfers, recording=recording)
            coordinator.take(remote, bounds)
    databases = [group.kernel.state.databases[name] for name, group in groups.items()]
    counted = (
        sum(d.posted for d in databases),
        sum(group.delivered for group in groups.values()),
        sum(d.thinned for d in databases),
        sum(d.refused for d in databases),
        coordinator.state.end_instant,
    )
    return recorded(runners), counted
