"""Made-up missions of chattering apps, for comparing placements with one another."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from random import Random

from bus import App, Message, Setting
from bus.ahead import Ahead
from bus.app import tick_period
from bus.keeper import Case
from bus.plan import AppPlan, Condition, Input, RunPlan
from bus.runner import Runner
from bus.serial import Serial

NAMES = tuple(f"V{i}" for i in range(8))


class Chatter(App):
    """Posts what depends on everything it has heard; registers and unregisters as it goes."""

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


class Recorder(App):
    """Writes down everything it hears, as a logger does."""

    publishes = ("RECORDED",)
    may_lag = True
    observes_case_reset = True

    def on_start(self) -> None:
        self.lines: list[Message] = []
        self.register("*")

    def on_mail(self, mail: Sequence[Message]) -> None:
        self.lines.extend(mail)

    def on_case(self, number: int, seed: int) -> None:
        self.lines = []

    def digest(self) -> str:
        """Give a digest of everything recorded."""
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
    from bus import Config

    def build(seed: int) -> App:
        lines = [(key, value, "network:1") for key, value in (config or {}).items()]
        app = kind(Setting(name=name, community=community, config=Config(lines), seed=seed))
        app.configure()
        return app

    gap = round(1e9 / most) if most else 0
    return AppPlan(build(0), build, round(start * 1e9), tick_period(tick), mode, gap)


def network(seed: int, *, seconds: float = 4.0) -> RunPlan:
    """Make up a mission of three to seven apps and a recorder, in one or two communities."""
    random = Random(seed)
    plans = []
    communities = ("alpha", "beta")[: random.choice([1, 1, 2])]
    for community in communities:
        gap = random.choice([0.0, 0.1, 0.2])
        recorder = app_plan(Recorder, "pRecorder", 0.0, "8", community=community)
        plans.append(recorder)
        for index in range(random.randint(2, 6)):
            open_ended = random.random() < 0.15
            publishes = random.sample(NAMES, random.randint(0, 3)) + ["*"] * open_ended
            hears = random.sample([*NAMES, "V*", "*_STATUS", "DB_*", "*"], random.randint(0, 3))
            config = {"publishes": " ".join(publishes), "hears": " ".join(hears)}
            config["interval"] = random.choice(["0", "0", "0.2"])
            mode = random.choice([0, 0, 0, 1, 2])
            plans.append(
                app_plan(
                    Chatter,
                    f"pChatter{index}",
                    gap * (index + 1),
                    random.choice(["20", "10", "7", "4", "3.3", "2"]),
                    config,
                    community,
                    mode,
                    random.choice([0.0, 5.0]),
                )
            )
    inputs = tuple(
        Input(round(random.uniform(0, seconds) * 1e9), 0, communities[0], "V0", 1.0 * k)
        for k in range(random.randint(0, 3))
    )
    until = ()
    if random.random() < 0.4:
        limit = random.randint(1, 2**33)
        until = (Condition("V1", ("V1",), lambda see: (see("V1") or 0) > limit, ""),)
    return RunPlan(
        communities,
        tuple(plans),
        warp=math.inf,
        stop_at=round(seconds * 1e9),
        until=until,
        inputs=inputs,
    )


def recorded(runners: Sequence[Runner]) -> list[str]:
    """Give the digests of the recorders among these runners."""
    return [runner.app.digest() for runner in runners if isinstance(runner.app, Recorder)]


def counts(keeper: Serial | Ahead) -> tuple[int, ...]:
    """Give what a keeper counted, and its end."""
    databases = keeper.databases.values()
    return (
        sum(d.posted for d in databases),
        sum(d.delivered for d in databases),
        sum(d.thinned for d in databases),
        sum(d.refused for d in databases),
        keeper.end_instant,
    )


def run_serially(plan: RunPlan, case: Case | None = None) -> tuple[list[str], tuple[int, ...]]:
    """Run a plan one app at a time."""
    runners = [Runner(app.app) for app in plan.apps]
    keeper = Serial(plan, runners, case)
    while (instant := keeper.upcoming()) is not None:
        keeper.run_instant(instant)
    keeper.take_leave()
    return recorded(runners), counts(keeper)


def run_ahead(plan: RunPlan, seed: int, *, eager: bool) -> tuple[list[str], tuple[int, ...]]:
    """Run a plan with grants ahead and answers in random order, as slow processes give them."""
    random = Random(seed)
    runners = [Runner(app.app) for app in plan.apps]
    keeper = Ahead(plan)
    open_grants = []
    while True:
        open_grants += keeper.grants(None, eager=eager)
        if not open_grants:
            break
        random.shuffle(open_grants)
        seat, ticks = open_grants.pop()
        answers = []
        for tick in ticks:
            answers.append(runners[seat.rank].run(*tick))
            if runners[seat.rank].turns_back(answers[-1]):
                break
        keeper.accept(seat, answers)
    leave(keeper, runners)
    return recorded(runners), counts(keeper)


def leave(keeper: Ahead, runners: Sequence[Runner]) -> None:
    """Give every app its last grant."""
    keeper.close_books()
    keeper.flush()
    for recording in (False, True):
        for seat in keeper.seats:
            if seat.plan.app.observes_case_reset == recording:
                tick = seat.grant_stop(keeper.end_instant)
                keeper.accept(seat, [runners[seat.rank].run(*tick)])
        keeper.flush()
