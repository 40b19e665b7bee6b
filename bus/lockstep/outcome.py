"""Outcome of a lockstep run, as the launcher prints it and writes it as JSON."""

from __future__ import annotations

from collections.abc import Iterator

from steerageway.bus.core.message import NANO
from steerageway.bus.core.plan import AppOutcome, Outcome
from steerageway.bus.core.runner import AppFigures
from steerageway.bus.lockstep.case_state import CaseState
from steerageway.bus.lockstep.slot import Slot

MOST_NAMED = 3  # inputs after the end that are named


def app_outcome(slot: Slot, spent: float, figures: AppFigures) -> AppOutcome:
    """Return the figures of one app.

    Args:
        spent: wall seconds in the app.
            figures: its own; a tuple, or a list when it comes from another process.
    """
    refused, run_warnings, config_warnings = figures
    return AppOutcome(
        name=slot.plan.name,
        community=slot.plan.community,
        grants=slot.answered,
        wall_seconds=spent,
        refused=refused,
        run_warnings=dict(run_warnings),
        config_warnings=tuple(config_warnings),
    )


def exit_reason(state: CaseState) -> str:
    """Return why a run has ended."""
    if state.ended is not None:
        return state.ended.reason
    return "finished" if state.plan.stop_at is None else "for"


def sum_up(state: CaseState, apps: list[AppOutcome]) -> Outcome:
    """Return the outcome of a run, without its wall times."""
    databases = state.databases.values()
    return Outcome(
        exit_reason=exit_reason(state),
        condition=state.ended.text if state.ended else "",
        simulated_seconds=(state.offset + state.end_instant) / NANO,
        posted=sum(d.posted for d in databases),
        delivered=sum(d.delivered for d in databases),
        thinned=sum(d.thinned for d in databases),
        refused=sum(d.refused for d in databases) + sum(app.refused for app in apps),
        deterministic=not state.failures,
        apps=apps,
        failures=list(state.failures),
        complaints=[*state.complaints, *_unreached_inputs(state)],
        values={
            name: {v: value for v in d.variables if (value := d.value(v)) is not None}
            for name, d in state.databases.items()
        },
        taps={name: tap.result() for name, tap in state.taps.items()},
    )


def _unreached_inputs(state: CaseState) -> Iterator[str]:
    """Name the inputs planned for after the end; in a sweep, for after the end of their case."""
    plan, now, end = state.plan, state.case.number, state.end_instant
    late = [(i.instant, i.name) for i in plan.inputs if i.instant > end and (i.case or 0) == now]
    late += [(i.instant, i.name) for i in plan.inputs if (i.case or 0) > now]
    if late:
        named = [f"{what}, at {instant / NANO:g} s" for instant, what in late[:MOST_NAMED]]
        more = f"; and {len(late) - MOST_NAMED} more" if len(late) > MOST_NAMED else ""
        yield f"never came, as the run ended at {end / NANO:g} s: {'; '.join(named)}{more}"
