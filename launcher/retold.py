"""What an app said of its files while it ran, told of the files and lines that the user wrote."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from steerageway.bus import Failure, Outcome
from steerageway.launcher.plan import Launch


def retold(outcome: Outcome, launch: Launch) -> Outcome:
    """Give what a run came to as the user should hear of it."""
    told = {one.name: one.origins.told for one in launch.communities}
    apps = [
        replace(app, run_warnings={told[app.community](w): n for w, n in app.run_warnings.items()})
        for app in outcome.apps
    ]
    return replace(outcome, apps=apps, failures=retold_failures(outcome.failures, launch))


def retold_failures(failures: Iterable[Failure], launch: Launch) -> list[Failure]:
    """Give failures as the user should hear of them."""
    told = {one.name: one.origins.told for one in launch.communities}
    return [
        replace(
            failed,
            reason=told.get(failed.community, str)(failed.reason),
            details=told.get(failed.community, str)(failed.details),
        )
        for failed in failures
    ]
