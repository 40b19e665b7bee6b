"""Parameters common to contact behaviors: contact, decay, filters, weight by range, flags."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from steerageway.declarations import Choice, Number, boolean, truth, word
from steerageway.geometry.encounter import Decay
from steerageway.helm.behaviors.contact.flags import ContactFlag, contact_flag
from steerageway.helm.contact import parse_decay
from steerageway.helm.contact_filter import RULES, ContactFilter
from steerageway.helm.readers import color
from steerageway.helm.settings import CommonSettings, SettingError, parameter, repeated
from steerageway.moos.condition import MACRO, Condition, parse_condition
from steerageway.moos.values import split_first, trimmed

EXACT = "accepted, no effect: functions are exact"
_SPELLINGS: Mapping[str, Callable[[str], str]] = {
    "CONTACT": str.upper,
    "contact": str.lower,
    "Contact": str,
}
"""Spelling of a contact's name in conditions, by macro."""
RELEVANCE = Number(low=0.0, high=1.0)
_LINES = "white:0, green:0.65, yellow:0.8, red:1.0"


class Shade(NamedTuple):
    """A colour, and the relevance from which it is used."""

    color: str
    relevance: float


def shades(text: str) -> tuple[Shade, ...]:
    """Read colours by relevance, true for the default ones, or false for none.

    Items such as info:range, which MOOS-IvP's files may contain, are skipped.
    """
    shown = truth(text)
    if shown is not None:
        return shades(_LINES) if shown else ()
    found = []
    for item in text.split(","):
        name, level = split_first(item, ":")
        if name.lower() == "info":
            continue
        found.append(Shade(color(name), RELEVANCE(level)))
    return tuple(sorted(found, key=lambda shade: shade.relevance))


def _with_name(contact: str, condition: Condition) -> Condition:
    """Replace the macros of the contact's name in a condition."""
    if not MACRO.search(condition.text):
        return condition
    names = {name: spelt(contact) for name, spelt in _SPELLINGS.items()}
    text = MACRO.sub(lambda found: names.get(found[1], found[0]), condition.text)
    return parse_condition(text)


def _rule(what: str, *names: str) -> tuple[str, ...]:
    words: tuple[str, ...] = repeated(str, f"{what}; repeatable", aliases=names)
    return words


@dataclass
class ContactSettings(CommonSettings):
    """Parameters of every contact behavior."""

    without_effect: ClassVar[Mapping[str, str]] = {
        **CommonSettings.without_effect,
        "bearing_line_label_show": "a line always has a label",
    }
    contact: str | None = parameter(
        "", word, "name of the other vessel, in any case", aliases=("them",)
    )
    extrapolate: bool = parameter(
        "true", boolean, "true: extrapolate the contact's position between reports"
    )
    decay: Decay | None = parameter(
        "15,30",
        parse_decay,
        "BEGIN,END [s] since the contact's last report: its extrapolated speed is kept until BEGIN "
        "and falls to 0 at END; or off",
    )
    decay_end: float | None = parameter("", Number(low=0), "sets END of decay only [s]")
    on_no_contact_ok: bool = parameter(
        "true", boolean, "false: a behavior error while the contact is unknown"
    )
    time_on_leg: float = parameter("60", Number(above=0), "time horizon of CPA calculations [s]")
    bearing_lines: tuple[Shade, ...] = parameter(
        "false",
        shades,
        "true, or COLOR:RELEVANCE,...: draw a line to the contact, coloured by relevance",
        aliases=("bearing_line_config", "bearing_line_show"),
    )
    match_name: tuple[str, ...] = _rule("accept only contacts of these names, separated by colons")
    ignore_name: tuple[str, ...] = _rule("ignore contacts of these names, separated by colons")
    match_group: tuple[str, ...] = _rule(
        "accept only contacts of these groups, separated by colons", "match_contact_group"
    )
    ignore_group: tuple[str, ...] = _rule(
        "ignore contacts of these groups, separated by colons", "ignore_contact_group"
    )
    match_type: tuple[str, ...] = _rule(
        "accept only contacts of these types, separated by colons", "contact_type_required"
    )
    ignore_type: tuple[str, ...] = _rule("ignore contacts of these types, separated by colons")
    match_vsource: tuple[str, ...] = _rule(
        "accept only contacts of these sources (vsource), separated by colons"
    )
    ignore_vsource: tuple[str, ...] = _rule(
        "ignore contacts of these sources (vsource), separated by colons"
    )
    match_region: tuple[str, ...] = _rule("accept only contacts within this polygon")
    ignore_region: tuple[str, ...] = _rule("ignore contacts within this polygon")
    strict_ignore: bool = parameter(
        "true", boolean, "true: also ignore contacts whose report lacks the field of an ignore rule"
    )
    exit_on_filter_vtype: bool = parameter(
        "false", boolean, "true: complete when the contact's type no longer passes the filter"
    )
    exit_on_filter_group: bool = parameter(
        "false", boolean, "true: complete when the contact's group no longer passes the filter"
    )
    exit_on_filter_region: bool = parameter(
        "false", boolean, "true: complete when the contact's position no longer passes the filter"
    )
    post_per_contact_info: bool = parameter(
        "false", boolean, "true: post range etc. in variables that end in the contact's name"
    )
    use_plat_model: bool = parameter("false", boolean, f"{EXACT}, along straight legs")
    cnflag: tuple[ContactFlag, ...] = repeated(
        contact_flag,
        "@TAG VAR = value: posted at the event TAG (cpa, os_passed_cn, <50, ...); repeatable",
    )

    def settle(self, assigned: frozenset[str]) -> None:
        if self.contact:
            self.condition = tuple(_with_name(self.contact, one) for one in self.condition)
        if "decay_end" in assigned and self.decay_end is not None:
            begin = self.decay[0] if self.decay else self.decay_end
            self.decay = min(begin, self.decay_end), self.decay_end

    def doubts(self, assigned: frozenset[str]) -> Iterator[tuple[str, str]]:
        for condition in self.condition:
            for name in MACRO.findall(condition.text):
                if name not in _SPELLINGS:
                    known = ", ".join(f"$[{spelt}]" for spelt in _SPELLINGS)
                    yield "condition", f"expected one of {known}: it never holds"

    def alert_request(self, ranges: str) -> str:
        """Return the ``BCM_ALERT_REQUEST`` for updates that spawn a behavior per near contact."""
        update = f"{self.updates}=name=$[VNAME] # contact=$[VNAME]"
        return f"id={self.name},on_flag={update}{ranges}{self.filter().text()}"

    def filter(self) -> ContactFilter:
        """Return the filter made of the match and ignore rules.

        Raises:
            SettingError: a rule's value is invalid.
        """
        made = ContactFilter(strict=self.strict_ignore)
        for rule in RULES:
            for text in getattr(self, rule):
                try:
                    made = made.having(rule, text)
                except ValueError as error:
                    raise SettingError(rule, text, str(error)) from error
        return made


