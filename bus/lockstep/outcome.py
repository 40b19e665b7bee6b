"""Sums a run up: what the launcher prints and writes as JSON."""

from __future__ import annotations

from collections.abc import Iterator

from steerageway.bus.core.message import NANO
from steerageway.bus.core.plan import AppOutcome, Outcome
from steerageway.bus.core.runner import Account
from steerageway.bus.lockstep.keeper import Keeper
from steerageway.bus.lockstep.seat import Seat

MOST_TOLD = 3  # of what was to come after the end


def app_outcome(seat: Seat, spent: float, account: Account) -> AppOutcome:
    """Sum one app up.

    Args:
        spent: wall seconds in the app.
        account: its own; as a sequence when it comes from another process.
    """
    refused, run_warnings, config_warnings = account
    return AppOutcome(
        name=seat.plan.name,
        community=seat.plan.community,
        grants=seat.answered,
        wall_seconds=spent,
        refused=refused,
        run_warnings=dict(run_warnings),
        config_warnings=tuple(config_warnings),
    )


def exit_reason(keeper: Keeper) -> str:
    """Say why a run that is over has ended."""
    if keeper.ended is not None:
        return keeper.ended.reason
    return "finished" if keeper.plan.stop_at is None else "for"


def sum_up(keeper: Keeper, apps: list[AppOutcome]) -> Outcome:
    """Sum a run up, but for its wall times."""
    databases = keeper.databases.values()
    return Outcome(
        exit_reason=exit_reason(keeper),
        condition=keeper.ended.text if keeper.ended else "",
        simulated_seconds=(keeper.offset + keeper.end_instant) / NANO,
        posted=sum(d.posted for d in databases),
        delivered=sum(d.delivered for d in databases),
        thinned=sum(d.thinned for d in databases),
        refused=sum(d.refused for d in databases) + sum(app.refused for app in apps),
        deterministic=not keeper.failures,
        apps=apps,
        failures=list(keeper.failures),
        complaints=[*keeper.complaints, *_left_undone(keeper)],
        values={
            name: {v: value for v in d.variables if (value := d.value(v)) is not None}
            for name, d in keeper.databases.items()
        },
        taps={name: tap.result() for name, tap in keeper.taps.items()},
    )


def _left_undone(keeper: Keeper) -> Iterator[str]:
    """Say what was to come from outside after the end; of a sweep, where each case has its end."""
    plan, now, end = keeper.plan, keeper.case.number, keeper.end_instant
    late = [(i.instant, i.name) for i in plan.inputs if i.instant > end and (i.case or 0) == now]
    late += [(i.instant, i.name) for i in plan.inputs if (i.case or 0) > now]
    if late:
        told = [f"{what}, at {instant / NANO:g} s" for instant, what in late[:MOST_TOLD]]
        more = f"; and {len(late) - MOST_TOLD} more" if len(late) > MOST_TOLD else ""
        yield f"never came, as the run ended at {end / NANO:g} s: {'; '.join(told)}{more}"
