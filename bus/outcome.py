"""Sums a run up: what the launcher prints and writes as JSON."""

from __future__ import annotations

from bus.app import App
from bus.keeper import Keeper
from bus.message import NANO
from bus.plan import AppOutcome, Outcome
from bus.seat import Seat


def app_outcome(app: App, seat: Seat, spent: float) -> AppOutcome:
    """Sum one app up."""
    return AppOutcome(
        name=app.name,
        community=app.community,
        grants=seat.answered,
        wall_seconds=spent,
        refused=app.refused,
        run_warnings=dict(app.run_warnings),
        config_warnings=tuple(app.config_warnings),
    )


def sum_up(keeper: Keeper, apps: list[AppOutcome]) -> Outcome:
    """Sum a run up, but for its wall times."""
    databases = keeper.databases.values()
    ended = keeper.ended
    reason = ended.reason if ended else "for" if keeper.plan.stop_at is not None else "finished"
    return Outcome(
        exit_reason=reason,
        condition=ended.text if ended else "",
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
