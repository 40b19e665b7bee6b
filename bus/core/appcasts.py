"""Appcasts on request: ``APPCAST`` answers ``APPCAST_REQ``, for viewers such as MOOS-IvP's.

A request is ``node=henry,app=pHelmIvP,duration=3,key=uMAC_1,thresh=any``: which apps shall post
appcasts, and for how long; ``all`` stands for every node or app. With ``thresh=run_warning`` an
app answers only when it has a new run warning.
Source: the requests of MOOS-IvP's uMAC and their treatment by its apps.
"""

from __future__ import annotations

from collections.abc import Sequence

from steerageway.bus.core.app import App, Registration
from steerageway.bus.core.message import NANO, Message
from steerageway.declarations import finite
from steerageway.declarations.patterns import any_matches

REQUEST, ANSWER = "APPCAST_REQ", "APPCAST"
EVERYBODY = "all"
THRESHOLDS = ("any", "run_warning")
# Least time between two answers [ns]; MOOS-IvP's interval of terminal reports.
INTERVAL = 600_000_000
EXPECTED = "expected node=..,app=..,duration=SECONDS,key=..,thresh=any or run_warning"


class Appcasts:
    """The ``APPCAST_REQ`` requests to one app, and when it answers."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._ends: dict[str, tuple[int, str]] = {}  # key -> (instant [ns], threshold)
        self._next = 0
        self._warned = 0

    def begin(self) -> None:
        """Register for requests, in addition to the app's own registrations."""
        self._app._bus_registrations.append(Registration(REQUEST))

    def take(self, mail: Sequence[Message]) -> Sequence[Message]:
        """Read requests; return the mail without them, unless the app itself subscribed to them."""
        requests = [message for message in mail if message.name == REQUEST]
        for message in requests:
            self._note(str(message.value), message.instant)
        if not requests or any_matches(self._app._bus_registered, REQUEST):
            return mail
        return [message for message in mail if message.name != REQUEST]

    def answer(self) -> None:
        """Post the appcast, if a request is in force and due."""
        app = self._app
        self._ends = {key: one for key, one in self._ends.items() if app.instant <= one[0]}
        warned = sum(app.run_warnings.values())
        wanted = any(
            how == THRESHOLDS[0] or warned > self._warned for _, how in self._ends.values()
        )
        if wanted and app.instant >= self._next:
            self._next, self._warned = app.instant + INTERVAL, warned
            app.post(ANSWER, app.appcast())

    def _note(self, text: str, instant: int) -> None:
        fields = {}
        for part in text.split(","):
            key, _, value = part.partition("=")
            fields[key.strip().lower()] = value.strip()
        app = self._app
        for key, own in (("node", app.community), ("app", app.name)):
            if fields.get(key, EVERYBODY).lower() not in (EVERYBODY, own.lower()):
                return
        how = fields.get("thresh", THRESHOLDS[0])
        seconds = finite(fields.get("duration", ""))
        if seconds is None or seconds < 0.0 or how not in THRESHOLDS:
            app.run_warning(f"{REQUEST} = {text}: {EXPECTED}")
            return
        self._ends[fields.get("key", "")] = instant + round(seconds * NANO), how
