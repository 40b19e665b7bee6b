"""The helm's account of itself: ``IVPHELM_SUMMARY`` and the lines of its appcast."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from apps.helm.behavior_set import BehaviorSet, Departed
from apps.helm.behaviors.base import AnyBehavior
from apps.helm.life_cycle import ACTIVE, IDLE, RUNNING
from ivp import Domain, Function
from moos.values import fixed, trimmed

NONE = "none"


@dataclass(slots=True)
class Report:
    """What came of one iteration.

    Attributes:
        wishes: behavior -> its function, for those that have a say.
        decision: variable -> value.
        halt: why the helm halted; "" if it did not.
        modes: the mode variables' values, as the summary has them.
    """

    wishes: dict[AnyBehavior, Function] = field(default_factory=dict)
    decision: dict[str, float] = field(default_factory=dict)
    halt: str = ""
    modes: str = ""

    @property
    def has_goal(self) -> bool:
        """Whether a behavior has a say that is more than a constraint."""
        return any(not behavior.constraint for behavior in self.wishes)


class Summary:
    """Writes ``IVPHELM_SUMMARY``: in full at first and when asked, else what changed.

    What only the machine knows (times of solving and creating) is 0. The field counts the pieces
    of its approximations; here that is the number of values in the functions' tables.
    """

    def __init__(self, behaviors: BehaviorSet) -> None:
        self._behaviors = behaviors
        self._domain = behaviors.world.domain
        self._before: dict[str, str] = {}
        self.pieces = 0

    def write(self, report: Report, warnings: int, *, in_full: bool) -> str:
        """Write the summary of an iteration.

        Args:
            report: what came of it.
            warnings: how many run warnings there have been.
            in_full: leave nothing out.
        """
        world = self._behaviors.world
        self.pieces += sum(function.size for function in report.wishes.values())
        fields = self._fields(report, warnings)
        before = {} if in_full else self._before
        self._before = fields
        parts = [f"iter={world.iteration},utc_time={fixed(world.utc, 2)}"]
        parts += [text for key, text in fields.items() if before.get(key) != text]
        return ",".join(parts)

    def _fields(self, report: Report, warnings: int) -> dict[str, str]:
        updates = self._behaviors.updates
        lists = {state: [] for state in (RUNNING, ACTIVE, IDLE)}  # type: dict[str, list[str]]
        for behavior in self._behaviors.behaviors:
            name = behavior.settings.name
            since, taken = fixed(behavior.since, 2), updates[name].summary()
            if behavior.state == ACTIVE and behavior in report.wishes:
                wish = report.wishes[behavior]
                text = f"{fixed(wish.weight)}${wish.size}${fixed(0.0)}${taken}$1$$"
                lists[ACTIVE].append(f"{name}${since}${text}")
            elif behavior.state in (RUNNING, IDLE):
                lists[behavior.state].append(f"{name}${since}${taken}")
        return {
            "ofnum": f"ofnum={len(report.wishes)}",
            "formed": f"total_pcs_formed={self.pieces}",
            "cached": "total_pcs_cached=0",
            "warnings": f"warnings={warnings}",
            "times": "solve_time=0.00,create_time=0.00,max_create_time=0.00,max_solve_time=0.00,"
            "max_loop_time=0.00,loop_time=0.00",
            "decision": _decision_text(self._domain, report.decision),
            "halted": f"halted={_truth(bool(report.halt))}",
            "goal": f"active_goal={_truth(report.has_goal)}",
            "modes": f"modes={report.modes or NONE}",
            "running": f"running_bhvs={':'.join(lists[RUNNING]) or NONE}",
            "active": f"active_bhvs={':'.join(lists[ACTIVE]) or NONE}",
            "idle": f"idle_bhvs={':'.join(lists[IDLE]) or NONE}",
            "disabled": f"disabled_bhvs={NONE}",
            "completed": f"completed_bhvs={_departed(self._behaviors.departed)}",
            "domain": f'ivpdomain="{self._domain}"',
            "halt": f"halt_msg={report.halt or NONE}",
        }


def names_by_state(behaviors: Sequence[AnyBehavior], state: str) -> str:
    """Give the names of the behaviors in a state, joined by commas."""
    return ",".join(b.settings.name for b in behaviors if b.state == state)


def appcast_lines(report: Report, behaviors: BehaviorSet, state: str) -> Iterable[str]:
    """Give the lines a person wants to see of a helm."""
    world = behaviors.world
    yield f"State: {state}   Iteration: {world.iteration}   IvP functions: {len(report.wishes)}"
    yield f"Modes: {report.modes or NONE}   Halted: {report.halt or 'no'}"
    yield f"Decision over {world.domain}:"
    for variable in world.domain:
        value = report.decision.get(variable.name)
        yield f"  {variable.name} = {'no decision' if value is None else trimmed(value)}"
    for name in (ACTIVE, RUNNING, IDLE):
        yield f"{name.capitalize()}: {names_by_state(behaviors.behaviors, name) or NONE}"
    yield f"Completed: {','.join(one.name for one in behaviors.departed) or NONE}"


def _decision_text(domain: Domain, decision: Mapping[str, float]) -> str:
    return ",".join(
        f"var={name}:{trimmed(decision[name]) if name in decision else 'varbalk'}"
        for name in domain.names
    )


def _departed(departed: Iterable[Departed]) -> str:
    texts = [f"{name}${fixed(since, 2)}${updates}" for name, since, updates in departed]
    return ":".join(texts) or NONE


def _truth(value: bool) -> str:
    return "true" if value else "false"
