"""Posts of the helm about its behaviors: states, counts, summary, life events."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from steerageway.bus import App
from steerageway.helm.behavior_set import BehaviorSet
from steerageway.helm.behaviors.base import AnyBehavior
from steerageway.helm.life_cycle import ACTIVE, COMPLETED, DISABLED, IDLE, RUNNING
from steerageway.helm.report import Report, Summary, names_by_state
from steerageway.ivp import Domain, Function, approximate, write_ipf
from steerageway.ivp.ipf import packets
from steerageway.moos.modes import ModeSet

LISTS = {
    "IVPHELM_BHV_ACTIVE": ACTIVE,
    "IVPHELM_BHV_RUNNING": RUNNING,
    "IVPHELM_BHV_IDLE": IDLE,
    "IVPHELM_BHV_DISABLED": DISABLED,
}
IPF_ERROR = 1.0  # maximum error of the pieces, in utility (0 to 100)


class BehaviorPosts:
    """Posts the states, counts and life events of one set of behaviors.

    Attributes:
        in_full: the next summary includes unchanged parts.
    """

    def __init__(self, app: App, behaviors: BehaviorSet, modes: ModeSet) -> None:
        self._app = app
        self._behaviors = behaviors
        self._modes = modes
        self._summary = Summary(behaviors)
        self._posted: dict[str, float | str] = {}
        self._states: list[str] | None = None  # of the behaviors, as last posted
        self.in_full = True

    def post_results(self, report: Report, update_results: list[str]) -> None:
        """Post the results of an iteration, and remove completed behaviors."""
        app, post, summary = self._app, self._app.post, self._summary
        for result in update_results:
            post("IVPHELM_UPDATE_RESULT", result)
        states = [behavior.state for behavior in self._behaviors.behaviors]
        news = bool(update_results) or states != self._states
        if news:
            self._states = states
            self._post_lists(states)
        post("IVPHELM_ITER", float(self._behaviors.world.iteration))
        warnings = len(app.diagnostics) + sum(app.run_warnings.values())
        text = summary.write(report, warnings, news=news, in_full=self.in_full)
        self.in_full = False
        post("IVPHELM_SUMMARY", text)
        post("IVPHELM_IPF_CNT", float(len(report.objectives)))
        post("IVPHELM_TOTAL_PCS_FORMED", float(summary.pieces))
        post("IVPHELM_TOTAL_PCS_CACHED", 0.0)
        self._change("TURN_RATE", self._behaviors.world.turn_rate)
        post("IVPHELM_CREATE_CPU", 0.0)
        post("IVPHELM_LOOP_CPU", 0.0)
        self._post_removals()

    def _post_lists(self, states: list[str]) -> None:
        alive = self._behaviors.behaviors
        self._change("IVPHELM_STATEVARS", self._state_variables())
        pairs = self._behaviors.update_variables().items()
        self._change("IVPHELM_UPDATEVARS", ",".join(f"{name}={text}" for name, text in pairs))
        for name, state in LISTS.items():
            self._change(name, names_by_state(alive, state))
            self._change(f"{name}_CNT", float(states.count(state)))
        self._change("IVPHELM_BHV_CNT", float(len(alive)))
        self._change("IVPHELM_BHV_CNT_EVER", float(self._behaviors.ever))
        pending = "true" if COMPLETED in states else "false"
        self._change("IVPHELM_COMPLETED_PENDING", pending)

    def _post_removals(self) -> None:
        behaviors = self._behaviors
        behaviors.remove_completed()
        if behaviors.events:
            self._change("IVPHELM_COMPLETED_COUNT", float(behaviors.removed))
        for event in behaviors.events:
            self._app.post("IVPHELM_LIFE_EVENT", event)
        behaviors.events.clear()
        for warning in behaviors.warnings:
            self._app.run_warning(warning)
            self._app.post("IVPHELM_BHVSET_WARNING", warning)
        behaviors.warnings.clear()

    def _state_variables(self) -> str:
        """Return the variables used in conditions, in alphabetical order."""
        settings = (behavior.settings for behavior in self._behaviors.behaviors)
        names = {name for s in settings for one in s.condition for name in one.variables}
        return ",".join(sorted(names | set(self._modes.watched)))

    def _change(self, variable: str, value: float | str) -> None:
        if self._posted.get(variable) != value:
            self._posted[variable] = value
            self._app.post(variable, value)


def ipf_posts(
    domain: Domain, objectives: Mapping[AnyBehavior, Function], iteration: int
) -> Iterator[tuple[str, str]]:
    """Yield the texts of all objective functions of an iteration, with the behavior's name.

    Long ones are split into packets.
    """
    for behavior, objective in objectives.items():
        name: str = behavior.settings.name
        called = name.replace(",", ";")  # commas separate the fields
        text = write_ipf(approximate(domain, objective, IPF_ERROR), f"{iteration}:{called}")
        for packet in packets(text, f"{called}^{iteration}"):
            yield packet, name
