"""Base class of all behaviors: settings, postings, flags with macros, and hooks to override."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeAlias

from steerageway.declarations import variables
from steerageway.declarations.posted import carried, why_not_carried
from steerageway.declarations.variables import Publication
from steerageway.helm.duration import Duration
from steerageway.helm.flags import Flag
from steerageway.helm.macros import common_macros
from steerageway.helm.settings import AnySettings, CommonSettings, posted_names
from steerageway.helm.world import World
from steerageway.ivp import Function
from steerageway.moos.condition import Condition
from steerageway.moos.values import Value

NAVIGATION = ("NAV_X", "NAV_Y", "NAV_HEADING", "NAV_SPEED")


class RunConditions:
    """Whether conditions hold, cached until a watched variable changes."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._conditions: tuple[Condition, ...] = ()
        self._timed = False
        self._revision = -1
        self._open = True

    def hold(self, conditions: tuple[Condition, ...]) -> bool:
        """Whether all conditions hold."""
        world = self._world
        if conditions is not self._conditions:
            self._conditions = conditions
            self._timed = any(condition.timed for condition in conditions)
            world.watch(name for condition in conditions for name in condition.variables)
        elif self._revision == world.revision and not self._timed:
            return self._open
        self._revision = world.revision
        self._open = all(c.holds(world.values.get, world.utc) for c in conditions)
        return self._open


class BehaviorError(Exception):
    """A behavior failed; the helm stops the vessel (all-stop) until the behavior succeeds again."""


# Variable, value and key. A value that repeats the last one of its variable and key is not posted;
# with None as key it always is.
Posting: TypeAlias = tuple[str, Value, str | None]


def above_domain(speed: float, top: float) -> str:
    """Return a warning of a desired speed above the domain's maximum [m/s]."""
    return f"speed {speed:g} is above the domain's {top:g}, which counts"