@dataclass
class AlertSettings(ContactSettings):
    """Parameters of behaviors that request alerts from the contact manager."""

    no_alert_request: bool = parameter(
        "false", boolean, "true: do not request alerts from the contact manager"
    )


@dataclass
class RangedSettings(AlertSettings):
    """Parameters of contact behaviors whose weight grows as the range falls."""

    without_effect: ClassVar[Mapping[str, str]] = {
        **ContactSettings.without_effect,
        **dict.fromkeys(
            ("check_plateaus", "check_validity", "pcheck_thresh"), "functions are exact"
        ),
        **dict.fromkeys(("roc_max_dampen", "roc_max_heighten"), "MOOS-IvP does not use it either"),
        "verbose": "the appcast tells what there is to tell",
    }
    pairs = (("pwt_inner_dist", "pwt_outer_dist"), ("min_util_cpa_dist", "max_util_cpa_dist"))

    pwt_inner_dist: float = parameter(
        "50",
        Number(low=0),
        "range within which the weight is pwt [m]",
        aliases=("active_inner_distance",),
    )
    pwt_outer_dist: float = parameter(
        "200",
        Number(low=0),
        "range beyond which the behavior has no influence [m]",
        aliases=("active_outer_distance", "active_distance"),
    )
    pwt_grade: str = parameter(
        "quasi",
        Choice("linear", "quadratic", "quasi"),
        "growth of the weight between the two: linear, quadratic, or quasi (power 1.5)",
        aliases=("active_grade",),
    )
    completed_dist: float = parameter(
        "500",
        Number(low=0),
        "it completes beyond 1.1 times this range [m]",
        aliases=("completed_distance",),
    )
    min_util_cpa_dist: float = parameter(
        "10",
        Number(low=0),
        "CPA range below which the utility is 0 [m]",
        aliases=("collision_distance",),
    )
    max_util_cpa_dist: float = parameter(
        "75",
        Number(low=0),
        "CPA range from which on the utility is 100 [m]",
        aliases=("all_clear_distance",),
    )
    use_refinery: bool = parameter("false", boolean, EXACT)
    can_disable: bool = parameter("false", boolean, "true: BHV_ABLE_FILTER may disable it")

    def settle(self, assigned: frozenset[str]) -> None:
        super().settle(assigned)
        if "completed_dist" not in assigned:
            self.completed_dist = max(self.completed_dist, self.pwt_outer_dist)

    def doubts(self, assigned: frozenset[str]) -> Iterator[tuple[str, str]]:
        yield from super().doubts(assigned)
        if "completed_dist" in assigned and self.completed_dist < self.pwt_outer_dist:
            outer = trimmed(self.pwt_outer_dist)
            yield "completed_dist", f"below pwt_outer_dist, {outer}: it avoids nothing beyond"
