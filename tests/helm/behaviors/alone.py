"""Test harness of a single behavior: its world, and iterations without a helm.

Beside that, a register of which parameters are shown to matter: each has a test that fails if the
parameter is ignored, and says so by ``@shows("BHV_Loiter", "radius")``.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from steerageway.bus import matches
from steerageway.helm.behavior_variables import publications, subscriptions
from steerageway.helm.behaviors import BEHAVIORS
from steerageway.helm.behaviors.contact.settings import ContactSettings
from steerageway.helm.life_cycle import live
from steerageway.helm.settings import CommonSettings, SettingError, changed, documented, put
from steerageway.helm.world import World
from steerageway.ivp import Domain, Function, parse_variable, solve
from steerageway.moos.errors import FormatError
from steerageway.moos.values import Value, split_first

DOMAIN = ("course:0:359:360", "speed:0:4:41")
DEEP = (*DOMAIN, "depth:0:100:101")
START = 1_000_000.0  # UTC of time 0 [s]

SHOWN: dict[str, set[str]] = {}


def shows(kind: str, *names: str) -> Callable[[Any], Any]:
    """Mark a test with the parameters of a behavior whose effect it verifies."""
    SHOWN.setdefault(kind, set()).update(names)
    return lambda test: test


def untested_parameters(kind: str) -> set[str]:
    """Return a behavior's own parameters that no test marks with ``shows``."""
    kind_of_settings = BEHAVIORS[kind].settings_class
    shared = ContactSettings if issubclass(kind_of_settings, ContactSettings) else CommonSettings
    common = documented(shared)
    own = {one.name for one in documented(kind_of_settings) if one not in common}
    return own - SHOWN.get(kind, set())


class Alone:
    """One behavior, named b, of the vessel abe; each ``step`` is an iteration.

    Attributes:
        behavior, world: the behavior, and its information.
        objective: its function of the last iteration, or None.
        posts: (variable, value) of the last iteration, in order.
        said: variable -> last value of everything posted so far.
    """

    def __init__(
        self,
        kind: str,
        parameters: str = "",
        domain: tuple[str, ...] = DOMAIN,
        **nav: float,
    ) -> None:
        self.world = World("abe", Domain(tuple(map(parse_variable, domain))), Random(0))
        settings = BEHAVIORS[kind].settings_class(name="b")
        try:
            lines = [split_first(line, "=") for line in filter(str.strip, parameters.splitlines())]
            settings.settle(frozenset(put(settings, *line) for line in lines))
            self.behavior = BEHAVIORS[kind](kind, settings, self.world)
            self._configure(settings, frozenset(vars(settings)))
        except SettingError as error:
            raise FormatError("b", error.name, error.value, error.expected) from error
        self.objective: Function | None = None
        self.posts: list[tuple[str, Value]] = []
        self.posted: dict[str, Value] = {}
        names = ("NAV_X", "NAV_Y", "NAV_HEADING", "NAV_SPEED", "NAV_DEPTH")
        self._take(dict.fromkeys(names, 0.0) | nav)
        self._release()

    def step(
        self, mail: dict[str, Value] | None = None, dt: float = 0.25, **nav: float
    ) -> dict[str, Value]:
        """Iterate once, ``dt`` later; return the last value of each variable posted."""
        world = self.world
        world.time += dt
        world.utc = START + world.time
        world.iteration += 1
        self._take(nav | (mail or {}))
        world.locate()
        self.objective = live(self.behavior)
        self._release()
        return dict(self.posts)

    def steps(self, count: int, dt: float = 0.25) -> list[tuple[str, Value]]:
        """Iterate several times; return all posts."""
        return [post for _ in range(count) if self.step(dt=dt) is not None for post in self.posts]

    def update(self, text: str) -> None:
        """Change parameters, p = v # p = v, as an update does."""
        assignments = [split_first(field, "=") for field in text.split("#")]
        self._configure(*changed(self.behavior.settings, assignments))

    def decide(self) -> dict[str, float]:
        """Return the best decision for this behavior alone."""
        assert self.objective is not None
        return dict(solve(self.world.domain, [self.objective]).values)

    def utility(self, **point: float) -> float:
        """Return the utility of a point."""
        assert self.objective is not None
        return self.objective.at(self.world.domain, point)

    def values(self, name: str) -> list[Value]:
        """Return every value of a variable in the last iteration."""
        return [value for posted, value in self.posts if posted == name]

    def drawn(self, variable: str, part: str) -> str:
        """Return the last text of a ``VIEW_`` variable in the last iteration that has a part."""
        return next(str(v) for v in reversed(self.values(variable)) if part in str(v))

    @property
    def subscriptions(self) -> list[str]:
        """Its subscriptions."""
        return subscriptions(self.behavior)

    def _configure(self, settings: Any, fields: frozenset[str]) -> None:
        self.behavior.check(settings, fields)
        self.behavior.settings = settings
        self.behavior.configured(fields)

    def _take(self, values: dict[str, Any]) -> None:
        for name, value in values.items():
            self.world.take(name, value)

    def _release(self) -> None:
        known = publications(self.behavior, self.behavior.settings)
        self.posts = [(name, value) for name, value, _ in self.behavior.postings]
        for name, value in self.posts:
            declared = any(matches(one, name) for one in (*known, "BHV_WARNING", "BHV_ERROR"))
            assert declared, f"{name} is not declared"
            self.world.take(name, value)
        self.posted |= dict(self.posts)
        self.behavior.postings.clear()
