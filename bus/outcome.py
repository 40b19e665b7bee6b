"""Sums a run up: what the launcher prints and writes as JSON."""

from __future__ import annotations

from bus.keeper import Keeper
from bus.message import NANO
from bus.plan import AppOutcome, Outcome
from bus.runner import Account
from bus.seat import Seat


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
        complaints=list(keeper.complaints),
        values={
            name: {v.name: v.last[3].value for v in d.variables.values() if v.last is not None}
            for name, d in keeper.databases.items()
        },
        taps={name: tap.result() for name, tap in keeper.taps.items()},
    )
