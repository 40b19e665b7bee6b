"""Base class of contact behaviors that the contact manager's alerts spawn from templates."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from steerageway.apps.helm.behaviors.contact.base import ContactBehavior
from steerageway.apps.helm.behaviors.contact.settings import AlertSettings

AnyAlertSettings = TypeVar("AnyAlertSettings", bound=AlertSettings)


class AlertedBehavior(ContactBehavior[AnyAlertSettings]):
    """A behavior that requests alerts from the contact manager: override ``alert_ranges``."""

    def alert_ranges(self) -> str:
        """Return the ranges of the alert, each after a comma; "" for the manager's defaults."""
        return ""

    def on_helm_start(self) -> None:
        s = self.settings
        if s.updates is not None and not s.no_alert_request:
            self.post_always("BCM_ALERT_REQUEST", s.alert_request(self.alert_ranges()))

    def publishes(self, settings: AnyAlertSettings) -> Iterable[str]:
        asks = [] if settings.no_alert_request else ["BCM_ALERT_REQUEST"]
        return [*super().publishes(settings), *asks]
