"""Test bench of a behavior: runs it without a mission, for unit tests and experiments.

bench = behavior_bench(HoldCourse, "course = 217")
bench.own(x=10.0, y=-20.0, heading=90.0, speed=2.0)
bench.contact("ben", x=60.0, y=-20.0, heading=270.0, speed=2.0)
bench.step()
assert bench.decision["course"] == 217.0
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from steerageway.declarations.patterns import any_matches
from steerageway.helm.behavior_variables import publications, subscriptions
from steerageway.helm.behaviors import BehaviorError
from steerageway.helm.behaviors.base import AnyBehavior
from steerageway.helm.build import build_one
from steerageway.helm.kinds import PREFIX, Kinds
from steerageway.helm.life_cycle import live
from steerageway.helm.surroundings import OBSTACLES
from steerageway.helm.world import World
from steerageway.ivp import Domain, Function, parse_variable, solve
from steerageway.moos.bhv import parse_behaviors
from steerageway.moos.seglist import Point
from steerageway.moos.values import Value

DOMAIN = ("course:0:359:360", "speed:0:4:41")
EPOCH = 1_767_225_600.0  # UTC of time 0 [s]: 2026-01-01, as in missions
TICK = 0.25  # between two iterations [s]
OF_ANY = ("BHV_WARNING", "BHV_ERROR")  # posts that no behavior has to declare


class Bench:
    """One behavior of the vessel abe; each ``step`` is an iteration of its helm.

    Attributes:
        behavior: the behavior.
        world: its information buffer; the vessel is at rest at 0,0 until ``own`` is called.
        objective: its objective function of the last iteration; None if it had none.
        posts: (variable, value) of the last iteration, in order.
        posted: last value of each variable it has posted.
    """

    def __init__(self, kind: type[AnyBehavior], parameters: str, domain: Sequence[str]) -> None:
        self.world = World("abe", Domain(tuple(map(parse_variable, domain))), Random(0))
        self.world.utc = EPOCH
        self.behavior = _built(kind, parameters, self.world)
        self.objective: Function | None = None
        self.posts: list[tuple[str, Value]] = []
        self.posted: dict[str, Value] = {}
        self.world.keep(subscriptions(self.behavior))
        self.own()

    @property
    def state(self) -> str:
        """The behavior's state: idle, running, active, disabled or completed."""
        return self.behavior.state

    @property
    def decision(self) -> dict[str, float]:
        """The best decision for this behavior alone; empty without an objective function."""
        if self.objective is None:
            return {}
        return dict(solve(self.world.domain, [self.objective]).values)

    def utility(self, **point: float) -> float:
        """Return the utility of a point, e.g. course=90, speed=2.

        Raises:
            ValueError: the behavior has no objective function.
        """
        if self.objective is None:
            raise ValueError(f"{self.behavior.settings.name} is {self.state}: it has no objective")
        return self.objective.at(self.world.domain, point)

    def own(
        self,
        x: float = 0.0,
        y: float = 0.0,
        heading: float = 0.0,
        speed: float = 0.0,
        depth: float = 0.0,
    ) -> None:
        """Set the state of ownship [m, deg, m/s]."""
        state = {"X": x, "Y": y, "HEADING": heading, "SPEED": speed, "DEPTH": depth}
        for name, value in state.items():
            self.world.take(f"NAV_{name}", float(value))
        self.world.locate()

    def contact(
        self, name: str, x: float, y: float, heading: float = 0.0, speed: float = 0.0
    ) -> None:
        """Deliver a node report of another vessel with its present state [m, deg, m/s]."""
        utc = self.world.utc
        text = f"NAME={name},X={x},Y={y},SPD={speed},HDG={heading},DEP=0,TYPE=kayak,TIME={utc}"
        self.world.ledger.take(text, utc)

    def obstacle(self, name: str, points: Sequence[Point]) -> None:
        """Deliver an obstacle: the vertices x,y [m] of a convex polygon."""
        corners = ":".join(f"{x},{y}" for x, y in points)
        self.hear(OBSTACLES, f"pts={{{corners}}},label={name}")

    def hear(self, name: str, value: float | str) -> None:
        """Deliver a variable's value, for the next step."""
        self.world.take(name, float(value) if isinstance(value, int | float) else value)

    def step(self, seconds: float = TICK) -> None:
        """Advance the time, and run one iteration.

        Raises:
            BehaviorError: the behavior failed, returned something other than an objective function,
                or posted a variable that it does not declare. Other exceptions pass through.
        """
        world = self.world
        world.time += seconds
        world.utc += seconds
        world.iteration += 1
        world.locate()
        self.objective = live(self.behavior)
        self._release()
        world.end_iteration()

    def _release(self) -> None:
        behavior = self.behavior
        declared = [*publications(behavior, behavior.settings), *OF_ANY]
        self.posts = [(name, value) for name, value, _ in behavior.postings]
        behavior.postings.clear()
        for name, value in self.posts:
            if not any_matches(declared, name):
                expected = "expected it among what its publishes names"
                raise BehaviorError(f"{behavior.settings.name}: posts {name}: {expected}")
            self.posted[name] = value
            self.world.take(name, value)


def behavior_bench(
    kind: type[AnyBehavior], parameters: str = "", *, domain: Sequence[str] = DOMAIN
) -> Bench:
    """Return a bench for one behavior.

    Args:
        kind: its class.
        parameters: the lines of its block, e.g. ``course = 217``.
        domain: the decision variables, as in the helm's ``domain`` lines.
    Raises:
        FormatError: a parameter is invalid; the message names it and the expected value.
    """
    return Bench(kind, parameters, domain)


def _built(kind: type[AnyBehavior], parameters: str, world: World) -> AnyBehavior:
    kinds, name = Kinds(), PREFIX + kind.__name__.removeprefix(PREFIX)
    kinds.add(name, kind)
    (block,) = parse_behaviors(f"Behavior = {name}\n{{\n{parameters}\n}}\n", name).behaviors
    return build_one(block, kinds, world)
