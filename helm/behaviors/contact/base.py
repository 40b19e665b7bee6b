"""Base classes of contact behaviors: track and filters, alert requests, weight by range."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import ClassVar, TypeVar

from steerageway.declarations import variables
from steerageway.declarations.variables import Publication
from steerageway.geometry.encounter import (
    Motion,
    Track,
    bearing_rate,
    closest_approach,
    closure,
    relative_bearing,
    seen_from,
    separation,
)
from steerageway.helm.behaviors.base import NAVIGATION, Behavior, BehaviorError
from steerageway.helm.behaviors.contact import utility
from steerageway.helm.behaviors.contact.flags import due, moment
from steerageway.helm.behaviors.contact.settings import (
    AlertSettings,
    ContactSettings,
    RangedSettings,
)
from steerageway.helm.contact import Contact
from steerageway.helm.contact_filter import ContactFilter
from steerageway.helm.variables import VIEW_SEGLIST
from steerageway.ivp import Function
from steerageway.moos import view
from steerageway.moos.values import trimmed, trimmed360

AnyContactSettings = TypeVar("AnyContactSettings", bound=ContactSettings)
AnyAlertSettings = TypeVar("AnyAlertSettings", bound=AlertSettings)
AnyRangedSettings = TypeVar("AnyRangedSettings", bound=RangedSettings)

_new = tuple.__new__  # creates a named tuple in half the time

BEYOND = 1.1  # it completes beyond this multiple of completed_dist


def per_contact(settings: ContactSettings) -> bool:
    """Whether the variables of ``post_of_contact`` are posted."""
    return settings.post_per_contact_info


BCM_ALERT_REQUEST = variables.text(
    "BCM_ALERT_REQUEST",
    "an alert that a behavior requests, as `alert` in the block of pContactMgrV20",
    unit="m",
    when="at the helm's start",
    posted_if=lambda settings: not settings.no_alert_request,
)


class ContactBehavior(Behavior[AnyContactSettings]):
    """A behavior about a contact: override ``meet`` instead of ``run``.

    Attributes:
        own, other: present tracks of ownship and of the contact.
        contact: its last report; None if it is unknown or rejected by the filter.
        range: between the two [m].
        relevance: the fraction of ``pwt`` in use, 0 to 1.
    """

    publications: ClassVar[Sequence[Publication]] = (
        VIEW_SEGLIST._replace(posted_if=lambda settings: bool(settings.bearing_lines)),
    )
    needs: ClassVar[tuple[str, ...]] = ("course", "speed")

    def on_creation(self) -> None:
        self.own = self.other = Track(0.0, 0.0, 0.0, 0.0)
        self.contact: Contact | None = None
        self.range = 0.0
        self.relevance = 0.0
        self._filter = ContactFilter()
        self._met: tuple[Track, Track] | None = None  # tracks of the previous iteration
        self._has_met = False  # the contact has been known

    def meet(self) -> Function | None:
        """Run an iteration in which the contact is known; return an objective function, or None."""
        return None

    def check(self, settings: AnyContactSettings, fields: frozenset[str]) -> None:
        settings.filter()

    def configured(self, fields: frozenset[str]) -> None:
        self._filter = self.settings.filter()

    def publishes(self, settings: AnyContactSettings) -> Iterable[str]:
        names = [one.flag.variable for one in settings.cnflag if one.flag.here]
        names += ["NODE_MESSAGE_LOCAL" for one in settings.cnflag if one.flag.destination]
        return [*names, *super().publishes(settings)]

    def known_by(self) -> Mapping[str, str]:
        values = {"contact": self.settings.contact or ""}
        return values | {"vsource": self._field_text("vsource")} if self.contact else values

    def listens(self, settings: AnyContactSettings) -> Iterable[str]:
        conditions = (one.flag.condition for one in settings.cnflag if one.flag.condition)
        named = (name for condition in conditions for name in condition.variables)
        return [*NAVIGATION, "NODE_REPORT", *named]

    def on_every_state(self) -> None:
        settings, world, ship = self.settings, self.world, self.world.ownship
        self.own = _new(Track, ship[:4])
        known = world.ledger.get(settings.contact) if settings.contact else None
        self.contact = None
        if known is None:
            # a behavior of a template ends with its contact
            if self.settings.templating in ("spawn", "clone") and self._has_met:
                self.complete()
            return
        self._has_met = True
        self.other = known.now(world.utc, settings.decay) if settings.extrapolate else known.track
        self.range = separation(self.own, self.other)
        if self._filter.admits(known):
            self.contact = known
        elif self._must_exit(known):
            self.complete()

    def run(self) -> Function | None:
        if self.contact is None:
            self._met = None
            self._erase()
            if not self.settings.on_no_contact_ok:
                raise BehaviorError(f"contact {self.settings.contact or '(none set)'} is not known")
            return None
        self.relevance = 0.0
        objective = self.meet()
        flags, before, self._met = self.settings.cnflag, self._met, (self.own, self.other)
        if flags:
            self.post_flags(due(flags, moment(*before) if before else None, moment(*self._met)))
        if self.settings.bearing_lines:
            self._draw()
        return objective

    def on_run_to_idle(self) -> None:
        self._met = None

    def withdraw(self) -> None:
        self._erase()

    def _must_exit(self, known: Contact) -> bool:
        settings, admits = self.settings, self._filter.admits
        exits = {
            "type": settings.exit_on_filter_vtype,
            "group": settings.exit_on_filter_group,
            "region": settings.exit_on_filter_region,
        }
        return any(exit_on and not admits(known, (kind,)) for kind, exit_on in exits.items())

    def post_of_contact(self, prefix: str, value: float | str) -> None:
        """Post a variable that ends in the contact's name, if ``post_per_contact_info`` is set."""
        if self.settings.post_per_contact_info and self.contact is not None:
            self.post(f"{prefix}_{self.contact.name.upper()}", value)

    @property
    def _label(self) -> str:
        return f"{self.label}_bearing"

    def _draw(self) -> None:
        lines = [one for one in self.settings.bearing_lines if one.relevance <= self.relevance]
        if lines:
            look = view.look(label=self._label, edge_color=lines[-1].color)
            ends = (self.own[:2], self.other[:2])
            self.post("VIEW_SEGLIST", view.seglist(ends, look), "bearing")
        else:
            self._erase()

    def _erase(self) -> None:
        if self.settings.bearing_lines:
            self.post("VIEW_SEGLIST", view.erased_seglist(self._label), "bearing")

    def own_macros(self) -> dict[str, Callable[[], str]]:
        def rounded(
            give: Callable[[], float], written: Callable[[float, int], str] = trimmed
        ) -> Callable[[], str]:
            return lambda: written(give(), 2)

        def cpa() -> float:
            return closest_approach(self.own, self.other, self.settings.time_on_leg).range

        def toward() -> float:
            """Return the contact's speed toward ownship's position [m/s]."""
            return closure(self.other, self.own._replace(speed=0.0))

        record = self._field_text
        return {
            **_places("OS", "CN", lambda: seen_from(self.other, self.own)),
            **_places("CN", "OS", lambda: seen_from(self.own, self.other)),
            "CN_SPD_IN_OS_POS": rounded(toward),
            "CN_NAME": lambda: self.contact.name if self.contact else "",
            "CN_VTYPE": lambda: record("type"),
            "CN_GROUP": lambda: record("group"),
            "CNX": rounded(lambda: self.other.x),
            "CNY": rounded(lambda: self.other.y),
            "CNH": rounded(lambda: self.other.heading, trimmed360),
            "CNV": rounded(lambda: self.other.speed),
            "CN_RANGE": rounded(lambda: self.range),
            "RANGE": rounded(lambda: self.range),
            "ROC": rounded(lambda: closure(self.own, self.other)),
            "CPA": rounded(cpa),
            "OS_CN_REL_BNG": rounded(lambda: relative_bearing(self.own, self.other), trimmed360),
            "CN_OS_REL_BNG": rounded(lambda: relative_bearing(self.other, self.own), trimmed360),
            "BNG_RATE": rounded(lambda: bearing_rate(self.own, self.other)),
        }

    def _field_text(self, field: str) -> str:
        return str(getattr(self.contact.record, field)) if self.contact else ""


