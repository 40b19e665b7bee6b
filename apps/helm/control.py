"""Helm state (PARK, DRIVE, STANDBY, ...): manual override, standby helm, readiness to decide."""

from __future__ import annotations

from collections.abc import Callable

from steerageway.apps.helm.options import HelmOptions
from steerageway.bus import App, Message
from steerageway.declarations import truth
from steerageway.helm.world import World

PARK, DRIVE, STANDBY = "PARK", "DRIVE", "STANDBY"
MALCONFIG, DISABLED = "MALCONFIG", "DISABLED"
TOOK_OVER = "+"  # appended to the state of a standby helm that has taken over
OVERRIDES = ("MOOS_MANUAL_OVERRIDE", "MOOS_MANUAL_OVERIDE")
NAVIGATION = ("NAV_X", "NAV_Y", "NAV_HEADING", "NAV_SPEED")
FIRST_SECOND = 1.0  # no decision in this time, so that first mail can arrive [s]
WAITS_FOR_NAV = "Waiting for Helm Nav Solution"
WAITS_FOR_APPS = "Not all HoldOnApps have been detected"


class Control:
    """The helm's state: PARK and DRIVE by the override, MALCONFIG and DISABLED permanently.

    A standby helm waits in STANDBY until the primary helm, once received, is silent for too long.

    Attributes:
        state: one of these.
        has_control: there is no manual override.
        waiting_for: apps of ``hold_on_apps`` that are not connected yet.
        receives_own_state: its own state was received, hence all that was posted before it.
        is_contested: the primary helm, which it replaced, posted again in this iteration.
    """

    def __init__(self, app: App, options: HelmOptions, world: World) -> None:
        self._app = app
        self._options = options
        self._world = world
        self.state = PARK if options.standby is None else STANDBY
        self.has_control = options.starts_in_drive
        self.waiting_for = dict.fromkeys(options.hold_on_apps)
        self.navigation = (*NAVIGATION, *(["NAV_DEPTH"] if "depth" in options.domain else []))
        self.receives_own_state = False
        self.is_contested = False
        self._other_received: float | None = None
        self._has_nav = False
        self._began = 0.0

    def begin(self) -> None:
        """Record the time of the start."""
        self._began = self._app.time

    @property
    def variables(self) -> list[str]:
        """The variables to subscribe to."""
        other = [self._options.override] if self._options.override else []
        clients = ["DB_CLIENTS"] if self.waiting_for else []
        return [*self.navigation, *OVERRIDES, *other, "IVPHELM_STATE", *clients]

    def handlers(self) -> dict[str, Callable[[Message], None]]:
        """Return the handlers of mail by variable."""
        names = [*OVERRIDES, *filter(None, [self._options.override])]
        handlers: dict[str, Callable[[Message], None]] = dict.fromkeys(names, self._take_override)
        return handlers | {"DB_CLIENTS": self._take_clients, "IVPHELM_STATE": self._take_helm_state}

    def update(self) -> bool:
        """Update the state; return whether the helm is enabled and has navigation and all apps."""
        if self.state == STANDBY and self._other_is_silent():
            self.state = PARK
        if self.state in (PARK, DRIVE):
            self.state = DRIVE if self.has_control else PARK
        return self.state in (PARK, DRIVE) and self._has_navigation() and not self.waiting_for

    @property
    def state_text(self) -> str:
        """The state as posted in ``IVPHELM_STATE``."""
        took_over = self._options.standby is not None and self.state in (PARK, DRIVE)
        return self.state + TOOK_OVER if took_over else self.state

    def may_decide(self) -> bool:
        """Whether the first second has passed."""
        return self._app.time - self._began >= FIRST_SECOND

    def park_after_all_stop(self) -> None:
        """Park after an all-stop, if ``park_on_allstop`` is set."""
        if self._options.park_on_allstop and self._options.allow_park:
            self.has_control = False

    def _has_navigation(self) -> bool:
        if self._has_nav:
            return True
        self._has_nav = all(name in self._world.values for name in self.navigation)
        if self._has_nav:
            self._app.retract_run_warning(WAITS_FOR_NAV)
        elif self._app.time - self._began > self._options.nav_grace:
            self._app.run_warning(WAITS_FOR_NAV)
        return self._has_nav

    def _take_override(self, message: Message) -> None:
        overridden = truth(str(message.value))
        if overridden is False:
            self.has_control = True
        elif overridden and self._options.allow_park:
            self.has_control = False
        if not isinstance(message.value, bytes):
            self._world.take(message.name, message.value)

    def _take_clients(self, message: Message) -> None:
        before = self._waits_for_apps
        for client in str(message.value).split(","):
            self.waiting_for.pop(client.strip(), None)
        if self._waits_for_apps != before:
            self._app.retract_run_warning(before)
        if self.waiting_for:
            self._app.run_warning(self._waits_for_apps)

    @property
    def _waits_for_apps(self) -> str:
        return f"{WAITS_FOR_APPS}; missing: {', '.join(self.waiting_for)}"

    def _take_helm_state(self, message: Message) -> None:
        """Disable this helm if a standby took over; a standby notes that the primary is alive."""
        state = str(message.value)
        if message.source == self._app.name:
            self.receives_own_state = True
        elif self._options.standby is None:
            if state.endswith(TOOK_OVER) and self.state != MALCONFIG:
                self.state = DISABLED
        elif state != DISABLED:
            self._other_received = self._app.time
            self.is_contested = self.state != STANDBY

    def _other_is_silent(self) -> bool:
        # a primary helm that has never posted may still be starting
        if self._other_received is None or self._options.standby is None:
            return False
        return self._app.time - self._other_received > self._options.standby