class Behavior(Generic[AnySettings]):
    """A behavior: override ``settings_class`` and any of the hooks.

    Attributes:
        kind: its type, as in a behavior file.
        settings: its parameters, of ``settings_class``.
        world: the helm's information buffer.
        state: "" (before the first iteration), idle, running, active, disabled or completed.
        since: when that state began, UTC [s].
        postings: what it posted in this iteration.
        run_conditions: evaluates its ``condition`` parameters.
        duration: the time it has been running and idle.
        completed: it is complete and will be removed after this iteration.
        disabled: it was disabled by ``BHV_ABLE_FILTER``.
        spawned: it was spawned from a template.
    """

    settings_class: ClassVar[type[CommonSettings]] = CommonSettings
    publications: ClassVar[Sequence[Publication]] = ()  # with any settings
    needs: ClassVar[tuple[str, ...]] = ()  # decision variables it requires
    constraint: ClassVar[bool] = False  # it only limits decisions, without a goal

    def __init__(self, kind: str, settings: AnySettings, world: World) -> None:
        self.kind = kind
        self.settings = settings
        self.world = world
        self.state = ""
        self.since = 0.0
        self.postings: list[Posting] = []
        self.duration = Duration()
        self.run_conditions = RunConditions(world)
        self.completed = False
        self.disabled = False
        self.spawned = False
        self.on_creation()
        self.macros = common_macros(self) | self.own_macros()

    def on_creation(self) -> None:
        """Set the state that it keeps between iterations, before the first settings are applied."""

    def configured(self, fields: frozenset[str]) -> None:
        """Apply new settings: at the start, with every field, and after each update."""

    def check(self, settings: AnySettings, fields: frozenset[str]) -> None:
        """Reject inconsistent settings.

        Args:
            settings: the proposed ones; ``self.settings`` are those in use.
            fields: the names of those that were set.
        Raises:
            SettingError: what is wrong and what was expected.
        """

    def on_helm_start(self) -> None:
        """Post what other apps need before the first iteration; also called for templates."""

    def on_every_state(self) -> None:
        """Do the work of every iteration, running or idle; called before the hooks of the state."""

    def on_idle(self) -> None:
        """Do the work of an iteration in which it is idle or disabled."""

    def run(self) -> Function | None:
        """Do the work of an iteration in which it runs; return its objective function, or None.

        The function's own weight, 1 unless set, multiplies ``pwt``.

        Raises:
            BehaviorError: it failed; the helm stops the vessel.
        """
        return None

    def on_run_to_idle(self) -> None:
        """Clean up after the last iteration in which it ran."""

    def on_idle_to_run(self) -> None:
        """Prepare for running after it was idle."""

    def on_complete(self) -> None:
        """Do the work of the iteration after which it is removed."""

    def withdraw(self) -> None:
        """Erase its drawings: it ceases to run, or is complete."""

    def publishes(self, settings: AnySettings) -> Iterable[str]:
        """Return the variables it may post with these settings, except those of its flags.

        Override it for names that neither ``publications`` nor ``posted_in`` can declare.
        """
        return [*variables.names_with(settings, self.publications), *posted_names(settings)]

    def listens(self, settings: AnySettings) -> Iterable[str]:
        """Return the variables it subscribes to, except those of its conditions and parameters."""
        return (*NAVIGATION, "NAV_DEPTH") if "depth" in self.needs else NAVIGATION

    def mode_names(self) -> tuple[str, str]:
        """Return its mode and submode, for ``IVPHELM_SUMMARY``; "" for none."""
        return "", ""

    def known_by(self) -> Mapping[str, str]:
        """Return the fields by which ``BHV_ABLE_FILTER`` selects it: contact, obstacle_id, ..."""
        return {}

    def can_be_disabled(self) -> bool:
        """Whether ``BHV_ABLE_FILTER`` may disable it."""
        return False

    def own_macros(self) -> dict[str, Callable[[], str]]:
        """Return the macros of its flags in addition to the common ones."""
        return {}

    @property
    def label(self) -> str:
        """The label of its drawings, or the prefix of their labels."""
        return f"{self.world.community}_{self.settings.name}"

    def post(self, variable: str, value: Value, key: str = "") -> None:
        """Post a variable if its value changed.

        Args:
            key: identifies one series of values of a variable, e.g. one point of ``VIEW_POINT``.
        """
        if value.__class__ is not float and value.__class__ is not str:
            value = _as_posted(variable, value)
        self.postings.append((variable, value, key))

    def post_always(self, variable: str, value: Value) -> None:
        """Post a variable whether or not its value changed."""
        self.postings.append((variable, _as_posted(variable, value), None))

    def warn(self, text: str) -> None:
        """Post a ``BHV_WARNING``; the helm continues."""
        self.post_always("BHV_WARNING", f"{self.settings.name}: {text}")

    def capped(self, speed: float) -> float:
        """Return a speed, limited to the domain's maximum [m/s], with a warning if it was above."""
        top = self.world.domain["speed"].high
        if speed > top:
            self.warn(above_domain(speed, top))
        return min(speed, top)

    def post_flags(self, flags: tuple[Flag, ...]) -> None:
        """Post the flags whose condition holds, in this community or to other vessels."""
        if not flags:
            return
        world = self.world
        for flag in flags:
            if not flag.due(world.values.get, world.utc):
                continue
            value = flag.expanded(self.macros)
            if flag.here:
                self.post_always(flag.variable, value)
            if flag.destination:
                text = flag.message(value, world.community, world.group, self.settings.name)
                self.post_always("NODE_MESSAGE_LOCAL", text)

    def complete(self) -> None:
        """Post the endflags; unless perpetual, the behavior is removed after this iteration."""
        self.post_flags(self.settings.endflag)
        self.completed = not self.settings.perpetual


def _as_posted(variable: str, value: Value) -> Value:
    """Return a value as the bus carries it.

    Raises:
        TypeError: variables do not carry such a value.
    """
    taken = carried(value)
    if taken is None:
        raise TypeError(why_not_carried(variable, value))
    return taken  # type: ignore[return-value]


AnyBehavior: TypeAlias = Behavior[Any]
