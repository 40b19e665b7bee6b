"""Parameters of ``pContactMgrV20``: alerts, filters, ranges, reports, flags."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from steerageway.apps.contacts.alerts import Alert, AlertBook, Defaults
from steerageway.apps.contacts.contact_mgr.early import EarlyOptions
from steerageway.apps.shared.block_readers import AbleVars, color
from steerageway.apps.shared.flags import PostFlag, flags
from steerageway.bus import Entry, Options, at_line, declare, parsed
from steerageway.geometry.encounter import Decay
from steerageway.helm.contact import DECAY, parse_decay
from steerageway.helm.contact_filter import RULES, ContactFilter

_ONLY = "accept only contacts with these {}, separated by commas"
_NOT = "ignore contacts with these {}, separated by commas"
WITHOUT_EFFECT = "accepted, no effect, as in MOOS-IvP"


@dataclass(frozen=True)
class FilterOptions(Options):
    """Match and ignore rules for contacts."""

    match_name: tuple[Entry, ...] = declare.entries(_ONLY.format("names"))
    match_group: tuple[Entry, ...] = declare.entries(_ONLY.format("groups"))
    match_type: tuple[Entry, ...] = declare.entries(_ONLY.format("types"))
    match_vsource: tuple[Entry, ...] = declare.entries(_ONLY.format("sources"))
    match_region: tuple[Entry, ...] = declare.entries(
        "accept only contacts within this convex polygon"
    )
    ignore_name: tuple[Entry, ...] = declare.entries(_NOT.format("names"))
    ignore_group: tuple[Entry, ...] = declare.entries(_NOT.format("groups"))
    ignore_type: tuple[Entry, ...] = declare.entries(_NOT.format("types"))
    ignore_vsource: tuple[Entry, ...] = declare.entries(_NOT.format("sources"))
    ignore_region: tuple[Entry, ...] = declare.entries("ignore contacts within this convex polygon")
    strict_ignore: bool = declare.flag(
        True, "false: accept contacts whose report lacks the field of an ignore rule"
    )

    def filter(self) -> ContactFilter:
        """Return the filter made of these rules.

        Raises:
            ConfigError: a line has no name, or no polygon.
        """
        made = ContactFilter(strict=self.strict_ignore)
        for rule in RULES:
            for line in getattr(self, rule):
                with at_line(line):
                    made = made.having(rule, line.value)
        return made


def _or_off(default: float, meaning: str, unit: str, **names: Any) -> Any:
    return declare.number(default, meaning, unit=unit, above=0, off=True, **names)


@dataclass(frozen=True)
class ManagerOptions(Options):
    """Parameters of the app's configuration block. Times that are off are ``inf``."""

    alert: tuple[Entry, ...] = declare.entries(
        "id=A,on_flag=VAR=value,off_flag=VAR=value,alert_range=M,cpa_range=M"
    )
    default_alert_range: float = declare.number(
        1000, "alert_range of alerts without one", unit="m", low=0
    )
    alert_range_color: str = color(
        "gray65", "colour of the circle of alert_range", aliases=("default_alert_range_color",)
    )
    cpa_range_color: str = color(
        "gray35", "colour of the circle of cpa_range", aliases=("default_cpa_range_color",)
    )
    alert_verbose: bool = declare.flag(
        False, "true: post ALERT_VERBOSE when an alert turns on or off"
    )
    rules: FilterOptions = declare.group(FilterOptions)
    contact_max_age: float = declare.number(
        60, "time without reports after which a contact is retired", unit="s", above=0
    )
    max_contacts: int = declare.whole(
        500, "maximum number of contacts; further ones are ignored", low=1
    )
    reject_range: float = _or_off(2000, "range beyond which contacts are ignored", "m")
    decay: Decay | None = declare.value(
        "{:g},{:g}".format(*DECAY),
        parse_decay,
        "BEGIN,END [s] since a contact's last report: its extrapolated speed is kept until "
        "BEGIN and falls to 0 at END; or off",
    )
    recap_interval: float = _or_off(
        1, "interval of CONTACTS_RECAP", "s", aliases=("contacts_recap_interval",)
    )
    max_retired_history: int = declare.whole(
        5, "maximum number of retired contacts in CONTACTS_RETIRED", low=0
    )
    display_radii: bool = declare.flag(
        False, "true: draw circles of each alert's ranges around ownship"
    )
    display_radii_id: str = declare.text("", "draw only the circles of this alert")
    post_closest_range: bool = declare.flag(False, "true: post CONTACT_CLOSEST_RANGE")
    post_closest_relbng: bool = declare.flag(False, "true: post CONTACT_CLOSEST_RELBNG")
    post_all_ranges: bool = declare.flag(False, "true: post CONTACT_RANGES")
    range_report_maxsize: int = declare.whole(
        20, "maximum number of range reports at a time", low=1
    )
    range_report_timeout: float = _or_off(
        10, "age of a request from which it may be replaced by a new one", "s"
    )
    hold_alerts_for_helm: bool = declare.flag(False, "true: no alert until the helm is in DRIVE")
    ownship_group: str = declare.text("", WITHOUT_EFFECT)
    ownship_type: str = declare.text("", WITHOUT_EFFECT)
    contact_local_coords: str = declare.text("", WITHOUT_EFFECT)
    early: EarlyOptions = declare.group(EarlyOptions)
    retire_flag: tuple[PostFlag, ...] = flags("with each contact that is retired")
    able_vars: AbleVars = declare.group(AbleVars)
    disable_flag: tuple[PostFlag, ...] = flags("with each disable by disable_var")
    enable_flag: tuple[PostFlag, ...] = flags("with each enable by enable_var")
    expunge_flag: tuple[PostFlag, ...] = flags("with each expunge by expunge_var")
    able_flag: tuple[PostFlag, ...] = flags("with each disable or enable by these variables")

    def able_flags(self, verb: str) -> tuple[PostFlag, ...]:
        """Return the flags of a disable, enable or expunge."""
        also = {"disable": self.disable_flag, "enable": self.enable_flag}
        return (*also[verb], *self.able_flag) if verb in also else self.expunge_flag

    def book(self) -> tuple[AlertBook, list[Alert]]:
        """Return the book of alerts, to which requests are added, and the alert of each line.

        Raises:
            ConfigError: a line is invalid.
        """
        defaults = Defaults(self.default_alert_range, self.alert_range_color, self.cpa_range_color)
        book = AlertBook(defaults)
        return book, [parsed(line, book.add) for line in self.alert]
