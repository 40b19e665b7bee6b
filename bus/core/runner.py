"""Runs an app's grants: hands it mail and time, takes its posts and registrations."""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple, TypeAlias

from steerageway.bus.core.app import App, Registration
from steerageway.bus.core.appcasts import REQUEST, Appcasts
from steerageway.bus.core.errors import CannotGoOn, error_text
from steerageway.bus.core.message import NANO, Message, Row
from steerageway.bus.core.patterns import any_matches
from steerageway.bus.core.plan import Failure
from steerageway.bus.core.shares import Copy

STATUS_INTERVAL = 2 * NANO


class Hung(BaseException):
    """An app's turn has lasted too long; raised inside it, past whatever it catches."""


TROUBLE = (Exception, SystemExit, Hung)  # what an app may end by without ending more than itself


class Kind(IntEnum):
    """What an app is granted."""

    START = 0
    ITERATE = 1
    MAIL = 2
    STOP = 3
    CASE = 4


# What an app said in one grant: its posts, its registrations, and what it hands on.
Answer: TypeAlias = tuple[Sequence[Row], Sequence[Registration], Sequence[Copy]]

KINDS = _START, _ITERATE, _MAIL, _STOP, _ = tuple(Kind)  # finding a member in its class takes long


class Account(NamedTuple):
    """What the run's summary says of an app."""

    refused: int
    run_warnings: dict[str, int]
    config_warnings: list[str]


def account_of(app: App) -> Account:
    """Return an app's account of itself."""
    return Account(app.refused, app.run_warnings, app.config_warnings)


def failure_of(name: str, community: str, instant: int, error: BaseException) -> Failure:
    """Describe an app that raised: one line, and the traceback for whoever mends it.

    ``CannotGoOn`` is no fault of the app's: its message stands for itself.
    """
    if isinstance(error, CannotGoOn):
        return Failure(name, community, instant / NANO, str(error))
    reason = str(error) if isinstance(error, Hung) else error_text(error)
    details = "".join(traceback.format_exception(error))
    return Failure(name, community, instant / NANO, reason, details)


class Runner:
    """One app and its turn-taking; the same in every placement.

    ``<APP>_STATUS`` is posted with the first iteration at or after each 2 s of the app's life.
    """

    def __init__(self, app: App) -> None:
        self.app = app
        self._status_name = f"{app.name.upper()}_STATUS"
        self._next_status = 0
        self._receives_own: dict[str, bool] = {}
        self._appcasts = Appcasts(app) if app.answers_appcasts else None

    def run(self, kind: Kind, instant: int, mail: Sequence[Message]) -> Answer:
        """Run one grant.

        Args:
            kind: which of the app's methods.
            instant: simulated time [ns].
            mail: what was committed before, oldest first.
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
        """Whether runs granted beyond this answer must be given back: they lack mail.

        That is so when the app registered something, or posted what it hears itself.
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
        """Hand over the rest of a case's mail and announce the next, to what outlives cases.

        What it says of itself begins anew, as for the apps that are made anew.
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
