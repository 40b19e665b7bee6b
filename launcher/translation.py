"""Translation of a run's messages: paths of expanded files are replaced by the user's files."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from steerageway.bus import Failure, Outcome
from steerageway.launcher.plan import Launch


def translated(outcome: Outcome, launch: Launch) -> Outcome:
    """Return an outcome whose messages name the user's files."""
    translations = {one.name: one.source_map.own_paths for one in launch.communities}
    apps = [
        replace(
            app,
            run_warnings={translations[app.community](w): n for w, n in app.run_warnings.items()},
        )
        for app in outcome.apps
    ]
    return replace(outcome, apps=apps, failures=translated_failures(outcome.failures, launch))


def translated_failures(failures: Iterable[Failure], launch: Launch) -> list[Failure]:
    """Return failures whose messages name the user's files."""
    translations = {one.name: one.source_map.own_paths for one in launch.communities}
    return [
        replace(
            failed,
            reason=translations.get(failed.community, str)(failed.reason),
            details=translations.get(failed.community, str)(failed.details),
        )
        for failed in failures
    ]