class AlertedBehavior(ContactBehavior[AnyAlertSettings]):
    """A behavior that requests alerts from the contact manager: override ``alert_ranges``."""

    publications: ClassVar[Sequence[Publication]] = (
        *ContactBehavior.publications,
        BCM_ALERT_REQUEST,
    )

    def alert_ranges(self) -> str:
        """Return the ranges of the alert, each after a comma; "" for the manager's defaults."""
        return ""

    def on_helm_start(self) -> None:
        s = self.settings
        if s.updates is not None and not s.no_alert_request:
            self.post_always("BCM_ALERT_REQUEST", s.alert_request(self.alert_ranges()))


class RangedBehavior(AlertedBehavior[AnyRangedSettings]):
    """A contact behavior weighted by range, spawned by alerts."""

    def relevance_by_range(self, *, grows: bool = False) -> float:
        """Return the relevance at the present range, 0 to 1; ``grows``: above 1 when near."""
        s = self.settings
        inner, outer = s.pwt_inner_dist, s.pwt_outer_dist
        return utility.relevance(self.range, inner, outer, s.pwt_grade, grows=grows)

    def complete_if_far(self) -> bool:
        """Complete if the contact is beyond ``completed_dist``; return whether it did."""
        if self.range <= self.settings.completed_dist * BEYOND:
            return False
        self.complete()
        return True

    def alert_ranges(self) -> str:
        s = self.settings
        near = min(s.pwt_outer_dist, s.completed_dist)
        return f",alert_range={trimmed(near)},cpa_range={trimmed(s.completed_dist)}"

    def can_be_disabled(self) -> bool:
        return self.settings.can_disable


def _places(one: str, other: str, seen: Callable[[], Motion]) -> dict[str, Callable[[], str]]:
    """Return four macros, true or false: whether one vessel is ahead, aft, to port, starboard."""

    def evaluated(holds: Callable[[Motion], bool]) -> Callable[[], str]:
        return lambda: str(holds(seen())).lower()

    return {
        f"{one}_FORE_OF_{other}": evaluated(lambda motion: motion.ahead > 0.0),
        f"{one}_AFT_OF_{other}": evaluated(lambda motion: motion.ahead < 0.0),
        f"{one}_PORT_OF_{other}": evaluated(lambda motion: motion.starboard < 0.0),
        f"{one}_STAR_OF_{other}": evaluated(lambda motion: motion.starboard > 0.0),
    }
