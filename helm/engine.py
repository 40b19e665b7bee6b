"""Helm iteration: evaluates modes, runs behaviors, and solves for the best decision."""

from __future__ import annotations

from collections.abc import Container

from steerageway.diagnostics.error_text import error_text
from steerageway.helm.behavior_set import BehaviorSet
from steerageway.helm.behaviors.base import AnyBehavior, BehaviorError
from steerageway.helm.life_cycle import live
from steerageway.helm.report import Report
from steerageway.helm.world import World
from steerageway.ivp import Function, NotFinite, solve
from steerageway.moos.modes import ModeSet


class Engine:
    """Makes decisions; ties are broken by the previous decision.

    Attributes:
        update_results: of the last iteration, as posted in ``IVPHELM_UPDATE_RESULT``.
        spawned: behaviors were spawned in it.
        changed_modes: mode variables with a new value since the previous iteration.
    """

    def __init__(self, behaviors: BehaviorSet, modes: ModeSet) -> None:
        self.behaviors = behaviors
        self.modes = modes
        self.world: World = behaviors.world
        self.update_results: list[str] = []
        self.spawned = False
        self.changed_modes: list[tuple[str, str]] = []
        self._previous: dict[str, float] = {}
        self._revision = -1  # of the world at the last evaluation of the modes
        self.world.watch([*modes.watched, *modes.variables])

    def decide(self, declared: Container[str]) -> Report:
        """Run one iteration.

        Args:
            declared: the variables that the helm may post.
        """
        world = self.world
        world.iteration += 1
        world.locate()
        world.ledger.remove_expired(world.utc, self.behaviors.contacts)
        if self.modes.rules:
            self._evaluate_modes()
        self.update_results = self.behaviors.take_updates(declared)
        self.spawned = self.behaviors.spawn(declared)
        report = Report(modes=self.modes.summary())
        for behavior in self.behaviors.behaviors:
            # a halt ends the iteration: behaviors after this one do not run
            if not _run(behavior, report):
                return report
        if report.objectives:
            self._solve(report)
        return report

    def _evaluate_modes(self) -> None:
        """Evaluate the modes, if a variable in their conditions has changed."""
        self.changed_modes = []
        if self._revision == self.world.revision and not self.modes.timed:
            return
        before = self.modes.values
        values = self.modes.evaluate(self.world.values.get, self.world.utc)
        for name, value in values.items():
            self.world.take(name, value)
        # after the modes' own values, so that these do not cause an evaluation
        self._revision = self.world.revision
        self.changed_modes = [pair for pair in values.items() if before.get(pair[0]) != pair[1]]

    def _solve(self, report: Report) -> None:
        try:
            decision = solve(self.world.domain, report.objectives.values(), self._previous)
        except (KeyError, NotFinite):
            # solve each function alone to find those at fault
            for behavior, objective in report.objectives.items():
                if why := self._fault(objective):
                    _halt(report, behavior, why)
            return
        report.decision = decision.values
        self._previous |= decision.values

    def _fault(self, objective: Function) -> str:
        """Return why an objective function cannot be solved; "" if it can."""
        try:
            solve(self.world.domain, [objective])
        except NotFinite:
            return "its function holds infinity or NaN"
        except KeyError as error:
            return f"decision variable {error.args[0]} is not in the helm's domain"
        return ""


def _run(behavior: AnyBehavior, report: Report) -> bool:
    """Run one behavior's iteration; return False if the helm must halt."""
    try:
        objective = live(behavior)
    except BehaviorError as error:
        return _halt(report, behavior, str(error))
    except Exception as error:  # whatever a behavior raises, the vessel must stop
        return _halt(report, behavior, error_text(error))
    if objective is not None:
        report.objectives[behavior] = objective
    return True


def _halt(report: Report, behavior: AnyBehavior, why: str) -> bool:
    """Report an error of a behavior that halts the helm; return False."""
    text = f"{behavior.settings.name}: {why}"
    behavior.post_always("BHV_ERROR", text)
    report.halt = f"BHV_ERROR: {text}"
    return False
