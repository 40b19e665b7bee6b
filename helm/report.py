"""Status reports of the helm: ``IVPHELM_SUMMARY`` and the appcast."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from steerageway.helm.behavior_set import BehaviorSet
from steerageway.helm.behaviors.base import AnyBehavior
from steerageway.helm.life_cycle import ACTIVE, COMPLETED, DISABLED, IDLE, RUNNING
from steerageway.ivp import Function
from steerageway.moos.values import fixed, trimmed

NONE = "none"
FIXED = {
    "total_pcs_cached": "0",
    "ivpdomain": "",
    **dict.fromkeys(("solve_time", "create_time", "loop_time"), "0.00"),
    **dict.fromkeys(("max_create_time", "max_solve_time", "max_loop_time"), "0.00"),
}
FIELDS = (
    *("ofnum", "total_pcs_formed", "total_pcs_cached", "warnings", "solve_time", "create_time"),
    *("max_create_time", "max_solve_time", "max_loop_time", "loop_time", "var", "halted"),
    *("active_goal", "modes", "running_bhvs", "active_bhvs", "idle_bhvs", "disabled_bhvs"),
    *("completed_bhvs", "ivpdomain", "halt_msg"),
)  # all fields of a summary, in MOOS-IvP's order; those of FIXED never change
_CHANGING = tuple(key for key in FIELDS if key not in FIXED)


@dataclass(slots=True)
class Report:
    """Result of one iteration.

    Attributes:
        objectives: active behavior -> its objective function.
        decision: variable -> value.
        halt: why the helm halted; "" if it did not.
        modes: the mode variables' values, as text of the summary.
    """

    objectives: dict[AnyBehavior, Function] = field(default_factory=dict)
    decision: dict[str, float] = field(default_factory=dict)
    halt: str = ""
    modes: str = ""

    @property
    def has_goal(self) -> bool:
        """Whether a behavior is active that is not a mere constraint."""
        return any(not behavior.constraint for behavior in self.objectives)


class Summary:
    """Writes ``IVPHELM_SUMMARY``: all fields at first and on request, otherwise changed ones.

    Values that depend on the machine (times of solving and creating) are 0. MOOS-IvP counts the
    pieces of its approximations; here that is the number of values in the functions' tables.
    """

    def __init__(self, behaviors: BehaviorSet) -> None:
        self._behaviors = behaviors
        self._domain = behaviors.world.domain
        self._before: tuple[Any, ...] = (None,) * len(_CHANGING)
        self._states: dict[str, list[tuple[str, float, str]]] = {}
        self.pieces = 0

    def write(self, report: Report, warnings: int, *, news: bool, in_full: bool) -> str:
        """Return the summary of an iteration.

        Args:
            report: its result.
            warnings: number of warnings so far.
            news: the behaviors, their states or their updates have changed.
            in_full: include unchanged fields.
        """
        world = self._behaviors.world
        if news:
            self._states = self._by_state()
        facts = self._facts(report, warnings)
        before, self._before = self._before, facts
        text = f"iter={world.iteration},utc_time={fixed(world.utc, 2)}"
        if in_full:
            known = FIXED | dict(zip(_CHANGING, facts, strict=True))
            return ",".join([text, *(self._field(key, known[key]) for key in FIELDS)])
        for key, fact, was in zip(_CHANGING, facts, before, strict=True):
            if fact != was:
                text += f",{self._field(key, fact)}"
        return text

    def _facts(self, report: Report, warnings: int) -> tuple[Any, ...]:
        """Return the values of the fields of ``_CHANGING``, not yet as text."""
        objectives = [
            (objective.weight, objective.size, behavior.mode_names())
            for behavior, objective in report.objectives.items()
        ]
        self.pieces += sum(size for _, size, _ in objectives)
        states = self._states
        return (
            len(objectives),
            self.pieces,
            warnings,
            report.decision,
            "true" if report.halt else "false",
            "true" if report.has_goal else "false",
            report.modes or NONE,
            states[RUNNING],
            (states[ACTIVE], objectives),
            states[IDLE],
            states[DISABLED],
            states[COMPLETED],
            report.halt or NONE,
        )

    def _by_state(self) -> dict[str, list[tuple[str, float, str]]]:
        """Return name, start of the state (UTC [s]) and updates of the behaviors, by state."""
        behaviors = self._behaviors
        states: dict[str, list[tuple[str, float, str]]]
        states = {ACTIVE: [], RUNNING: [], IDLE: [], DISABLED: []}
        for behavior in behaviors.behaviors:
            name = behavior.settings.name
            one = (name, behavior.since, behaviors.updates[name].summary)
            states.setdefault(behavior.state, []).append(one)
        return states | {COMPLETED: list(behaviors.completed)}

    def _field(self, key: str, fact: Any) -> str:
        """Return a field in MOOS-IvP's format."""
        if key == "var":
            return ",".join(
                f"var={name}:{trimmed(fact[name]) if name in fact else 'varbalk'}"
                for name in self._domain.names
            )
        if key == "ivpdomain":
            return f'ivpdomain="{self._domain}"'
        if key == "active_bhvs":
            texts = list(map(_active_text, *fact))
        elif key in ("running_bhvs", "idle_bhvs", "disabled_bhvs", "completed_bhvs"):
            texts = [f"{name}${fixed(since, 2)}${taken}" for name, since, taken in fact]
        else:
            return f"{key}={fact}"
        return f"{key}={':'.join(texts) or NONE}"


def _active_text(one: tuple[str, float, str], objective: tuple[float, int, tuple[str, str]]) -> str:
    """Return the text of an active behavior.

    Name, start, weight, pieces, cpu, updates, functions, mode, submode.
    """
    name, since, taken = one
    weight, pieces, (mode, submode) = objective
    begun = f"{name}${fixed(since, 2)}${fixed(weight)}${pieces}${fixed(0.0)}"
    return f"{begun}${taken}$1${mode}${submode}"


def names_by_state(behaviors: Sequence[AnyBehavior], state: str) -> str:
    """Return the names of the behaviors in a state, joined by commas."""
    return ",".join(b.settings.name for b in behaviors if b.state == state)


def appcast_lines(report: Report, behaviors: BehaviorSet, state: str) -> Iterable[str]:
    """Yield the lines of the helm's appcast."""
    world = behaviors.world
    yield f"State: {state}   Iteration: {world.iteration}   IvP functions: {len(report.objectives)}"
    yield f"Modes: {report.modes or NONE}   Halted: {report.halt or 'no'}"
    yield f"Decision over {world.domain}:"
    for variable in world.domain:
        value = report.decision.get(variable.name)
        yield f"  {variable.name} = {'no decision' if value is None else trimmed(value)}"
    for name in (ACTIVE, RUNNING, IDLE, DISABLED):
        yield f"{name.capitalize()}: {names_by_state(behaviors.behaviors, name) or NONE}"
    for template in behaviors.templates:
        yield f"Template {template.name}: {template.made} made of {template.tried} asked for"
    yield f"Completed: {','.join(one.name for one in behaviors.completed) or NONE}"
