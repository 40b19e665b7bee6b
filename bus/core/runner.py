"""``Runner``: performs an app's activations: passes it mail and time, collects its answer."""

from __future__ import annotations

import signal
import traceback
from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple, TypeAlias

from steerageway.bus.core.app import App, Registration
from steerageway.bus.core.appcasts import REQUEST, Appcasts
from steerageway.bus.core.errors import CannotGoOn
from steerageway.bus.core.message import NANO, Message, Row
from steerageway.bus.core.plan import Failure
from steerageway.bus.core.shares import Copy
from steerageway.declarations.patterns import any_matches
from steerageway.diagnostics.error_text import error_text

STATUS_INTERVAL = 2 * NANO


class Hung(BaseException):
    """An app exceeded its time limit; raised inside it, as no Exception lest it catch it."""


def trouble() -> tuple[type[BaseException], ...]:
    """Return the errors of an app that end only that app: all, but a Ctrl-C that raises here."""
    raises = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    return (Exception, SystemExit, Hung) if raises else (BaseException,)


class Kind(IntEnum):
    """Kinds of activations."""

    START = 0
    ITERATE = 1
    MAIL = 2
    STOP = 3
    CASE = 4


# What an app did in one activation: its posts, registrations and copies for other communities.
Answer: TypeAlias = tuple[Sequence[Row], Sequence[Registration], Sequence[Copy]]

# Names, since looking a member up in its enum is slow.
KINDS = _START, _ITERATE, _MAIL, _STOP, _ = tuple(Kind)


class AppFigures(NamedTuple):
    """An app's figures in the run's summary."""

    refused: int
    run_warnings: dict[str, int]
    config_warnings: list[str]


def figures_of(app: App) -> AppFigures:
    """Return an app's figures for the summary."""
    return AppFigures(app.refused, app.run_warnings, app.config_warnings)


def failure_of(name: str, community: str, instant: int, error: BaseException) -> Failure:
    """Describe an app that raised: one line, and the traceback for its developer.

    ``CannotGoOn`` is not a fault of the app: its message is shown alone.
    """
    if isinstance(error, CannotGoOn):
        return Failure(name, community, instant / NANO, str(error))
    reason = str(error) if isinstance(error, Hung) else error_text(error)
    details = "".join(traceback.format_exception(error))
    return Failure(name, community, instant / NANO, reason, details)


class Runner:
    """Performs the activations of one app; the same in every placement.

    ``<APP>_STATUS`` is posted with the first iteration at or after each 2 s of the app's life.
    """

    def __init__(self, app: App) -> None:
        self.app = app
        self._status_name = f"{app.name.upper()}_STATUS"
        self._next_status = 0
        self._receives_own: dict[str, bool] = {}
        self._appcasts = Appcasts(app) if app.setting.answers_appcasts else None

    def run(self, kind: Kind, instant: int, mail: Sequence[Message]) -> Answer:
        """Perform one activation.

        Args:
            kind: which of the app's methods are called.
            instant: simulated time [ns].
            mail: committed before, oldest first.
        """
        app = self.app
        app.instant = instant
        app.time = instant / NANO
        appcasts = self._appcasts
        if appcasts is not None:
            mail = appcasts.take(mail)
        if kind is _ITERATE:
            app.iteration += 1
            if mail:
                app.on_mail(mail)
            app.iterate()
            if appcasts is not None:
                appcasts.answer()
            if instant >= self._next_status:
                self._post_status(instant)
        elif kind is _MAIL:
            app.on_mail(mail)
        elif kind is _START:
            app.on_start()
            if appcasts is not None:
                appcasts.begin()
        elif mail:
            app.on_mail(mail)
        if kind is _STOP:
            app.on_stop()
        posts, registrations, copies = app._bus_outbox, app._bus_registrations, app._bus_copies
        app._bus_outbox = []
        if not registrations and not copies:
            return posts, (), ()
        app._bus_registrations, app._bus_copies = [], []
        return posts, registrations, copies

    def invalidates_rest(self, answer: Answer) -> bool:
        """Whether the rest of the grant must be given back, since its mail is no longer complete.

        That is so when the app registered something, or posted a variable it is subscribed to.
        """
        posts, registrations, _ = answer
        if registrations:
            self._receives_own.clear()
            return True
        return any(self._receives(name) for name, _, _, _ in posts)

    def _receives(self, name: str) -> bool:
        known = self._receives_own.get(name)
        if known is None:
            known = any_matches(self.app._bus_registered, name)
            known = known or (name == REQUEST and self._appcasts is not None)
            self._receives_own[name] = known
        return known

    def begin_case(self, mail: Sequence[Message], instant: int, number: int, seed: int) -> None:
        """Deliver the rest of a case's mail and announce the next, to an app that outlives cases.

        Its status begins anew, as that of apps that are rebuilt.
        """
        self.run(Kind.CASE, instant, mail)
        self._next_status, self.app._bus_since = instant, instant
        self.app._bus_posted.clear()
        self.app._bus_allowed.clear()
        self.app.on_case(number, seed)

    def _post_status(self, instant: int) -> None:
        app = self.app
        app._bus_allowed.add(self._status_name)
        app._bus_posted[self._status_name] = None
        app.post(self._status_name, app._bus_status())
        self._next_status = instant + STATUS_INTERVAL
