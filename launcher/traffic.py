"""Subscriptions and posts of a run's apps, from DB_RWSUMMARY, and warnings about unread posts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from steerageway.apps.shared.registry import is_shipped
from steerageway.bus import Outcome, Value, any_matches, is_pattern
from steerageway.diagnostics.nearest import hint
from steerageway.launcher.plan import Launch
from steerageway.launcher.spelling import near_name
from steerageway.moos.rw_summary import Traffic, read_rw_summary


def traffic(values: Mapping[str, Value]) -> Iterator[Traffic]:
    """Return the subscriptions and posts of each app, from a community's DB_RWSUMMARY."""
    return read_rw_summary(str(values.get("DB_RWSUMMARY", "")))


def unread_pokes(outcome: Outcome, launch: Launch) -> Iterator[str]:
    """Return a complaint for each post of the command line without a subscriber.

    Subscribers to everything (``*``), such as the logger, are not counted.
    """
    looked_at = {
        name for one in (*launch.plan.until, *launch.plan.fail_if) for name in one.variables
    }
    subscribed = {name: _subscriptions(name, outcome, launch) for name in launch.plan.communities}
    paced = launch.gate.programs if launch.gate is not None else ()
    # What programs have registered for is in no report of the database.
    for community, name in () if paced else dict.fromkeys(launch.poked):
        patterns = [subscribed[one] for one in ([community] if community else subscribed)]
        if (
            name in looked_at
            or not all(patterns)
            or any(any_matches(some, name) for some in patterns)
        ):
            continue
        known = {one for some in patterns for one in some if not is_pattern(one)}
        where = f" in {community}" if community else ""
        yield f"--set {name}: no app subscribed to it{where}{hint(name, known)}"


def misspelt_registrations(outcome: Outcome, launch: Launch) -> Iterator[str]:
    """Return a complaint for each misspelt subscription of a user's app.

    That is one to a variable that was not posted but is similar to a posted one. The simulator's
    apps are not checked: they subscribe to more than a mission needs.
    """
    own = {
        (plan.community, plan.name) for plan in launch.plan.apps if not is_shipped(type(plan.app))
    }
    for community, values in outcome.values.items():
        for app, subscribed, _ in traffic(values):
            for name in sorted(subscribed) if (community, app) in own else ():
                meant = "" if is_pattern(name) or name in values else near_name(name, values)
                if meant:
                    yield (
                        f"{community}: {app} subscribed to {name}, which was never posted;"
                        f" the nearest is {meant}"
                    )


def _subscriptions(community: str, outcome: Outcome, launch: Launch) -> set[str]:
    """Return the subscriptions in a community; empty if an app is not in its DB_RWSUMMARY."""
    rows = {app: subscribed for app, subscribed, _ in traffic(outcome.values.get(community, {}))}
    apps = [app.name for app in launch.plan.apps if app.community == community]
    if not all(app in rows for app in apps):
        return set()
    return {name for subscribed in rows.values() for name in subscribed} - {"*"}
