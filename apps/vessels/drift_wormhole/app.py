"""``uDriftWormhole``: simulates drift and wormholes for vessels of any simulator.

It runs next to a vessel's simulator and acts on it only by mail. For drift it may also run on the
shore, for every vessel whose node reports it receives.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from steerageway.apps.shared import wormholes
from steerageway.apps.shared.wormholes import WormholeOptions
from steerageway.apps.vessels.drift_wormhole import drift, transfer
from steerageway.apps.vessels.drift_wormhole.drift import (
    ARROW,
    FORMS,
    MULTIPLY,
    ROTATE,
    DriftField,
    DriftPoster,
    Place,
)
from steerageway.apps.vessels.drift_wormhole.options import OWN, DriftOptions
from steerageway.apps.vessels.drift_wormhole.reading import read_sources
from steerageway.apps.vessels.drift_wormhole.transfer import (
    RESET,
    TELEPORT,
    TELEPORTED,
    TRANSFER_POSTS,
    Transfer,
)
from steerageway.bus import App, Message, Value, variables
from steerageway.moos.node_report import NodeReportError, parse
from steerageway.moos.values import trimmed, trimmed360

PUBLICATIONS = (
    *drift.PUBLICATIONS,
    *transfer.PUBLICATIONS,
    *wormholes.PUBLICATIONS,
    *variables.published("""
        VIEW_POLYGON | text | m | | every ten ticks | mouths of wormholes, for viewers
    """),
)

REPORT = "NODE_REPORT"
ARROW_EVERY = 1.0  # s
UNCONFIRMED = f"{TELEPORT}: no simulator answers by {TELEPORTED}"


class DriftWormhole(App):
    """Posts drift that varies in time and space, and wormhole passages, for one or more vessels."""

    last_wins = True
    publications = PUBLICATIONS
    publishes: Sequence[str] = (
        *(name for names in FORMS.values() for name in names),
        *(MULTIPLY, ROTATE, ARROW, *TRANSFER_POSTS),
    )
    subscribes: ClassVar[Sequence[str]] = (
        *("NAV_X", "NAV_Y", "NAV_DEPTH", TELEPORTED, RESET, REPORT),
    )
    parameters = (*DriftOptions.parameters(), *WormholeOptions.parameters())

    def configure(self) -> None:
        options = DriftOptions.read(self.config)
        self._sources = read_sources(options, self.setting.folder, self.random)
        self._drift_field = DriftField(self._sources)
        self._form, self._own = options.post_as, options.vessels == OWN
        self._arrow_scale = options.arrow_scale if options.arrows else 0.0
        self._prefix = options.prefix.rstrip("_")
        wormholes = WormholeOptions.read(self.config).wormhole
        if wormholes and not self._own:
            line = self.config.all("wormhole")[0]
            raise self.config.error(line, "expected vessels = own with wormholes")
        self._transfer = Transfer(wormholes, self.community, self.post) if wormholes else None
        if not wormholes and not (self._sources.drifts or self._sources.turns):
            self.config_warning("there is neither drift nor rotate nor wormhole: nothing happens")
        self._nav: dict[str, float] = {}
        self._vessels: dict[str, DriftPoster] = {}
        self._places: dict[str, Place] = {}
        if self._own:
            self._vessels[self.community] = DriftPoster("", self._form)
        self._arrow_due = 0.0
        self.publishes = self._publications()

    def _publications(self) -> tuple[str, ...]:
        sources = self._sources
        names = list(FORMS[self._form]) if sources.drifts else []
        names += [MULTIPLY] if sources.multiplications else []
        names += [ROTATE] if sources.turns else []
        if not self._own:
            names = [f"{name}_*" for name in names]
        names += [ARROW] if sources.drifts and self._arrow_scale else []
        return (*names, *(TRANSFER_POSTS if self._transfer else ()))

    def on_start(self) -> None:
        if not self._own:
            self.register(REPORT)
            return
        self.register(*(f"{self._prefix}_{axis}" for axis in ("X", "Y", "DEPTH")))
        if self._transfer is not None:
            self.register(TELEPORTED, RESET)

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Take positions, and the simulator's confirmations."""
        transfer = self._transfer
        for message in mail:
            name, value = message.name, message.value
            if name == REPORT:
                self._take_report(value)
            elif name == TELEPORTED and transfer is not None:
                transfer.carried(message.time)
            elif name == RESET and transfer is not None:
                transfer.call_off()
            elif isinstance(value, float):
                self._take_navigation(name.removeprefix(f"{self._prefix}_"), value, message.time)

    def _take_navigation(self, axis: str, value: float, time: float) -> None:
        """Take one of X, Y and DEPTH; Y, which arrives after X, completes a position."""
        nav = self._nav
        nav[axis] = value
        if "X" in nav and "Y" in nav:
            self._places[self.community] = (nav["X"], nav["Y"], nav.get("DEPTH", 0.0))
            if axis == "Y" and self._transfer is not None:
                self._transfer.see((nav["X"], nav["Y"]), time)

    def _take_report(self, value: Value) -> None:
        try:
            record = parse(str(value))
        except NodeReportError as error:
            self.run_warning(f"{REPORT}: {error}")
            return
        if not record.name or record.x is None or record.y is None:
            self.run_warning(f"{REPORT}: expected NAME, X and Y, as in NAME=abe,X=0,Y=-20")
            return
        if record.name not in self._vessels:
            self._vessels[record.name] = DriftPoster(f"_{record.name.upper()}", self._form)
        self._places[record.name] = (record.x, record.y, record.depth or 0.0)

    def iterate(self) -> None:
        """Advance the drift, and post it for each vessel."""
        now, field = self.time, self._drift_field
        factors = field.advance(now)
        draws = self._arrow_scale > 0 and now >= self._arrow_due
        if draws:
            self._arrow_due = now + ARROW_EVERY
        for name, vessel in self._vessels.items():
            for factor in factors:
                vessel.multiply(factor, self.post)
            vessel.turn(field.turn, self.post)
            place = self._places.get(name)
            if self._sources.drifts and (place is not None or not self._sources.fields):
                drift = field.drift(place or (0.0, 0.0, 0.0), now)
                vessel.post_drift(drift, self.post)
                if draws and place is not None:
                    vessel.draw(drift, place, name, self._arrow_scale, self.post)
        if self._transfer is not None:
            self._transfer.lead(now, self.iteration)
            if self._transfer.is_unconfirmed(now):
                self.run_warning(UNCONFIRMED)

    def report(self) -> Iterable[str]:
        """Yield the drift at each vessel."""
        turn = trimmed(self._drift_field.turn, 3)
        yield f"Posts drift as {self._form}; turns vessels by {turn} deg/s"
        for name in self._vessels:
            place = self._places.get(name, (0.0, 0.0, 0.0))
            drift = self._drift_field.drift(place, self.time)
            text = f"{trimmed360(drift.direction, 1)} deg, {trimmed(drift.magnitude, 3)} m/s"
            yield f"{name} at {trimmed(place[0], 1)}, {trimmed(place[1], 1)}: {text}"
        if self._transfer is not None:
            yield from self._transfer.report()
